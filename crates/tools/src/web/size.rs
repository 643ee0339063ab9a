//! Sizes in words.

/// `12.3 KB`, `842 bytes`.
pub(crate) fn words(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one digit after the point is shown")]
    let of = |unit: f64, name| format!("{:.1} {name}", bytes as f64 / unit);
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => of(1e3, "KB"),
        1_000_000..1_000_000_000 => of(1e6, "MB"),
        _ => of(1e9, "GB"),
    }
}

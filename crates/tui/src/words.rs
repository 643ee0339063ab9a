//! Figures as people read them.

use std::time::Duration;

/// A span of time in whole seconds: `12 s`, `1 min 05 s`, `1 h 02 min`.
pub(crate) fn seconds(span: Duration) -> String {
    let secs = span.as_secs();
    match (secs / 3600, secs / 60 % 60, secs % 60) {
        (0, 0, secs) => format!("{secs} s"),
        (0, minutes, secs) => format!("{minutes} min {secs:02} s"),
        (hours, minutes, _) => format!("{hours} h {minutes:02} min"),
    }
}

/// A limit of so many seconds: `45 s`, `2 min`, `1 min 30 s`.
pub(crate) fn limit(secs: u64) -> String {
    match secs {
        60..3_600 if secs.is_multiple_of(60) => format!("{} min", secs / 60),
        _ => seconds(Duration::from_secs(secs)),
    }
}

/// For how long a command may run.
pub(crate) fn span(secs: u64, background: bool) -> String {
    if background { "in the background".to_owned() } else { format!("for {} at most", limit(secs)) }
}

/// A count in short: `900`, `3.1k`, `11.2k`, `16k`, `1.2M`.
pub(crate) fn short(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..99_950 => format!("{}k", tenths(count as f64 / 1e3)),
        99_950..999_500 => format!("{:.0}k", count as f64 / 1e3),
        _ => format!("{}M", tenths(count as f64 / 1e6)),
    }
}

/// With one figure after the point, where that is not a nought.
pub(crate) fn tenths(figure: f64) -> String {
    let text = format!("{figure:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A count in full, its thousands apart: `980`, `1,240`.
pub(crate) fn grouped(count: u64) -> String {
    match (count / 1_000, count % 1_000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{},{rest:03}", grouped(thousands)),
    }
}

/// A window in short. Windows are powers of two, and 16,384 is known as 16k.
pub(crate) fn window(tokens: u64) -> String {
    if tokens >= 1024 && tokens.is_multiple_of(1024) { format!("{}k", tokens / 1024) } else { short(tokens) }
}

/// Bytes in short: `420 MB`, `5.2 GB`.
pub(crate) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.0} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

/// The size of what is being written, with enough figures to see it grow: `4.2 KB`, `48.0 KB`, `1.3 MB`.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..999_950 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!(
            [short(0), short(999), short(3_120), short(11_240), short(16_000), short(212_400), short(1_250_000)],
            ["0", "999", "3.1k", "11.2k", "16k", "212k", "1.2M"]
        );
        assert_eq!([window(16_384), window(131_072), window(40_960), window(5_000)], ["16k", "128k", "40k", "5k"]);
        assert_eq!([grouped(7), grouped(1_240), grouped(2_000_005)], ["7", "1,240", "2,000,005"]);
        assert_eq!([bytes(900), bytes(420_000_000), bytes(5_225_376_047)], ["900 B", "420 MB", "5.2 GB"]);
        assert_eq!([size(999), size(4_160), size(999_950)], ["999 B", "4.2 KB", "1.0 MB"]);
    }

    #[test]
    fn time_is_told_in_two_figures_at_most() {
        let told = |secs| seconds(Duration::from_secs(secs));
        assert_eq!([told(0), told(59), told(61), told(3_725)], ["0 s", "59 s", "1 min 01 s", "1 h 02 min"]);
        assert_eq!([limit(45), limit(90), limit(120), limit(3_600)], ["45 s", "1 min 30 s", "2 min", "1 h 00 min"]);
    }
}

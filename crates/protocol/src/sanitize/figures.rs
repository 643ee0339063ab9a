//! Figures as people read them, the same in every front end: counts, sizes, spans of time, plurals.

use std::time::Duration;

/// A count in short: `900`, `3.1k`, `11.2k`, `16k`, `1.2M`.
pub fn short(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..99_950 => format!("{}k", tenths(count as f64 / 1e3)),
        99_950..999_500 => format!("{:.0}k", count as f64 / 1e3),
        _ => format!("{}M", tenths(count as f64 / 1e6)),
    }
}

/// A count in full, its thousands apart: `980`, `1,240`.
pub fn grouped(count: u64) -> String {
    match (count / 1_000, count % 1_000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{},{rest:03}", grouped(thousands)),
    }
}

/// So many of them: `1 model`, `0 models`, `1,240 files`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{} {}", grouped(count), plural(count, noun))
}

/// The noun for so many: `line`, `lines`.
pub fn plural(count: impl TryInto<u64>, noun: &str) -> String {
    if count.try_into().is_ok_and(|count| count == 1) { noun.to_owned() } else { format!("{noun}s") }
}

/// A context window in short. Windows are powers of two, and 16,384 tokens are known as 16k.
pub fn window(tokens: u64) -> String {
    if tokens >= 1024 && tokens.is_multiple_of(1024) { format!("{}k", tokens / 1024) } else { short(tokens) }
}

/// With one figure after the point, where that is not a nought.
pub fn tenths(figure: f64) -> String {
    let text = format!("{figure:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A speed in tokens a second: `4.2`, `812`.
pub fn rate(tokens: f64) -> String {
    if tokens < 9.95 { format!("{tokens:.1}") } else { format!("{tokens:.0}") }
}

/// Bytes in short: `420 MB`, `5.2 GB`.
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.0} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

/// Bytes of what is being written, with enough figures to see it grow: `4.2 kB`, `48.0 kB`, `1.3 MB`.
pub fn growing(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..999_950 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

/// A span of time in whole seconds: `12 s`, `1 min 05 s`, `1 h 02 min`.
pub fn seconds(span: Duration) -> String {
    let secs = span.as_secs();
    match (secs / 3600, secs / 60 % 60, secs % 60) {
        (0, 0, secs) => format!("{secs} s"),
        (0, minutes, secs) => format!("{minutes} min {secs:02} s"),
        (hours, minutes, _) => format!("{hours} h {minutes:02} min"),
    }
}

/// A span of time of which tenths matter while it is short: `0.4 s`, `12 s`, `1 min 36 s`.
pub fn brief(span: Duration) -> String {
    let ms = span.as_millis();
    if ms < 9_950 { format!("{:.1} s", ms as f64 / 1e3) } else { seconds(span + Duration::from_millis(999)) }
}

/// A limit of so many seconds: `45 s`, `2 min`, `1 min 30 s`.
pub fn limit(secs: u64) -> String {
    match secs {
        60..3_600 if secs.is_multiple_of(60) => format!("{} min", secs / 60),
        _ => seconds(Duration::from_secs(secs)),
    }
}

/// How long ago something was, of so many seconds: `just now`, `2 h ago`, `5 weeks ago`. The clock of another machine
/// may be ahead of ours, so the seconds may be fewer than none.
pub fn ago(secs: i64) -> String {
    let counted = |count: i64, unit: &str| format!("{} ago", counted(count, unit));
    match secs {
        ..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", secs / 60),
        3_600..86_400 => format!("{} h ago", secs / 3_600),
        86_400..1_209_600 => counted(secs / 86_400, "day"),
        1_209_600..5_184_000 => counted(secs / 604_800, "week"),
        5_184_000..63_072_000 => counted(secs / 2_592_000, "month"),
        _ => counted(secs / 31_536_000, "year"),
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
        assert_eq!([growing(999), growing(4_160), growing(999_950)], ["999 B", "4.2 kB", "1.0 MB"]);
        assert_eq!([rate(4.23), rate(9.96), rate(811.7)], ["4.2", "10", "812"]);
    }

    #[test]
    fn one_of_a_kind_is_no_plural() {
        assert_eq!([counted(1u64, "model"), counted(0usize, "model")], ["1 model", "0 models"]);
        assert_eq!([counted(1_240, "file"), plural(1, "line"), plural(2, "line")], ["1,240 files", "line", "lines"]);
    }

    #[test]
    fn time_is_told_in_two_figures_at_most() {
        let told = |secs| seconds(Duration::from_secs(secs));
        assert_eq!([told(0), told(59), told(61), told(3_725)], ["0 s", "59 s", "1 min 01 s", "1 h 02 min"]);
        assert_eq!([limit(45), limit(90), limit(120), limit(3_600)], ["45 s", "1 min 30 s", "2 min", "1 h 00 min"]);
        let brief = |ms| brief(Duration::from_millis(ms));
        assert_eq!([brief(420), brief(9_949), brief(12_000), brief(95_100)], ["0.4 s", "9.9 s", "12 s", "1 min 36 s"]);
    }

    #[test]
    fn time_that_passed_is_told_roughly() {
        let hours = |hours: i64| ago(hours * 3_600);
        assert_eq!([ago(-800), ago(59), ago(60)], ["just now", "just now", "1 min ago"]);
        assert_eq!([hours(1), hours(23), hours(24), hours(47)], ["1 h ago", "23 h ago", "1 day ago", "1 day ago"]);
        assert_eq!([hours(13 * 24), hours(14 * 24)], ["13 days ago", "2 weeks ago"]);
        assert_eq!([hours(70 * 24), hours(800 * 24)], ["2 months ago", "2 years ago"]);
        assert_eq!(ago(i64::MAX), "292,471,208,677 years ago");
    }
}

//! Figures as people read them, and rows under one another.

/// Blanks between two columns.
const GAP: usize = 2;

/// A count in short: `900`, `3.1k`, `16k`, `1.2M`.
pub(crate) fn short(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..9_950 => format!("{:.1}k", count as f64 / 1e3),
        9_950..999_500 => format!("{:.0}k", count as f64 / 1e3),
        _ => format!("{:.1}M", count as f64 / 1e6),
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

/// A speed in tokens a second: `4.2`, `812`.
pub(crate) fn rate(tokens: f64) -> String {
    if tokens < 9.95 { format!("{tokens:.1}") } else { format!("{tokens:.0}") }
}

/// A span of time: `0.4 s`, `12 s`, `95 s`.
pub(crate) fn span(ms: u64) -> String {
    if ms < 9_950 { format!("{:.1} s", ms as f64 / 1e3) } else { format!("{} s", ms.div_ceil(1_000)) }
}

/// How long before `now` it was `then`, both in seconds since 1970: `just now`, `2 h ago`, `5 weeks ago`.
pub(crate) fn ago(now: i64, then: i64) -> String {
    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    // Another machine's clock may be ahead of ours.
    match now.saturating_sub(then) {
        ..MINUTE => "just now".to_owned(),
        past @ MINUTE..HOUR => format!("{} min ago", past / MINUTE),
        past @ HOUR..DAY => format!("{} h ago", past / HOUR),
        past => match past / DAY {
            days @ ..14 => format!("{} ago", count(days.unsigned_abs(), "day")),
            days => format!("{} weeks ago", days / 7),
        },
    }
}

/// So many of them: `1 model`, `12 models`.
pub(crate) fn count(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// The rows with their columns under one another, no blanks at their ends.
pub(crate) fn table<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0) + GAP;
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The beginning of `text`, at most `most` characters; what is missing is marked.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short() {
        assert_eq!([short(999), short(3_120), short(16_000), short(1_250_000)], ["999", "3.1k", "16k", "1.2M"]);
        assert_eq!([window(16_384), window(262_144), window(5_000)], ["16k", "256k", "5.0k"]);
        assert_eq!([bytes(900), bytes(420_000_000), bytes(5_225_376_047)], ["900 B", "420 MB", "5.2 GB"]);
        assert_eq!([rate(4.23), rate(9.96), rate(811.7)], ["4.2", "10", "812"]);
        assert_eq!([span(420), span(9_949), span(12_000), span(95_100)], ["0.4 s", "9.9 s", "12 s", "96 s"]);
        assert_eq!([count(1, "model"), count(0, "model")], ["1 model", "0 models"]);
    }

    #[test]
    fn time_that_passed_is_told_roughly() {
        let hours = |hours: i64| ago(1_000_000_000, 1_000_000_000 - hours * 3_600);
        assert_eq!([ago(100, 41), ago(100, 40), ago(100, 900)], ["just now", "1 min ago", "just now"]);
        assert_eq!(
            [hours(1), hours(23), hours(13 * 24), hours(14 * 24)],
            ["1 h ago", "23 h ago", "13 days ago", "2 weeks ago"]
        );
        assert_eq!([ago(i64::MAX, i64::MIN), hours(2 * 24)], ["15250284452471 weeks ago", "2 days ago"]);
        assert_eq!((hours(24), hours(47)), ("1 day ago".to_owned(), "1 day ago".to_owned()));
    }

    #[test]
    fn columns_stand_under_one_another() {
        let rows = [["a".into(), "long".into(), "x".into()], ["wider".into(), "b".into(), String::new()]];
        assert_eq!(table(&rows), ["a      long  x", "wider  b"]);
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!([cut("four", 4), cut("fives", 4), cut("éééé", 2)], ["four", "fiv…", "é…"]);
    }
}

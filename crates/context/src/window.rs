//! How large the window is, and how much of it one thing may take.

/// Tokens asked for where neither flag nor config names a number.
const DEFAULT_WINDOW: u64 = 16_384;

/// Bytes of UTF-8 that one token holds at least, as a rule: code and prose hold 3.5 to 4 characters of one byte, Chinese
/// and its kin about one character of three.
const BYTES_PER_TOKEN: u64 = 3;

/// The window to ask for, in tokens: what was configured, else the default; never more than the trained length, for the
/// server would cut it to that without a word.
pub fn choose_window(configured: Option<u64>, trained: Option<u64>) -> u64 {
    configured.unwrap_or(DEFAULT_WINDOW).min(trained.unwrap_or(u64::MAX))
}

/// Bytes that one tool result may take: a quarter of a window of so many tokens.
pub fn room_for_result(window: u64) -> usize {
    usize::try_from(window / 4 * BYTES_PER_TOKEN).unwrap_or(usize::MAX)
}

/// `text` in at most `room` bytes: its beginning, and a line that says how much is missing. For texts that should have been
/// short; long results are cut with more care where they are made.
pub fn squeeze(mut text: String, room: usize) -> String {
    if text.len() > room {
        let whole = text.len();
        text.truncate(text.floor_char_boundary(room.saturating_sub(40)));
        text.push_str(&format!("\n[… {} bytes cut here]", whole - text.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_configured_or_default_or_trained() {
        assert_eq!(choose_window(Some(24_000), Some(32_768)), 24_000);
        assert_eq!(choose_window(Some(40_000), Some(32_768)), 32_768);
        assert_eq!(choose_window(None, Some(131_072)), 16_384);
        assert_eq!(choose_window(None, Some(4_096)), 4_096);
        assert_eq!(choose_window(None, None), 16_384);
    }

    #[test]
    fn what_is_too_long_is_cut_and_that_is_said() {
        let cut = squeeze("漢".repeat(1_000), 100);
        assert_eq!(cut, format!("{}\n[… 2940 bytes cut here]", "漢".repeat(20)));
        assert_eq!(squeeze("short".into(), 100), "short");
    }

    #[test]
    fn one_result_takes_at_most_a_quarter() {
        assert_eq!(room_for_result(16_384), 12_288);
    }
}

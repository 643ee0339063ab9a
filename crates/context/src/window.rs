//! How large the window is, and how much of it one thing may take.

/// Tokens asked for where neither flag nor config names a number.
const DEFAULT_WINDOW: u64 = 16_384;

/// Characters that one token of code or prose holds at least, as a rule; dense text holds fewer, so this is on the
/// careful side of the usual 3.5 to 4.
const CHARS_PER_TOKEN: u64 = 3;

/// The window to ask for, in tokens: what was configured, else the default; never more than the trained length, for the
/// server would cut it to that without a word.
pub fn choose_window(configured: Option<u64>, trained: Option<u64>) -> u64 {
    configured.unwrap_or(DEFAULT_WINDOW).min(trained.unwrap_or(u64::MAX))
}

/// Characters that one tool result may take: a quarter of a window of so many tokens.
pub fn room_for_result(window: u64) -> usize {
    usize::try_from(window / 4 * CHARS_PER_TOKEN).unwrap_or(usize::MAX)
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
    fn one_result_takes_at_most_a_quarter() {
        assert_eq!(room_for_result(16_384), 12_288);
    }
}

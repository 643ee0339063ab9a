//! Counts about how many tokens a text has that is still arriving, with what was learned of the model's tokens.
//!
//! A text is counted in whole lines: words that are cut where a piece ends would count as two.

use crate::context::{Estimator, Features};

/// Bytes of a line that is counted though it has not ended.
const LONG: usize = 1_024;

/// What was counted so far.
#[derive(Debug, Default)]
pub(crate) struct TokenCount {
    counted: Features,
    /// The end of the text, which is not counted yet.
    line: String,
}

impl TokenCount {
    pub(crate) fn add(&mut self, piece: &str) {
        self.line.push_str(piece);
        let whole = match self.line.rfind('\n') {
            Some(at) => at + 1,
            None if self.line.len() >= LONG => self.line.len(),
            None => 0,
        };
        if whole > 0 {
            self.counted = self.counted + Features::of_text(&self.line[..whole]);
            self.line.drain(..whole);
        }
    }
    pub(crate) fn tokens(&self, estimator: &Estimator) -> u64 {
        estimator.tokens(&(self.counted + Features::of_text(&self.line)))
    }
}

/// A call that is being written as text.
#[derive(Debug, Default)]
pub(crate) struct HeldCall {
    count: TokenCount,
    /// So many bytes of the reply are counted, or stand before the call.
    through: usize,
}

impl HeldCall {
    /// It begins after so many bytes of the reply.
    pub(crate) fn begins(at: usize) -> Self {
        HeldCall { through: at, ..HeldCall::default() }
    }

    /// This is what was `written` of the reply by now.
    pub(crate) fn grows(&mut self, written: &str) {
        let from = (self.through..=written.len()).find(|at| written.is_char_boundary(*at)).unwrap_or(written.len());
        self.count.add(&written[from..]);
        self.through = written.len();
    }

    /// About how many tokens it has.
    pub(crate) fn tokens(&self, estimator: &Estimator) -> u64 {
        self.count.tokens(estimator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_a_text_is_cut_the_count_is_that_of_the_whole() {
        let estimator = Estimator::new(None);
        let text = "The parser drops the last line.\nSo I look at `read_lines` first.\n".repeat(30);
        let whole = estimator.tokens(&Features::of_text(&text));
        for size in [1, 3, 7, 5_000] {
            let mut count = TokenCount::default();
            text.as_bytes().chunks(size).for_each(|piece| count.add(&String::from_utf8_lossy(piece)));
            assert_eq!(count.tokens(&estimator), whole, "in pieces of {size}");
        }
    }

    #[test]
    fn a_line_that_never_ends_is_counted_too() {
        let mut count = TokenCount::default();
        (0..4_000).for_each(|_| count.add("word "));
        assert!((3_000..6_000).contains(&count.tokens(&Estimator::new(None))));
        assert!(count.line.len() < LONG);
    }
}

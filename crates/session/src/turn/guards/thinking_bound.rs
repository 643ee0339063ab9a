//! What is kept of thinking that has a bound: how far the reply at hand is, and how often it was closed in a turn. Plain data.

/// The share of the bound by which it may be passed while the end of a paragraph is waited for: one in so many.
const SOFT: u64 = 10;

/// How a turn's thinking went.
#[derive(Debug, Default)]
pub(crate) struct ThinkingWork {
    /// The next request asks for a call or an answer, after thinking that was closed.
    pub(crate) acts: bool,
    /// So often it was closed.
    pub(crate) closings: u32,
}

/// The bound of one reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ThinkingBound {
    pub(crate) of: u64,
    /// As it was told last.
    told: u64,
    /// Bytes of the thinking when the bound was reached.
    reached: Option<usize>,
}

impl ThinkingBound {
    pub(crate) fn closing_at(of: u64) -> Self {
        ThinkingBound { of, told: 0, reached: None }
    }

    /// Is that figure worth telling? One that changes with each piece cannot be read.
    pub(crate) fn is_news(&mut self, tokens: u64) -> bool {
        let news = tokens >= self.told + (self.of / 40).max(10);
        if news {
            self.told = tokens;
        }
        news
    }

    /// Is it to be closed here, of so many tokens? At the bound the end of a paragraph is waited for, but not for long.
    pub(crate) fn is_over(&mut self, thinking: &str, tokens: u64) -> bool {
        if tokens < self.of {
            return false;
        }
        let reached = *self.reached.get_or_insert(thinking.trim_end().len());
        let paragraph = thinking.get(reached..).is_some_and(|rest| rest.contains("\n\n"));
        paragraph || tokens >= self.of + self.of / SOFT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_over_at_the_end_of_a_paragraph_after_the_bound_or_a_tenth_later() {
        let mut bound = ThinkingBound::closing_at(100);
        assert!(!bound.is_over("First.\n\nThen", 99));
        assert!(!bound.is_over("First.\n\nThen more", 100), "that paragraph ended before");
        assert!(!bound.is_over("First.\n\nThen more.\n", 104));
        assert!(bound.is_over("First.\n\nThen more.\n\n", 105));
        assert!(bound.is_over("First.\n\nThen more and more", 110));
    }

    #[test]
    fn figures_are_told_now_and_then() {
        let mut bound = ThinkingBound::closing_at(4_000);
        let told: Vec<u64> = (0..=400).filter(|tokens| bound.is_news(*tokens)).collect();
        assert_eq!(told, [100, 200, 300, 400]);
    }
}

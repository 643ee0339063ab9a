//! What the person said, as a summary keeps it.

/// The person's own words, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// The first task first.
    pub(super) words: Vec<String>,
    /// So many messages that came behind the first were left out.
    pub(super) left_out: u64,
}

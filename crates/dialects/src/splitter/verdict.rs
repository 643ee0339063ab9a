//! What a block turns out to be, and what has been read of one.

use crate::page::Call;

/// What a block turns out to be.
pub(super) enum BlockVerdict {
    /// That depends on what follows.
    Wait,
    /// Text, for so many bytes; 0: not decided beyond its opener.
    Text(usize),
    /// Undecided up to the limit, which is so many bytes away: text.
    TooLong(usize),
    /// The reply ends within it.
    BrokeOff,
    /// The last thing of the answer: calls, and after them bytes that mean nothing.
    Calls(Vec<BlockPart>, usize),
}

/// One reading within a block.
#[derive(Debug)]
pub(super) struct BlockPart {
    /// Bytes before it that mean nothing.
    pub(super) skip: usize,
    pub(super) calls: Vec<Call>,
    pub(super) dialect: &'static str,
    pub(super) len: usize,
}

/// What has been read of a block: it is not read again when more comes.
#[derive(Debug, Default)]
pub(super) struct Looked {
    pub(super) at: usize,
    /// The end of the last part.
    pub(super) done: usize,
    /// The end of the last thing that stands outside of a fence.
    pub(super) outside: usize,
    pub(super) fence: Option<(char, usize)>,
    pub(super) parts: Vec<BlockPart>,
}

impl Looked {
    /// Was a whole call read?
    pub(super) fn has_calls(&self) -> bool {
        !self.parts.is_empty()
    }
}

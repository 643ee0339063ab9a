//! Takes the reply piece by piece and yields text, reasoning and calls.

use crate::{Found, Piece, Tools};

/// In what a reply begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Start {
    /// In the answer.
    #[default]
    Answer,
    /// In reasoning that the prompt has opened already.
    Reasoning,
}

/// Reads one reply.
#[derive(Debug)]
pub struct Splitter {
    _tools: Tools,
}

impl Splitter {
    /// For a reply of a model that was offered `tools`. `family` (the server's word, like `qwen3`) only breaks ties.
    pub fn new(tools: Tools, start: Start, family: Option<&str>) -> Self {
        let _ = (start, family);
        Splitter { _tools: tools }
    }

    /// The next piece of the reply.
    pub fn push(&mut self, text: &str) -> Vec<Piece> {
        vec![Piece::Text(text.to_owned())]
    }

    /// The reply is complete, or broke off: whatever is held back is decided now.
    pub fn finish(&mut self) -> Vec<Piece> {
        Vec::new()
    }

    /// Is something held back that looks like a call?
    pub fn holds_a_call(&self) -> bool {
        false
    }
}

/// The calls in a text that is known to hold one: what a server quotes in its error.
pub fn salvage(text: &str, tools: &Tools) -> Vec<Found> {
    let _ = (text, tools);
    Vec::new()
}

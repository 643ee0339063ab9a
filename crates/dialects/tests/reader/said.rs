//! What a reading comes to: the answer, the reasoning and the calls.

use agent_dialects::Piece;
use serde_json::{Value, json};

/// A reading, kind by kind.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Said {
    pub(crate) content: String,
    pub(crate) reasoning: String,
    /// `{"name": …, "arguments": {…}}` each.
    pub(crate) calls: Vec<Value>,
}

impl Said {
    /// Sorts pieces by kind.
    pub(crate) fn of(pieces: Vec<Piece>) -> Said {
        let mut said = Said::default();
        for piece in pieces {
            match piece {
                Piece::Text(text) => said.content.push_str(&text),
                Piece::Thinking(text) => said.reasoning.push_str(&text),
                Piece::Call(call) => said.calls.push(json!({"name": call.name, "arguments": call.arguments})),
                Piece::WasThinking(was) => {
                    said.reasoning.push_str(&was.text);
                    said.content.clear();
                    said.calls.clear();
                }
                Piece::Lost(_) | Piece::Invented(_) => {}
            }
        }
        said
    }
}

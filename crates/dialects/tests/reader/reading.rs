//! Reads a text in given pieces, and puts together what belongs together.

use agent_dialects::{Piece, Splitter, Start, Tools};

/// What the splitter yields for a text that arrives in `pieces`, neighbours of one kind merged.
pub(crate) fn read<'a>(tools: &Tools, start: Start, pieces: impl IntoIterator<Item = &'a str>) -> Vec<Piece> {
    let mut splitter = Splitter::new(tools.clone(), start);
    let mut merged = Vec::new();
    for piece in pieces {
        merge(&mut merged, splitter.push(piece));
    }
    merge(&mut merged, splitter.finish());
    merged
}

/// Appends pieces; text that goes on is one piece.
pub(crate) fn merge(merged: &mut Vec<Piece>, pieces: Vec<Piece>) {
    for piece in pieces {
        match (merged.last_mut(), piece) {
            (Some(Piece::Text(last)), Piece::Text(more))
            | (Some(Piece::Thinking(last)), Piece::Thinking(more))
            | (Some(Piece::Invented(last)), Piece::Invented(more)) => last.push_str(&more),
            (_, piece) => merged.push(piece),
        }
    }
}

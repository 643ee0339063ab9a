//! Files without definitions: an answer is the whole of them, unless it is plainly a piece.

use super::Unfillable;
use super::parts::Parsed;
use std::collections::HashSet;

/// An answer with fewer than one line in so many is a piece if all its lines stand in the file.
const PIECE: usize = 3;

/// Refuses an answer that is a piece of the file.
pub(super) fn looked_over(before: &Parsed, answer: &Parsed) -> Result<(), Unfillable> {
    let filled = |parsed: &Parsed| parsed.lines.iter().filter(|line| !line.trim().is_empty()).count();
    let (kept, of) = (filled(answer), filled(before));
    let there: HashSet<&str> = before.lines.iter().map(|line| line.trim()).collect();
    let is_piece =
        kept * PIECE < of && answer.lines.iter().all(|line| there.contains(line.trim()) || line.trim().is_empty());
    if is_piece { Err(Unfillable::Drops { kept, of, names: Vec::new() }) } else { Ok(()) }
}

//! Is what is passed on what was written?

use agent_dialects::Piece;

/// Marks that end reasoning.
const MARKS: [&str; 15] = [
    "</think>",
    "</thinking>",
    "[/THINK]",
    "</seed:think>",
    "</mm:think>",
    "</longcat_think>",
    "<|END_THINKING|>",
    "<channel|>",
    "<|inner_suffix|>",
    "<|close|>think<|sep|>",
    "</ifm|think>",
    "</ifm|think_fast>",
    "<|plamo:end_think:plamo|>",
    "<|end|>",
    "<|end_message|>",
];

/// Whatever is passed on stands in the text, and in this order.
pub(crate) fn adds_nothing(text: &str, whole: &[Piece]) -> Result<(), &'static str> {
    let mut rest = text;
    let mut last_raw = "";
    let mut last_mark = 0;
    for piece in whole {
        let said = match piece {
            Piece::Text(said) | Piece::Thinking(said) | Piece::Invented(said) => said,
            // It came before, and holds nothing else: what follows stands behind its mark.
            Piece::WasThinking(was) => {
                let upto = text.get(last_mark..last_mark + was.end).ok_or("an end that is no place in the text")?;
                if !MARKS.iter().any(|mark| upto.ends_with(mark)) || text_after(upto, &was.text, true).is_none() {
                    return Err("reasoning that does not stand before its mark");
                }
                last_mark += was.end;
                rest = &text[last_mark..];
                continue;
            }
            // Calls of one block share what was written.
            Piece::Call(call) if call.raw == last_raw => continue,
            Piece::Call(call) => &call.raw,
            Piece::Lost(lost) => &lost.raw,
        };
        if let Piece::Call(call) = piece {
            last_raw = &call.raw;
        }
        match text_after(rest, said, matches!(piece, Piece::Text(_) | Piece::Thinking(_))) {
            Some(after) => rest = after,
            None => return Err("something that was never written"),
        }
    }
    Ok(())
}

/// What follows `said` in `text`. Marks may have been left out of running text.
fn text_after<'a>(text: &'a str, said: &str, with_gaps: bool) -> Option<&'a str> {
    if !with_gaps {
        return text.find(said).map(|at| &text[at + said.len()..]);
    }
    let mut rest = text;
    for c in said.chars() {
        rest = &rest[rest.find(c)? + c.len_utf8()..];
    }
    Some(rest)
}

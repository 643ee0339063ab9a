//! Text cut into pieces of about a token each, and prompts counted in them. A rough measure, the same every time.

use serde_json::Value;

/// The longest run of letters in one piece.
const LETTERS: usize = 6;

/// Cuts `text` the way a tokenizer would about do it: a space goes with the word behind it, long words fall into parts,
/// signs and line ends stand alone. Nothing is lost: joined, the pieces are the text.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let length = first_piece(rest)?;
        let (piece, after) = rest.split_at(length);
        rest = after;
        Some(piece)
    })
}

fn first_piece(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let (lead, word) = if first == ' ' { (1, &text[1..]) } else { (0, text) };
    let letters: usize = word.chars().take(LETTERS).take_while(|c| c.is_alphanumeric()).map(char::len_utf8).sum();
    Some(if letters > 0 { lead + letters } else { first.len_utf8() })
}

/// About how many tokens this text is.
pub(crate) fn estimate(text: &str) -> u64 {
    (text.chars().count() as u64).div_ceil(4)
}

/// About how many tokens a value takes when it is written into a prompt.
pub(crate) fn estimate_value(value: &Value) -> u64 {
    match value {
        Value::Null => 0,
        Value::String(text) => estimate(text),
        other => estimate(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_joined_are_the_text() {
        let text = "Let me look: `sh test.sh`\n\n  indented — \u{1f469}\u{200d}\u{1f4bb} naïve, immediately.";
        assert_eq!(pieces(text).collect::<String>(), text);
    }

    #[test]
    fn pieces_are_about_the_size_of_tokens() {
        let found: Vec<&str> = pieces("Hello world, immediately\n").collect();
        assert_eq!(found, ["Hello", " world", ",", " immedi", "ately", "\n"]);
    }
}

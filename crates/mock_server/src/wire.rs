//! Ollama's JSON, byte for byte: the order of fields, what is left out when empty, and how Go escapes.

use serde::Serialize;
use serde_json::Value;

/// One line of a chat reply.
#[derive(Debug, Serialize)]
pub(crate) struct ChatLine<'a> {
    pub(crate) model: &'a str,
    pub(crate) created_at: String,
    pub(crate) message: &'a MessageLine<'a>,
    pub(crate) done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) done_reason: Option<&'a str>,
    #[serde(flatten)]
    pub(crate) counts: Option<ReplyFigures>,
}

/// What the model said in one line.
#[derive(Debug, Serialize)]
pub(crate) struct MessageLine<'a> {
    pub(crate) role: &'a str,
    pub(crate) content: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) thinking: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) tool_calls: &'a [WireCall],
}

impl<'a> MessageLine<'a> {
    pub(crate) fn nothing() -> Self {
        MessageLine { role: "assistant", content: "", thinking: "", tool_calls: &[] }
    }

    pub(crate) fn text(content: &'a str) -> Self {
        MessageLine { content, ..MessageLine::nothing() }
    }

    pub(crate) fn thinking(thinking: &'a str) -> Self {
        MessageLine { thinking, ..MessageLine::nothing() }
    }

    pub(crate) fn calls(tool_calls: &'a [WireCall]) -> Self {
        MessageLine { tool_calls, ..MessageLine::nothing() }
    }
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct WireCall {
    pub(crate) id: String,
    pub(crate) function: Function,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Function {
    pub(crate) index: usize,
    pub(crate) name: String,
    pub(crate) arguments: Value,
}

/// The figures of a reply; times in nanoseconds. How much of the prompt was in mind is not told here.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct ReplyFigures {
    pub(crate) total_duration: u64,
    pub(crate) load_duration: u64,
    pub(crate) prompt_eval_count: u64,
    pub(crate) prompt_eval_duration: u64,
    pub(crate) eval_count: u64,
    pub(crate) eval_duration: u64,
    #[serde(skip)]
    pub(crate) cached: u64,
}

/// The body, or line, of an error.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorBody<'a> {
    pub(crate) error: &'a str,
}

/// JSON as Go writes it: `<`, `>`, `&` and two line separators are escaped. They can stand inside strings only.
pub(crate) fn go_json<T: Serialize>(value: &T) -> String {
    let json = serde_json::to_string(value).expect("these types have text keys and finite numbers");
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' => escaped.push_str("\\u003c"),
            '>' => escaped.push_str("\\u003e"),
            '&' => escaped.push_str("\\u0026"),
            '\u{2028}' => escaped.push_str("\\u2028"),
            '\u{2029}' => escaped.push_str("\\u2029"),
            plain => escaped.push(plain),
        }
    }
    escaped
}

/// `length` letters and digits that are always the same for the same `number`.
pub(crate) fn made_up_id(number: u64, length: usize) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    let letter = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(LETTERS[(state % LETTERS.len() as u64) as usize])
    };
    (0..length).map(letter).collect()
}

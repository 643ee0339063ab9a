//! What a reply consists of.
//!
//! In JSON a step is an object whose first field says what it is: `{"text": "…"}`, `{"call": {…}}`, `{"wait_ms": 300}`.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One step of a reply.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub enum Step {
    /// `{"text": "…"}` or `{"pieces": ["…", "…"]}`, either with `"tokens_per_second": 40`.
    Text {
        /// One piece a line; a text is cut into pieces the size of a token.
        pieces: Vec<String>,
        /// How fast; as the script says when absent.
        tokens_per_second: Option<f64>,
    },
    /// `{"thinking": "…"}`, with `"tokens_per_second": 40` if wished.
    Thinking {
        /// One piece a line.
        pieces: Vec<String>,
        /// How fast; as the script says when absent.
        tokens_per_second: Option<f64>,
    },
    /// `{"call": {"name": "…", "arguments": {…}}}`. Nothing is sent while the model writes it, as on a real server.
    Call { name: String, arguments: Value },
    /// `{"wait_ms": 300}`: a silence. As a first step it delays the headers too.
    Wait { ms: u64 },
    /// `{"error": "…"}`: ends the reply with an error line, or with status 500 where nothing was sent before.
    Error { message: String },
    /// `{"status": 503, "body": …, "headers": {…}}`: another answer than a stream.
    Status {
        status: u16,
        headers: BTreeMap<String, String>,
        /// Text is sent as it is, anything else as JSON.
        body: Value,
    },
    /// `{"cut": true}`: closes the connection, in the middle of whatever was being sent.
    Cut,
    /// `{"end_without_done": true}`: ends cleanly without the last line.
    EndWithoutDone,
    /// `{"done_reason": "length"}`: ends with this reason instead of `stop`.
    Done { reason: String },
    /// `{"garbage": "…"}`: a line that is not of the protocol.
    Garbage {
        /// The line, without its end.
        line: String,
    },
    /// `{"raw": "…"}` or `{"raw_hex": "fffe"}`: these bytes, as one HTTP chunk. With `"byte_ms": 20` one byte at a time.
    Raw {
        /// The bytes.
        bytes: Vec<u8>,
        /// The pause before each byte, in milliseconds; all at once when absent.
        byte_ms: Option<u64>,
    },
    /// `{"huge_line_bytes": 67108864}`: one text line of about this length.
    HugeLine {
        /// So many bytes of text.
        bytes: u64,
    },
    /// `{"burst_tokens": 20000}` or `{"stream_tokens": {"count": 1000, "per_second": 100}}`: made-up markdown.
    Prose {
        count: u64,
        /// How fast; as fast as possible when absent.
        per_second: Option<f64>,
    },
}

impl Step {
    /// Text at the script's own speed.
    pub fn text(text: &str) -> Self {
        Step::Text { pieces: cut(text), tokens_per_second: None }
    }

    pub fn call(name: &str, arguments: Value) -> Self {
        Step::Call { name: name.into(), arguments }
    }
}

/// A step as it stands in a file: every field of every kind, all optional.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Written {
    text: Option<String>,
    pieces: Option<Vec<String>>,
    thinking: Option<String>,
    tokens_per_second: Option<f64>,
    call: Option<WrittenCall>,
    wait_ms: Option<u64>,
    error: Option<String>,
    status: Option<u16>,
    headers: BTreeMap<String, String>,
    body: Value,
    cut: Option<bool>,
    end_without_done: Option<bool>,
    done_reason: Option<String>,
    garbage: Option<String>,
    raw: Option<String>,
    raw_hex: Option<String>,
    byte_ms: Option<u64>,
    huge_line_bytes: Option<u64>,
    burst_tokens: Option<u64>,
    stream_tokens: Option<WrittenProse>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCall {
    name: String,
    #[serde(default = "no_arguments")]
    arguments: Value,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenProse {
    count: u64,
    per_second: f64,
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}

impl TryFrom<Written> for Step {
    type Error = String;

    fn try_from(mut written: Written) -> Result<Self, String> {
        let mut kinds = written.spoken()?;
        kinds.extend(written.unspoken()?);
        let step = kinds.pop().ok_or("a step without a kind; try {\"text\": \"…\"}")?;
        if kinds.is_empty() { Ok(step) } else { Err("two kinds in one step; make it two steps".into()) }
    }
}

impl Written {
    fn spoken(&mut self) -> Result<Vec<Step>, String> {
        let tokens_per_second = self.tokens_per_second;
        let mut kinds = Vec::new();
        if let Some(pieces) = self.text.take().map(|text| cut(&text)).or(self.pieces.take()) {
            kinds.push(Step::Text { pieces, tokens_per_second });
        }
        if let Some(text) = self.thinking.take() {
            kinds.push(Step::Thinking { pieces: cut(&text), tokens_per_second });
        }
        if tokens_per_second.is_some() && kinds.is_empty() {
            return Err("tokens_per_second belongs to text and thinking only".into());
        }
        if let Some(call) = self.call.take() {
            kinds.push(Step::Call { name: call.name, arguments: call.arguments });
        }
        if let Some(count) = self.burst_tokens {
            kinds.push(Step::Prose { count, per_second: None });
        }
        if let Some(prose) = self.stream_tokens.take() {
            kinds.push(Step::Prose { count: prose.count, per_second: Some(prose.per_second) });
        }
        Ok(kinds)
    }

    /// What happens on the wire besides.
    fn unspoken(&mut self) -> Result<Vec<Step>, String> {
        let (headers, body, byte_ms) = (std::mem::take(&mut self.headers), self.body.take(), self.byte_ms);
        let raw = match self.raw_hex.take() {
            Some(hex) => Some(from_hex(&hex)?),
            None => self.raw.take().map(String::into_bytes),
        };
        let kinds = [
            self.wait_ms.map(|ms| Step::Wait { ms }),
            self.error.take().map(|message| Step::Error { message }),
            self.status.map(|status| Step::Status { status, headers, body }),
            (self.cut == Some(true)).then_some(Step::Cut),
            (self.end_without_done == Some(true)).then_some(Step::EndWithoutDone),
            self.done_reason.take().map(|reason| Step::Done { reason }),
            self.garbage.take().map(|line| Step::Garbage { line }),
            raw.map(|bytes| Step::Raw { bytes, byte_ms }),
            self.huge_line_bytes.map(|bytes| Step::HugeLine { bytes }),
        ];
        Ok(kinds.into_iter().flatten().collect())
    }
}

fn cut(text: &str) -> Vec<String> {
    crate::tokens::pieces(text).map(str::to_owned).collect()
}

fn from_hex(hex: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u32> = hex.chars().filter(|c| !c.is_whitespace()).map_while(|c| c.to_digit(16)).collect();
    if digits.is_empty() || digits.len() % 2 == 1 || digits.len() != hex.split_whitespace().map(str::len).sum::<usize>()
    {
        return Err("raw_hex wants pairs of hexadecimal digits".into());
    }
    Ok(digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Result<Step, String> {
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    #[test]
    fn every_kind_is_read_from_its_own_field() {
        assert_eq!(read(json!({"text": "Hello"})), Ok(Step::text("Hello")));
        assert_eq!(
            read(json!({"pieces": ["Hel", "lo"], "tokens_per_second": 5})),
            Ok(Step::Text { pieces: vec!["Hel".into(), "lo".into()], tokens_per_second: Some(5.0) })
        );
        assert_eq!(read(json!({"call": {"name": "ls"}})), Ok(Step::call("ls", json!({}))));
        assert_eq!(read(json!({"raw_hex": "ff fe"})), Ok(Step::Raw { bytes: vec![0xff, 0xfe], byte_ms: None }));
        assert_eq!(
            read(json!({"stream_tokens": {"count": 3, "per_second": 100}})),
            Ok(Step::Prose { count: 3, per_second: Some(100.0) })
        );
        assert_eq!(read(json!({"cut": true})), Ok(Step::Cut));
    }

    #[test]
    fn a_step_of_no_kind_or_of_two_is_refused_in_words() {
        assert!(read(json!({})).is_err_and(|why| why.contains("without a kind")));
        assert!(read(json!({"text": "a", "wait_ms": 1})).is_err_and(|why| why.contains("two kinds")));
        assert!(read(json!({"txt": "a"})).is_err_and(|why| why.contains("unknown field `txt`")));
        assert!(read(json!({"raw_hex": "f"})).is_err_and(|why| why.contains("pairs")));
        assert!(read(json!({"wait_ms": 1, "tokens_per_second": 1})).is_err_and(|why| why.contains("belongs to text")));
    }
}

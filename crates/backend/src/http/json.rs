//! Reads JSON from somebody who may mean harm: bounded in pieces, and forgiving about bytes that are not UTF-8.
//!
//! `serde_json` itself bounds how deep values lie in each other (128). It does not bound how many there are, and a value
//! in memory takes fifty times the two bytes it may take on the wire.

use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// So many values may stand in one line of a reply or one small answer. A call that writes a whole file is a handful.
pub(crate) const PIECES: usize = 250_000;

/// So many in a list of models.
pub(crate) const LISTED_PIECES: usize = 2_000_000;

/// Reads `bytes`; `None` where they are not such JSON, or hold more than `limit` values. Bytes that are not UTF-8 are
/// replaced by U+FFFD: one of them in a text is no reason to lose the text.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8], limit: usize) -> Option<T> {
    let text = String::from_utf8_lossy(bytes);
    if has_more_pieces(&text, limit) {
        return None;
    }
    match text {
        Cow::Borrowed(text) => serde_json::from_str(text).ok(),
        Cow::Owned(text) => serde_json::from_str(&text).ok(),
    }
}

/// Are there more values than `limit`? Counts what parts and opens them outside strings.
fn has_more_pieces(text: &str, limit: usize) -> bool {
    if text.len() <= limit {
        return false;
    }
    let (mut pieces, mut in_string, mut escaped) = (0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b',' | b'[' | b'{' if !in_string => pieces += 1,
            _ => {}
        }
        if pieces > limit {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn bytes_that_are_no_utf8_become_a_mark_inside_a_text() {
        assert_eq!(read::<Value>(b"{\"a\":\"\xff\xfeA\"}", PIECES), Some(json!({"a": "\u{fffd}\u{fffd}A"})));
        assert_eq!(read::<Value>(b"{\xff\"a\":1}", PIECES), None, "and are no JSON elsewhere");
    }

    #[test]
    fn more_values_than_allowed_are_not_read_and_their_signs_in_texts_do_not_count() {
        let many = format!("[{}[]]", "[],".repeat(1000));
        assert!(read::<Value>(many.as_bytes(), 2002).is_some());
        assert_eq!(read::<Value>(many.as_bytes(), 2000), None);
        let text = json!({"a": "[{,\"\\".repeat(1000)}).to_string();
        assert!(read::<Value>(text.as_bytes(), 10).is_some());
    }

    #[test]
    fn values_that_lie_too_deep_in_each_other_are_not_read() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read::<Value>(nested(100).as_bytes(), PIECES).is_some());
        assert_eq!(read::<Value>(nested(100_000).as_bytes(), PIECES), None);
    }
}

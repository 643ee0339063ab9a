//! What a message is about that is too much to be read: whose question it answers, or what it asks or tells.

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::{Value, json};
use std::fmt;

/// Our own code for an answer that could not be read; a server's own codes are smaller numbers.
pub(super) const UNREAD: i64 = i64::MIN;

/// The outside of a message.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Envelope {
    id: Option<Value>,
    method: Option<String>,
}

impl Envelope {
    /// Of a whole message, however deep it is; `None` where it is none.
    pub(super) fn of(message: &[u8]) -> Option<Self> {
        serde_json::from_slice(message).ok()
    }

    /// Of a message of which only the beginning and the end are there. Some servers say the number first, some last.
    pub(super) fn of_ends(start: &[u8], end: &[u8]) -> Self {
        let mut envelope = Envelope::default();
        // It ends early, and what was read until then is there.
        let _ = serde_json::Deserializer::from_slice(start).deserialize_map(Opening(&mut envelope));
        if envelope.id.is_none() && envelope.method.is_none() {
            envelope.id = last_id(end).map(Value::from);
        }
        envelope
    }

    /// What is heard in place of the message: an answer becomes a refusal, and one to nobody known is one to all.
    pub(super) fn unread(self, why: &str) -> Value {
        let Envelope { id, method } = self;
        let error = || json!({ "code": UNREAD, "message": why });
        match (id, method) {
            (Some(id), Some(method)) => json!({ "id": id, "method": method }),
            (None, Some(method)) => json!({ "method": method }),
            (Some(id), None) => json!({ "id": id, "error": error() }),
            (None, None) => json!({ "error": error() }),
        }
    }
}

/// Reads a message up to the first part of it that may be large.
struct Opening<'a>(&'a mut Envelope);

impl<'de> Visitor<'de> for Opening<'_> {
    type Value = ();

    fn expecting(&self, words: &mut fmt::Formatter<'_>) -> fmt::Result {
        words.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "id" => self.0.id = Some(map.next_value()?),
                "method" => self.0.method = Some(map.next_value()?),
                "jsonrpc" => drop(map.next_value::<IgnoredAny>()?),
                _ => return Err(A::Error::custom("the rest is not looked at")),
            }
        }
        Ok(())
    }
}

/// The number that stands right before the last brace, and so belongs to the message itself.
fn last_id(end: &[u8]) -> Option<i64> {
    let text = String::from_utf8_lossy(end);
    let inside = text.trim_end().strip_suffix('}')?.trim_end();
    let name = inside.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_named = name.trim_end().strip_suffix(':')?.trim_end().ends_with("\"id\"");
    is_named.then(|| inside[name.len()..].parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(start: &str, end: &str) -> Value {
        Envelope::of_ends(start.as_bytes(), end.as_bytes()).unread("why")
    }

    #[test]
    fn a_number_is_found_at_either_end_and_not_within() {
        let refusal = json!({ "code": UNREAD, "message": "why" });
        let to_all = json!({ "error": refusal.clone() });
        for (start, end, expected) in [
            (r#"{"id":3,"result":["#, r#""]}"#, json!({ "id": 3, "error": refusal.clone() })),
            (r#"{ "id": "x", "result": ["#, r#"]}"#, json!({ "id": "x", "error": refusal.clone() })),
            (r#"{"result":[{"id":9"#, "{}], \"id\" : 3 }\r\n", json!({ "id": 3, "error": refusal.clone() })),
            (r#"{"result":[{"id":9"#, r#"{"id":4}}"#, to_all.clone()),
            (r#"{"result":""#, r#"\"id\":3}""#, to_all.clone()),
            ("no", "no", to_all),
            (r#"{"id":1,"method":"ask","params":["#, "]}", json!({ "id": 1, "method": "ask" })),
            (r#"{"method":"tell","params":{"id":1}"#, "]}", json!({ "method": "tell" })),
        ] {
            assert_eq!(heard(start, end), expected, "{start} … {end}");
        }
    }
}

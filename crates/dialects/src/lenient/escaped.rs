//! Objects whose every mark is escaped once too often, as if they stood in a string: `{\"path\": \".\"}`.

use super::cursor::{Cursor, Extent, Stop, past_space};
use super::json::Json;
use crate::Repair;
use serde_json::Value;

/// How many such objects there may be in one value. Each costs a copy of the rest of the text.
const MOST: usize = 3;

impl Json<'_> {
    /// Does a key with an escaped mark come after the `{` at the cursor?
    pub(super) fn is_escaped(&self) -> bool {
        let key = past_space(self.cursor.bytes, self.cursor.at + 1);
        self.cursor.bytes.get(key) == Some(&b'\\')
    }

    /// The object at the cursor, one layer of escapes taken off.
    pub(super) fn escaped_object(&mut self) -> Result<Value, Stop> {
        if self.unpacked == MOST {
            return Err(Stop::No);
        }
        self.unpacked += 1;
        let written = self.cursor.rest();
        let plain = unescape(written, usize::MAX, self.cursor.extent).0;
        let cursor = Cursor::new(&plain, self.cursor.extent);
        let mut inner = Json { cursor, open: self.open.clone(), unpacked: self.unpacked };
        let value = inner.value()?;
        self.unpacked = inner.unpacked;
        self.cursor.at += unescape(written, inner.cursor.at, self.cursor.extent).1;
        self.cursor.note(Repair::StringEncoded);
        inner.cursor.repairs.iter().for_each(|&repair| self.cursor.note(repair));
        Ok(value)
    }
}

/// The first `length` bytes of what `text` comes to without one layer of escapes, and how much of `text` they take.
/// A lone backslash at the end waits for what follows it.
fn unescape(text: &str, length: usize, extent: Extent) -> (String, usize) {
    let mut plain = String::new();
    let mut at = 0;
    while plain.len() < length {
        let rest = text.get(at..).unwrap_or_default();
        let run = rest.find('\\').unwrap_or(rest.len()).min(length - plain.len());
        plain.push_str(rest.get(..run).unwrap_or_default());
        at += run;
        if plain.len() == length || run == rest.len() {
            break;
        }
        let escaped = match rest.as_bytes().get(run + 1) {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(*byte),
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            None if extent == Extent::Growing => break,
            Some(_) | None => {
                plain.push('\\');
                at += 1;
                continue;
            }
        };
        plain.push(escaped);
        at += 2;
    }
    (plain, at)
}

//! JSON as models write it, in one pass.
//!
//! **Invariant.** A reading that is not `Open` stays the same whatever is appended to the text, so the reading of a
//! reply does not depend on the pieces it arrives in. Text that is strict JSON reads as strict JSON would.

use super::LenientReading;
use super::cursor::{CommentMarks, Cursor, Extent, Stop, past, past_space};
use super::quote::{Quote, in_bare_key, in_bare_word};
use super::reader::{Notation, ValueReader, begins_literal, literal, read_number};
use crate::Repair;
use serde_json::{Map, Value};

/// How many times JSON may be packed into JSON.
const MOST_LAYERS: usize = 3;

/// How many objects escaped once too often there may be in one value. Each costs a copy of the rest of the text.
const MOST_ESCAPED: usize = 3;

/// One JSON value at the start of a text that may go on.
///
/// White space may lead. What follows the value is left alone, a closing bracket too many included. A number or word
/// that nothing follows is `Open`. A plain word is text only inside brackets and before `,`, `}` or `]`.
pub(crate) fn json(text: &str) -> LenientReading {
    read_json(text, Extent::Growing)
}

/// The same where the text is everything, as in a block that is closed. Never `Open`.
///
/// Missing closing brackets are added, and ones too many are taken into `len`; a string that does not end and a key
/// without a value are `No`, as they would have to be guessed.
pub(crate) fn json_closed(text: &str) -> LenientReading {
    read_json(text, Extent::Whole)
}

/// The object that a string holds as JSON, perhaps packed more than once. Nothing else may stand in the string, and
/// an empty one is an object without members.
pub(crate) fn object_from_string(text: &str) -> Option<(Map<String, Value>, Vec<Repair>)> {
    if text.trim().is_empty() {
        return Some((Map::new(), vec![Repair::StringEncoded]));
    }
    let mut text = text.to_owned();
    let mut repairs = vec![Repair::StringEncoded];
    for _ in 0..MOST_LAYERS {
        let LenientReading::Value { value, len, repairs: more } = json_closed(&text) else { return None };
        if !text.get(len..).unwrap_or_default().trim().is_empty() {
            return None;
        }
        for repair in more {
            if !repairs.contains(&repair) {
                repairs.push(repair);
            }
        }
        match value {
            Value::Object(object) => return Some((object, repairs)),
            Value::String(inner) => text = inner,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
        }
    }
    None
}

fn read_json(text: &str, extent: Extent) -> LenientReading {
    let mut json = ValueReader::new(text, extent, Json::default());
    let value = Json::value(&mut json);
    if extent == Extent::Whole && matches!(value, Ok(Value::Object(_) | Value::Array(_))) {
        json.closers_too_many();
    }
    json.cursor.reading(value)
}

#[derive(Debug, Default)]
pub(super) struct Json {
    /// How many objects were escaped once too often.
    unpacked: usize,
}

impl Notation for Json {
    const COMMENTS: CommentMarks = CommentMarks::All;
    const MENDS_SEPARATORS: bool = true;
    const NOTES_TRAILING_COMMA: bool = true;

    fn key(reader: &mut ValueReader<'_, Self>) -> Result<String, Stop> {
        if let Some((quote, length)) = Quote::mark_at(reader.cursor.bytes, reader.cursor.at) {
            return reader.key_string(quote, length);
        }
        let start = reader.cursor.at;
        let end = past(reader.cursor.bytes, start, in_bare_key);
        if end == start {
            return Err(Stop::No);
        }
        let key = reader.cursor.text.get(start..end).unwrap_or_default().to_owned();
        reader.cursor.at = end;
        reader.cursor.note(Repair::BareWords);
        Ok(key)
    }

    fn value(reader: &mut ValueReader<'_, Self>) -> Result<Value, Stop> {
        match reader.cursor.needed()? {
            b'{' if reader.is_escaped() => reader.escaped_object(),
            b'{' => reader.object(),
            b'[' => reader.array(),
            b'-' | b'+' | b'.' | b'0'..=b'9' => read_number(&mut reader.cursor),
            _ => match Quote::mark_at(reader.cursor.bytes, reader.cursor.at) {
                Some((quote, length)) => reader.string(quote, length).map(Value::String),
                None => reader.word(),
            },
        }
    }
}

impl ValueReader<'_, Json> {
    fn word(&mut self) -> Result<Value, Stop> {
        let start = self.cursor.at;
        let end = past(self.cursor.bytes, start, in_bare_word);
        let word = self.cursor.text.get(start..end).unwrap_or_default();
        let ended = end < self.cursor.bytes.len();
        if let Some(value) = literal(word).filter(|_| ended || self.cursor.is_whole()) {
            if matches!(word, "None" | "True" | "False") {
                self.cursor.note(Repair::PythonWords);
            }
            self.cursor.at = end;
            return Ok(value);
        }
        if !word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            return Err(Stop::No);
        }
        if self.open.is_empty() {
            return Err(if begins_literal(word) && !ended { self.cursor.end() } else { Stop::No });
        }
        // These say that there is no value.
        let nothing = matches!(word, "NaN" | "Infinity" | "undefined");
        self.cursor.at = end;
        self.cursor.skip_space();
        match self.cursor.needed()? {
            b',' | b'}' | b']' if !nothing => {
                self.cursor.at = end;
                self.cursor.note(Repair::BareWords);
                Ok(Value::String(word.to_owned()))
            }
            _ => Err(Stop::No),
        }
    }

    fn closers_too_many(&mut self) {
        loop {
            let before = self.cursor.at;
            self.cursor.skip_space();
            if !matches!(self.cursor.peek(), Some(b'}' | b']')) {
                self.cursor.at = before;
                return;
            }
            self.cursor.at += 1;
            self.cursor.note(Repair::ExtraCloser);
        }
    }

    /// Does a key with an escaped mark come after the `{` at the cursor?
    fn is_escaped(&self) -> bool {
        let key = past_space(self.cursor.bytes, self.cursor.at + 1);
        self.cursor.bytes.get(key) == Some(&b'\\')
    }

    /// The object at the cursor whose every mark is escaped as if it stood in a string (`{\"path\": \".\"}`), one layer of escapes taken off.
    fn escaped_object(&mut self) -> Result<Value, Stop> {
        if self.notation.unpacked == MOST_ESCAPED {
            return Err(Stop::No);
        }
        self.notation.unpacked += 1;
        let written = self.cursor.rest();
        let plain = unescape(written, usize::MAX, self.cursor.extent).0;
        let cursor = Cursor::new(&plain, self.cursor.extent);
        let notation = Json { unpacked: self.notation.unpacked };
        let mut inner = ValueReader { cursor, open: self.open.clone(), notation };
        let value = Json::value(&mut inner)?;
        self.notation.unpacked = inner.notation.unpacked;
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

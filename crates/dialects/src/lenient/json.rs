//! JSON as models write it, in one pass.
//!
//! **Invariant.** A reading that is not `Open` stays the same whatever is appended to the text, so the reading of a
//! reply does not depend on the pieces it arrives in. Text that is strict JSON reads as strict JSON would.

use super::cursor::{CommentMarks, Cursor, DEEPEST, Extent, Stop, past};
use super::quote::{Quote, in_bare_key, in_bare_word, opener};
use super::{LenientReading, number};
use crate::Repair;
use serde_json::{Map, Value};

/// One JSON value at the start of a text that may go on.
///
/// White space may lead. What follows the value is left alone, a closing bracket too many included. A number or word
/// that nothing follows is `Open`. A plain word is text only inside brackets and before `,`, `}` or `]`.
pub(crate) fn json(text: &str) -> LenientReading {
    read(text, Extent::Growing)
}

/// The same where the text is everything, as in a block that is closed. Never `Open`.
///
/// Missing closing brackets are added, and ones too many are taken into `len`; a string that does not end and a key
/// without a value are `No`, as they would have to be guessed.
pub(crate) fn json_closed(text: &str) -> LenientReading {
    read(text, Extent::Whole)
}

fn read(text: &str, extent: Extent) -> LenientReading {
    let mut json = Json { cursor: Cursor::new(text, extent), open: Vec::new(), unpacked: 0 };
    json.cursor.skip_lead();
    let value = json.value();
    if extent == Extent::Whole && matches!(value, Ok(Value::Object(_) | Value::Array(_))) {
        json.closers_too_many();
    }
    json.cursor.reading(value)
}

/// A text being read as JSON.
pub(super) struct Json<'a> {
    pub(super) cursor: Cursor<'a>,
    /// The open brackets, the innermost last.
    pub(super) open: Vec<u8>,
    /// How many objects were escaped once too often.
    pub(super) unpacked: usize,
}

impl Json<'_> {
    pub(super) fn value(&mut self) -> Result<Value, Stop> {
        match self.cursor.needed()? {
            b'{' if self.is_escaped() => self.escaped_object(),
            b'{' => self.object(),
            b'[' => self.array(),
            b'-' | b'+' | b'.' | b'0'..=b'9' => number::read(&mut self.cursor),
            _ => match Quote::at(self.cursor.bytes, self.cursor.at) {
                Some((quote, length)) => self.string(quote, length).map(Value::String),
                None => self.word(),
            },
        }
    }

    fn object(&mut self) -> Result<Value, Stop> {
        self.enter(b'{')?;
        let mut members = Map::new();
        while self.more(b'}', members.is_empty())? {
            let key = self.key()?;
            self.cursor.skip_comments(CommentMarks::All)?;
            if self.cursor.needed()? != b':' {
                return Err(Stop::No);
            }
            self.cursor.at += 1;
            self.cursor.skip_comments(CommentMarks::All)?;
            let value = self.value()?;
            members.insert(key, value);
        }
        Ok(Value::Object(members))
    }

    fn array(&mut self) -> Result<Value, Stop> {
        self.enter(b'[')?;
        let mut items = Vec::new();
        while self.more(b']', items.is_empty())? {
            items.push(self.value()?);
        }
        Ok(Value::Array(items))
    }

    fn enter(&mut self, bracket: u8) -> Result<(), Stop> {
        if self.open.len() == DEEPEST {
            return Err(Stop::No);
        }
        self.open.push(bracket);
        self.cursor.at += 1;
        Ok(())
    }

    /// Goes to the next item, or over the end of what is open. Is there a next one?
    fn more(&mut self, closer: u8, first: bool) -> Result<bool, Stop> {
        let mut commas = 0;
        loop {
            self.cursor.skip_comments(CommentMarks::All)?;
            match self.cursor.peek() {
                Some(b',') => {
                    if first || commas > 0 {
                        self.cursor.note(Repair::ExtraComma);
                    }
                    commas += 1;
                    self.cursor.at += 1;
                    continue;
                }
                Some(byte @ (b'}' | b']')) => self.close(byte, closer)?,
                None if self.cursor.is_whole() => self.cursor.note(Repair::MissingCloser),
                None => return Err(Stop::Open),
                Some(_) => {
                    if !first && commas == 0 {
                        self.cursor.note(Repair::MissingComma);
                    }
                    return Ok(true);
                }
            }
            if commas > 0 {
                self.cursor.note(Repair::ExtraComma);
            }
            self.open.pop();
            return Ok(false);
        }
    }

    /// A closing bracket, where `due` is due. One that closes something further out is left for that.
    fn close(&mut self, byte: u8, due: u8) -> Result<(), Stop> {
        if byte == due {
            self.cursor.at += 1;
            return Ok(());
        }
        if !self.cursor.is_whole() {
            return Err(Stop::No);
        }
        self.cursor.note(Repair::MissingCloser);
        if !self.open.contains(&opener(byte)) {
            self.cursor.at += 1;
        }
        Ok(())
    }

    fn key(&mut self) -> Result<String, Stop> {
        if let Some((quote, length)) = Quote::at(self.cursor.bytes, self.cursor.at) {
            return self.key_string(quote, length);
        }
        let start = self.cursor.at;
        let end = past(self.cursor.bytes, start, in_bare_key);
        if end == start {
            return Err(Stop::No);
        }
        let key = self.cursor.text.get(start..end).unwrap_or_default().to_owned();
        self.cursor.at = end;
        self.cursor.note(Repair::BareWords);
        Ok(key)
    }

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
            let begun = LITERALS.iter().any(|literal| literal.starts_with(word));
            return Err(if begun && !ended { self.cursor.end() } else { Stop::No });
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
}

const LITERALS: [&str; 6] = ["true", "false", "null", "True", "False", "None"];

/// The value of a word that stands for itself, in JSON or in Python.
pub(super) fn literal(word: &str) -> Option<Value> {
    match word {
        "true" | "True" => Some(Value::Bool(true)),
        "false" | "False" => Some(Value::Bool(false)),
        "null" | "None" => Some(Value::Null),
        _ => None,
    }
}

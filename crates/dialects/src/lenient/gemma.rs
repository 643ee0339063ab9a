//! The object literals of Google's models: `{key:<escape>text<escape>,n:1,list:[true]}`.
//!
//! **Invariant.** As with JSON: a reading that is not `Open` stays the same whatever is appended.

use super::cursor::{Cursor, DEEPEST, Extent, Look, Stop, past, past_space};
use super::json::literal;
use super::{LenientReading, number};
use crate::Repair;
use serde_json::{Map, Value};

/// One object at the start of a text that may go on. `quote` is the token before and after a text.
///
/// Between two tokens anything may stand. A value in ordinary quotation marks is text too; one with neither is a
/// number or `true`, `false`, `null` if it is spelt exactly like one, and otherwise text up to the next `,`, `}` or `]`.
pub(crate) fn gemma(text: &str, quote: &str) -> LenientReading {
    read(text, quote, Extent::Growing)
}

/// The same where the text is everything. Never `Open`.
///
/// Closing brackets are due, but not a token: a text without one ends before the brackets at the very end.
pub(crate) fn gemma_closed(text: &str, quote: &str) -> LenientReading {
    read(text, quote, Extent::Whole)
}

fn read(text: &str, quote: &str, extent: Extent) -> LenientReading {
    let mut gemma = Gemma { cursor: Cursor::new(text, extent), quote, open: Vec::new() };
    gemma.cursor.skip_lead();
    let value = match gemma.cursor.needed() {
        Ok(b'{') => gemma.object(),
        Ok(_) => Err(Stop::No),
        Err(stop) => Err(stop),
    };
    gemma.cursor.reading(value)
}

struct Gemma<'a> {
    cursor: Cursor<'a>,
    quote: &'a str,
    /// The open brackets, the innermost last.
    open: Vec<u8>,
}

impl Gemma<'_> {
    fn object(&mut self) -> Result<Value, Stop> {
        self.enter(b'{')?;
        let mut members = Map::new();
        while self.more(b'}', members.is_empty())? {
            let key = self.key()?;
            self.cursor.skip_space();
            if self.cursor.needed()? != b':' {
                return Err(Stop::No);
            }
            self.cursor.at += 1;
            self.cursor.skip_space();
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
        self.cursor.skip_space();
        let comma = !first && self.cursor.take(b',');
        if comma {
            self.cursor.skip_space();
        }
        if self.cursor.needed()? == closer {
            if comma {
                self.cursor.note(Repair::ExtraComma);
            }
            self.cursor.at += 1;
            self.open.pop();
            return Ok(false);
        }
        if first || comma { Ok(true) } else { Err(Stop::No) }
    }

    /// Does the token stand at `at`?
    fn token(&self, at: usize) -> Look {
        let rest = self.cursor.bytes.get(at..).unwrap_or_default();
        if rest.starts_with(self.quote.as_bytes()) {
            return Look::Yes;
        }
        let begun = self.quote.as_bytes().starts_with(rest);
        if begun && !self.cursor.is_whole() { Look::End } else { Look::No }
    }

    fn key(&mut self) -> Result<String, Stop> {
        match self.token(self.cursor.at) {
            Look::Yes => return self.quoted(),
            Look::End => return Err(Stop::Open),
            Look::No => {}
        }
        if self.cursor.needed()? == b'"' {
            return self.marked(b'"', b":");
        }
        let start = self.cursor.at;
        let end = past(self.cursor.bytes, start, |byte| !b" \t\r\n,:{}[]\"<".contains(&byte));
        let key = self.cursor.text.get(start..end).filter(|key| !key.is_empty()).ok_or(Stop::No)?;
        self.cursor.at = end;
        Ok(key.to_owned())
    }

    fn value(&mut self) -> Result<Value, Stop> {
        match self.token(self.cursor.at) {
            Look::Yes => return self.quoted().map(Value::String),
            Look::End => return Err(self.cursor.end()),
            Look::No => {}
        }
        match self.cursor.needed()? {
            b'{' => self.object(),
            b'[' => self.array(),
            mark @ (b'"' | b'\'') => self.marked(mark, b",}]").map(Value::String),
            _ => self.bare(),
        }
    }

    /// A text between two tokens.
    fn quoted(&mut self) -> Result<String, Stop> {
        self.cursor.at += self.quote.len();
        let rest = self.cursor.rest();
        if let Some(length) = rest.find(self.quote) {
            self.cursor.at += length + self.quote.len();
            return Ok(rest.get(..length).unwrap_or_default().to_owned());
        }
        if !self.cursor.is_whole() {
            return Err(Stop::Open);
        }
        // The second token is missing: all but the brackets that are due belongs to the text.
        let mut text = rest.trim_end();
        for &bracket in &self.open {
            let closer = if bracket == b'{' { '}' } else { ']' };
            text = text.strip_suffix(closer).ok_or(Stop::No)?.trim_end();
        }
        self.cursor.note(Repair::MissingEnd);
        self.cursor.at += text.len();
        Ok(text.to_owned())
    }

    /// A text in ordinary quotation marks, which ends where one of `wanted` follows. A token may stand between that has
    /// no fellow. In double marks JSON's escapes hold; in single ones all is as it stands.
    fn marked(&mut self, mark: u8, wanted: &[u8]) -> Result<String, Stop> {
        let start = self.cursor.at + 1;
        let mut end = start;
        loop {
            end = past(self.cursor.bytes, end, |byte| byte != mark && (mark == b'\'' || byte != b'\\'));
            match self.cursor.bytes.get(end) {
                None => return Err(self.cursor.end()),
                Some(b'\\') => {
                    end += 2;
                    continue;
                }
                Some(_) => {}
            }
            let next = past_space(self.cursor.bytes, end + 1);
            let after = match self.token(next) {
                Look::Yes => next + self.quote.len(),
                Look::No => end + 1,
                Look::End => return Err(Stop::Open),
            };
            let next = self.cursor.bytes.get(past_space(self.cursor.bytes, after)).ok_or(self.cursor.end())?;
            if wanted.contains(next) {
                self.cursor.at = after;
                return Ok(self.unmarked(mark, start, end));
            }
            end += 1;
        }
    }

    fn unmarked(&mut self, mark: u8, start: usize, end: usize) -> String {
        let written = self.cursor.text.get(start..end).unwrap_or_default();
        if mark == b'\'' {
            self.cursor.note(Repair::SingleQuotes);
            return written.to_owned();
        }
        serde_json::from_str(&format!("\"{written}\"")).unwrap_or_else(|_| written.to_owned())
    }

    /// A value without any mark: a number, a word that stands for itself, or text.
    fn bare(&mut self) -> Result<Value, Stop> {
        let start = self.cursor.at;
        let mut end = start;
        loop {
            match self.cursor.bytes.get(end) {
                None => return Err(self.cursor.end()),
                Some(b',' | b'}' | b']') => break,
                Some(b'<') if self.token(end) == Look::End => return Err(Stop::Open),
                Some(b'<') if self.token(end) == Look::Yes => break,
                Some(_) => end += 1,
            }
        }
        let written = self.cursor.text.get(start..end).unwrap_or_default().trim();
        if written.is_empty() {
            return Err(Stop::No);
        }
        // A token without a fellow.
        self.cursor.at = if self.token(end) == Look::Yes { end + self.quote.len() } else { end };
        // `1.10` may be a version, and `007` a code: a number is what is spelt as one.
        let number = number::parse(written)
            .filter(|number| matches!(number, Value::Number(number) if number.to_string() == written));
        Ok(literal(written).or(number).unwrap_or_else(|| {
            self.cursor.note(Repair::BareWords);
            Value::from(written)
        }))
    }
}

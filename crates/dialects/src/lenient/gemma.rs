//! The object literals of Google's models: `{key:<escape>text<escape>,n:1,list:[true]}`.

use super::LenientReading;
use super::cursor::{CommentMarks, Extent, Look, Stop, past, past_space};
use super::reader::{Notation, ValueReader, literal, parse_number};
use crate::Repair;
use serde_json::Value;

/// One object at the start of a text that may go on. `quote` is the token before and after a text.
///
/// Between two tokens anything may stand. A value in ordinary quotation marks is text too; one with neither is a
/// number or `true`, `false`, `null` if it is spelt exactly like one, and otherwise text up to the next `,`, `}` or `]`.
pub(crate) fn gemma(text: &str, quote: &str) -> LenientReading {
    read_gemma(text, quote, Extent::Growing)
}

/// The same where the text is everything. Never `Open`.
///
/// Closing brackets are due, but not a token: a text without one ends before the brackets at the very end.
pub(crate) fn gemma_closed(text: &str, quote: &str) -> LenientReading {
    read_gemma(text, quote, Extent::Whole)
}

fn read_gemma(text: &str, quote: &str, extent: Extent) -> LenientReading {
    let mut gemma = ValueReader::new(text, extent, Gemma { quote });
    let value = match gemma.cursor.needed() {
        Ok(b'{') => gemma.object(),
        Ok(_) => Err(Stop::No),
        Err(stop) => Err(stop),
    };
    gemma.cursor.reading(value)
}

struct Gemma<'q> {
    /// The token before and after a text.
    quote: &'q str,
}

impl Notation for Gemma<'_> {
    const COMMENTS: CommentMarks = CommentMarks::None;
    const MENDS_SEPARATORS: bool = false;
    const NOTES_TRAILING_COMMA: bool = true;

    fn key(reader: &mut ValueReader<'_, Self>) -> Result<String, Stop> {
        match reader.token(reader.cursor.at) {
            Look::Yes => return reader.quoted(),
            Look::End => return Err(Stop::Open),
            Look::No => {}
        }
        if reader.cursor.needed()? == b'"' {
            return reader.marked(b'"', b":");
        }
        let start = reader.cursor.at;
        let end = past(reader.cursor.bytes, start, |byte| !b" \t\r\n,:{}[]\"<".contains(&byte));
        let key = reader.cursor.text.get(start..end).filter(|key| !key.is_empty()).ok_or(Stop::No)?;
        reader.cursor.at = end;
        Ok(key.to_owned())
    }

    fn value(reader: &mut ValueReader<'_, Self>) -> Result<Value, Stop> {
        match reader.token(reader.cursor.at) {
            Look::Yes => return reader.quoted().map(Value::String),
            Look::End => return Err(reader.cursor.end()),
            Look::No => {}
        }
        match reader.cursor.needed()? {
            b'{' => reader.object(),
            b'[' => reader.array(),
            mark @ (b'"' | b'\'') => reader.marked(mark, b",}]").map(Value::String),
            _ => reader.bare(),
        }
    }
}

impl ValueReader<'_, Gemma<'_>> {
    /// Does the token stand at `at`?
    fn token(&self, at: usize) -> Look {
        let rest = self.cursor.bytes.get(at..).unwrap_or_default();
        if rest.starts_with(self.notation.quote.as_bytes()) {
            return Look::Yes;
        }
        let begun = self.notation.quote.as_bytes().starts_with(rest);
        if begun && !self.cursor.is_whole() { Look::End } else { Look::No }
    }

    /// A text between two tokens.
    fn quoted(&mut self) -> Result<String, Stop> {
        self.cursor.at += self.notation.quote.len();
        let rest = self.cursor.rest();
        if let Some(length) = rest.find(self.notation.quote) {
            self.cursor.at += length + self.notation.quote.len();
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
                Look::Yes => next + self.notation.quote.len(),
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
        self.cursor.at = if self.token(end) == Look::Yes { end + self.notation.quote.len() } else { end };
        // `1.10` may be a version, and `007` a code: a number is what is spelt as one.
        let number = parse_number(written)
            .filter(|number| matches!(number, Value::Number(number) if number.to_string() == written));
        Ok(literal(written).or(number).unwrap_or_else(|| {
            self.cursor.note(Repair::BareWords);
            Value::from(written)
        }))
    }
}

//! Python literals, and the arguments of a call in parentheses.

use super::cursor::{CommentMarks, Cursor, Extent, Look, Stop, past};
use super::reader::{Notation, ValueReader, begins_literal, literal, parse_number};
use super::{LenientReading, json, python_string};
use crate::Repair;
use serde_json::{Map, Value};

/// One Python literal at the start of a text that may go on.
///
/// Tuples become lists, and the numbers among the keys of a dict strings. A whole number too large for JSON is text,
/// as it is written. `true`, `false` and `null` are read too. Names, calls and operators are no literals.
#[cfg(test)]
pub(crate) fn python(text: &str) -> LenientReading {
    read_python(text, Extent::Growing)
}

/// The same where the text is everything. Never `Open`.
pub(super) fn python_whole(text: &str) -> LenientReading {
    read_python(text, Extent::Whole)
}

/// The arguments of a call, from just after its `(` to just after its `)`.
///
/// Each has a name (`path="."`), or one object is all there is (`{"path": "."}`), or nothing.
pub(crate) fn python_arguments(text: &str) -> LenientReading {
    let cursor = Cursor::new(text, Extent::Growing);
    let mut call = ValueReader { cursor, open: vec![b'('], notation: Python };
    let arguments = call.arguments();
    call.cursor.reading(arguments.map(Value::Object))
}

fn read_python(text: &str, extent: Extent) -> LenientReading {
    ValueReader::new(text, extent, Python).read_value()
}

#[derive(Debug)]
struct Python;

impl Notation for Python {
    const COMMENTS: CommentMarks = CommentMarks::Python;
    const MENDS_SEPARATORS: bool = false;
    const NOTES_TRAILING_COMMA: bool = false;

    fn key(reader: &mut ValueReader<'_, Self>) -> Result<String, Stop> {
        match python_string::starts_string(&reader.cursor) {
            Look::Yes => return reader.strings(),
            Look::End => return Err(reader.cursor.end()),
            Look::No => {}
        }
        if let b'-' | b'0'..=b'9' = reader.cursor.needed()? {
            return reader.number().map(|number| number.as_str().map_or_else(|| number.to_string(), str::to_owned));
        }
        let name = reader.name();
        if name.is_empty() {
            return Err(Stop::No);
        }
        reader.cursor.note(Repair::BareWords);
        Ok(name.to_owned())
    }

    fn value(reader: &mut ValueReader<'_, Self>) -> Result<Value, Stop> {
        match reader.cursor.needed()? {
            b'{' => reader.object(),
            b'[' => reader.array(),
            b'(' => reader.parentheses(),
            b'-' | b'+' | b'.' | b'0'..=b'9' => reader.number(),
            _ => match python_string::starts_string(&reader.cursor) {
                Look::Yes => reader.strings().map(Value::String),
                Look::No => reader.word(),
                Look::End => Err(reader.cursor.end()),
            },
        }
    }
}

impl<'a> ValueReader<'a, Python> {
    /// Past what may stand between two strings that are one; outside brackets a line ends a literal.
    fn skip_to_string(&mut self) -> Result<(), Stop> {
        if !self.open.is_empty() {
            return self.skip();
        }
        self.cursor.at = past(self.cursor.bytes, self.cursor.at, |byte| byte == b' ' || byte == b'\t');
        Ok(())
    }

    /// A string, and those that follow it: they are one.
    fn strings(&mut self) -> Result<String, Stop> {
        let mut text = python_string::read_string(&mut self.cursor)?;
        loop {
            let end = self.cursor.at;
            self.skip_to_string()?;
            match python_string::starts_string(&self.cursor) {
                Look::Yes => text.push_str(&python_string::read_string(&mut self.cursor)?),
                Look::End if !self.cursor.is_whole() => return Err(Stop::Open),
                Look::No | Look::End => {
                    self.cursor.at = end;
                    return Ok(text);
                }
            }
        }
    }

    /// A tuple, or one value in parentheses.
    fn parentheses(&mut self) -> Result<Value, Stop> {
        let (mut items, comma) = self.items(b'(', b')')?;
        match items.pop() {
            Some(only) if items.is_empty() && !comma => Ok(only),
            last => {
                items.extend(last);
                Ok(Value::Array(items))
            }
        }
    }

    /// The name at the cursor, which goes past it; empty if there is none.
    fn name(&mut self) -> &'a str {
        let start = self.cursor.at;
        let begins = self.cursor.peek().is_some_and(|byte| !byte.is_ascii_digit());
        if begins {
            self.cursor.at = past(self.cursor.bytes, start, in_name);
        }
        self.cursor.text.get(start..self.cursor.at).unwrap_or_default()
    }

    fn word(&mut self) -> Result<Value, Stop> {
        let start = self.cursor.at;
        let name = self.name();
        if name.is_empty() {
            return Err(Stop::No);
        }
        let value = literal(name);
        if self.cursor.peek().is_none() && !self.cursor.is_whole() && begins_literal(name) {
            self.cursor.at = start;
            return Err(Stop::Open);
        }
        value.ok_or(Stop::No)
    }

    fn number(&mut self) -> Result<Value, Stop> {
        let (start, bytes) = (self.cursor.at, self.cursor.bytes);
        let hex = matches!(bytes.get(start..), Some([b'0', b'x' | b'X', ..] | [_, b'0', b'x' | b'X', ..]));
        let mut end = past(bytes, start, |byte| byte == b'-' || byte == b'+');
        loop {
            end = past(bytes, end, |byte| in_name(byte) || byte == b'.');
            let exponent = !hex && end > start && matches!(bytes.get(end - 1), Some(b'e' | b'E'));
            if !(exponent && matches!(bytes.get(end), Some(b'+' | b'-'))) {
                break;
            }
            end += 1;
        }
        if end == bytes.len() && !self.cursor.is_whole() {
            return Err(Stop::Open);
        }
        self.cursor.at = end;
        parse_python_number(self.cursor.text.get(start..end).unwrap_or_default()).ok_or(Stop::No)
    }
}

/// The arguments between the parentheses of a call.
impl ValueReader<'_, Python> {
    fn arguments(&mut self) -> Result<Map<String, Value>, Stop> {
        self.skip()?;
        match self.cursor.needed()? {
            b')' => {
                self.cursor.at += 1;
                Ok(Map::new())
            }
            b'{' => self.one_object(),
            _ => self.named_arguments(),
        }
    }

    fn one_object(&mut self) -> Result<Map<String, Value>, Stop> {
        // In this place it is JSON far more often than a dict, and the two differ in their escapes.
        let value = match self.json() {
            Err(Stop::No) => self.literal()?,
            read => read?,
        };
        match value {
            Value::Object(object) if !self.next_argument()? => Ok(object),
            _ => Err(Stop::No),
        }
    }

    fn named_arguments(&mut self) -> Result<Map<String, Value>, Stop> {
        let mut arguments = Map::new();
        loop {
            let name = self.name().to_owned();
            if name.is_empty() {
                return Err(Stop::No);
            }
            self.skip()?;
            if self.cursor.needed()? != b'=' {
                return Err(Stop::No);
            }
            self.cursor.at += 1;
            self.skip()?;
            let value = match self.literal() {
                Err(Stop::No) => self.json()?,
                read => read?,
            };
            arguments.insert(name, value);
            if !self.next_argument()? {
                return Ok(arguments);
            }
        }
    }

    /// Goes to the next argument, or over the end: is there a next one?
    fn next_argument(&mut self) -> Result<bool, Stop> {
        self.skip()?;
        let comma = self.cursor.take(b',');
        if comma {
            self.skip()?;
        }
        if self.cursor.needed()? == b')' {
            self.cursor.at += 1;
            return Ok(false);
        }
        if comma { Ok(true) } else { Err(Stop::No) }
    }

    /// A Python literal; where there is none, nothing has happened.
    fn literal(&mut self) -> Result<Value, Stop> {
        let before = self.cursor.mark();
        let value = Python::value(self);
        if value == Err(Stop::No) {
            self.cursor.back_to(before);
            self.open.truncate(1);
        }
        value
    }

    fn json(&mut self) -> Result<Value, Stop> {
        match json::json(self.cursor.rest()) {
            LenientReading::Value { value, len, repairs } => {
                self.cursor.at += len;
                repairs.into_iter().filter(|&repair| !is_python(repair)).for_each(|repair| self.cursor.note(repair));
                Ok(value)
            }
            LenientReading::Open => Err(Stop::Open),
            LenientReading::No => Err(Stop::No),
        }
    }
}

/// What is a repair in JSON, and needs none between these parentheses.
fn is_python(repair: Repair) -> bool {
    matches!(repair, Repair::SingleQuotes | Repair::PythonWords)
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The number that the whole of `written` is.
fn parse_python_number(written: &str) -> Option<Value> {
    let (negative, digits) = match written.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, written.strip_prefix('+').unwrap_or(written)),
    };
    // An underscore stands between digits.
    if digits.starts_with('_') || digits.ends_with('_') || digits.contains("__") {
        return None;
    }
    let plain = digits.replace('_', "");
    let (radix, body) = match plain.get(..2) {
        Some("0x" | "0X") => (16, &plain[2..]),
        Some("0o" | "0O") => (8, &plain[2..]),
        Some("0b" | "0B") => (2, &plain[2..]),
        _ => (10, plain.as_str()),
    };
    if body.is_empty() || body.starts_with(['+', '-']) {
        return None;
    }
    if radix == 10 && !body.bytes().all(|byte| byte.is_ascii_digit()) {
        return parse_number(&format!("{}{body}", if negative { "-" } else { "" }));
    }
    if radix == 10 && body.len() > 1 && body.starts_with('0') {
        return None;
    }
    let whole = match u64::from_str_radix(body, radix) {
        Ok(whole) if !negative => return Some(Value::from(whole)),
        Ok(whole) => 0i64.checked_sub_unsigned(whole),
        Err(_) if !body.chars().all(|digit| digit.is_digit(radix)) => return None,
        Err(_) => None,
    };
    Some(whole.map_or_else(|| Value::from(written), Value::from))
}

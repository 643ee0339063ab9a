//! Python literals.
//!
//! **Invariant.** As with JSON: a reading that is not `Open` stays the same whatever is appended.

use super::cursor::{CommentMarks, Cursor, DEEPEST, Extent, Look, Stop, past};
use super::json::literal;
use super::{LenientReading, number, python_string};
use crate::Repair;
use serde_json::{Map, Value};

/// One Python literal at the start of a text that may go on.
///
/// Tuples become lists, and the numbers among the keys of a dict strings. A whole number too large for JSON is text,
/// as it is written. `true`, `false` and `null` are read too. Names, calls and operators are no literals.
#[cfg(test)]
pub(crate) fn python(text: &str) -> LenientReading {
    read(text, Extent::Growing)
}

/// The same where the text is everything. Never `Open`.
pub(super) fn python_whole(text: &str) -> LenientReading {
    read(text, Extent::Whole)
}

fn read(text: &str, extent: Extent) -> LenientReading {
    let mut python = Python { cursor: Cursor::new(text, extent), depth: 0 };
    python.cursor.skip_lead();
    let value = python.value();
    python.cursor.reading(value)
}

/// A text being read as Python.
pub(super) struct Python<'a> {
    pub(super) cursor: Cursor<'a>,
    /// How many brackets are open.
    pub(super) depth: usize,
}

impl<'a> Python<'a> {
    pub(super) fn value(&mut self) -> Result<Value, Stop> {
        match self.cursor.needed()? {
            b'{' => self.dict(),
            b'[' => self.items(b']').map(|(items, _)| Value::Array(items)),
            b'(' => self.parentheses(),
            b'-' | b'+' | b'.' | b'0'..=b'9' => self.number(),
            _ => match python_string::start(&self.cursor) {
                Look::Yes => self.strings().map(Value::String),
                Look::No => self.word(),
                Look::End => Err(self.cursor.end()),
            },
        }
    }

    /// Past white space and comments; outside brackets a line ends a literal.
    fn skip(&mut self) -> Result<(), Stop> {
        if self.depth > 0 {
            return self.cursor.skip_comments(CommentMarks::Python);
        }
        self.cursor.at = past(self.cursor.bytes, self.cursor.at, |byte| byte == b' ' || byte == b'\t');
        Ok(())
    }

    /// A string, and those that follow it: they are one.
    fn strings(&mut self) -> Result<String, Stop> {
        let mut text = python_string::read(&mut self.cursor)?;
        loop {
            let end = self.cursor.at;
            self.skip()?;
            match python_string::start(&self.cursor) {
                Look::Yes => text.push_str(&python_string::read(&mut self.cursor)?),
                Look::End if !self.cursor.is_whole() => return Err(Stop::Open),
                Look::No | Look::End => {
                    self.cursor.at = end;
                    return Ok(text);
                }
            }
        }
    }

    fn enter(&mut self) -> Result<(), Stop> {
        if self.depth == DEEPEST {
            return Err(Stop::No);
        }
        self.depth += 1;
        self.cursor.at += 1;
        Ok(())
    }

    /// Goes to the next item, or over `closer`: is there a next one? Says whether a comma came before.
    fn more(&mut self, closer: u8, first: bool) -> Result<(bool, bool), Stop> {
        self.skip()?;
        let comma = !first && self.cursor.take(b',');
        if comma {
            self.skip()?;
        }
        if self.cursor.needed()? == closer {
            self.cursor.at += 1;
            self.depth -= 1;
            return Ok((false, comma));
        }
        if first || comma { Ok((true, comma)) } else { Err(Stop::No) }
    }

    /// The items up to `closer`, and whether a comma comes last.
    fn items(&mut self, closer: u8) -> Result<(Vec<Value>, bool), Stop> {
        self.enter()?;
        let mut items = Vec::new();
        loop {
            let (more, comma) = self.more(closer, items.is_empty())?;
            if !more {
                return Ok((items, comma));
            }
            items.push(self.value()?);
        }
    }

    /// A tuple, or one value in parentheses.
    fn parentheses(&mut self) -> Result<Value, Stop> {
        let (mut items, comma) = self.items(b')')?;
        match items.pop() {
            Some(only) if items.is_empty() && !comma => Ok(only),
            last => {
                items.extend(last);
                Ok(Value::Array(items))
            }
        }
    }

    fn dict(&mut self) -> Result<Value, Stop> {
        self.enter()?;
        let mut members = Map::new();
        while self.more(b'}', members.is_empty())?.0 {
            let key = self.key()?;
            self.skip()?;
            if self.cursor.needed()? != b':' {
                return Err(Stop::No);
            }
            self.cursor.at += 1;
            self.skip()?;
            let value = self.value()?;
            members.insert(key, value);
        }
        Ok(Value::Object(members))
    }

    fn key(&mut self) -> Result<String, Stop> {
        match python_string::start(&self.cursor) {
            Look::Yes => return self.strings(),
            Look::End => return Err(self.cursor.end()),
            Look::No => {}
        }
        if let b'-' | b'0'..=b'9' = self.cursor.needed()? {
            return self.number().map(|number| number.as_str().map_or_else(|| number.to_string(), str::to_owned));
        }
        let name = self.name();
        if name.is_empty() {
            return Err(Stop::No);
        }
        self.cursor.note(Repair::BareWords);
        Ok(name.to_owned())
    }

    /// The name at the cursor, which goes past it; empty if there is none.
    pub(super) fn name(&mut self) -> &'a str {
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
        let begun = ["true", "false", "null", "True", "False", "None"].iter().any(|word| word.starts_with(name));
        if self.cursor.peek().is_none() && !self.cursor.is_whole() && begun {
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
        parse(self.cursor.text.get(start..end).unwrap_or_default()).ok_or(Stop::No)
    }
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The number that the whole of `written` is.
fn parse(written: &str) -> Option<Value> {
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
        return number::parse(&format!("{}{body}", if negative { "-" } else { "" }));
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

//! The one reader of values: how lists and objects are walked, in the notation of JSON, of Python and of Gemma.
//!
//! A notation says which comments and commas it has, and how its keys and single values are written; the brackets, the
//! separators and the depth are read here for all three. Knows nothing of quotation marks.
//!
//! **Invariant.** A reading that is not `Open` stays the same whatever is appended to the text, so the reading of a
//! reply does not depend on the pieces it arrives in.

use super::LenientReading;
use super::cursor::{CommentMarks, Cursor, DEEPEST, Extent, Stop, past};
use crate::Repair;
use serde_json::{Map, Value};

/// Where the notations differ.
pub(super) trait Notation: Sized {
    /// The comments between the tokens.
    const COMMENTS: CommentMarks;
    /// Are commas too many or too few, and closing brackets that are missing, mended? Otherwise there is no value.
    const MENDS_SEPARATORS: bool;
    /// Does a comma before the closing bracket count as a repair?
    const NOTES_TRAILING_COMMA: bool;

    fn key(reader: &mut ValueReader<'_, Self>) -> Result<String, Stop>;

    /// Any value; lists and objects by the reader's own `array` and `object`.
    fn value(reader: &mut ValueReader<'_, Self>) -> Result<Value, Stop>;
}

/// A text being read as values of one notation.
pub(super) struct ValueReader<'a, N> {
    pub(super) cursor: Cursor<'a>,
    /// The open brackets, the innermost last.
    pub(super) open: Vec<u8>,
    pub(super) notation: N,
}

/// What comes next between two brackets.
enum NextItem {
    Item,
    /// The closing bracket, which the cursor has passed.
    End {
        after_comma: bool,
    },
}

impl<'a, N: Notation> ValueReader<'a, N> {
    /// A reader at the first token of `text`.
    pub(super) fn new(text: &'a str, extent: Extent, notation: N) -> Self {
        let mut cursor = Cursor::new(text, extent);
        cursor.skip_lead();
        ValueReader { cursor, open: Vec::new(), notation }
    }

    pub(super) fn read_value(mut self) -> LenientReading {
        let value = N::value(&mut self);
        self.cursor.reading(value)
    }

    pub(super) fn object(&mut self) -> Result<Value, Stop> {
        self.enter(b'{')?;
        let mut members = Map::new();
        while let NextItem::Item = self.next_item(b'}', members.is_empty())? {
            let key = N::key(self)?;
            self.skip()?;
            if self.cursor.needed()? != b':' {
                return Err(Stop::No);
            }
            self.cursor.at += 1;
            self.skip()?;
            let value = N::value(self)?;
            members.insert(key, value);
        }
        Ok(Value::Object(members))
    }

    pub(super) fn array(&mut self) -> Result<Value, Stop> {
        self.items(b'[', b']').map(|(items, _)| Value::Array(items))
    }

    /// The items up to `closer`, and whether a comma comes last.
    pub(super) fn items(&mut self, opener: u8, closer: u8) -> Result<(Vec<Value>, bool), Stop> {
        self.enter(opener)?;
        let mut items = Vec::new();
        loop {
            match self.next_item(closer, items.is_empty())? {
                NextItem::Item => items.push(N::value(self)?),
                NextItem::End { after_comma } => return Ok((items, after_comma)),
            }
        }
    }

    pub(super) fn skip(&mut self) -> Result<(), Stop> {
        self.cursor.skip_comments(N::COMMENTS)
    }

    fn enter(&mut self, bracket: u8) -> Result<(), Stop> {
        if self.open.len() == DEEPEST {
            return Err(Stop::No);
        }
        self.open.push(bracket);
        self.cursor.at += 1;
        Ok(())
    }

    /// Goes to the next item, or over the end of what is open.
    fn next_item(&mut self, closer: u8, first: bool) -> Result<NextItem, Stop> {
        let mut commas = 0;
        loop {
            self.skip()?;
            match self.cursor.peek() {
                Some(b',') if N::MENDS_SEPARATORS || !first && commas == 0 => {
                    if first || commas > 0 {
                        self.cursor.note(Repair::ExtraComma);
                    }
                    commas += 1;
                    self.cursor.at += 1;
                    continue;
                }
                Some(byte) if byte == closer => self.cursor.at += 1,
                Some(byte @ (b'}' | b']')) if N::MENDS_SEPARATORS => self.close_other(byte)?,
                None if N::MENDS_SEPARATORS && self.cursor.is_whole() => self.cursor.note(Repair::MissingCloser),
                None => return Err(self.cursor.end()),
                Some(_) if first || commas > 0 => return Ok(NextItem::Item),
                Some(_) if N::MENDS_SEPARATORS => {
                    self.cursor.note(Repair::MissingComma);
                    return Ok(NextItem::Item);
                }
                Some(_) => return Err(Stop::No),
            }
            if commas > 0 && N::NOTES_TRAILING_COMMA {
                self.cursor.note(Repair::ExtraComma);
            }
            self.open.pop();
            return Ok(NextItem::End { after_comma: commas > 0 });
        }
    }

    /// A closing bracket where another one is due. One that closes something further out is left for that.
    fn close_other(&mut self, byte: u8) -> Result<(), Stop> {
        if !self.cursor.is_whole() {
            return Err(Stop::No);
        }
        self.cursor.note(Repair::MissingCloser);
        if !self.open.contains(&super::quote::opener(byte)) {
            self.cursor.at += 1;
        }
        Ok(())
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

/// Could `word` become such a word if more of it came?
pub(super) fn begins_literal(word: &str) -> bool {
    LITERALS.iter().any(|literal| literal.starts_with(word))
}

/// The JSON number at the cursor, which may have a plus sign or lack a digit on one side of the point. It ends where something stands that cannot belong to it.
pub(super) fn read_number(cursor: &mut Cursor) -> Result<Value, Stop> {
    let end = past(cursor.bytes, cursor.at, in_number);
    if end == cursor.bytes.len() && !cursor.is_whole() {
        return Err(Stop::Open);
    }
    let written = cursor.text.get(cursor.at..end).unwrap_or_default();
    let value = parse_number(written).ok_or(Stop::No)?;
    cursor.at = end;
    Ok(value)
}

/// Letters belong to it too: what they stand in is no number.
fn in_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_')
}

/// The number that the whole of `written` is.
pub(super) fn parse_number(written: &str) -> Option<Value> {
    if let Ok(Value::Number(number)) = serde_json::from_str(written) {
        return Some(Value::Number(number));
    }
    let (sign, digits) = match written.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", written.strip_prefix('+').unwrap_or(written)),
    };
    let mantissa = digits.find(['e', 'E']).unwrap_or(digits.len());
    let (mantissa, exponent) = digits.split_at(mantissa);
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let (whole, part) = (if whole.is_empty() { "0" } else { whole }, if part.is_empty() { "0" } else { part });
    let point = if mantissa.contains('.') { format!(".{part}") } else { String::new() };
    match serde_json::from_str(&format!("{sign}{whole}{point}{exponent}")) {
        Ok(Value::Number(number)) => Some(Value::Number(number)),
        _ => None,
    }
}

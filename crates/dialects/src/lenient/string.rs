//! Strings of JSON, and what stands in them: escapes, and what should have been escaped.

use super::cursor::{Cursor, Look, Stop};
use super::json::Json;
use super::quote::{Around, Quote};
use super::reader::ValueReader;
use crate::Repair;

impl ValueReader<'_, Json> {
    /// The string value at the cursor; its mark is `length` bytes long.
    pub(super) fn string(&mut self, quote: Quote, length: usize) -> Result<String, Stop> {
        if self.open.is_empty() {
            // Around it there is nothing to tell a mark that ends it from one that does not.
            return self.key_string(quote, length);
        }
        self.begin(quote, length);
        if let Some(mark) = self.tripled(quote)? {
            return self.triple(mark);
        }
        let mut text = Text::starting_at(self.cursor.at);
        loop {
            let length = text.run(&mut self.cursor, quote)?;
            let around = Around { bytes: self.cursor.bytes, open: &self.open, quote };
            let ends = match around.ends(self.cursor.at + length) {
                Look::Yes => true,
                Look::No => false,
                Look::End if self.cursor.is_whole() => true,
                Look::End => return Err(Stop::Open),
            };
            if ends {
                return Ok(text.finish(&mut self.cursor, length));
            }
            if Quote::mark_at(self.cursor.bytes, self.cursor.at).is_some_and(|(mark, _)| mark == quote) {
                self.cursor.note(Repair::InnerQuote);
            }
            text.keep(&mut self.cursor, length);
        }
    }

    /// A string that ends at the first mark.
    pub(super) fn key_string(&mut self, quote: Quote, length: usize) -> Result<String, Stop> {
        self.begin(quote, length);
        let mut text = Text::starting_at(self.cursor.at);
        let length = text.run(&mut self.cursor, quote)?;
        Ok(text.finish(&mut self.cursor, length))
    }

    fn begin(&mut self, quote: Quote, length: usize) {
        match quote {
            Quote::Double => {}
            Quote::Single => self.cursor.note(Repair::SingleQuotes),
            Quote::Smart | Quote::SmartSingle => self.cursor.note(Repair::SmartQuotes),
        }
        self.cursor.at += length;
    }

    /// Past the second and third of three marks in a row, as Python has them.
    fn tripled(&mut self, quote: Quote) -> Result<Option<&'static str>, Stop> {
        let mark = match quote {
            Quote::Double => "\"\"",
            Quote::Single => "''",
            Quote::Smart | Quote::SmartSingle => return Ok(None),
        };
        let rest = self.cursor.rest();
        if rest.len() < mark.len() && mark.starts_with(rest) && !self.cursor.is_whole() {
            return Err(Stop::Open);
        }
        if !rest.starts_with(mark) {
            return Ok(None);
        }
        self.cursor.at += mark.len();
        Ok(Some(mark))
    }

    /// The rest of a string in three marks: it ends with the last three of the next three or more.
    fn triple(&mut self, pair: &str) -> Result<String, Stop> {
        self.cursor.note(Repair::RawControl);
        let quote = if pair.starts_with('"') { Quote::Double } else { Quote::Single };
        let mark = pair.as_bytes().first().copied().unwrap_or_default();
        let mut text = Text::starting_at(self.cursor.at);
        loop {
            text.run(&mut self.cursor, quote)?;
            let marks = super::cursor::past(self.cursor.bytes, self.cursor.at, |byte| byte == mark) - self.cursor.at;
            if self.cursor.at + marks == self.cursor.bytes.len() && !self.cursor.is_whole() {
                return Err(Stop::Open);
            }
            if marks < 3 {
                text.keep(&mut self.cursor, marks);
                continue;
            }
            text.keep(&mut self.cursor, marks - 3);
            return Ok(text.finish(&mut self.cursor, 3));
        }
    }
}

/// A string as far as it is read.
struct Text {
    kept: String,
    start: usize,
    /// Does it hold a backslash that begins no escape?
    stray: bool,
}

impl Text {
    fn starting_at(start: usize) -> Self {
        Text { kept: String::new(), start, stray: false }
    }

    /// Reads up to the next mark that might end the string; its length.
    fn run(&mut self, cursor: &mut Cursor, quote: Quote) -> Result<usize, Stop> {
        loop {
            let rest = cursor.bytes.get(cursor.at..).unwrap_or_default();
            let length = rest.iter().position(|&byte| stops(byte, quote)).ok_or(cursor.end())?;
            self.keep(cursor, length);
            match cursor.needed()? {
                b'\\' => self.stray |= escape(cursor, quote, &mut self.kept)?,
                0..0x20 => {
                    cursor.note(Repair::RawControl);
                    self.keep(cursor, 1);
                }
                _ => match Quote::mark_at(cursor.bytes, cursor.at) {
                    Some((mark, length)) if quote.may_end_with(mark) => return Ok(length),
                    Some((_, length)) => self.keep(cursor, length),
                    None => self.keep(cursor, cursor.rest().chars().next().map_or(1, char::len_utf8)),
                },
            }
        }
    }

    fn keep(&mut self, cursor: &mut Cursor, length: usize) {
        self.kept.push_str(cursor.text.get(cursor.at..cursor.at + length).unwrap_or_default());
        cursor.at += length;
    }

    /// The string ends with the `length` bytes at the cursor.
    fn finish(self, cursor: &mut Cursor, length: usize) -> String {
        let written = cursor.text.get(self.start..cursor.at).unwrap_or_default();
        cursor.at += length;
        if self.stray && is_drive_path(written) {
            // One backslash that begins no escape shows that none of them was meant to.
            return written.replace("\\\\", "\\");
        }
        self.kept
    }
}

/// Bytes to look at in a string. The bytes of a typographic mark only matter where one ended the string.
fn stops(byte: u8, quote: Quote) -> bool {
    match quote {
        Quote::Double => byte == b'"' || byte == b'\\' || byte < 0x20,
        Quote::Single => byte == b'\'' || byte == b'\\' || byte < 0x20,
        Quote::Smart => matches!(byte, b'"' | b'\\' | 0xE2 | 0..0x20),
        Quote::SmartSingle => matches!(byte, b'\'' | b'\\' | 0xE2 | 0..0x20),
    }
}

/// `C:\` and one line, as only a path has it.
fn is_drive_path(written: &str) -> bool {
    let drive = matches!(written.as_bytes(), [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic());
    drive && !written.contains(['\n', '"'])
}

/// Reads an escape. A backslash that begins none is kept, and what follows it left: true.
fn escape(cursor: &mut Cursor, quote: Quote, kept: &mut String) -> Result<bool, Stop> {
    let byte = *cursor.bytes.get(cursor.at + 1).ok_or(cursor.end())?;
    let plain = match byte {
        b'"' | b'\\' | b'/' => char::from(byte),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'\'' if quote.may_end_with(Quote::Single) => '\'',
        b'u' => return unicode(cursor, kept),
        _ => return Ok(stray(cursor, kept)),
    };
    kept.push(plain);
    cursor.at += 2;
    Ok(false)
}

/// A backslash that begins no escape is kept as it stands.
fn stray(cursor: &mut Cursor, kept: &mut String) -> bool {
    cursor.note(Repair::InvalidEscape);
    kept.push('\\');
    cursor.at += 1;
    true
}

/// `\uXXXX`, two of them for what lies beyond; half a pair is the replacement character.
fn unicode(cursor: &mut Cursor, kept: &mut String) -> Result<bool, Stop> {
    let Some(first) = unit(cursor, cursor.at)? else { return Ok(stray(cursor, kept)) };
    cursor.at += 6;
    let second = if (0xD800..0xDC00).contains(&first) { unit(cursor, cursor.at)? } else { None };
    let pair = second.filter(|second| (0xDC00..0xE000).contains(second));
    if pair.is_some() {
        cursor.at += 6;
    }
    let code = pair.map_or(first, |second| 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00));
    kept.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    Ok(false)
}

/// The four hexadecimal digits of `\uXXXX` at `at`.
fn unit(cursor: &Cursor, at: usize) -> Result<Option<u32>, Stop> {
    let mut code = 0;
    for offset in 0..6 {
        let byte = *cursor.bytes.get(at + offset).ok_or(cursor.end())?;
        let digit = match offset {
            0 if byte == b'\\' => 0,
            1 if byte == b'u' => 0,
            2.. if byte.is_ascii_hexdigit() => char::from(byte).to_digit(16).unwrap_or_default(),
            _ => return Ok(None),
        };
        code = code * 16 + digit;
    }
    Ok(Some(code))
}

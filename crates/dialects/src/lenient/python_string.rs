//! String literals of Python, with their prefixes, their three kinds of marks and their escapes.

use super::cursor::{Cursor, Look, Stop, past};
use crate::Repair;

/// Does a string literal begin at the cursor?
pub(super) fn starts_string(cursor: &Cursor) -> Look {
    let letters = past(cursor.bytes, cursor.at, is_prefix) - cursor.at;
    match cursor.bytes.get(cursor.at + letters) {
        _ if letters > 2 => Look::No,
        None => Look::End,
        Some(byte) => Look::when(matches!(byte, b'"' | b'\'')),
    }
}

fn is_prefix(byte: u8) -> bool {
    matches!(byte.to_ascii_lowercase(), b'r' | b'b' | b'f' | b'u')
}

/// The string literal at the cursor.
pub(super) fn read_string(cursor: &mut Cursor) -> Result<String, Stop> {
    let prefix = cursor.at;
    cursor.at = past(cursor.bytes, prefix, is_prefix);
    let raw =
        cursor.bytes.get(prefix..cursor.at).is_some_and(|letters| letters.iter().any(|byte| b"rR".contains(byte)));
    let mark = cursor.needed()?;
    let marks = past(cursor.bytes, cursor.at, |byte| byte == mark) - cursor.at;
    if marks < 3 && cursor.at + marks == cursor.bytes.len() && !cursor.is_whole() {
        return Err(Stop::Open);
    }
    if marks == 2 {
        cursor.at += 2;
        return Ok(String::new());
    }
    let marks = if marks >= 3 { 3 } else { 1 };
    cursor.at += marks;
    let mut literal = Literal { cursor, raw, mark, marks, text: String::new() };
    literal.rest()?;
    Ok(literal.text)
}

struct Literal<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    raw: bool,
    mark: u8,
    /// How many marks it is quoted by: one or three.
    marks: usize,
    text: String,
}

impl Literal<'_, '_> {
    fn rest(&mut self) -> Result<(), Stop> {
        loop {
            let rest = self.cursor.bytes.get(self.cursor.at..).unwrap_or_default();
            let (mark, plain) = (self.mark, self.marks == 3);
            let stop = |&byte: &u8| byte == mark || byte == b'\\' || (byte < 0x20 && !plain);
            self.keep(rest.iter().position(stop).ok_or(self.cursor.end())?);
            match self.cursor.needed()? {
                b'\\' if self.raw => {
                    let next = self.cursor.rest().chars().nth(1).ok_or(self.cursor.end())?;
                    self.keep(1 + next.len_utf8());
                }
                b'\\' => self.escape()?,
                byte if byte != mark => {
                    self.cursor.note(Repair::RawControl);
                    self.keep(1);
                }
                _ if self.ended()? => return Ok(()),
                _ => {}
            }
        }
    }

    fn keep(&mut self, length: usize) {
        self.text.push_str(self.cursor.text.get(self.cursor.at..self.cursor.at + length).unwrap_or_default());
        self.cursor.at += length;
    }

    /// A mark: is it the last? Of more than three in a row the last three end a string.
    fn ended(&mut self) -> Result<bool, Stop> {
        if self.marks == 1 {
            self.cursor.at += 1;
            return Ok(true);
        }
        let marks = past(self.cursor.bytes, self.cursor.at, |byte| byte == self.mark) - self.cursor.at;
        if self.cursor.at + marks == self.cursor.bytes.len() && !self.cursor.is_whole() {
            return Err(Stop::Open);
        }
        self.keep(if marks < 3 { marks } else { marks - 3 });
        self.cursor.at += if marks < 3 { 0 } else { 3 };
        Ok(marks >= 3)
    }

    fn escape(&mut self) -> Result<(), Stop> {
        let byte = *self.cursor.bytes.get(self.cursor.at + 1).ok_or(self.cursor.end())?;
        let plain = match byte {
            b'\n' => return self.line_ends(2),
            b'\r' if self.cursor.bytes.get(self.cursor.at + 2).is_none() => return Err(self.cursor.end()),
            b'\r' if self.cursor.bytes.get(self.cursor.at + 2) == Some(&b'\n') => return self.line_ends(3),
            b'\\' | b'\'' | b'"' => char::from(byte),
            b'a' => '\u{7}',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'v' => '\u{b}',
            b'0'..=b'7' => return self.octal(),
            b'x' => return self.code(2),
            b'u' => return self.code(4),
            b'U' => return self.code(8),
            _ => return self.stray(),
        };
        self.text.push(plain);
        self.cursor.at += 2;
        Ok(())
    }

    fn line_ends(&mut self, length: usize) -> Result<(), Stop> {
        self.cursor.at += length;
        Ok(())
    }

    fn stray(&mut self) -> Result<(), Stop> {
        self.cursor.note(Repair::InvalidEscape);
        self.keep(1);
        Ok(())
    }

    /// Up to three octal digits.
    fn octal(&mut self) -> Result<(), Stop> {
        let start = self.cursor.at + 1;
        let end = past(self.cursor.bytes, start, |byte| (b'0'..=b'7').contains(&byte)).min(start + 3);
        if end == self.cursor.bytes.len() {
            return Err(self.cursor.end());
        }
        let code = u32::from_str_radix(self.cursor.text.get(start..end).unwrap_or_default(), 8).unwrap_or_default();
        self.text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        self.cursor.at = end;
        Ok(())
    }

    /// So many hexadecimal digits. Two halves of a pair are put together; one alone is the replacement character.
    fn code(&mut self, digits: usize) -> Result<(), Stop> {
        let Some(first) = self.digits(self.cursor.at + 2, digits)? else { return self.stray() };
        let mut end = self.cursor.at + 2 + digits;
        let mut code = first;
        if digits == 4 && (0xD800..0xDC00).contains(&first) && self.another(end)? {
            let second = self.digits(end + 2, 4)?.filter(|second| (0xDC00..0xE000).contains(second));
            if let Some(second) = second {
                code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                end += 6;
            }
        }
        if code > 0x10_FFFF {
            return self.stray();
        }
        self.text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        self.cursor.at = end;
        Ok(())
    }

    /// Does `\u` stand at `at`?
    fn another(&self, at: usize) -> Result<bool, Stop> {
        let first = *self.cursor.bytes.get(at).ok_or(self.cursor.end())?;
        Ok(first == b'\\' && *self.cursor.bytes.get(at + 1).ok_or(self.cursor.end())? == b'u')
    }

    fn digits(&self, at: usize, count: usize) -> Result<Option<u32>, Stop> {
        let mut code = 0u32;
        for offset in 0..count {
            let byte = *self.cursor.bytes.get(at + offset).ok_or(self.cursor.end())?;
            let Some(digit) = char::from(byte).to_digit(16) else { return Ok(None) };
            code = code << 4 | digit;
        }
        Ok(Some(code))
    }
}

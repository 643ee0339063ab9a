//! Places in a text: servers count lines from 0 and columns in code units of their encoding; the model and the user
//! count both from 1, columns in characters.

use serde_json::{Value, json};

/// What a column of a server counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

/// A place as servers count: from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) character: usize,
}

impl Encoding {
    /// The one that a server chose; without a word it is UTF-16.
    pub(super) fn of(name: Option<&str>) -> Self {
        match name {
            Some("utf-8") => Encoding::Utf8,
            Some("utf-32") => Encoding::Utf32,
            Some(_) | None => Encoding::Utf16,
        }
    }

    fn width(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    /// The column of byte `at` in `line`.
    pub(crate) fn column(self, line: &str, at: usize) -> usize {
        line.char_indices().take_while(|(place, _)| *place < at).map(|(_, c)| self.width(c)).sum()
    }

    /// The byte at column `column` of `line`; the end of the line where it is shorter.
    pub(crate) fn byte(self, line: &str, column: usize) -> usize {
        let mut before = 0;
        for (at, c) in line.char_indices() {
            if before >= column {
                return at;
            }
            before += self.width(c);
        }
        line.len()
    }
}

impl Position {
    /// As a server says it.
    pub(crate) fn read(said: &Value) -> Option<Self> {
        let number = |name: &str| said.get(name)?.as_u64()?.try_into().ok();
        Some(Position { line: number("line")?, character: number("character")? })
    }

    /// As a server is told.
    pub(crate) fn told(self) -> Value {
        json!({ "line": self.line, "character": self.character })
    }
}

/// A text by its lines.
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// Where each begins.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    /// Line `number` (from 0) without its end.
    pub(crate) fn line(&self, number: usize) -> Option<&'a str> {
        let start = *self.starts.get(number)?;
        let end = self.starts.get(number + 1).map_or(self.text.len(), |next| next - 1);
        let line = &self.text[start..end];
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// The byte at `position`; a place behind the text is its end.
    pub(crate) fn byte(&self, position: Position, encoding: Encoding) -> usize {
        match (self.starts.get(position.line), self.line(position.line)) {
            (Some(start), Some(line)) => start + encoding.byte(line, position.character),
            (Some(_), None) | (None, _) => self.text.len(),
        }
    }

    /// The column of `position` in characters from 1.
    pub(crate) fn column(&self, position: Position, encoding: Encoding) -> usize {
        let line = self.line(position.line).unwrap_or_default();
        line[..encoding.byte(line, position.character)].chars().count() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "let é = 1;\r\n🦀 crab\nend";

    #[test]
    fn columns_count_what_the_encoding_counts() {
        for (encoding, accent, crab) in [(Encoding::Utf8, 6, 4), (Encoding::Utf16, 5, 2), (Encoding::Utf32, 5, 1)] {
            let lines = Lines::of(TEXT);
            let blank = Position { line: 0, character: accent };
            assert_eq!(lines.byte(blank, encoding), "let é".len(), "{encoding:?}");
            assert_eq!(lines.column(blank, encoding), 6);
            let after = Position { line: 1, character: crab };
            assert_eq!((lines.byte(after, encoding), lines.column(after, encoding)), (17, 2), "{encoding:?}");
            assert_eq!(encoding.column("🦀 crab", 4), crab);
        }
    }

    #[test]
    fn a_place_behind_a_line_or_the_text_is_its_end() {
        let lines = Lines::of(TEXT);
        let at = |line, character| lines.byte(Position { line, character }, Encoding::Utf16);
        assert_eq!(at(0, 99), "let é = 1;".len());
        assert_eq!(at(99, 0), TEXT.len());
        assert_eq!((lines.line(0), lines.line(2), lines.line(3)), (Some("let é = 1;"), Some("end"), None));
        assert_eq!(lines.count(), 3);
    }

    #[test]
    fn places_go_over_the_wire_as_they_came() {
        let place = Position { line: 3, character: 4 };
        assert_eq!(Position::read(&place.told()), Some(place));
        assert_eq!(Position::read(&json!({ "line": -1, "character": 0 })), None);
        assert_eq!((Encoding::of(Some("utf-8")), Encoding::of(None)), (Encoding::Utf8, Encoding::Utf16));
    }
}

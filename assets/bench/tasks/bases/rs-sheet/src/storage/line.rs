//! One line of a grid file.

use crate::address::{CellRef, Range};
use crate::error::SheetError;
use crate::history::Stored;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Name(String, Range),
    Cell(CellRef, Stored),
    /// A comment or an empty line.
    Nothing,
}

impl Line {
    pub fn parse(text: &str) -> Result<Line, SheetError> {
        if text.trim().is_empty() || text.starts_with('#') {
            return Ok(Line::Nothing);
        }
        let fault = || SheetError::Line { line: 0, message: "a line is 'CELL = INPUT'".to_string() };
        if let Some(rest) = text.strip_prefix("name ") {
            let (name, range) = rest.split_once(" = ").ok_or_else(fault)?;
            return Ok(Line::Name(name.trim().to_string(), Range::parse(range.trim())?));
        }
        let (place, rest) = text.split_once(' ').ok_or_else(fault)?;
        let cell = CellRef::parse(place)?;
        let (format, rest) = match rest.strip_prefix('[') {
            Some(rest) => {
                let (format, rest) = rest.split_once("] ").ok_or_else(fault)?;
                (Some(format.to_string()), rest)
            }
            None => (None, rest),
        };
        // Editors like to cut the blank off if nothing follows it.
        let input = rest.strip_prefix("= ").or_else(|| (rest == "=").then_some("")).ok_or_else(fault)?;
        Ok(Line::Cell(cell, Stored { input: unescaped(input), format }))
    }

    pub fn text(&self) -> String {
        match self {
            Line::Name(name, range) => format!("name {name} = {range}"),
            Line::Cell(cell, Stored { input, format: None }) => format!("{cell} = {}", escaped(input)),
            Line::Cell(cell, Stored { input, format: Some(format) }) => {
                format!("{cell} [{format}] = {}", escaped(input))
            }
            Line::Nothing => String::new(),
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => plain.push('\n'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_as_they_were() {
        for text in ["A1 = 12", "B2 [0.00] = =A1*2", "name rate = B1:B9", "C1 = a\\nb \\\\ c", "C1 = = 5"] {
            assert_eq!(Line::parse(text).unwrap().text(), text);
        }
    }

    #[test]
    fn other_lines_are_refused() {
        for text in ["A1", "A1 12", "A1 [0.00 = 3", "A0 = 3", "name x B1"] {
            assert!(Line::parse(text).is_err(), "{text}");
        }
    }
}

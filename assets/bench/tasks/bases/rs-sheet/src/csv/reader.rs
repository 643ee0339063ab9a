//! Reads CSV: fields in double quotes may hold separators, line ends and doubled quotes.

use crate::error::SheetError;

/// The records of a text, each a list of fields. Empty lines are records of one
/// empty field, but the last line end begins no record.
pub fn read(text: &str, separator: char) -> Result<Vec<Vec<String>>, SheetError> {
    // A byte order mark is no part of the first field.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { separator, line: 1, records: Vec::new(), record: Vec::new(), field: String::new() };
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if reader.field.is_empty() => reader.quoted(&mut characters)?,
            '\r' if characters.peek() == Some(&'\n') => {}
            '\n' => reader.end_record(),
            other if other == separator => reader.end_field(),
            other => reader.field.push(other),
        }
    }
    if !reader.record.is_empty() || !reader.field.is_empty() {
        reader.end_record();
    }
    Ok(reader.records)
}

struct Reader {
    separator: char,
    line: usize,
    records: Vec<Vec<String>>,
    record: Vec<String>,
    field: String,
}

type Characters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

impl Reader {
    fn end_field(&mut self) {
        self.record.push(std::mem::take(&mut self.field));
    }

    fn end_record(&mut self) {
        self.end_field();
        self.records.push(std::mem::take(&mut self.record));
        self.line += 1;
    }

    /// The rest of a field that began with a quote.
    fn quoted(&mut self, characters: &mut Characters) -> Result<(), SheetError> {
        let start = self.line;
        loop {
            match characters.next() {
                None => return fault(start, "the quote is not closed"),
                Some('"') if characters.peek() == Some(&'"') => {
                    characters.next();
                    self.field.push('"');
                }
                Some('"') => break,
                Some(other) => {
                    self.line += usize::from(other == '\n');
                    self.field.push(other);
                }
            }
        }
        match characters.peek() {
            None | Some('\n' | '\r') => Ok(()),
            Some(next) if *next == self.separator => Ok(()),
            Some(_) => fault(self.line, "something follows the closing quote"),
        }
    }
}

fn fault(line: usize, message: &str) -> Result<(), SheetError> {
    Err(SheetError::Line { line, message: message.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_records() {
        assert_eq!(read("a,b\n1,\n", ',').unwrap(), [["a", "b"], ["1", ""]]);
        assert_eq!(read("a;b\r\n1;2", ';').unwrap(), [["a", "b"], ["1", "2"]]);
        assert_eq!(read("\u{feff}a\n\nb\n", ',').unwrap(), [["a"], [""], ["b"]]);
    }

    #[test]
    fn quotes() {
        assert_eq!(read("\"a,\"\"b\"\"\",\"c\nd\"\n", ',').unwrap(), [["a,\"b\"", "c\nd"]]);
        assert_eq!(read("5\",x", ',').unwrap(), [["5\"", "x"]]);
    }

    #[test]
    fn mistakes_have_a_line() {
        let message = |text: &str| read(text, ',').unwrap_err().to_string();
        assert_eq!(message("a\n\"b"), "line 2: the quote is not closed");
        assert_eq!(message("a\n\"b\nc\"d"), "line 3: something follows the closing quote");
    }
}

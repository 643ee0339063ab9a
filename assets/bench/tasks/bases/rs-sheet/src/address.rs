//! Addresses of cells (`B7`), references in formulas (`$B7`) and ranges (`B2:D9`).

use std::fmt;

use crate::error::SheetError;

/// Rows and columns a sheet can have.
pub const MAX_ROWS: u32 = 65_536;
pub const MAX_COLUMNS: u32 = 702; // up to ZZ

/// A place in the sheet; both numbers count from 0. The order is row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellRef {
    pub row: u32,
    pub column: u32,
}

impl CellRef {
    pub fn new(row: u32, column: u32) -> CellRef {
        CellRef { row, column }
    }

    /// Reads `B7`; dollar signs are allowed and ignored.
    pub fn parse(text: &str) -> Result<CellRef, SheetError> {
        Reference::parse(text).map(|reference| reference.cell)
    }

    /// The cell that many rows and columns away, unless it is outside of the sheet.
    pub fn offset(self, rows: i64, columns: i64) -> Option<CellRef> {
        let row = i64::from(self.row) + rows;
        let column = i64::from(self.column) + columns;
        let inside = (0..i64::from(MAX_ROWS)).contains(&row) && (0..i64::from(MAX_COLUMNS)).contains(&column);
        inside.then(|| CellRef::new(row as u32, column as u32))
    }
}

impl fmt::Display for CellRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_name(self.column), self.row + 1)
    }
}

/// The letters of a column: 0 is `A`, 26 is `AA`.
pub fn column_name(column: u32) -> String {
    let letter = |number: u32| char::from(b'A' + number as u8);
    if column < 26 {
        letter(column).to_string()
    } else {
        format!("{}{}", letter(column / 26 - 1), letter(column % 26))
    }
}

/// The column with these letters, in any case.
pub fn column_number(letters: &str) -> Option<u32> {
    if letters.is_empty() || letters.len() > 2 || !letters.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let number = letters.bytes().fold(0, |sum, byte| sum * 26 + u32::from(byte.to_ascii_uppercase() - b'A') + 1);
    Some(number - 1)
}

/// A reference as it stands in a formula: parts with a `$` stay when it is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reference {
    pub cell: CellRef,
    pub fixed_row: bool,
    pub fixed_column: bool,
}

impl Reference {
    pub fn parse(text: &str) -> Result<Reference, SheetError> {
        let fault = || SheetError::Address(text.to_string());
        let (fixed_column, rest) = strip_dollar(text);
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let column = column_number(&rest[..letters]).ok_or_else(fault)?;
        let (fixed_row, digits) = strip_dollar(&rest[letters..]);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fault());
        }
        let row: u32 = digits.parse().map_err(|_| fault())?;
        if row == 0 || row > MAX_ROWS {
            return Err(fault());
        }
        Ok(Reference { cell: CellRef::new(row - 1, column), fixed_row, fixed_column })
    }

    /// The reference after its formula was copied that far, if it stays on the sheet.
    pub fn copied(self, rows: i64, columns: i64) -> Option<Reference> {
        let rows = if self.fixed_row { 0 } else { rows };
        let columns = if self.fixed_column { 0 } else { columns };
        self.cell.offset(rows, columns).map(|cell| Reference { cell, ..self })
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dollar = |fixed: bool| if fixed { "$" } else { "" };
        write!(
            f,
            "{}{}{}{}",
            dollar(self.fixed_column),
            column_name(self.cell.column),
            dollar(self.fixed_row),
            self.cell.row + 1
        )
    }
}

fn strip_dollar(text: &str) -> (bool, &str) {
    match text.strip_prefix('$') {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

/// A rectangle of cells, corners included. `start` is always the upper left one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    pub start: CellRef,
    pub end: CellRef,
}

impl Range {
    /// The rectangle between two corners, whichever they are.
    pub fn new(a: CellRef, b: CellRef) -> Range {
        Range {
            start: CellRef::new(a.row.min(b.row), a.column.min(b.column)),
            end: CellRef::new(a.row.max(b.row), a.column.max(b.column)),
        }
    }

    pub fn single(cell: CellRef) -> Range {
        Range { start: cell, end: cell }
    }

    /// Reads `B2:D9`, or a single cell.
    pub fn parse(text: &str) -> Result<Range, SheetError> {
        match text.split_once(':') {
            Some((a, b)) => {
                let corner = |part: &str| CellRef::parse(part).map_err(|_| SheetError::Address(text.to_string()));
                Ok(Range::new(corner(a)?, corner(b)?))
            }
            None => CellRef::parse(text).map(Range::single),
        }
    }

    pub fn rows(&self) -> u32 {
        self.end.row - self.start.row + 1
    }

    pub fn columns(&self) -> u32 {
        self.end.column - self.start.column + 1
    }

    pub fn contains(&self, cell: CellRef) -> bool {
        (self.start.row..=self.end.row).contains(&cell.row)
            && (self.start.column..=self.end.column).contains(&cell.column)
    }

    pub fn overlaps(&self, other: &Range) -> bool {
        self.start.row <= other.end.row
            && other.start.row <= self.end.row
            && self.start.column <= other.end.column
            && other.start.column <= self.end.column
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = CellRef> + '_ {
        let columns = self.start.column..=self.end.column;
        (self.start.row..=self.end.row)
            .flat_map(move |row| columns.clone().map(move |column| CellRef::new(row, column)))
    }

    /// The rectangle of the same size whose upper left corner is `start`.
    pub fn moved_to(&self, start: CellRef) -> Result<Range, SheetError> {
        let rows = i64::from(self.rows()) - 1;
        let columns = i64::from(self.columns()) - 1;
        match start.offset(rows, columns) {
            Some(end) => Ok(Range { start, end }),
            None => Err(SheetError::Range(format!("{self} does not fit at {start}"))),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start == self.end {
            write!(f, "{}", self.start)
        } else {
            write!(f, "{}:{}", self.start, self.end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_letters() {
        for (number, letters) in [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ")] {
            assert_eq!(column_name(number), letters);
            assert_eq!(column_number(letters), Some(number));
        }
        assert_eq!(column_number("AAA"), None);
    }

    #[test]
    fn references_keep_their_dollars() {
        for text in ["B7", "$B7", "B$7", "$B$7", "AA65536"] {
            assert_eq!(Reference::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "B", "7", "B0", "B65537", "B7x", "B-1", "AAA1"] {
            assert!(Reference::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_have_an_upper_left_corner() {
        assert_eq!(Range::parse("D9:B2").unwrap().to_string(), "B2:D9");
        assert_eq!(Range::parse("B2").unwrap().cells().count(), 1);
        assert!(Range::parse("B2:").is_err());
    }
}

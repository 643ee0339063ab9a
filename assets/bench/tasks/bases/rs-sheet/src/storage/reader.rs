//! Reads grid files.

use std::collections::BTreeSet;

use super::line::Line;
use super::HEAD;
use crate::config::Settings;
use crate::error::SheetError;
use crate::format::Format;
use crate::sheet::{check_input, Sheet};

/// The sheet in a text. The first line has to be the head; every mistake is told
/// with its line.
pub fn read(text: &str, settings: Settings) -> Result<Sheet, SheetError> {
    let fault = |line: usize, message: &str| SheetError::Line { line, message: message.to_string() };
    if text.lines().next().map(str::trim_end) != Some(HEAD) {
        return Err(fault(1, "this is no grid file"));
    }
    let mut cells = Vec::new();
    let mut names = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let parsed = Line::parse(line).map_err(|error| match error {
            SheetError::Line { message, .. } => SheetError::Line { line: number, message },
            other => other.on_line(number),
        })?;
        match parsed {
            Line::Nothing => {}
            Line::Name(name, range) => names.push((name, range)),
            Line::Cell(cell, stored) => {
                check_input(&stored.input).map_err(|error| error.on_line(number))?;
                if let Some(format) = &stored.format {
                    Format::parse(format).map_err(|error| error.on_line(number))?;
                }
                if !seen.insert(cell) {
                    return Err(fault(number, &format!("{cell} is there twice")));
                }
                cells.push((cell, stored));
            }
        }
    }
    let mut sheet = Sheet::new(settings);
    sheet.load(cells, names)?;
    Ok(sheet)
}

//! Writes grid files: names first, then cells row by row.

use super::line::Line;
use super::HEAD;
use crate::sheet::Sheet;

pub fn write(sheet: &Sheet) -> String {
    let names = sheet.names().map(|(name, range)| Line::Name(name.to_string(), range));
    let cells = sheet.stored().map(|(cell, stored)| Line::Cell(cell, stored.clone()));
    let mut text = format!("{HEAD}\n");
    for line in names.chain(cells) {
        text.push_str(&line.text());
        text.push('\n');
    }
    text
}

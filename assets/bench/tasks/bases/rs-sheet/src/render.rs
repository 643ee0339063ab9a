//! A part of a sheet as a table for terminals.

use crate::address::{column_name, CellRef, Range};
use crate::sheet::Sheet;

/// The shown values of a range, with letters above and numbers at the left.
pub fn table(sheet: &Sheet, range: Range) -> String {
    let columns: Vec<u32> = (range.start.column..=range.end.column).collect();
    let widths: Vec<usize> = columns.iter().map(|column| width(sheet, range, *column)).collect();
    let margin = (range.end.row + 1).to_string().len();
    let mut text = " ".repeat(margin);
    for (column, width) in columns.iter().zip(&widths) {
        text.push_str(&format!(" | {:^width$}", column_name(*column)));
    }
    let mut text = format!("{}\n", text.trim_end());
    text.push_str(&"-".repeat(margin + 1));
    for width in &widths {
        text.push_str(&format!("+{}", "-".repeat(width + 2)));
    }
    text.push('\n');
    for row in range.start.row..=range.end.row {
        let mut line = format!("{:>margin$}", row + 1);
        for (column, width) in columns.iter().zip(&widths) {
            line.push_str(" | ");
            line.push_str(&field(sheet, CellRef::new(row, *column), *width));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn width(sheet: &Sheet, range: Range, column: u32) -> usize {
    let shown = |row| one_line(&sheet.shown(CellRef::new(row, column))).chars().count();
    let longest = (range.start.row..=range.end.row).map(shown).max().unwrap_or(0);
    longest.clamp(column_name(column).len(), sheet.settings().widest)
}

/// A value in its column. Texts that are too long are cut; numbers never are, for
/// half a number is a wrong one.
fn field(sheet: &Sheet, cell: CellRef, width: usize) -> String {
    let text = one_line(&sheet.shown(cell));
    let length = text.chars().count();
    if sheet.shown_right(cell) {
        return if length > width { "#".repeat(width) } else { format!("{text:>width$}") };
    }
    if length > width {
        let kept: String = text.chars().take(width.saturating_sub(1)).collect();
        return format!("{kept}…");
    }
    format!("{text:<width$}")
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

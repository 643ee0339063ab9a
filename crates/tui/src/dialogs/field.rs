//! A text being written in a dialog.

use crate::composer::{Editor, Rows};
use crate::palette::Palette;
use ratatui::text::{Line, Span};

/// Stands before what is written.
const MARK: &str = "› ";
const INDENT: u16 = 2;

/// The rows of what is written, with row and column of the cursor.
pub(super) fn written(editor: &Editor, columns: u16, palette: Palette) -> (Vec<Line<'static>>, usize, u16) {
    let rows = Rows::of(editor, columns.saturating_sub(INDENT));
    let (row, column) = rows.cursor();
    let mut lines = rows.lines(editor, palette);
    for (number, line) in lines.iter_mut().enumerate() {
        let mark = if number == 0 { MARK } else { "  " };
        line.spans.insert(0, Span::styled(mark, palette.accent()));
    }
    (lines, row, column + INDENT)
}

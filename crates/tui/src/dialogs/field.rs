//! A text being written in a dialog.

use super::Press;
use crate::clean::clean_line;
use crate::composer::{Editor, Rows, edit};
use crate::palette::Palette;
use crate::text::width::width;
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

/// A field of one line behind a label, and the column where the cursor stands.
pub(super) fn labelled(label: &'static str, editor: &Editor, palette: Palette) -> (Line<'static>, u16) {
    let typed = clean_line(editor.text()).into_owned();
    let cursor = width(label) + width(&clean_line(&editor.text()[..editor.cursor()]));
    let line = Line::from(vec![Span::styled(label, palette.dim()), Span::raw(typed)]);
    (line, u16::try_from(cursor).unwrap_or(u16::MAX))
}

/// Takes a key into a field; says whether that changed what stands there.
pub(super) fn typed(editor: &mut Editor, press: Press) -> bool {
    let before = editor.text().to_owned();
    edit(editor, press.chord);
    editor.text() != before
}

//! Where the letters of a written text stand on the screen: rows of a width, and the cursor among them.

use super::editor::Editor;
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::width::width;
use crate::text::wrap::append;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation as _;

/// The text broken into rows.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    rows: Vec<Row>,
    /// Row and column of the cursor.
    cursor: (usize, u16),
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Row {
    /// Bytes of the text in it, a newline at the end not among them.
    start: usize,
    end: usize,
}

/// A grapheme as it is drawn, with its width in columns.
fn shown<'a>(editor: &Editor, grapheme: &'a str) -> (Cow<'a, str>, u16) {
    if grapheme.len() == 1 && grapheme.as_bytes()[0].is_ascii_graphic() {
        return (Cow::Borrowed(grapheme), 1);
    }
    let text = match editor.label(grapheme) {
        Some(label) => Cow::Owned(label),
        None => clean_line(grapheme),
    };
    let columns = u16::try_from(width(&text)).unwrap_or(u16::MAX);
    (text, columns)
}

impl Rows {
    /// Breaks the text to `columns`: after a space where it can. One column is left free, so that the cursor has
    /// room after the last letter.
    pub(crate) fn of(editor: &Editor, columns: u16) -> Self {
        let room = columns.saturating_sub(1).max(1);
        let mut rows = vec![Row::default()];
        let (mut used, mut word) = (0u16, (0, 0u16));
        for (at, grapheme) in editor.graphemes() {
            if grapheme == "\n" {
                close(&mut rows, at, at + 1);
                (used, word) = (0, (at + 1, 0));
                continue;
            }
            let columns = shown(editor, grapheme).1;
            if used > 0 && used.saturating_add(columns) > room {
                // Break before the word, unless the row holds nothing else.
                let start = rows.last().map_or(0, |row| row.start);
                let break_at = if word.0 > start { word.0 } else { at };
                used = if word.0 > start { used - word.1 } else { 0 };
                close(&mut rows, break_at, break_at);
                word = (break_at, 0);
            }
            used = used.saturating_add(columns);
            if grapheme == " " {
                word = (at + 1, used);
            }
        }
        if let Some(last) = rows.last_mut() {
            last.end = editor.text().len();
        }
        let cursor = place(editor, &rows, editor.cursor());
        Rows { rows, cursor }
    }

    /// How many there are; at least one.
    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    /// The byte position `up` rows above the cursor (below, if negative), as near its column as can be.
    pub(crate) fn beside(&self, editor: &Editor, up: isize) -> Option<usize> {
        let row = self.rows.get(self.cursor.0.checked_add_signed(-up)?)?;
        let mut column = 0u16;
        for (at, grapheme) in row.graphemes(editor) {
            if column >= self.cursor.1 {
                return Some(at);
            }
            column = column.saturating_add(shown(editor, grapheme).1);
        }
        Some(row.end)
    }

    /// Every row as it is drawn.
    pub(crate) fn lines(&self, editor: &Editor, palette: Palette) -> Vec<Line<'static>> {
        self.rows.iter().map(|row| row.line(editor, palette)).collect()
    }

    /// Row and column of the cursor.
    pub(crate) fn cursor(&self) -> (usize, u16) {
        self.cursor
    }

    /// Draws as many rows as fit, the cursor's among them, and says where the cursor stands.
    pub(crate) fn draw(&self, editor: &Editor, palette: Palette, area: Rect, buf: &mut Buffer) -> Position {
        let first = (self.cursor.0 + 1).saturating_sub(usize::from(area.height));
        for (row, place) in self.rows.iter().skip(first).zip(area.rows()) {
            buf.set_line(place.x, place.y, &row.line(editor, palette), place.width);
        }
        let down = u16::try_from(self.cursor.0 - first).unwrap_or(0);
        Position::new(area.x + self.cursor.1.min(area.width.saturating_sub(1)), area.y + down)
    }
}

impl Row {
    /// Its graphemes, with their places in the whole text.
    fn graphemes<'a>(&self, editor: &'a Editor) -> impl Iterator<Item = (usize, &'a str)> {
        let start = self.start;
        editor.text()[start..self.end].grapheme_indices(true).map(move |(at, grapheme)| (start + at, grapheme))
    }

    fn line(&self, editor: &Editor, palette: Palette) -> Line<'static> {
        let mut spans = Vec::new();
        for (_, grapheme) in self.graphemes(editor) {
            let style = if editor.label(grapheme).is_some() { palette.accent() } else { palette.text() };
            append(&mut spans, &shown(editor, grapheme).0, style);
        }
        Line::from(spans)
    }
}

fn close(rows: &mut Vec<Row>, end: usize, next: usize) {
    if let Some(last) = rows.last_mut() {
        last.end = end;
    }
    rows.push(Row { start: next, end: next });
}

/// Row and column of a byte position. Where a row is broken without a newline, the end of it is the start of the next.
fn place(editor: &Editor, rows: &[Row], position: usize) -> (usize, u16) {
    let row = rows.partition_point(|row| row.start <= position).saturating_sub(1);
    let before = rows[row].graphemes(editor).take_while(|(at, _)| *at < position);
    let column = before.fold(0u16, |column, (_, grapheme)| column.saturating_add(shown(editor, grapheme).1));
    (row, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, columns: u16) -> Vec<String> {
        let editor = Editor::holding(text);
        Rows::of(&editor, columns).rows.iter().map(|row| editor.text()[row.start..row.end].to_owned()).collect()
    }

    #[test]
    fn rows_break_after_spaces_where_they_can() {
        assert_eq!(rows("fix the parser now", 9), ["fix the ", "parser ", "now"]);
        assert_eq!(rows("abcdefghij", 5), ["abcd", "efgh", "ij"]);
        assert_eq!(rows("one\n\ntwo", 9), ["one", "", "two"]);
        assert_eq!(rows("日本語日本語", 7), ["日本語", "日本語"]);
        assert_eq!(rows("", 9), [""]);
        assert_eq!(rows("a\n", 9), ["a", ""]);
    }

    #[test]
    fn the_cursor_keeps_its_column_from_row_to_row() {
        let mut editor = Editor::holding("long line\nab\nlong line");
        editor.go_to(editor.text().len() - 1);
        let up = Rows::of(&editor, 40).beside(&editor, 1).unwrap();
        assert_eq!(up, 12);
        editor.go_to(4);
        assert_eq!(Rows::of(&editor, 40).beside(&editor, 1), None);
        assert_eq!(Rows::of(&editor, 40).beside(&editor, -2), Some(17));
    }
}

//! What is selected with the mouse: from one place in the conversation to another, row by row as it is shown. It stays where it is
//! when the view moves, and goes with the next key or press, and with another width.

use super::Transcript;
use crate::text::width::{each_grapheme, line_width};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use std::ops::RangeInclusive;

/// A place: a row from the start of everything, and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    row: usize,
    column: usize,
}

/// From where the button was pressed to where the mouse is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Selection {
    from: Spot,
    to: Spot,
}

/// What a press came to when the button is let go.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    Nothing,
    /// The mouse stayed where it was.
    Click,
    Selected(String),
}

impl Selection {
    /// The columns of this row that are selected, of any width.
    fn columns(&self, row: usize) -> Option<RangeInclusive<usize>> {
        let (first, last) = (self.from.min(self.to), self.from.max(self.to));
        if first == last || !(first.row..=last.row).contains(&row) {
            return None;
        }
        let from = if row == first.row { first.column } else { 0 };
        let to = if row == last.row { last.column } else { usize::MAX };
        Some(from..=to)
    }
}

impl Transcript {
    /// A button is pressed at this row and column of the area in view.
    pub(crate) fn select_from(&mut self, row: u16, column: u16) {
        let spot = self.spot(row, column);
        self.selection = Some(Selection { from: spot, to: spot });
    }

    /// The mouse is moved there with the button held.
    pub(crate) fn select_to(&mut self, row: u16, column: u16) {
        let to = self.spot(row, column);
        if let Some(selection) = &mut self.selection {
            selection.to = to;
        }
    }

    /// Is a button held that was pressed here, or is something selected?
    pub(crate) fn is_selecting(&self) -> bool {
        self.selection.is_some()
    }

    /// The button is let go. What is selected stays marked.
    pub(crate) fn let_go(&mut self) -> Pressed {
        let Some(selection) = self.selection else { return Pressed::Nothing };
        if selection.from == selection.to {
            self.selection = None;
            return Pressed::Click;
        }
        Pressed::Selected(self.selected(&selection))
    }

    /// Nothing is selected any more.
    pub(crate) fn unselect(&mut self) {
        self.selection = None;
    }

    fn spot(&self, row: u16, column: u16) -> Spot {
        Spot { row: self.view.top + usize::from(row), column: usize::from(column) }
    }

    fn selected(&self, selection: &Selection) -> String {
        let rows = selection.from.row.min(selection.to.row)..=selection.from.row.max(selection.to.row);
        let text = |row: usize| match (selection.columns(row), self.line_at(row)) {
            (Some(columns), Some((indent, line))) => within(indent, line, &columns),
            _ => String::new(),
        };
        rows.map(text).collect::<Vec<_>>().join("\n")
    }

    /// The line of this row, and how far it stands from the edge; none where the row is blank or not laid out.
    fn line_at(&self, row: usize) -> Option<(usize, &Line<'static>)> {
        let entry = self.entries_from(row).next().filter(|entry| entry.start <= row)?;
        Some((entry.cell.indent(), entry.cell.row(row - entry.start, &entry.laid)?))
    }

    /// Marks what is selected in the part in view.
    pub(super) fn draw_selection(&self, area: Rect, buf: &mut Buffer) {
        let Some(selection) = &self.selection else { return };
        for (row, y) in (self.view.top..self.view.total).zip(area.top()..area.bottom()) {
            let (Some(columns), Some((indent, line))) = (selection.columns(row), self.line_at(row)) else { continue };
            let end = (indent + line_width(line)).min(usize::from(area.width));
            for column in (*columns.start()..end).take_while(|column| columns.contains(column)) {
                let x = area.x + u16::try_from(column).unwrap_or(u16::MAX);
                buf[(x, y)].modifier.insert(Modifier::REVERSED);
            }
        }
    }
}

/// What stands in these columns of a line that begins `indent` columns from the edge.
fn within(indent: usize, line: &Line<'_>, columns: &RangeInclusive<usize>) -> String {
    let (mut text, mut at) = (String::new(), indent);
    for span in &line.spans {
        each_grapheme(&span.content, |_, grapheme, width| {
            // Half of a wide letter is all of it.
            if width > 0 && at <= *columns.end() && at + width > *columns.start() {
                text.push_str(grapheme);
            }
            at += width;
        });
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_as_they_are_shown() {
        let line = Line::from("a漢b");
        assert_eq!(within(2, &line, &(2..=2)), "a");
        assert_eq!(within(2, &line, &(4..=4)), "漢", "its second half");
        assert_eq!(within(2, &line, &(0..=usize::MAX)), "a漢b");
        assert_eq!(within(2, &line, &(6..=9)), "", "behind its end");
    }

    #[test]
    fn the_first_and_the_last_row_are_selected_in_part_and_those_between_whole() {
        let spot = |row, column| Spot { row, column };
        let selection = Selection { from: spot(5, 3), to: spot(3, 8) };
        assert_eq!(selection.columns(3), Some(8..=usize::MAX));
        assert_eq!(selection.columns(4), Some(0..=usize::MAX));
        assert_eq!(selection.columns(5), Some(0..=3));
        assert_eq!(selection.columns(6), None);
        assert_eq!(Selection { from: spot(1, 1), to: spot(1, 1) }.columns(1), None);
    }
}

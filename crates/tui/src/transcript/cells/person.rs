//! What the user said, behind a bar.

use super::{Cell, CellRows, Fold, Room, beside, more};
use crate::clean::clean_text;
use crate::palette::{Palette, on_ground};
use crate::text::wrap::Break;
use agent_protocol::SaidId;
use ratatui::text::{Line, Span};

/// Rows beyond which a message is folded: a pasted log should not push everything else away.
const MOST_ROWS: usize = 12;

pub(in crate::transcript) struct Person {
    palette: Palette,
    said: SaidId,
    text: String,
    length: Length,
}

/// How much there is of it at the width it was laid out for.
#[derive(Clone, Copy, PartialEq)]
enum Length {
    Short,
    /// More than [`MOST_ROWS`].
    Long,
}

impl Person {
    /// The user says `text`; it has this number.
    pub(in crate::transcript) fn new(said: SaidId, text: &str, palette: Palette) -> Self {
        let text = clean_text(text.replace("\r\n", "\n").trim_end()).into_owned();
        Person { palette, said, text, length: Length::Short }
    }

    /// Their words, a row for each line that has room in `width` columns.
    fn lines(&self, width: usize) -> Vec<Line<'static>> {
        let bar = self.bar();
        let line = |line: &str| beside(&bar, &bar, vec![Span::raw(line.to_owned())], width, Break::Words);
        self.text.lines().flat_map(line).map(|line| on_ground(line, self.palette.quiet(), width)).collect()
    }

    fn bar(&self) -> Span<'static> {
        Span::styled("› ", self.palette.accent())
    }
}

impl Cell for Person {
    fn rows(&self, room: Room<'_>) -> Vec<Line<'static>> {
        let mut rows = self.lines(room.width);
        if room.fold == Fold::Folded && rows.len() > MOST_ROWS {
            let hidden = rows.len() - (MOST_ROWS - 2);
            rows.truncate(MOST_ROWS - 2);
            rows.push(more(hidden, self.bar(), self.palette.dim(), room));
        }
        rows
    }

    fn lay_out(&mut self, room: Room<'_>, laid: &mut CellRows) -> usize {
        if !laid.is_for(room) {
            self.length = if self.lines(room.width).len() > MOST_ROWS { Length::Long } else { Length::Short };
        }
        laid.fit(room, || self.rows(room))
    }

    fn folds(&self) -> bool {
        self.length == Length::Long
    }

    fn said(&self) -> Vec<(SaidId, &str)> {
        vec![(self.said, &self.text)]
    }
}

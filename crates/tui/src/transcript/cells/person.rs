//! What the person said, behind a bar.

use super::{Fold, Laid, Room, beside, more};
use crate::clean::clean_text;
use crate::palette::Palette;
use crate::text::wrap::Break;
use ratatui::text::{Line, Span};

/// Rows beyond which a message is folded: a pasted log should not push everything else away.
const MOST_ROWS: usize = 12;

/// The person's words.
pub(in crate::transcript) struct Person {
    palette: Palette,
    text: String,
    length: Length,
    pub(super) laid: Laid,
}

/// How much there is of it at the width it was laid out for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Length {
    Short,
    /// More than [`MOST_ROWS`].
    Long,
}

impl Person {
    /// The person says `text`.
    pub(in crate::transcript) fn new(text: &str, palette: Palette) -> Self {
        let text = text.replace("\r\n", "\n");
        Person { palette, text: clean_text(text.trim_end()).into_owned(), length: Length::Short, laid: Laid::default() }
    }

    pub(super) fn lay_out(&mut self, room: Room<'_>) -> usize {
        if self.laid.is_right(room.width, room.fold) {
            return self.laid.rows.len();
        }
        let (rows, length) = self.rows(room);
        self.length = length;
        self.laid.set(room.width, room.fold, rows)
    }

    /// Is there anything to unfold?
    pub(super) fn folds(&self) -> bool {
        self.length == Length::Long
    }

    pub(super) fn rows(&self, room: Room<'_>) -> (Vec<Line<'static>>, Length) {
        let Room { width, fold, .. } = room;
        let bar = Span::styled("› ", self.palette.accent());
        let line = |line: &str| beside(&bar, &bar, vec![Span::raw(line.to_owned())], width, Break::Words);
        let mut rows: Vec<_> = self.text.lines().flat_map(line).collect();
        let length = if rows.len() > MOST_ROWS { Length::Long } else { Length::Short };
        if fold == Fold::Folded && length == Length::Long {
            let hidden = rows.len() - (MOST_ROWS - 2);
            rows.truncate(MOST_ROWS - 2);
            rows.push(more(hidden, bar, self.palette.dim(), room));
        }
        (rows, length)
    }
}

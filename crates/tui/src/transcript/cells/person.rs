//! What the person said, behind a bar.

use super::{Fold, Laid, Room, beside, more};
use crate::clean::clean_text;
use crate::palette::Palette;
use crate::text::wrap::Break;
use agent_protocol::SaidId;
use ratatui::text::{Line, Span};

/// Rows beyond which a message is folded: a pasted log should not push everything else away.
const MOST_ROWS: usize = 12;

/// The person's words.
pub(in crate::transcript) struct Person {
    palette: Palette,
    said: SaidId,
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
    /// The person says `text`; it has this number.
    pub(in crate::transcript) fn new(said: SaidId, text: &str, palette: Palette) -> Self {
        let text = clean_text(text.replace("\r\n", "\n").trim_end()).into_owned();
        Person { palette, said, text, length: Length::Short, laid: Laid::default() }
    }

    /// The number of what they said.
    pub(in crate::transcript) fn said(&self) -> SaidId {
        self.said
    }

    /// Their words.
    pub(in crate::transcript) fn words(&self) -> &str {
        &self.text
    }

    pub(super) fn lay_out(&mut self, room: Room<'_>) -> usize {
        if let Some(height) = self.laid.height(room.width, room.fold) {
            return height;
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

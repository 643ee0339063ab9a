//! What the person said, behind a bar.

use super::{Fold, Laid, Room, beside, more};
use crate::clean::clean_text;
use crate::palette::Palette;
use crate::text::wrap::Break;
use ratatui::text::Span;

/// Rows beyond which a message is folded: a pasted log should not push everything else away.
const MOST_ROWS: usize = 12;

/// The person's words.
pub(in crate::transcript) struct Person {
    palette: Palette,
    text: String,
    pub(super) laid: Laid,
}

impl Person {
    /// The person says `text`.
    pub(in crate::transcript) fn new(text: &str, palette: Palette) -> Self {
        let text = text.replace("\r\n", "\n");
        Person { palette, text: clean_text(text.trim_end()).into_owned(), laid: Laid::default() }
    }

    pub(super) fn lay_out(&mut self, room: Room<'_>) -> usize {
        let Room { width, fold, .. } = room;
        if self.laid.is_right(width, fold) {
            return self.laid.rows.len();
        }
        let bar = Span::styled("› ", self.palette.accent());
        let line = |line: &str| beside(&bar, &bar, vec![Span::raw(line.to_owned())], width, Break::Words);
        let mut rows: Vec<_> = self.text.lines().flat_map(line).collect();
        if fold == Fold::Folded && rows.len() > MOST_ROWS {
            let hidden = rows.len() - (MOST_ROWS - 2);
            rows.truncate(MOST_ROWS - 2);
            rows.push(more(hidden, bar, self.palette.dim(), room));
        }
        self.laid.set(width, fold, rows)
    }
}

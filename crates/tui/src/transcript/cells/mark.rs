//! A mark across the conversation: it goes on from an earlier session here, or from an earlier place.

use super::{Cell, INDENT, Room, signed};
use crate::palette::Palette;
use crate::text::width::{shorten, width as columns};
use ratatui::text::{Line, Span};

/// Columns of a title that are worth staying on one row.
const LEAST_TITLE: usize = 12;

/// A mark: words around something that may be cut. Clean.
pub(in crate::transcript) struct Mark {
    palette: Palette,
    before: String,
    title: String,
    after: String,
}

impl Mark {
    /// All three are clean already.
    pub(in crate::transcript) fn new(before: &str, title: String, after: String, palette: Palette) -> Self {
        Mark { palette, before: before.to_owned(), title, after }
    }
}

impl Cell for Mark {
    fn rows(&self, Room { width, .. }: Room<'_>) -> Vec<Line<'static>> {
        let dim = self.palette.dim();
        let Mark { before, title, after, .. } = self;
        let taken = columns(before) + columns(after) + 2 * INDENT;
        let words = match width.checked_sub(taken).filter(|room| *room >= LEAST_TITLE.min(columns(title))) {
            Some(room) => format!("{before}{}{after} —", shorten(title, room)),
            // On more rows than one nothing stands at the right end.
            None => format!("{before}{}{after}", shorten(title, width.saturating_sub(INDENT))),
        };
        let words = Span::styled(words, dim);
        signed(Span::styled("— ", dim), vec![words], width)
    }
}

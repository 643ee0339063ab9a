//! Something to know.

use super::{Cell, Room, signed};
use crate::clean::clean_text;
use crate::palette::Palette;
use agent_protocol::NoticeLevel;
use ratatui::text::{Line, Span};

/// A notice of the house.
pub(in crate::transcript) struct Notice {
    palette: Palette,
    level: NoticeLevel,
    text: String,
}

impl Notice {
    /// The house says `text`.
    pub(in crate::transcript) fn new(level: NoticeLevel, text: &str, palette: Palette) -> Self {
        Notice { palette, level, text: clean_text(text.trim()).into_owned() }
    }
}

impl Cell for Notice {
    fn rows(&self, Room { width, .. }: Room<'_>) -> Vec<Line<'static>> {
        let (sign, style) = match self.level {
            NoticeLevel::Info => (Span::styled("· ", self.palette.dim()), self.palette.dim()),
            NoticeLevel::Warning => (Span::styled("! ", self.palette.warn()), self.palette.warn()),
        };
        let line = |(number, line): (usize, &str)| {
            let sign = if number == 0 { sign.clone() } else { Span::raw("  ") };
            signed(sign, vec![Span::styled(line.to_owned(), style)], width)
        };
        self.text.lines().enumerate().flat_map(line).collect()
    }
}

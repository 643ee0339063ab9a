//! A plan of the model, as the document that it is.

use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use crate::text::markdown::Markdown;
use ratatui::text::Line;

/// A plan laid out for one width.
pub(super) struct Plan {
    markdown: Markdown,
    lines: Vec<Line<'static>>,
    /// The width `lines` is right for.
    width: Option<u16>,
}

impl Plan {
    pub(super) fn new(text: &str, palette: Palette, highlighter: &Highlighter) -> Self {
        let mut markdown = Markdown::new(palette, highlighter.clone());
        markdown.push(text);
        markdown.end();
        Plan { markdown, lines: Vec::new(), width: None }
    }

    pub(super) fn lines(&mut self, columns: u16) -> &[Line<'static>] {
        if self.width != Some(columns) {
            self.lines = self.markdown.all_rows(usize::from(columns));
            self.width = Some(columns);
        }
        &self.lines
    }

    /// Takes up colours that are ready.
    pub(super) fn highlighted(&mut self, done: &Highlighted) {
        if self.markdown.highlighted(done) {
            self.width = None;
        }
    }
}

//! Files before and after, side by side in one column.

use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use agent_protocol::FileDiff;
use ratatui::text::Line;

/// Changed files, ready to be drawn.
pub(crate) struct DiffView {
    lines: Vec<Line<'static>>,
}

impl DiffView {
    /// The changes of `files`.
    pub(crate) fn new(files: &[FileDiff], palette: Palette, highlighter: Highlighter) -> Self {
        let _ = (files, palette, highlighter);
        DiffView { lines: Vec::new() }
    }

    /// Everything, laid out for `width`.
    pub(crate) fn lines(&mut self, width: u16) -> &[Line<'static>] {
        let _ = width;
        &self.lines
    }

    /// Lines added and removed.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (0, 0)
    }

    /// Takes up colours that are ready.
    pub(crate) fn highlighted(&mut self, done: &Highlighted) {
        let _ = done;
    }
}

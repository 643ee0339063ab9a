//! The conversation as the person sees it.

use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use agent_protocol::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// The conversation as the person sees it: cells one below the other, and the part of them in view.
pub(crate) struct Transcript {
    palette: Palette,
    highlighter: Highlighter,
}

impl Transcript {
    /// An empty transcript.
    pub(crate) fn new(palette: Palette, highlighter: Highlighter) -> Self {
        Transcript { palette, highlighter }
    }

    /// Takes up one event; those without content are ignored.
    pub(crate) fn apply(&mut self, event: &Event, now: Duration) {
        let _ = (event, now, &self.palette, &self.highlighter);
    }

    /// Lets running calls show the time.
    pub(crate) fn tick(&mut self, now: Duration) {
        let _ = now;
    }

    /// Lays out what is not settled at this size; called before [`Transcript::draw`].
    pub(crate) fn layout(&mut self, width: u16, height: u16) {
        let _ = (width, height);
    }

    /// Draws the part in view.
    pub(crate) fn draw(&self, area: Rect, buf: &mut Buffer) {
        let _ = (area, buf);
    }

    /// Moves the view; negative is up.
    pub(crate) fn scroll_by(&mut self, lines: i32) {
        let _ = lines;
    }

    /// To the first line.
    pub(crate) fn scroll_to_start(&mut self) {}

    /// To the last line, and follow what comes.
    pub(crate) fn scroll_to_end(&mut self) {}

    /// Does the view follow what comes?
    pub(crate) fn following(&self) -> bool {
        true
    }

    /// Lines a page scroll moves.
    pub(crate) fn page(&self) -> i32 {
        1
    }

    /// The first line in view, counted from the start.
    pub(crate) fn top(&self) -> usize {
        0
    }

    /// Folds or unfolds all details.
    pub(crate) fn toggle_details(&mut self) {}

    /// Folds or unfolds the cell at `row` of the area drawn last.
    pub(crate) fn toggle_at(&mut self, row: u16) {
        let _ = row;
    }

    /// The last answer as the model wrote it, in markdown.
    pub(crate) fn last_answer(&self) -> Option<String> {
        None
    }

    /// The code blocks of the last answer.
    pub(crate) fn code_blocks(&self) -> Vec<String> {
        Vec::new()
    }

    /// The last `lines` lines as plain text, safe to print.
    pub(crate) fn tail(&self, lines: usize, width: u16) -> Vec<String> {
        let _ = (lines, width);
        Vec::new()
    }

    /// Takes up colours that are ready.
    pub(crate) fn highlighted(&mut self, done: Highlighted) {
        let _ = done;
    }

    /// Is there nothing to show?
    pub(crate) fn is_empty(&self) -> bool {
        true
    }
}

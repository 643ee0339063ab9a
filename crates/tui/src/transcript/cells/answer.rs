//! What the model says, in markdown, as it is being written.

use super::INDENT;
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use crate::text::markdown::Markdown;
use ratatui::text::Line;
use std::ops::Range;

/// The text of one reply.
pub(in crate::transcript) struct Answer {
    markdown: Markdown,
    state: State,
}

#[derive(PartialEq)]
enum State {
    Open,
    Closed,
}

impl Answer {
    /// It begins.
    pub(in crate::transcript) fn new(palette: Palette, highlighter: Highlighter) -> Self {
        Answer { markdown: Markdown::new(palette, highlighter), state: State::Open }
    }

    /// Is it still being written?
    pub(in crate::transcript) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// Adds the next piece.
    pub(in crate::transcript) fn push(&mut self, text: &str) {
        self.markdown.push(text);
    }

    /// The text itself.
    pub(in crate::transcript) fn markdown(&self) -> &Markdown {
        &self.markdown
    }

    pub(super) fn close(&mut self) {
        self.state = State::Closed;
        self.markdown.end();
    }

    pub(super) fn lay_out(&mut self, width: usize) -> usize {
        self.markdown.lay_out(width.saturating_sub(INDENT))
    }

    /// Has the rows of `near` there, and lets others go.
    pub(super) fn hold(&mut self, near: &Range<usize>) {
        self.markdown.hold(near);
    }

    pub(super) fn plain_rows(&self, width: usize) -> Vec<Line<'static>> {
        self.markdown.plain_rows(width.saturating_sub(INDENT))
    }

    pub(super) fn row(&self, row: usize) -> &Line<'static> {
        self.markdown.row(row)
    }

    pub(super) fn highlighted(&mut self, done: &Highlighted) -> bool {
        self.markdown.highlighted(done)
    }
}

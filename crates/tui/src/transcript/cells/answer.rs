//! What the model says, in markdown, as it is being written.

use super::{Cell, CellRows, INDENT, Piece, Room};
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use crate::text::markdown::Markdown;
use ratatui::text::Line;
use std::ops::Range;
use std::time::Duration;

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
    pub(in crate::transcript) fn new(palette: Palette, highlighter: Highlighter) -> Self {
        Answer { markdown: Markdown::new(palette, highlighter), state: State::Open }
    }
}

impl Cell for Answer {
    fn rows(&self, room: Room<'_>) -> Vec<Line<'static>> {
        self.markdown.plain_rows(room.width.saturating_sub(INDENT))
    }

    fn lay_out(&mut self, room: Room<'_>, _laid: &mut CellRows) -> usize {
        self.markdown.lay_out(room.width.saturating_sub(INDENT))
    }

    fn hold(&mut self, _room: Room<'_>, near: &Range<usize>, _laid: &mut CellRows) {
        self.markdown.hold(near);
    }

    fn row<'a>(&'a self, row: usize, _laid: &'a CellRows) -> Option<&'a Line<'static>> {
        Some(self.markdown.row(row))
    }

    #[cfg(test)]
    fn has_row(&self, row: usize, _laid: &CellRows) -> bool {
        self.markdown.has_row(row)
    }

    fn indent(&self) -> usize {
        INDENT
    }

    fn highlighted(&mut self, done: &Highlighted) -> bool {
        self.markdown.highlighted(done)
    }

    fn push(&mut self, piece: Piece<'_>) -> bool {
        match piece {
            Piece::Text(text) if self.is_open() => {
                self.markdown.push(text);
                true
            }
            Piece::Text(_) | Piece::Thought(_) => false,
        }
    }

    fn is_open(&self) -> bool {
        self.state == State::Open
    }

    fn close(&mut self, _now: Option<Duration>) {
        self.state = State::Closed;
        self.markdown.end();
    }

    fn answer(&self) -> Option<&Markdown> {
        Some(&self.markdown)
    }
}

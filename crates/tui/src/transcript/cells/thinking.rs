//! What the model thought aloud: one line that tells how long, and the words when unfolded.

use super::{Cell, CellRows, Fold, Piece, Room, Times};
use crate::palette::Palette;
use crate::text::flow::Flow;
use crate::text::width::shorten;
use agent_protocol::sanitize::figures::seconds;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use std::ops::Range;
use std::time::Duration;

pub(in crate::transcript) struct Thinking {
    palette: Palette,
    text: String,
    began: Duration,
    lasted: Duration,
    state: State,
    /// The words, where they are unfolded and near.
    flow: Flow,
    /// How many rows they take, near or not.
    words: usize,
}

#[derive(PartialEq)]
enum State {
    Open,
    Closed,
    /// It was over long ago, and nobody wrote down how long it took.
    Recalled,
}

impl Thinking {
    pub(in crate::transcript) fn new(palette: Palette, now: Duration) -> Self {
        Thinking {
            palette,
            text: String::new(),
            began: now,
            lasted: Duration::ZERO,
            state: State::Open,
            flow: Flow::default(),
            words: 0,
        }
    }

    fn headline(&self, width: usize, fold: Fold) -> Line<'static> {
        let sign = match fold {
            Fold::Folded => "▸ ",
            Fold::Unfolded => "▾ ",
        };
        let words = match (&self.state, self.lasted.as_secs()) {
            (State::Open, 0) => "thinking".to_owned(),
            (State::Open, _) => format!("thinking for {}", seconds(self.lasted)),
            (State::Closed, 0) => "thought for a moment".to_owned(),
            (State::Closed, _) => format!("thought for {}", seconds(self.lasted)),
            (State::Recalled, _) => "thought".to_owned(),
        };
        Line::styled(shorten(&format!("{sign}{words}"), width).into_owned(), self.palette.dim())
    }
}

impl Cell for Thinking {
    fn rows(&self, Room { width, fold, .. }: Room<'_>) -> Vec<Line<'static>> {
        if self.text.is_empty() {
            return Vec::new();
        }
        let mut flow = Flow::default();
        if fold == Fold::Unfolded {
            lay_out_words(&mut flow, &self.text, width, self.palette);
        }
        std::iter::once(self.headline(width, fold)).chain(flow.rows().iter().cloned()).collect()
    }

    /// The headline is one row; the words come and go apart from it.
    fn lay_out(&mut self, room: Room<'_>, laid: &mut CellRows) -> usize {
        if self.text.is_empty() {
            return 0;
        }
        if !laid.is_for(room) {
            laid.set(room, vec![self.headline(room.width, room.fold)]);
            match room.fold {
                Fold::Unfolded => lay_out_words(&mut self.flow, &self.text, room.width, self.palette),
                Fold::Folded => self.flow = Flow::default(),
            }
            self.words = self.flow.rows().len();
        }
        laid.height + self.words
    }

    fn hold(&mut self, room: Room<'_>, near: &Range<usize>, _laid: &mut CellRows) {
        if self.is_open() {
            return;
        }
        if near.is_empty() {
            self.flow = Flow::default();
        } else if self.flow.rows().len() < self.words {
            lay_out_words(&mut self.flow, &self.text, room.width, self.palette);
        }
    }

    fn row<'a>(&'a self, row: usize, laid: &'a CellRows) -> Option<&'a Line<'static>> {
        laid.rows.get(row).or_else(|| self.flow.rows().get(row.checked_sub(laid.rows.len())?))
    }

    fn folds(&self) -> bool {
        !self.text.is_empty()
    }

    fn tick(&mut self, now: Duration) -> bool {
        let before = self.lasted;
        if self.is_open() {
            self.lasted = now.saturating_sub(self.began);
        }
        self.lasted.as_secs() != before.as_secs()
    }

    fn push(&mut self, piece: Piece<'_>) -> bool {
        match piece {
            Piece::Thought(text) if self.is_open() => {
                self.text.push_str(if self.text.is_empty() { text.trim_start() } else { text });
                true
            }
            Piece::Thought(_) | Piece::Text(_) => false,
        }
    }

    fn is_open(&self) -> bool {
        self.state == State::Open
    }

    fn close(&mut self, now: Option<Duration>) {
        if !self.is_open() {
            return;
        }
        self.tick(now.unwrap_or(self.began));
        self.state = if now.is_some() { State::Closed } else { State::Recalled };
        self.text.truncate(self.text.trim_end().len());
        self.text.shrink_to_fit();
        self.flow = Flow::default();
    }

    fn keep_time(&self, times: &mut Times) {
        times.thinking.extend((self.state == State::Closed).then_some(self.lasted));
    }

    fn take_time(&mut self, times: &mut Times) {
        if let Some(lasted) = times.thinking.pop_front() {
            (self.state, self.lasted) = (State::Closed, lasted);
        }
    }
}

fn lay_out_words(flow: &mut Flow, text: &str, width: usize, palette: Palette) {
    let style = palette.dim().add_modifier(Modifier::ITALIC);
    flow.lay_out(text, width, &Span::styled("  │ ", palette.dim()), style);
}

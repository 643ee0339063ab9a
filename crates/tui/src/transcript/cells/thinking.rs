//! What the model thought aloud: one line that tells how long, and the words when unfolded.

use super::{Fold, Laid};
use crate::palette::Palette;
use crate::text::flow::Flow;
use crate::text::width::shorten;
use agent_clean::figures::seconds;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use std::ops::Range;
use std::time::Duration;

/// A stretch of thinking.
pub(in crate::transcript) struct Thinking {
    palette: Palette,
    text: String,
    began: Duration,
    lasted: Duration,
    state: State,
    head: Laid,
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
    /// It begins.
    pub(in crate::transcript) fn new(palette: Palette, now: Duration) -> Self {
        Thinking {
            palette,
            text: String::new(),
            began: now,
            lasted: Duration::ZERO,
            state: State::Open,
            head: Laid::default(),
            flow: Flow::default(),
            words: 0,
        }
    }

    /// It was over long ago.
    pub(in crate::transcript) fn recall(&mut self) {
        if self.is_open() {
            self.close(self.began);
            self.state = State::Recalled;
        }
    }

    /// How long it lasted, where that is known and it is over.
    pub(in crate::transcript) fn lasted(&self) -> Option<Duration> {
        (self.state == State::Closed).then_some(self.lasted)
    }

    /// It was over long ago, and lasted so long.
    pub(in crate::transcript) fn took(&mut self, lasted: Duration) {
        (self.state, self.lasted) = (State::Closed, lasted);
        self.head.spoil();
    }

    /// Is it still going on?
    pub(in crate::transcript) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// Adds the next piece.
    pub(in crate::transcript) fn push(&mut self, text: &str) {
        let text = if self.text.is_empty() { text.trim_start() } else { text };
        self.text.push_str(text);
        self.head.spoil();
    }

    pub(super) fn tick(&mut self, now: Duration) {
        if self.is_open() {
            let lasted = now.saturating_sub(self.began);
            if lasted.as_secs() != self.lasted.as_secs() {
                self.head.spoil();
            }
            self.lasted = lasted;
        }
    }

    pub(super) fn close(&mut self, now: Duration) {
        if !self.is_open() {
            return;
        }
        self.tick(now);
        self.state = State::Closed;
        self.text.truncate(self.text.trim_end().len());
        self.text.shrink_to_fit();
        self.flow = Flow::default();
        self.head.spoil();
    }

    pub(super) fn lay_out(&mut self, width: usize, fold: Fold) -> usize {
        if self.text.is_empty() {
            return self.head.set(width, fold, Vec::new());
        }
        if self.head.height(width, fold).is_none() {
            let head = self.headline(width, fold);
            self.head.set(width, fold, vec![head]);
            match fold {
                Fold::Unfolded => lay_out_words(&mut self.flow, &self.text, width, self.palette),
                Fold::Folded => self.flow = Flow::default(),
            }
            self.words = self.flow.rows().len();
        }
        self.head.height + self.words
    }

    /// Has its words there where they are `near`, and lets them go where nobody looks. The headline is one row.
    pub(super) fn hold(&mut self, width: usize, near: &Range<usize>) {
        if self.is_open() {
            return;
        }
        if near.is_empty() {
            self.flow = Flow::default();
        } else if self.flow.rows().len() < self.words {
            lay_out_words(&mut self.flow, &self.text, width, self.palette);
        }
    }

    /// Is there anything to unfold?
    pub(super) fn folds(&self) -> bool {
        !self.text.is_empty()
    }

    pub(super) fn rows(&self, width: usize, fold: Fold) -> Vec<Line<'static>> {
        if self.text.is_empty() {
            return Vec::new();
        }
        let mut flow = Flow::default();
        if fold == Fold::Unfolded {
            lay_out_words(&mut flow, &self.text, width, self.palette);
        }
        std::iter::once(self.headline(width, fold)).chain(flow.rows().iter().cloned()).collect()
    }

    pub(super) fn row(&self, row: usize) -> Option<&Line<'static>> {
        self.head.rows.get(row).or_else(|| self.flow.rows().get(row.checked_sub(self.head.rows.len())?))
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

fn lay_out_words(flow: &mut Flow, text: &str, width: usize, palette: Palette) {
    let style = palette.dim().add_modifier(Modifier::ITALIC);
    flow.lay_out(text, width, &Span::styled("  │ ", palette.dim()), style);
}

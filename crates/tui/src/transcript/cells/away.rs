//! A turn that is not here: it stands in the session's journal, and its rows are only counted.
//!
//! Keeps what is asked of a turn without looking at it (what the user said, how long things took, what is folded), and
//! how much of the scroll bar it takes.

use super::{Cell, CellRows, Fold, Room, signed};
use crate::clean::clean_text;
use crate::palette::Palette;
use agent_protocol::{SaidId, TurnId};
use ratatui::text::{Line, Span};
use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

/// Stands in its rows while it is on its way: a line here and there, for only some of them may be in view.
const COMING: &str = "… reading the earlier part";

const APART: usize = 10;

/// A turn that is not here.
pub(in crate::transcript) struct Away {
    palette: Palette,
    pub(in crate::transcript) turn: TurnId,
    /// What was said in it; of long words the beginning.
    pub(in crate::transcript) said: Vec<(SaidId, String)>,
    /// From here on it was taken back.
    pub(in crate::transcript) until: Option<SaidId>,
    pub(in crate::transcript) times: Times,
    /// Where the user wanted cells otherwise than the others: the number of the cell, and how.
    pub(in crate::transcript) folds: Vec<(usize, Fold)>,
    /// Rows it had, or about as many as it will have.
    rows: usize,
    standing: Standing,
}

/// How long things took that only the one who saw them knows.
#[derive(Clone, Default)]
pub(in crate::transcript) struct Times {
    pub(in crate::transcript) turn: Duration,
    /// Each stretch of thinking; empty: nobody knows.
    pub(in crate::transcript) thinking: VecDeque<Duration>,
}

/// How it stands with reading it.
enum Standing {
    Unwanted,
    Asked,
    /// It cannot be read, for this reason. Clean.
    Unreadable(String),
}

impl Away {
    /// A turn of about so many rows.
    pub(in crate::transcript) fn new(turn: TurnId, rows: usize, palette: Palette) -> Self {
        Away {
            palette,
            turn,
            said: Vec::new(),
            until: None,
            times: Times::default(),
            folds: Vec::new(),
            rows,
            standing: Standing::Unwanted,
        }
    }

    /// Things said before it.
    pub(in crate::transcript) fn said_before(&self) -> u64 {
        self.said.first().map_or(0, |(first, _)| first.0 - 1)
    }

    /// Is wanted soon: says which turn is to be asked for, if that was not done yet.
    pub(in crate::transcript) fn want(&mut self) -> Option<TurnId> {
        match self.standing {
            Standing::Unwanted => {
                self.standing = Standing::Asked;
                Some(self.turn)
            }
            Standing::Asked | Standing::Unreadable(_) => None,
        }
    }

    /// Is not near any more: what could not be read is tried again when it is.
    pub(in crate::transcript) fn is_far(&mut self) {
        if matches!(self.standing, Standing::Unreadable(_)) {
            self.standing = Standing::Unwanted;
        }
    }

    pub(in crate::transcript) fn unreadable(&mut self, why: &str) {
        self.standing = Standing::Unreadable(clean_text(why).into_owned());
    }
}

impl Cell for Away {
    /// The words that stand in its place.
    fn rows(&self, Room { width, .. }: Room<'_>) -> Vec<Line<'static>> {
        let (sign, words, style) = match &self.standing {
            Standing::Unwanted | Standing::Asked => ("  ", COMING.to_owned(), self.palette.dim()),
            Standing::Unreadable(why) => {
                ("! ", format!("this part of the conversation cannot be read: {why}"), self.palette.warn())
            }
        };
        signed(Span::styled(sign, style), vec![Span::styled(words, style)], width)
    }

    fn lay_out(&mut self, room: Room<'_>, laid: &mut CellRows) -> usize {
        let height = laid.fit(room, || self.rows(room));
        match self.standing {
            Standing::Unwanted | Standing::Asked => self.rows,
            Standing::Unreadable(_) => height,
        }
    }

    /// A line for all its rows costs next to nothing, and stays.
    fn hold(&mut self, _room: Room<'_>, _near: &Range<usize>, _laid: &mut CellRows) {}

    fn row<'a>(&'a self, row: usize, laid: &'a CellRows) -> Option<&'a Line<'static>> {
        match self.standing {
            Standing::Unreadable(_) => laid.rows.get(row),
            Standing::Unwanted | Standing::Asked if row.is_multiple_of(APART) || row + 1 == self.rows => {
                laid.rows.first()
            }
            Standing::Unwanted | Standing::Asked => None,
        }
    }

    #[cfg(test)]
    fn has_row(&self, _row: usize, _laid: &CellRows) -> bool {
        false
    }

    fn said(&self) -> Vec<(SaidId, &str)> {
        self.said.iter().map(|(said, words)| (*said, words.as_str())).collect()
    }

    fn away(&self) -> Option<&Away> {
        Some(self)
    }

    fn away_mut(&mut self) -> Option<&mut Away> {
        Some(self)
    }
}

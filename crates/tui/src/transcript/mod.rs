//! The conversation as the user sees it: cells one below the other, and the part of them in view.
//!
//! `apply` makes cells of events, `cells` lays each of them out, `view` draws the part in view. Nothing here reads a
//! clock: the time comes with the events.

mod apply;
mod cells;
mod models;
mod pages;
mod selection;
mod sessions;
mod view;

use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use crate::text::markdown::Markdown;
use agent_protocol::{AskId, CallId, SessionId, TurnId};
use cells::{Cell, CellRows, CutOff, Fold, Read};
pub(crate) use cells::{Recognised, Told};
pub(crate) use models::facts;
pub(crate) use selection::Pressed;
use std::collections::HashMap;
use std::time::Duration;

/// The conversation as the user sees it.
pub(crate) struct Transcript {
    palette: Palette,
    highlighter: Highlighter,
    entries: Vec<Entry>,
    /// The cells of the calls.
    calls: HashMap<CallId, usize>,
    /// The calls that questions are about.
    asks: HashMap<AskId, CallId>,
    details: Fold,
    /// The key that folds and unfolds, as the user knows it.
    details_key: String,
    turn: Turn,
    view: view::View,
    /// What is selected with the mouse.
    selection: Option<selection::Selection>,
    pages: pages::Pages,
    tense: Tense,
    said: u64,
    /// Where it is written down, if it is, and where it was before.
    session: Option<SessionId>,
    session_before: Option<SessionId>,
}

/// When that happened which is heard.
#[derive(Clone, Copy, PartialEq)]
enum Tense {
    Present,
    /// Long ago, and nobody knows how long it took.
    Past,
}

/// A cell and its place.
struct Entry {
    cell: Box<dyn Cell>,
    /// The rows of the cell, as far as they are kept.
    laid: CellRows,
    /// Where the user wants it otherwise than the others.
    fold: Option<Fold>,
    /// The turn it is part of, where that is over and can be told again.
    turn: Option<TurnId>,
    /// Its first row, from the start of everything.
    start: usize,
    height: usize,
}

impl Entry {
    fn new(cell: impl Cell + 'static) -> Self {
        Entry { cell: Box::new(cell), laid: CellRows::default(), fold: None, turn: None, start: 0, height: 0 }
    }

    /// One that takes these rows.
    fn placed(cell: impl Cell + 'static, rows: std::ops::Range<usize>) -> Self {
        Entry { start: rows.start, height: rows.len(), ..Entry::new(cell) }
    }
}

#[derive(Default)]
struct Turn {
    id: Option<TurnId>,
    /// Something is shown in it that the session's journal does not hold.
    only_shown: bool,
    began: Duration,
    /// Its first cell; what is older shows no time any more.
    first: usize,
    /// What an interruption would cut off.
    cut: CutOff,
    read: Read,
}

impl Transcript {
    /// What comes from now on has these styles.
    pub(crate) fn wear(&mut self, palette: Palette) {
        self.palette = palette;
    }

    /// An empty transcript.
    pub(crate) fn new(palette: Palette, highlighter: Highlighter) -> Self {
        Transcript {
            palette,
            highlighter,
            entries: Vec::new(),
            calls: HashMap::new(),
            asks: HashMap::new(),
            details: Fold::Folded,
            details_key: "Ctrl+O".to_owned(),
            turn: Turn::default(),
            view: view::View::default(),
            selection: None,
            pages: pages::Pages::default(),
            tense: Tense::Present,
            said: 0,
            session: None,
            session_before: None,
        }
    }

    /// Calls the key that folds and unfolds by this name.
    pub(crate) fn with_details_key(self, key: String) -> Self {
        Transcript { details_key: key, ..self }
    }

    /// Lets what is going on show the time.
    pub(crate) fn tick(&mut self, now: Duration) {
        for entry in self.entries.iter_mut().skip(self.turn.first) {
            if entry.cell.tick(now) {
                entry.laid.spoil();
            }
        }
    }

    /// Is there nothing to show?
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Unfolds the newest cell in view; where that is unfolded already, all of them; where all are, folds them.
    pub(crate) fn toggle_details(&mut self) {
        let details = self.details;
        let fold = |entry: &Entry| entry.fold.unwrap_or(details);
        if let Some(newest) = self.newest_folding().filter(|entry| fold(entry) == Fold::Folded) {
            newest.fold = Some(Fold::Unfolded);
            return;
        }
        // What is not here is folded like all others.
        let folding = |entry: &&Entry| entry.cell.folds() || entry.cell.away().is_some();
        let folds: Vec<Fold> = self.entries.iter().filter(folding).map(fold).collect();
        self.details = match (folds.is_empty(), folds.contains(&Fold::Folded)) {
            (true, _) => details.other(),
            (false, true) => Fold::Unfolded,
            (false, false) => Fold::Folded,
        };
        for entry in &mut self.entries {
            entry.fold = None;
            if let Some(away) = entry.cell.away_mut() {
                away.folds.clear();
            }
        }
    }

    /// The newest cell in view that has something to unfold, or the newest of all where there is none in view.
    fn newest_folding(&mut self) -> Option<&mut Entry> {
        let folding = |entry: &Entry| entry.cell.folds();
        let in_view = self.entries.iter().rposition(|entry| folding(entry) && self.view.shows(entry));
        let newest = in_view.or_else(|| self.entries.iter().rposition(folding))?;
        self.entries.get_mut(newest)
    }

    /// Folds or unfolds the cell at `row` of the area in view.
    pub(crate) fn toggle_at(&mut self, row: u16) {
        let row = self.view.top + usize::from(row);
        let details = self.details;
        let entry = self.entries.iter_mut().find(|entry| (entry.start..entry.start + entry.height).contains(&row));
        if let Some(entry) = entry.filter(|entry| entry.cell.folds()) {
            let fold = entry.fold.unwrap_or(details).other();
            entry.fold = (fold != details).then_some(fold);
        }
    }

    /// What a person who is asked about `call` should know: by which way it came, what was changed.
    pub(crate) fn remarks(&self, call: CallId) -> Recognised {
        let entry = self.calls.get(&call).and_then(|&index| self.entries.get(index));
        entry.map(|entry| entry.cell.remarks(call)).unwrap_or_default()
    }

    /// The last answer as the model wrote it, in markdown; made safe to hand on.
    pub(crate) fn last_answer(&self) -> Option<String> {
        self.answer().map(Markdown::copy)
    }

    /// The code blocks of the last answer.
    pub(crate) fn code_blocks(&self) -> Vec<String> {
        self.answer().map(Markdown::code_blocks).unwrap_or_default()
    }

    /// Takes up colours that are ready.
    pub(crate) fn highlighted(&mut self, done: Highlighted) {
        for entry in self.entries.iter_mut().rev() {
            if entry.cell.highlighted(&done) {
                return entry.laid.spoil();
            }
        }
    }

    fn answer(&self) -> Option<&Markdown> {
        self.entries.get(self.place_of_answer()?)?.cell.answer()
    }

    /// Where the last answer stands that says anything.
    fn place_of_answer(&self) -> Option<usize> {
        let says = |entry: &Entry| entry.cell.answer().is_some_and(|answer| !answer.is_blank());
        self.entries.iter().rposition(says)
    }
}

#[cfg(test)]
mod tests;

//! The cells of the transcript, one kind a file. A cell keeps what it shows, cleaned, and its rows for one width.
//!
//! Signs stand in the first column and words from the third on, in every cell, so that the eye finds both.

mod answer;
mod away;
mod call;
mod examination;
mod files;
mod fitted;
mod hook;
mod mark;
mod notice;
mod person;
mod receipt;
mod set_aside;
mod thinking;
mod turn_end;
mod undone;

use crate::text::highlight::Highlighted;
use crate::text::markdown::Markdown;
use crate::text::width::shorten;
use crate::text::wrap::{Break, wrap_spans};
use agent_protocol::sanitize::figures::plural;
use agent_protocol::{CallId, SaidId};
pub(super) use answer::Answer;
pub(super) use away::{Away, Times};
pub(super) use call::Call;
pub(crate) use call::{Recognised, Told};
pub(super) use examination::Examination;
pub(super) use fitted::Fitted;
pub(super) use hook::HookRow;
pub(super) use mark::Mark;
pub(super) use notice::Notice;
pub(super) use person::Person;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
pub(super) use receipt::Receipt;
pub(super) use set_aside::Aside;
use std::ops::Range;
use std::time::Duration;
pub(super) use thinking::Thinking;
pub(super) use turn_end::{CutOff, Read, TurnEnd};
pub(super) use undone::Undone;

/// Columns before the words of a cell.
pub(super) const INDENT: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fold {
    Folded,
    Unfolded,
}

impl Fold {
    pub(super) fn other(self) -> Self {
        match self {
            Fold::Folded => Fold::Unfolded,
            Fold::Unfolded => Fold::Folded,
        }
    }
}

/// The room a cell is laid out for.
#[derive(Clone, Copy)]
pub(super) struct Room<'a> {
    pub(super) width: usize,
    /// Whether its details are shown.
    pub(super) fold: Fold,
    /// The key that unfolds, as the user knows it; `None` where no key does anything.
    pub(super) key: Option<&'a str>,
}

/// One thing in the transcript. It says which rows it has; the entry it stands in keeps them for one width, and whoever
/// changes a cell spoils those: see [`CellRows`].
pub(super) trait Cell {
    /// All its rows, whatever the last layout was; a cell without any is not seen.
    fn rows(&self, room: Room<'_>) -> Vec<Line<'static>>;

    /// Lays out what is not right as it is. Returns how many rows there are.
    fn lay_out(&mut self, room: Room<'_>, laid: &mut CellRows) -> usize {
        laid.fit(room, || self.rows(room))
    }

    /// Has those of its rows there that can be seen soon, and lets the others go; `near` counts from its first row.
    /// Only what was laid out for `room` may be asked for this.
    fn hold(&mut self, room: Room<'_>, near: &Range<usize>, laid: &mut CellRows) {
        if near.is_empty() {
            laid.rows = Vec::new();
        } else if laid.is_gone() {
            laid.set(room, self.rows(room));
        }
    }

    /// One of the rows counted by the last layout.
    fn row<'a>(&'a self, row: usize, laid: &'a CellRows) -> Option<&'a Line<'static>> {
        laid.rows.get(row)
    }

    /// Is this row there to be drawn?
    #[cfg(test)]
    fn has_row(&self, row: usize, laid: &CellRows) -> bool {
        self.row(row, laid).is_some()
    }

    /// Columns by which its rows are moved to the right where they are drawn.
    fn indent(&self) -> usize {
        0
    }

    /// How it stands with its neighbours, laid out in `height` rows.
    fn place(&self, _height: usize) -> Place {
        Place::Alone
    }

    /// Has it details that can be folded?
    fn folds(&self) -> bool {
        false
    }

    /// Lets it show the time. Returns whether that changed anything.
    fn tick(&mut self, _now: Duration) -> bool {
        false
    }

    /// Takes up colours that are ready. Returns whether they were for this cell.
    fn highlighted(&mut self, _done: &Highlighted) -> bool {
        false
    }

    /// Adds the next piece of what the model writes. Returns whether it goes on with this cell.
    fn push(&mut self, _piece: Piece<'_>) -> bool {
        false
    }

    /// Is its text still being written?
    fn is_open(&self) -> bool {
        false
    }

    /// No more will be added; `None`: since long ago, and nobody knows when it was over.
    fn close(&mut self, _now: Option<Duration>) {}

    /// What it waits for will not come any more.
    fn lost(&mut self) {}

    /// What the user said in it, each with its number; of what is not here the beginning.
    fn said(&self) -> Vec<(SaidId, &str)> {
        Vec::new()
    }

    /// The model's answer, if that is what it shows.
    fn answer(&self) -> Option<&Markdown> {
        None
    }

    /// The call of this number that it shows.
    fn call(&mut self, _id: CallId) -> Option<&mut Call> {
        None
    }

    /// What a person should know who is asked about this call.
    fn remarks(&self, _call: CallId) -> Recognised {
        Recognised::default()
    }

    /// The examination that it shows, while that goes on.
    fn examination(&mut self) -> Option<&mut Examination> {
        None
    }

    /// Does it stay when the conversation goes back to before it?
    fn outlasts_rewind(&self) -> bool {
        false
    }

    /// Writes down how long it took, where only the one who saw it knows.
    fn keep_time(&self, _times: &mut Times) {}

    /// Takes its time out of those that were written down.
    fn take_time(&mut self, _times: &mut Times) {}

    /// The turn in whose place it stands, where that is not here.
    fn away(&self) -> Option<&Away> {
        None
    }

    /// The same, to be changed.
    fn away_mut(&mut self) -> Option<&mut Away> {
        None
    }
}

/// A piece of what the model writes.
#[derive(Clone, Copy)]
pub(super) enum Piece<'a> {
    Thought(&'a str),
    Text(&'a str),
}

/// How a cell stands with its neighbours.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// It takes one line, and stands with its like as in a list.
    Listed,
    Receipt,
    End,
    /// A blank line parts it from what is above and below.
    Alone,
}

/// The rows of a cell and what they are right for. Where nobody looks they are let go, and their number is kept.
#[derive(Default)]
pub(super) struct CellRows {
    rows: Vec<Line<'static>>,
    height: usize,
    key: Option<(usize, Fold)>,
}

impl CellRows {
    /// Something changed: the rows are right for nothing any more.
    pub(super) fn spoil(&mut self) {
        self.key = None;
    }

    /// Are they laid out for this?
    fn is_for(&self, room: Room<'_>) -> bool {
        self.key == Some((room.width, room.fold))
    }

    /// Takes `rows` where others are needed. Returns how many there are.
    fn fit(&mut self, room: Room<'_>, rows: impl FnOnce() -> Vec<Line<'static>>) -> usize {
        if !self.is_for(room) {
            self.set(room, rows());
        }
        self.height
    }

    fn set(&mut self, room: Room<'_>, rows: Vec<Line<'static>>) {
        self.key = Some((room.width, room.fold));
        self.height = rows.len();
        self.rows = rows;
    }

    fn is_gone(&self) -> bool {
        self.rows.len() < self.height
    }
}

/// The sign before a line that can be unfolded, or that cannot.
fn fold_sign(folds: bool, fold: Fold) -> &'static str {
    match (folds, fold) {
        (false, _) => "· ",
        (true, Fold::Folded) => "▸ ",
        (true, Fold::Unfolded) => "▾ ",
    }
}

/// `words` after `sign`, hanging under themselves.
fn signed(sign: Span<'static>, words: Vec<Span<'static>>, width: usize) -> Vec<Line<'static>> {
    beside(&sign, &Span::raw("  "), words, width, Break::Words)
}

/// `words` broken to `width`, the first row after `first`, the others after `rest`.
fn beside(
    first: &Span<'static>,
    rest: &Span<'static>,
    words: Vec<Span<'static>>,
    width: usize,
    breaks: Break,
) -> Vec<Line<'static>> {
    let room = width.saturating_sub(rest.width());
    let rows = wrap_spans(words, room, room, breaks).into_iter().enumerate();
    let with_margin = |(number, mut row): (usize, Vec<Span<'static>>)| {
        row.insert(0, if number == 0 { first.clone() } else { rest.clone() });
        Line::from(row)
    };
    rows.map(with_margin).collect()
}

/// Lines of a text that are shown where it is unfolded.
const MOST_LINES: usize = 200;

/// `text` behind a bar, as far as it is shown.
fn quoted(text: &str, width: usize, breaks: Break, style: Style) -> Vec<Line<'static>> {
    let bar = Span::styled("  │ ", style);
    let line = |line: &str| beside(&bar, &bar, vec![Span::styled(line.to_owned(), style)], width, breaks);
    let mut rows: Vec<Line<'static>> = text.lines().take(MOST_LINES).flat_map(line).collect();
    match text.lines().count().saturating_sub(MOST_LINES) {
        0 => {}
        1 => rows.extend(line("⋯ 1 line more")),
        hidden => rows.extend(line(&format!("⋯ {hidden} lines more"))),
    }
    rows
}

/// `… 12 more lines (Ctrl+O)`, or without the key.
fn more(lines: usize, margin: Span<'static>, style: Style, room: Room<'_>) -> Line<'static> {
    let noun = plural(lines, "line");
    let key = room.key.map(|key| format!(" ({key})")).unwrap_or_default();
    let text = format!("… {lines} more {noun}{key}");
    let text = shorten(&text, room.width.saturating_sub(margin.width())).into_owned();
    Line::from(vec![margin, Span::styled(text, style)])
}

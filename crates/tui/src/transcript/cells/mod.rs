//! The cells of the transcript, one kind a file. A cell keeps what it shows, cleaned, and its rows for one width.
//!
//! Signs stand in the first column and words from the third on, in every cell, so that the eye finds both.

mod answer;
mod away;
mod call;
mod examination;
mod files;
mod fitted;
mod mark;
mod notice;
mod person;
mod receipt;
mod set_aside;
mod thinking;
mod turn_end;
mod undone;

use crate::text::highlight::Highlighted;
use crate::text::width::shorten;
use crate::text::wrap::{Break, wrap_spans};
use agent_clean::figures::plural;
pub(super) use answer::Answer;
pub(super) use away::{Away, Times};
pub(super) use call::Call;
pub(crate) use call::{Remarks, Told};
pub(super) use examination::Examination;
pub(super) use fitted::Fitted;
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
pub(super) use turn_end::{Cut, Read, TurnEnd};
pub(super) use undone::Undone;

/// Columns before the words of a cell.
pub(super) const INDENT: usize = 2;

/// Whether details are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fold {
    Folded,
    Unfolded,
}

impl Fold {
    /// The other one.
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
    /// Columns.
    pub(super) width: usize,
    /// Whether its details are shown.
    pub(super) fold: Fold,
    /// The key that unfolds, as the person knows it; `None` where no key does anything.
    pub(super) key: Option<&'a str>,
}

/// One thing in the transcript.
pub(super) enum Cell {
    Person(Person),
    Thinking(Thinking),
    Answer(Box<Answer>),
    Call(Box<Call>),
    Aside(Aside),
    Notice(Notice),
    Fitted(Fitted),
    Examination(Examination),
    Receipt(Receipt),
    TurnEnd(TurnEnd),
    Undone(Undone),
    Mark(Mark),
    Away(Box<Away>),
}

impl Cell {
    /// Lays out what is not right as it is. Returns how many rows there are; a cell with none is not seen.
    pub(super) fn lay_out(&mut self, room: Room<'_>) -> usize {
        match self {
            Cell::Person(person) => person.lay_out(room),
            Cell::Thinking(thinking) => thinking.lay_out(room.width, room.fold),
            Cell::Answer(answer) => answer.lay_out(room.width),
            Cell::Call(call) => call.lay_out(room),
            Cell::Aside(aside) => aside.lay_out(room.width, room.fold),
            Cell::Notice(notice) => notice.lay_out(room.width),
            Cell::Fitted(fitted) => fitted.lay_out(room.width, room.fold),
            Cell::Examination(examination) => examination.lay_out(room.width),
            Cell::Receipt(receipt) => receipt.lay_out(room),
            Cell::TurnEnd(end) => end.lay_out(room.width),
            Cell::Undone(undone) => undone.lay_out(room.width, room.fold),
            Cell::Mark(mark) => mark.lay_out(room.width),
            Cell::Away(away) => away.lay_out(room.width),
        }
    }

    /// Has those of its rows there that can be seen soon, and lets the others go; `near` counts from its first row.
    /// Only what was laid out for `room` may be asked for this.
    pub(super) fn hold(&mut self, room: Room<'_>, near: &Range<usize>) {
        match self {
            Cell::Answer(answer) => return answer.hold(near),
            Cell::Thinking(thinking) => return thinking.hold(room.width, near),
            Cell::Person(_) | Cell::Call(_) | Cell::Aside(_) | Cell::Notice(_) => {}
            Cell::Fitted(_) | Cell::Examination(_) | Cell::Receipt(_) => {}
            Cell::TurnEnd(_) | Cell::Undone(_) | Cell::Mark(_) | Cell::Away(_) => {}
        }
        let Some(laid) = self.laid() else { return };
        if near.is_empty() {
            laid.let_go();
        } else if laid.is_gone() {
            let rows = self.plain_rows(room);
            if let Some(laid) = self.laid() {
                laid.set(room.width, room.fold, rows);
            }
        }
    }

    /// Its rows, where they come and go as one.
    fn laid(&mut self) -> Option<&mut Laid> {
        match self {
            Cell::Person(person) => Some(&mut person.laid),
            Cell::Call(call) => Some(&mut call.laid),
            Cell::Aside(aside) => Some(&mut aside.laid),
            Cell::Notice(notice) => Some(&mut notice.laid),
            Cell::Fitted(fitted) => Some(&mut fitted.laid),
            Cell::Examination(examination) => Some(&mut examination.laid),
            Cell::Receipt(receipt) => Some(&mut receipt.laid),
            Cell::TurnEnd(end) => Some(&mut end.laid),
            Cell::Undone(undone) => Some(&mut undone.laid),
            Cell::Mark(mark) => Some(&mut mark.laid),
            // A line for all its rows costs next to nothing, and stays.
            Cell::Answer(_) | Cell::Thinking(_) | Cell::Away(_) => None,
        }
    }

    /// Is this row there to be drawn?
    #[cfg(test)]
    pub(super) fn has_row(&self, row: usize) -> bool {
        match self {
            Cell::Answer(answer) => answer.markdown().has_row(row),
            // They share one line.
            Cell::Away(_) => false,
            _ => self.row(row).is_some(),
        }
    }

    /// One of the rows counted by the last layout.
    pub(super) fn row(&self, row: usize) -> Option<&Line<'static>> {
        match self {
            Cell::Person(person) => person.laid.rows.get(row),
            Cell::Thinking(thinking) => thinking.row(row),
            Cell::Answer(answer) => Some(answer.row(row)),
            Cell::Call(call) => call.laid.rows.get(row),
            Cell::Aside(aside) => aside.laid.rows.get(row),
            Cell::Notice(notice) => notice.laid.rows.get(row),
            Cell::Fitted(fitted) => fitted.laid.rows.get(row),
            Cell::Examination(examination) => examination.laid.rows.get(row),
            Cell::Receipt(receipt) => receipt.laid.rows.get(row),
            Cell::TurnEnd(end) => end.laid.rows.get(row),
            Cell::Undone(undone) => undone.laid.rows.get(row),
            Cell::Mark(mark) => mark.laid.rows.get(row),
            Cell::Away(away) => away.row(row),
        }
    }

    /// All its rows for one who keeps them where there is neither colour nor key, whatever the last layout was.
    pub(super) fn plain_rows(&self, room: Room<'_>) -> Vec<Line<'static>> {
        match self {
            Cell::Person(person) => person.rows(room).0,
            Cell::Thinking(thinking) => thinking.rows(room.width, room.fold),
            Cell::Answer(answer) => answer.plain_rows(room.width),
            Cell::Call(call) => call.lines(room),
            Cell::Aside(aside) => aside.rows(room.width, room.fold),
            Cell::Notice(notice) => notice.rows(room.width),
            Cell::Fitted(fitted) => fitted.rows(room.width, room.fold),
            Cell::Examination(examination) => examination.rows(room.width),
            Cell::Receipt(receipt) => receipt.rows(room.width, room.fold),
            Cell::TurnEnd(end) => end.rows(room.width),
            Cell::Undone(undone) => undone.rows(room.width, room.fold),
            Cell::Mark(mark) => mark.rows(room.width),
            Cell::Away(away) => away.rows(room.width),
        }
    }

    /// Columns by which its rows are moved to the right where they are drawn.
    pub(super) fn indent(&self) -> usize {
        match self {
            Cell::Answer(_) => INDENT,
            Cell::Person(_)
            | Cell::Thinking(_)
            | Cell::Call(_)
            | Cell::Aside(_)
            | Cell::Notice(_)
            | Cell::Fitted(_)
            | Cell::Examination(_)
            | Cell::Receipt(_)
            | Cell::TurnEnd(_)
            | Cell::Undone(_)
            | Cell::Mark(_)
            | Cell::Away(_) => 0,
        }
    }

    /// Laid out in `height` rows, does it stand with its like as in a list?
    pub(super) fn is_listed(&self, height: usize) -> bool {
        match self {
            Cell::Call(call) => call.is_listed(height),
            Cell::Aside(_) | Cell::Fitted(_) => height == 1,
            Cell::Person(_) | Cell::Thinking(_) | Cell::Answer(_) | Cell::Notice(_) => false,
            Cell::Examination(_) | Cell::Receipt(_) | Cell::TurnEnd(_) => false,
            Cell::Undone(_) | Cell::Mark(_) | Cell::Away(_) => false,
        }
    }

    /// Has it details that can be folded?
    pub(super) fn folds(&self) -> bool {
        match self {
            Cell::Person(person) => person.folds(),
            Cell::Thinking(thinking) => thinking.folds(),
            Cell::Call(call) => call.folds(),
            Cell::Aside(aside) => aside.folds(),
            Cell::Fitted(fitted) => fitted.folds(),
            Cell::Receipt(receipt) => receipt.folds(),
            Cell::Undone(undone) => undone.folds(),
            Cell::Answer(_) | Cell::Notice(_) | Cell::Examination(_) => false,
            Cell::TurnEnd(_) | Cell::Mark(_) | Cell::Away(_) => false,
        }
    }

    /// Lets it show the time.
    pub(super) fn tick(&mut self, now: Duration) {
        match self {
            Cell::Thinking(thinking) => thinking.tick(now),
            Cell::Call(call) => call.tick(now),
            Cell::Person(_) | Cell::Answer(_) | Cell::Aside(_) | Cell::Notice(_) => {}
            Cell::Fitted(_) | Cell::Examination(_) | Cell::Receipt(_) => {}
            Cell::TurnEnd(_) | Cell::Undone(_) | Cell::Mark(_) | Cell::Away(_) => {}
        }
    }

    /// Is its text still being written?
    pub(super) fn is_open(&self) -> bool {
        match self {
            Cell::Thinking(thinking) => thinking.is_open(),
            Cell::Answer(answer) => answer.is_open(),
            Cell::Person(_) | Cell::Call(_) | Cell::Aside(_) | Cell::Notice(_) => false,
            Cell::Fitted(_) | Cell::Examination(_) | Cell::Receipt(_) => false,
            Cell::TurnEnd(_) | Cell::Undone(_) | Cell::Mark(_) | Cell::Away(_) => false,
        }
    }

    /// No more will be added.
    pub(super) fn close(&mut self, now: Duration) {
        match self {
            Cell::Thinking(thinking) => thinking.close(now),
            Cell::Answer(answer) => answer.close(),
            Cell::Person(_) | Cell::Call(_) | Cell::Aside(_) | Cell::Notice(_) => {}
            Cell::Fitted(_) | Cell::Examination(_) | Cell::Receipt(_) => {}
            Cell::TurnEnd(_) | Cell::Undone(_) | Cell::Mark(_) | Cell::Away(_) => {}
        }
    }

    /// Takes up colours that are ready. Returns whether they were for this cell.
    pub(super) fn highlighted(&mut self, done: &Highlighted) -> bool {
        match self {
            Cell::Answer(answer) => answer.highlighted(done),
            Cell::Call(call) => call.highlighted(done),
            Cell::Person(_) | Cell::Thinking(_) | Cell::Aside(_) | Cell::Notice(_) => false,
            Cell::Fitted(_) | Cell::Examination(_) | Cell::Receipt(_) => false,
            Cell::TurnEnd(_) | Cell::Undone(_) | Cell::Mark(_) | Cell::Away(_) => false,
        }
    }
}

/// Rows and what they are right for. Where nobody looks they are let go, and their number is kept.
#[derive(Default)]
struct Laid {
    rows: Vec<Line<'static>>,
    height: usize,
    key: Option<(usize, Fold)>,
}

impl Laid {
    /// Something changed: the rows are right for nothing any more.
    fn spoil(&mut self) {
        self.key = None;
    }

    /// How many rows there are, if they were laid out for this.
    fn height(&self, width: usize, fold: Fold) -> Option<usize> {
        (self.key == Some((width, fold))).then_some(self.height)
    }

    fn set(&mut self, width: usize, fold: Fold, rows: Vec<Line<'static>>) -> usize {
        self.key = Some((width, fold));
        self.height = rows.len();
        self.rows = rows;
        self.height
    }

    fn is_gone(&self) -> bool {
        self.rows.len() < self.height
    }

    fn let_go(&mut self) {
        self.rows = Vec::new();
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

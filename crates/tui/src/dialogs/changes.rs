//! `/diff`: all that this session changed, by file, as it is now against how it was before. Changes nothing: taking back is `/undo`.

use super::frame::{Parts, choice, choices, paragraph};
use super::{Answers, Dialog, Heard, Laid, Press, Reply, Scroll, Space, Surroundings, Then, Words};
use crate::diff::{DiffView, Names};
use crate::text::highlight::Highlighted;
use agent_clean::figures::counted;
use agent_protocol::{
    Event, FileDiff, ListEvent, ListOp, Op, SaidId, SessionEvent, SessionOp, UndoDirection, UndoFile, UndoPlan,
    UndoTurn,
};
use crossterm::event::KeyCode;
use ratatui::text::Span;
use std::time::Duration;

/// The letter that goes on to taking back.
const TAKES_BACK: char = 'u';

/// The dialog.
#[derive(Default)]
pub(crate) struct SessionDiff {
    /// What was said first of all that changed something.
    first: Option<SaidId>,
    files: usize,
    /// `None` until the house has looked at the files.
    view: Option<DiffView>,
    scroll: Scroll,
}

impl SessionDiff {
    /// A dialog that waits for the house, and what to ask it.
    pub(crate) fn open() -> (Self, Op) {
        (SessionDiff::default(), Op::List(ListOp::Undoable))
    }

    /// Takes up what can be undone, oldest first: all of it is looked at.
    fn begin(&mut self, turns: &[UndoTurn]) -> Heard {
        let Some(first) = turns.iter().find(|turn| !turn.undone) else {
            return Heard::OverBecause("nothing was changed in this session yet");
        };
        self.first = Some(first.said);
        Heard::Anew(Some(Op::Session(SessionOp::PlanUndo { direction: UndoDirection::Undo, said: first.said })))
    }

    fn take(&mut self, plan: &UndoPlan, around: &Surroundings<'_>) -> Heard {
        if plan.direction != UndoDirection::Undo || Some(plan.said) != self.first {
            return Heard::No;
        }
        let files: Vec<FileDiff> = plan.files.iter().map(as_changed).collect();
        if files.is_empty() {
            return Heard::OverBecause("every file is as it was before this session");
        }
        self.files = files.len();
        self.view = Some(DiffView::with(&files, Names::OfAll, around.palette, around.highlighter.clone()));
        Heard::Anew(None)
    }

    /// Another file's heading becomes the first line, as far as there are lines below it.
    fn go(&mut self, code: KeyCode) {
        let Some(view) = &self.view else { return };
        let top = self.scroll.top_of_body();
        let next = match code {
            KeyCode::Left => view.headings.iter().rev().find(|heading| **heading < top),
            _ => view.headings.iter().find(|heading| **heading > top),
        };
        if let Some(line) = next {
            self.scroll.go_to_body(*line);
        }
    }
}

/// The plan says what would become of a file; here it is told how the file became what it is.
fn as_changed(file: &UndoFile) -> FileDiff {
    let FileDiff { path, shown_path, before, after, note, .. } = file.diff.clone();
    FileDiff { path, shown_path, before: after, after: before, note, skipped: file.diff.skipped, marks: Vec::new() }
}

impl Dialog for SessionDiff {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        if press.closes() || press.chord.is(KeyCode::Enter) {
            return Reply::close();
        }
        match press.chord.code {
            KeyCode::Left | KeyCode::Right if press.chord.held.is_empty() => self.go(press.chord.code),
            KeyCode::Char(TAKES_BACK) if press.chord.held.is_empty() => {
                return Reply { then: Then::Begin("/undo".to_owned()), ..Reply::stay() };
            }
            _ => drop(self.scroll.key(press)),
        }
        Reply::stay()
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let Some(view) = &mut self.view else {
            let body = paragraph("looking at the files …", palette.dim(), inside);
            let foot = choices(&[choice("Esc", "close")], inside, palette);
            let parts = Parts::new(Span::styled("What this session changed", palette.strong()), &body, foot);
            return space.fit(parts, &mut self.scroll);
        };
        let (added, removed) = view.counts();
        let title = format!("This session changed {}  +{added} −{removed}", counted(self.files as u64, "file"));
        let mut keys = vec![choice(TAKES_BACK, "take changes back …"), choice("Esc", "close")];
        if self.files > 1 {
            keys.insert(0, choice("← →", "other file"));
        }
        let foot = choices(&keys, inside, palette);
        let parts = Parts::new(Span::styled(title, palette.strong()), view.lines(inside), foot);
        space.fit(parts, &mut self.scroll)
    }

    fn scroll_by(&mut self, lines: i32) {
        self.scroll.by(lines);
    }

    fn answers(&self) -> Option<Answers> {
        Some(Answers::new(TAKES_BACK.to_string(), Words::Draft))
    }

    fn highlighted(&mut self, done: &Highlighted) {
        if let Some(view) = &mut self.view {
            view.highlighted(done);
        }
    }

    fn hear(&mut self, event: &Event, around: &Surroundings<'_>) -> Heard {
        match event {
            Event::Session(SessionEvent::UndoPlanned { plan }) => self.take(plan, around),
            Event::List(ListEvent::Undoable { turns }) => self.begin(turns),
            Event::Session(_) | Event::List(_) => Heard::No,
            Event::Turn(_) | Event::Call(_) | Event::Context(_) | Event::Server(_) => Heard::No,
        }
    }

    fn wants_room(&self) -> bool {
        true
    }

    fn goes_first(&self) -> bool {
        true
    }
}

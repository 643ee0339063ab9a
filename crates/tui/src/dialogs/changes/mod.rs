//! `/diff`: all that this session changed, by file and hunk, as it is now against how it was before, or against the last commit.
//! A hunk can be taken back (`taking`): that is planned by the house, shown once more and done after `y`, as every undo is.

mod taking;

use super::files::{FileStep, Files};
use super::frame::{Parts, choice, choices, paragraph};
use super::{Answers, Dialog, Heard, Laid, Press, Reply, Scroll, Space, Surroundings, Then, Words};
use crate::clean::clean_line;
use crate::diff::split::LEAST;
use crate::diff::{Columns, Extent};
use crate::palette::Palette;
use crate::text::highlight::Highlighted;
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{
    DiffBase, Event, FileDiff, ListEvent, ListOp, Op, SaidId, SessionEvent, SessionOp, UndoDirection, UndoFile,
    UndoPlan, UndoTurn, UndoneFile,
};
use crossterm::event::KeyCode;
use ratatui::text::Span;
use std::borrow::Cow;
use std::time::Duration;
use taking::TakingBack;

/// The letter that goes on to undo.
const UNDOES: char = 'u';
/// The one that takes the hunk back that is looked at.
const TAKES_BACK: char = 'b';
/// The one that changes what the files are held against.
const AGAINST: char = 'h';
/// Those that go from hunk to hunk.
const HUNKS: &str = "[]";
/// Those that show more of the files, and both texts side by side.
const WHOLE: char = 'f';
const OPENS: char = 'o';
const SIDE_BY_SIDE: char = 't';
/// With fewer rows, the keys that only change what is seen are not named.
const ROOMY: u16 = 16;

#[derive(Default)]
pub(crate) struct SessionDiff {
    /// What was said first of all that changed something.
    first: Option<SaidId>,
    base: DiffBase,
    /// What is to be taken back of each file to bring it to what it is held against.
    planned: Vec<UndoFile>,
    diffs: Vec<FileDiff>,
    /// `None` until the house has looked at the files.
    shown: Option<Files>,
    /// The hunk that was looked at before they were looked at anew.
    was_at: usize,
    taking: Option<TakingBack>,
    scroll: Scroll,
    width: u16,
    hint: Option<Cow<'static, str>>,
    /// How the user looked at a change last, here or at a question.
    columns: Columns,
}

impl SessionDiff {
    /// A dialog that waits for the house, and what to ask it.
    pub(crate) fn open(columns: Columns) -> (Self, Op) {
        (SessionDiff { columns, ..SessionDiff::default() }, Op::List(ListOp::Undoable))
    }

    /// Takes up what can be undone, oldest first: all of it is looked at.
    fn begin(&mut self, turns: &[UndoTurn]) -> Heard {
        let Some(first) = turns.iter().find(|turn| !turn.undone) else {
            return Heard::OverBecause(match turns.is_empty() {
                true => "nothing was changed in this session yet",
                false => "everything is undone already; /redo makes it again",
            });
        };
        self.first = Some(first.said);
        Heard::Anew(Some(self.look()))
    }

    /// Has the files looked at, against what they are to be held against.
    fn look(&mut self) -> Op {
        if let Some(shown) = self.shown.take() {
            self.was_at = shown.diff.hunks.at();
        }
        match (self.base, self.first) {
            (DiffBase::Start, Some(said)) => Op::Session(SessionOp::PlanUndo { direction: UndoDirection::Undo, said }),
            (DiffBase::Start, None) => Op::List(ListOp::Undoable),
            (DiffBase::Head, _) => Op::List(ListOp::AgainstHead),
        }
    }

    fn take(&mut self, plan: &UndoPlan, around: &Surroundings<'_>) -> Heard {
        if plan.direction != UndoDirection::Undo || Some(plan.said) != self.first {
            return Heard::No;
        }
        if plan.part.is_some() {
            return self.take_part(plan, around);
        }
        if self.base != DiffBase::Start {
            return Heard::No;
        }
        if plan.files.is_empty() {
            return Heard::OverBecause("every file is as it was before this session");
        }
        self.show(&plan.files, around);
        Heard::Anew(None)
    }

    fn show(&mut self, files: &[UndoFile], around: &Surroundings<'_>) {
        self.planned = files.to_vec();
        let diffs: Vec<FileDiff> = files.iter().map(as_changed).collect();
        let mut shown = Files::visited(&diffs, around.palette, around.highlighter);
        shown.diff.hunks.go_to(self.was_at);
        shown.set_columns(self.columns);
        (self.diffs, self.shown) = (diffs, Some(shown));
    }

    /// Takes up what the last commit holds; where there is nothing of it to be seen, the start of the session is shown again.
    fn take_head(&mut self, files: &[UndoFile], why: Option<&str>, around: &Surroundings<'_>) -> Heard {
        if self.base != DiffBase::Head || self.shown.is_some() {
            return Heard::No;
        }
        let hint = match why {
            Some(why) => format!("not against git HEAD: {}", clean_line(why)).into(),
            None if files.is_empty() => "what this session changed is as in git HEAD".into(),
            None => {
                self.show(files, around);
                return Heard::Anew(None);
            }
        };
        (self.base, self.hint) = (DiffBase::Start, Some(hint));
        Heard::Anew(Some(self.look()))
    }

    /// Something was taken back, here or elsewhere: the files are other ones now.
    fn undone(&mut self, files: &[UndoneFile]) -> Heard {
        let left = files.iter().find_map(|file| Some((file, file.left.as_ref()?)));
        self.hint = left.map(|(file, why)| {
            format!("{} is left as it is: {}", clean_line(&file.shown_path), clean_line(why)).into()
        });
        self.taking = None;
        self.look();
        Heard::Anew(Some(Op::List(ListOp::Undoable)))
    }

    fn say(&mut self, hint: impl Into<Cow<'static, str>>) -> Reply {
        self.hint = Some(hint.into());
        Reply::stay()
    }

    /// A key of the files themselves.
    fn go(&mut self, press: Press) -> Reply {
        let (Some(shown), scroll) = (&mut self.shown, &mut self.scroll) else { return Reply::stay() };
        match (press.chord.code, press.chord.letter()) {
            (KeyCode::Left, _) if press.chord.held.is_empty() => shown.go(FileStep::Back, scroll),
            (KeyCode::Right, _) if press.chord.held.is_empty() => shown.go(FileStep::On, scroll),
            (_, Some('[' | ']')) => {
                let at = shown.diff.hunks.at();
                let to = if press.chord.letter() == Some(']') { at + 1 } else { at.saturating_sub(1) };
                shown.diff.hunks.go_to(to);
                shown.show_hunk(scroll);
            }
            (_, Some(WHOLE)) if !shown.switch_extent(&self.diffs, self.width, scroll) => {
                return self.say("there is no more of these files than what is shown");
            }
            (_, Some(OPENS)) if !shown.open_fold(scroll) => return self.say("no more folded lines from here on"),
            (_, Some(WHOLE | OPENS)) => {}
            (_, Some(SIDE_BY_SIDE)) if self.width >= LEAST => {
                shown.switch_columns();
                self.columns = shown.columns;
            }
            _ => drop(scroll.key(press)),
        }
        Reply::stay()
    }

    /// The keys, as they are shown.
    fn keys(&self, shown: &Files, most: u16) -> Vec<(String, String)> {
        let (is_roomy, hunks) = (most >= ROOMY, shown.diff.hunk_lines().len());
        let mut keys = Vec::new();
        keys.extend((hunks > 0).then(|| choice(TAKES_BACK, "take this hunk back …")));
        keys.extend((hunks > 1 && is_roomy).then(|| choice("[ ]", "other hunk")));
        keys.extend((shown.count() > 1).then(|| choice("← →", "other file")));
        if is_roomy {
            let whole = if shown.diff.extent() == Extent::Whole { "only the hunks" } else { "whole file" };
            let columns = if shown.columns == Columns::Two { "one column" } else { "side by side" };
            keys.extend(shown.diff.can_be_whole().then(|| choice(WHOLE, whole)));
            keys.extend((shown.diff.folds() > 0).then(|| choice(OPENS, "open folded lines")));
            keys.extend((self.width >= LEAST).then(|| choice(SIDE_BY_SIDE, columns)));
        }
        keys.push(choice(AGAINST, self.other_base()));
        keys.push(choice(UNDOES, "take changes back …"));
        keys.push(choice("Esc", "close"));
        keys
    }

    fn other_base(&self) -> &'static str {
        match self.base {
            DiffBase::Start => "against git HEAD",
            DiffBase::Head => "against the start of the session",
        }
    }

    fn title(&self, shown: &Files) -> String {
        let (added, removed) = shown.diff.counts();
        let files = counted(shown.count() as u64, "file");
        match self.base {
            DiffBase::Start => format!("This session changed {files}  +{added} −{removed}"),
            DiffBase::Head => format!("Against git HEAD, of what this session changed: {files}  +{added} −{removed}"),
        }
    }

    /// Nothing is known yet.
    fn lay_out_waiting(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let body = paragraph("looking at the files …", palette.dim(), inside);
        let foot = choices(&[choice("Esc", "close")], inside, palette);
        space
            .fit(Parts::new(Span::styled("What this session changed", palette.strong()), &body, foot), &mut self.scroll)
    }

    fn hinted(&self, columns: u16, palette: Palette) -> Vec<ratatui::text::Line<'static>> {
        self.hint.as_ref().map_or(Vec::new(), |hint| paragraph(hint, palette.warn(), columns))
    }
}

/// The plan says what would become of a file; here it is told how the file became what it is.
fn as_changed(file: &UndoFile) -> FileDiff {
    let FileDiff { path, shown_path, before, after, note, .. } = file.diff.clone();
    FileDiff { path, shown_path, before: after, after: before, note, skipped: file.diff.skipped, marks: Vec::new() }
}

impl Dialog for SessionDiff {
    fn key(&mut self, press: Press, _now: Duration) -> Reply {
        self.hint = None;
        if self.taking.is_some() {
            return self.decide(press);
        }
        if press.closes() || press.chord.is(KeyCode::Enter) {
            return Reply::close();
        }
        match press.chord.letter() {
            Some(UNDOES) => Reply { then: Then::Begin("/undo".to_owned()), ..Reply::stay() },
            Some(TAKES_BACK) => self.begin_taking(),
            Some(AGAINST) if self.shown.is_some() => {
                self.base = if self.base == DiffBase::Start { DiffBase::Head } else { DiffBase::Start };
                (self.was_at, self.scroll) = (0, Scroll::default());
                Reply::stay_and(self.look())
            }
            _ => self.go(press),
        }
    }

    fn lay_out(&mut self, space: Space) -> Laid {
        if self.taking.is_some() {
            return self.lay_out_taking(space);
        }
        let (inside, palette) = (space.inside(), space.palette);
        self.width = inside;
        let Some(mut shown) = self.shown.take() else { return self.lay_out_waiting(space) };
        shown.diff.lay_out(inside);
        shown.follow(&self.scroll);
        let mut foot = self.hinted(inside, palette);
        foot.extend(choices(&self.keys(&shown, space.most), inside, palette));
        let title = Span::styled(self.title(&shown), palette.strong());
        let laid = space.fit(Parts::new(title, &shown.diff, foot), &mut self.scroll);
        shown.shown(&self.scroll);
        self.shown = Some(shown);
        laid
    }

    fn scroll_by(&mut self, lines: i32) {
        match &mut self.taking {
            Some(taking) => taking.scroll.by(lines),
            None => self.scroll.by(lines),
        }
    }

    fn click(&mut self, row: u16) {
        if let (None, Some(shown)) = (&self.taking, &mut self.shown) {
            shown.click(row, &self.scroll);
        }
    }

    fn answers(&self) -> Option<Answers> {
        let keys = match &self.taking {
            Some(taking) => taking.keys(),
            None => {
                let all = [UNDOES, TAKES_BACK, AGAINST, WHOLE, OPENS, SIDE_BY_SIDE];
                all.into_iter().chain(HUNKS.chars()).collect()
            }
        };
        Some(Answers::new(keys, Words::Draft))
    }

    fn step(&self) -> u8 {
        u8::from(self.taking.is_some())
    }

    fn highlighted(&mut self, done: &Highlighted) {
        if let Some(shown) = &mut self.shown {
            shown.diff.highlighted(done);
        }
        if let Some(taking) = &mut self.taking {
            taking.highlighted(done);
        }
    }

    fn hear(&mut self, event: &Event, around: &Surroundings<'_>) -> Heard {
        match event {
            Event::Session(SessionEvent::UndoPlanned { plan }) => self.take(plan, around),
            Event::Session(SessionEvent::Undone { files, .. }) => self.undone(files),
            Event::List(ListEvent::Undoable { turns }) => self.begin(turns),
            Event::List(ListEvent::AgainstHead { files, why }) => self.take_head(files, why.as_deref(), around),
            Event::Session(_) | Event::List(_) => Heard::No,
            Event::Turn(_) | Event::Call(_) | Event::Context(_) | Event::Server(_) => Heard::No,
        }
    }

    fn wants_room(&self) -> bool {
        true
    }

    fn columns(&self) -> Option<Columns> {
        Some(self.columns)
    }

    fn goes_first(&self) -> bool {
        true
    }
}

//! What this session changed, and taking it back: asked for, said in words, and done after a yes.
//!
//! **Invariant.** What a yes carries out is the plan that was said last.

use super::changes::{TextHunks, changed_files};
use super::review::Step;
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{
    DiffBase, FileDiff, ListOp, Op, SaidId, SessionOp, UndoDirection, UndoFile, UndoPart, UndoPlan, UndoTurn,
    UndoneFile,
};

/// What was asked for, and how far it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Taking {
    #[default]
    Nothing,
    /// The list of what can be undone, for this.
    List(TakingFor),
    /// The plan for going there.
    Plan(TakingFor, UndoDirection, SaidId),
    /// What would change if the files became what the last commit holds; since then they were changed.
    Head(TakingFor, SaidId),
    /// The plan for a part of what was changed since then.
    Part(SaidId),
}

/// What it is looked up for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TakingFor {
    /// To say how what this session changed differs from this.
    Diff(DiffBase),
    /// To take the hunk of this number of that back, from 1.
    Hunk(DiffBase, usize),
    /// To go back or forth.
    Going(UndoDirection),
}

/// What comes of looking changes up.
pub(super) enum Planned {
    /// It was asked for by nobody here.
    No,
    /// This is all there is to say.
    Say(Vec<String>),
    Wish(Op),
    /// It is asked whether to carry it out.
    Ask(Box<TakingBack>),
}

impl Taking {
    /// From now on it is about this; what to ask the loop.
    pub(super) fn begin(&mut self, what: TakingFor) -> Op {
        *self = Taking::List(what);
        Op::List(ListOp::Undoable)
    }

    /// Takes up the list, oldest first: what to ask next, or why there is nothing to ask.
    pub(super) fn list(&mut self, turns: &[UndoTurn]) -> Planned {
        let Taking::List(what) = *self else { return Planned::No };
        *self = Taking::Nothing;
        let (direction, turn) = match what {
            TakingFor::Diff(_) | TakingFor::Hunk(..) => {
                let first = turns.iter().find(|turn| !turn.undone);
                (UndoDirection::Undo, first.ok_or("nothing was changed in this session yet"))
            }
            TakingFor::Going(direction) => (direction, UndoTurn::next(turns, direction)),
        };
        let turn = match turn {
            Ok(turn) => turn,
            Err(why) => return Planned::Say(vec![why.to_owned()]),
        };
        if let TakingFor::Diff(DiffBase::Head) | TakingFor::Hunk(DiffBase::Head, _) = what {
            *self = Taking::Head(what, turn.said);
            return Planned::Wish(Op::List(ListOp::AgainstHead));
        }
        *self = Taking::Plan(what, direction, turn.said);
        Planned::Wish(Op::Session(SessionOp::PlanUndo { direction, said: turn.said }))
    }

    /// Takes up what would change if the files became what the last commit holds, or why that is not known.
    pub(super) fn head(&mut self, files: &[UndoFile], why: Option<&str>) -> Planned {
        let Taking::Head(what, said) = *self else { return Planned::No };
        *self = Taking::Nothing;
        match (why, what) {
            (Some(why), _) => Planned::Say(vec![format!("not against git HEAD: {why}")]),
            (None, TakingFor::Hunk(base, number)) => self.ask_for(said, base, files, number),
            (None, TakingFor::Diff(_) | TakingFor::Going(_)) => Planned::Say(session_diff(DiffBase::Head, files)),
        }
    }

    /// Asks what taking this hunk back would change.
    fn ask_for(&mut self, said: SaidId, base: DiffBase, files: &[UndoFile], number: usize) -> Planned {
        match hunk_of(said, base, files, number) {
            Ok(op) => {
                *self = Taking::Part(said);
                Planned::Wish(op)
            }
            Err(why) => Planned::Say(vec![why]),
        }
    }

    pub(super) fn plan(&mut self, plan: &UndoPlan) -> Planned {
        let (what, direction, said) = match *self {
            Taking::Plan(what, direction, said) if plan.part.is_none() => (what, direction, said),
            Taking::Part(said) if plan.part.is_some() => {
                (TakingFor::Going(UndoDirection::Undo), UndoDirection::Undo, said)
            }
            Taking::Plan(..) | Taking::Part(_) | Taking::List(_) | Taking::Head(..) | Taking::Nothing => {
                return Planned::No;
            }
        };
        if (plan.direction, plan.said) != (direction, said) {
            return Planned::No;
        }
        *self = Taking::Nothing;
        match what {
            TakingFor::Diff(base) => Planned::Say(session_diff(base, &plan.files)),
            TakingFor::Hunk(base, number) => self.ask_for(said, base, &plan.files, number),
            TakingFor::Going(_) => {
                let back = TakingBack { plan: plan.clone() };
                if back.files().next().is_some() { Planned::Ask(Box::new(back)) } else { Planned::Say(back.nothing()) }
            }
        }
    }
}

/// What to ask to have this hunk taken back, of those that `/diff` says.
fn hunk_of(said: SaidId, base: DiffBase, files: &[UndoFile], number: usize) -> Result<Op, String> {
    let changed: Vec<FileDiff> = files.iter().map(as_changed).collect();
    let hunks = TextHunks::compare(&changed).hunks.all;
    let hunk = number.checked_sub(1).and_then(|place| hunks.get(place));
    let Some((hunk, file)) = hunk.and_then(|hunk| Some((hunk, files.get(hunk.file)?))) else {
        return Err(format!("there is no hunk {number}; {} says {}", command(base), counted(hunks.len(), "hunk")));
    };
    let (path, now, lines) = (file.path.clone(), file.now.clone(), hunk.lines_back());
    Ok(Op::Session(SessionOp::PlanPart { said, path, base, now, lines }))
}

fn command(base: DiffBase) -> &'static str {
    match base {
        DiffBase::Start => "/diff",
        DiffBase::Head => "/diff head",
    }
}

/// The plan says what would become of the files; here it is told how they became what they are.
fn session_diff(base: DiffBase, files: &[UndoFile]) -> Vec<String> {
    let files: Vec<FileDiff> = files.iter().map(as_changed).collect();
    let count = counted(files.len(), "file");
    let mut lines = vec![match base {
        DiffBase::Start if files.is_empty() => return vec!["every file is as it was before this session".into()],
        DiffBase::Head if files.is_empty() => return vec!["what this session changed is as in git HEAD".into()],
        DiffBase::Start => format!("this session changed {count}"),
        DiffBase::Head => format!("against git HEAD, of what this session changed: {count}"),
    }];
    lines.extend(changed_files(&files, &TextHunks::compare(&files)));
    let taken = command(base);
    lines.push(format!("{taken} with the number of a hunk takes that back; /undo takes the last change back"));
    lines
}

fn as_changed(file: &UndoFile) -> FileDiff {
    let diff = file.diff.clone();
    FileDiff { before: diff.after, after: diff.before, marks: Vec::new(), ..diff }
}

/// The question before files go back or forth.
#[derive(Debug)]
pub(super) struct TakingBack {
    plan: UndoPlan,
}

impl TakingBack {
    /// Those that a yes changes. One that somebody else changed since stays as it is.
    fn files(&self) -> impl Iterator<Item = &UndoFile> {
        self.plan.files.iter().filter(|file| file.stays().is_none())
    }

    /// Those that stay, and why.
    fn stay(&self) -> Vec<String> {
        self.plan.files.iter().filter_map(UndoFile::stays).map(|stays| format!("file: {stays}")).collect()
    }

    fn nothing(&self) -> Vec<String> {
        let mut lines = self.stay();
        lines.push("no file would change".into());
        lines
    }

    pub(super) fn question_text(&self) -> Vec<String> {
        let files: Vec<FileDiff> = self.files().map(|file| file.diff.clone()).collect();
        let what = self.verb();
        let mut lines = vec![match self.plan.part {
            None => format!("question: {what} the changes to {}?", counted(files.len(), "file")),
            Some(_) => "question: take this part of the changes back?".to_owned(),
        }];
        lines.extend(changed_files(&files, &TextHunks::compare(&files)));
        lines.extend(self.stay());
        lines.extend(self.answers());
        lines
    }

    fn verb(&self) -> &'static str {
        match self.plan.direction {
            UndoDirection::Undo => "undo",
            UndoDirection::Redo => "redo",
        }
    }

    fn answers(&self) -> Vec<String> {
        vec![format!("y: {}", self.verb()), "n: leave all as it is".into(), "again: say it once more".into()]
    }

    /// What a typed line comes to; `None`: the files stay as they are.
    pub(super) fn answer(&self, line: &str) -> Option<Step> {
        Some(match line.trim().trim_start_matches('/').to_lowercase().as_str() {
            "y" | "yes" => {
                let UndoPlan { direction, said, .. } = self.plan;
                Step::Reply(Op::Session(SessionOp::Undo { direction, said, choices: Vec::new() }))
            }
            "n" | "no" | "stop" => return None,
            "again" => Step::Say(self.question_text()),
            "?" | "help" => Step::Say(self.answers()),
            _ => Step::say("nothing was answered: that is none of the answers; ? says them"),
        })
    }
}

pub(super) fn undone_words(direction: UndoDirection, part: Option<UndoPart>, files: &[UndoneFile]) -> Vec<String> {
    let done = files.iter().filter(|file| file.left.is_none()).count();
    let what = match direction {
        UndoDirection::Undo => "undone",
        UndoDirection::Redo => "made again",
    };
    let left = files
        .iter()
        .filter_map(|file| Some(format!("file: {} is as it was: {}", file.shown_path, file.left.as_ref()?)));
    let words = match (part, files.first()) {
        (Some(UndoPart { added, removed }), Some(file)) if done > 0 => {
            let (gone, back) = (counted(added, "line"), counted(removed, "line"));
            format!("taken back in {}: {gone} gone, {back} back; /redo makes it again", file.shown_path)
        }
        (Some(_) | None, _) => format!("{what}: {}", counted(done, "file")),
    };
    std::iter::once(words).chain(left).collect()
}

//! A hunk is taken back: what that would change is planned by the house, shown, and done after `y`.
//!
//! **Invariant.** What `y` does is the plan that is shown: it was asked for here, and the house carries out no other.

use super::SessionDiff;
use crate::clean::clean_line;
use crate::dialogs::frame::{Body, Parts, choice, choices, paragraph};
use crate::dialogs::undo::{AGREES, ENTER_ALONE};
use crate::dialogs::{Heard, Laid, Press, Reply, Scroll, Space, Surroundings};
use crate::diff::DiffView;
use crate::text::highlight::Highlighted;
use agent_protocol::{DiffBase, Op, SessionOp, UndoDirection, UndoPlan};
use crossterm::event::KeyCode;
use ratatui::text::Span;
use std::path::PathBuf;

/// A hunk that is to be taken back.
pub(super) struct TakingBack {
    path: PathBuf,
    /// `lines 40 to 52 of src/main.rs`, clean.
    words: String,
    /// What would change; `None` until the house has said it.
    view: Option<DiffView>,
    pub(super) scroll: Scroll,
}

impl TakingBack {
    /// The letters that do something.
    pub(super) fn keys(&self) -> String {
        self.view.as_ref().map_or(String::new(), |_| AGREES.to_string())
    }

    pub(super) fn highlighted(&mut self, done: &Highlighted) {
        if let Some(view) = &mut self.view {
            view.highlighted(done);
        }
    }
}

impl SessionDiff {
    /// Asks what taking the hunk back would change that is looked at.
    pub(super) fn begin_taking(&mut self) -> Reply {
        let (Some(shown), Some(said)) = (&self.shown, self.first) else {
            return self.say("not yet: the files are still being looked at");
        };
        let hunk = shown.diff.hunks.current();
        let Some((hunk, file)) = hunk.and_then(|hunk| Some((hunk, self.planned.get(hunk.file)?))) else {
            return self.say("there is no hunk here; u takes changes back");
        };
        if !file.possible {
            let why = file.diff.note.clone().unwrap_or_else(|| "its bytes are not kept".to_owned());
            return self.say(format!("it cannot be taken back: {}", clean_line(&why)));
        }
        let name = clean_line(&file.diff.shown_path).into_owned();
        let lines = hunk.lines_back();
        let words = if lines.is_empty() { name } else { format!("{} of {name}", hunk.lines_label()) };
        let (path, now) = (file.path.clone(), file.now.clone());
        self.taking = Some(TakingBack { path: path.clone(), words, view: None, scroll: Scroll::default() });
        Reply::stay_and(Op::Session(SessionOp::PlanPart { said, path, base: self.base, now, lines }))
    }

    /// Takes up what it would change. Where that cannot be done, it is said why, and the files are looked at anew.
    pub(super) fn take_part(&mut self, plan: &UndoPlan, around: &Surroundings<'_>) -> Heard {
        let Some(taking) = &mut self.taking else { return Heard::No };
        let why = match plan.files.first() {
            Some(file) if file.path != taking.path => return Heard::No,
            Some(file) if file.possible => {
                let view = DiffView::new(std::slice::from_ref(&file.diff), around.palette, around.highlighter.clone());
                taking.view = Some(view);
                return Heard::Anew(None);
            }
            Some(file) => file.diff.note.clone().unwrap_or_else(|| "its bytes are not kept".to_owned()),
            None => "it is as it was already".to_owned(),
        };
        self.hint = Some(format!("nothing was taken back: {}", clean_line(&why)).into());
        self.taking = None;
        Heard::Anew(Some(self.look()))
    }

    /// A key while that is shown.
    pub(super) fn decide(&mut self, press: Press) -> Reply {
        if press.closes() {
            self.taking = None;
            return Reply::stay();
        }
        let (Some(taking), Some(said)) = (&mut self.taking, self.first) else { return Reply::stay() };
        match press.chord.letter() {
            Some(AGREES) if taking.view.is_some() => {
                self.taking = None;
                let direction = UndoDirection::Undo;
                Reply::stay_and(Op::Session(SessionOp::Undo { direction, said, choices: Vec::new() }))
            }
            Some(AGREES) => self.say("not yet: the file is still being looked at"),
            _ if press.chord.is(KeyCode::Enter) => self.say(ENTER_ALONE),
            _ => {
                taking.scroll.key(press);
                Reply::stay()
            }
        }
    }

    pub(super) fn lay_out_taking(&mut self, space: Space) -> Laid {
        let (inside, palette) = (space.inside(), space.palette);
        let mut foot = self.hinted(inside, palette);
        let to = if self.base == DiffBase::Head { " to git HEAD" } else { "" };
        let Some(TakingBack { words, view, scroll, .. }) = &mut self.taking else { return Laid::default() };
        let agrees = view.is_some().then(|| choice(AGREES, "take it back"));
        let keys: Vec<_> = agrees.into_iter().chain([choice("Esc", "back to the changes")]).collect();
        foot.extend(choices(&keys, inside, palette));
        let waiting = paragraph("looking at the file …", palette.dim(), inside);
        let (title, body) = match view {
            Some(view) => {
                let (added, removed) = view.counts();
                view.lay_out(inside);
                (format!("Take {words} back{to}?  +{added} −{removed}"), Body::Diff(view))
            }
            None => (format!("Take {words} back{to}?"), Body::Lines(&waiting)),
        };
        space.fit(Parts::new(Span::styled(title, palette.strong()), body, foot), scroll)
    }
}

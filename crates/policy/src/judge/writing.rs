//! May this be written?

use super::{Asking, Free, PLAN_MODE, Policy, Ruling, SUSPENDED, single};
use crate::names::{GuardedFile, Resolved, guarded, protected};
use crate::{Facts, PathKind};
use agent_protocol::{Cause, Change, Changes, Mode, Rule, RuleOffer};
use std::path::Path;

impl Policy {
    pub(super) fn judge_write(&self, changes: &Changes, facts: &Facts) -> Ruling {
        if let Some(change) = changes.0.iter().find(|change| self.own(&change.path) && !self.is_memory(change)) {
            let path = change.path.display();
            return Ruling::Deny(format!("{path} is this program's own; nobody changes it for a model"));
        }
        if self.setup.mode == Mode::Plan {
            return Ruling::Deny(PLAN_MODE.into());
        }
        let mut warnings = self.write_warnings(changes, facts);
        if changes.0.iter().any(|change| self.is_memory(change)) {
            warnings.extend(other_names(changes, facts));
            let why = "what is remembered is told to the model in every later session";
            return Ruling::Ask(Asking { warnings, ..Asking::for_you(why) });
        }
        let dangerous = !warnings.is_empty();
        let is_protected = self.is_protected(changes, facts);
        if !self.is_guarded(changes, facts) && changes.0.iter().all(|change| self.is_remembered(change)) {
            return Ruling::Allow(Free::because("you allowed changes to this file"));
        }
        let no_edit = self.why_no_edit(changes, facts);
        let by_mode = self.setup.allow_write
            || match self.setup.mode {
                Mode::Unsafe => true,
                Mode::AcceptEdits => no_edit.is_none(),
                Mode::Safe | Mode::Plan => false,
            };
        if !dangerous && by_mode && !self.suspended {
            return Ruling::Allow(Free::because("the mode lets it happen"));
        }
        if !dangerous && !self.suspended && changes.0.iter().all(|change| self.is_flagged_folder(&change.path)) {
            return Ruling::Allow(Free::because("you allowed writing in this folder"));
        }
        warnings.extend(other_names(changes, facts));
        let mode = self.setup.mode;
        let why = match no_edit {
            _ if is_protected => "its name is protected".to_owned(),
            _ if dangerous => "that is outside the project".to_owned(),
            _ if by_mode => SUSPENDED.to_owned(),
            Some(no_edit) if mode == Mode::AcceptEdits => format!("{} asks: {no_edit}", mode.words()),
            Some(_) | None => format!("{} asks before every write", mode.words()),
        };
        let outside = |change: &&Change| !self.is_open(&change.path);
        let could_be = |change: &Change| self.could_be_opened(&change.path);
        let cause = match dangerous {
            true if is_protected => Cause::Always,
            true if !changes.0.iter().filter(outside).all(could_be) => Cause::Always,
            true if self.suspended => Cause::Suspended,
            true => Cause::FolderNotAllowed,
            false => self.lacks_leave(),
        };
        let mut offers = if is_protected { Vec::new() } else { self.write_offers(changes) };
        if !dangerous && no_edit.is_none() {
            offers.extend(self.offer_of_edits());
        }
        Ruling::Ask(Asking { warnings, offers, cause, ..Asking::because(why) })
    }

    /// What a yes to all edits was not given for: what removes something, holds secrets, or has other names besides.
    fn why_no_edit(&self, changes: &Changes, facts: &Facts) -> Option<&'static str> {
        let has_other_names =
            |change: &Change| matches!(facts.kind(&change.path), Some(PathKind::File { names: 2.. }) | None);
        changes.0.iter().find_map(|change| match () {
            () if change.after.is_none() => Some("a file goes"),
            () if self.is_secret(&change.path) => Some("its name says that it holds secrets"),
            () if has_other_names(change) => Some("the file has hard links"),
            () => None,
        })
    }

    /// All edits to come; not where the modes that ask less count for nothing.
    fn offer_of_edits(&self) -> Option<RuleOffer> {
        (self.setup.mode == Mode::Safe && self.lasting_rules_count()).then(|| RuleOffer {
            words: "don't ask again in this session for edits inside the project (accept-edits mode; /safe ends it)"
                .into(),
            rule: Rule::Edits,
        })
    }

    /// A rule for a file is for its text: that the file goes is another matter, which nobody said yes to.
    fn is_remembered(&self, change: &Change) -> bool {
        change.after.is_some() && self.remembers(&Rule::File { path: change.path.clone() })
    }

    /// Does it go into what is remembered for later sessions?
    fn is_memory(&self, change: &Change) -> bool {
        change.after.is_some() && self.is_memory_file(&change.path)
    }

    /// What asks in both modes.
    fn write_warnings(&self, changes: &Changes, facts: &Facts) -> Vec<String> {
        let mut warnings = Vec::new();
        // That a memory is ours, and where it lies, is what its question is about.
        for change in changes.0.iter().filter(|change| !self.is_memory(change)) {
            if !self.is_open(&change.path) {
                warnings.push(format!("outside the project: {}", change.path.display()));
            }
            if let Some(what) = self.why_unwritten(&change.path, facts) {
                warnings.push(format!("protected: {} {what}", self.shown(&change.path)));
            }
        }
        warnings
    }

    fn is_protected(&self, changes: &Changes, facts: &Facts) -> bool {
        changes.0.iter().any(|change| self.why_unwritten(&change.path, facts).is_some())
    }

    /// Is it a file that a hook or git runs? No yes of before is for that.
    fn is_guarded(&self, changes: &Changes, facts: &Facts) -> bool {
        changes.0.iter().any(|change| self.why_guarded(&change.path, facts.run_by_git()).is_some())
    }

    /// Why nobody writes at `path` unasked: as [`Self::why_protected`], or for what git runs.
    fn why_unwritten<'a>(&'a self, path: &Path, facts: &'a Facts) -> Option<&'a str> {
        self.why_protected(path).or_else(|| self.why_guarded(path, facts.run_by_git()))
    }

    fn why_guarded<'a>(&'a self, path: &Path, run_by_git: &'a [GuardedFile]) -> Option<&'a str> {
        guarded(Resolved::new(path)?, self.setup.guarded.iter().chain(run_by_git), &self.setup.root)
    }

    pub(super) fn why_protected(&self, path: &Path) -> Option<&str> {
        // What nobody can place is as good as protected.
        let Some(whole) = Resolved::new(path) else { return Some("is no whole path, so nobody knows where it lies") };
        protected(whole, &self.setup.root, self.home()).or_else(|| self.why_guarded(path, &[]))
    }

    fn write_offers(&self, changes: &Changes) -> Vec<RuleOffer> {
        let offer = single(&changes.0).filter(|change| change.after.is_some()).map(|change| RuleOffer {
            words: format!("don't ask again in this session for changes to {}", self.shown(&change.path)),
            rule: Rule::File { path: change.path.clone() },
        });
        offer.into_iter().collect()
    }
}

fn other_names(changes: &Changes, facts: &Facts) -> Option<String> {
    changes.0.iter().find_map(|change| match facts.kind(&change.path) {
        Some(PathKind::File { names: names @ 2.. }) => {
            Some(format!("the file has {names} hard links; its other names keep the old text"))
        }
        Some(_) | None => None,
    })
}

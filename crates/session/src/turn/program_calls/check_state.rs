//! What is kept of the project's checks: how they went in this turn, and what holds from turn to turn. Plain data.

use crate::turn::done::{can_repeat, runs_tests};
use agent_protocol::{Outcome, Status};
use std::path::PathBuf;

/// How a check of this turn went.
#[derive(Debug, Default)]
pub(crate) struct Checking {
    /// How the last one went.
    pub(crate) last: Check,
    /// So often what failed went back to the model.
    pub(crate) rounds: u32,
    /// The tests that failed then.
    pub(crate) failing: Vec<String>,
    /// It ran once more though nothing was changed since it failed: what fails by chance passes then.
    pub(crate) again: bool,
    /// The run before the model is asked.
    pub(crate) ahead: Ahead,
    /// What is left of a name that was to be another was changed in this turn, or could not be.
    pub(crate) finished_rename: bool,
    /// What the check found before that.
    pub(crate) found: Option<Outcome>,
    /// The files that it was about.
    pub(crate) files: Vec<String>,
    /// What a change left unfinished, until the model is told.
    pub(crate) unfinished: Option<String>,
    /// The model was told of it.
    pub(crate) told_unfinished: bool,
    /// Imports that are missing were added in this turn, or could not be.
    pub(crate) added_imports: bool,
    /// That some were, until the model is told.
    pub(crate) imported: Option<String>,
    /// The user rejected them: they are not missing.
    pub(crate) rejected_imports: bool,
    /// Why the line of the model's own could not run, until another check has ended.
    pub(crate) own_not_run: Option<String>,
}

/// The check before a model is asked that works by files, where the words say that something fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// It has not run in this turn.
    #[default]
    NotYet,
    Running,
    /// It ran and found nothing, or was not to be.
    Done,
    /// It ran, and the model was told what fails.
    Failed,
}

impl Checking {
    /// This command ended, and no program of ours had it run: tests that pass tell more than a check that could not run.
    pub(crate) fn ran(&mut self, command: &str, outcome: &Outcome) {
        if matches!(self.last, Check::NotRun(_)) && outcome.status == Status::Done && runs_tests(command) {
            self.last = Check::None;
        }
    }

    /// Does the model answer to tests that fail?
    pub(crate) fn is_about_failures(&self) -> bool {
        self.ahead == Ahead::Failed || matches!(self.last, Check::Failed(_))
    }
}

/// How the project's own check went after the last change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Check {
    /// There was nothing to check, or no check is known.
    #[default]
    None,
    /// In words; what failed before as well is no failure of the change.
    Passed(String),
    Failed(String),
    /// It could not run, or there was nothing that it could run; why, in words.
    NotRun(String),
}

/// What is kept of checks from turn to turn.
#[derive(Debug, Default)]
pub(crate) struct CheckHabits {
    /// The run of tests that the model itself made last, where it can be made again.
    own: Option<OwnCheck>,
    /// The user was asked about one: they are not asked at the end of every turn.
    pub(crate) asked: bool,
    /// One did not end in its time: none is run again.
    pub(crate) slow: bool,
    /// A call of this session changed a file.
    changed: bool,
    /// The tests that failed before anything was changed, where some ran.
    pub(crate) before: Option<Vec<String>>,
    /// Those that failed in the last check, as long as nothing was changed since.
    last: Option<Vec<String>>,
    /// Those that failed in one run and not in the other, with no change in between.
    flaky: Vec<String>,
}

/// A run of tests that the model made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnCheck {
    pub(crate) line: String,
    pub(crate) folder: PathBuf,
}

/// How a line ends that began nothing: make has no such target, or the shell cannot start the program, or does not find it.
const NOT_STARTED: [i32; 3] = [2, 126, 127];

impl CheckHabits {
    /// This line of a shell ran in the foreground, and no program of ours had it run.
    pub(crate) fn ran(&mut self, own: OwnCheck, outcome: &Outcome) {
        let is_known = match outcome.status {
            Status::Done => true,
            Status::Exited { code: Some(code) } => match &outcome.failing {
                Some(failing) => !failing.is_empty(),
                None => !NOT_STARTED.contains(&code),
            },
            Status::Exited { code: None } | Status::Failed { .. } => false,
            Status::Refused | Status::Stopped | Status::Unknown => false,
        };
        if is_known && runs_tests(&own.line) && can_repeat(&own.line) {
            self.own = Some(own);
        }
    }

    /// The run of tests that the model itself made last.
    pub(crate) fn own(&self) -> Option<&OwnCheck> {
        self.own.as_ref()
    }

    /// It does not run any more.
    pub(crate) fn forget_own(&mut self) {
        self.own = None;
    }

    /// A call has ended: before the first change it may tell which tests failed all along, and where it is the `check`, which
    /// of them fail by chance.
    pub(crate) fn ended(&mut self, outcome: &Outcome, check: bool) {
        if !outcome.changed.is_empty() {
            self.last = None;
        } else if let Some(failing) = outcome.failing.as_ref().filter(|_| check) {
            let last = self.last.replace(failing.clone());
            self.flaky.extend(last.iter().flat_map(|last| apart(last, failing)));
        }
        match (&outcome.failing, &mut self.before) {
            (Some(failing), _) if !self.changed => self.before = Some(failing.clone()),
            // What passes by now fails no more all along.
            (Some(failing), Some(before)) => before.retain(|name| failing.contains(name)),
            (None, _) | (_, None) => {}
        }
        self.changed |= !outcome.changed.is_empty();
    }

    /// Those of these that did not fail before, and do not fail by chance.
    pub(crate) fn new_among(&self, failing: &[String]) -> Vec<String> {
        let before = self.before.as_deref().unwrap_or_default();
        failing.iter().filter(|name| !before.contains(name) && !self.flaky.contains(name)).cloned().collect()
    }

    /// Those of these that fail by chance.
    pub(crate) fn flaky_among(&self, failing: &[String]) -> Vec<String> {
        failing.iter().filter(|name| self.flaky.contains(name)).cloned().collect()
    }
}

/// What stands in one of two lists alone.
fn apart(one: &[String], other: &[String]) -> Vec<String> {
    let alone = |name: &&String| !one.contains(name) || !other.contains(name);
    one.iter().chain(other).filter(alone).cloned().collect()
}

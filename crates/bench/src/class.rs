//! What became of a trial, in one word each. Pure: what the stream told and what grading found go in.

use crate::grading::{Graded, GradedFailure};
use crate::stream::Told;
use crate::task::{Task, TaskKind};
use serde::{Deserialize, Serialize};

/// What became of a trial.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialClass {
    Solved,
    /// Something was changed, and tests fail.
    Wrong,
    /// What was changed does not build, or the tests do not start.
    DoesNotBuild,
    /// No file was changed.
    NothingChanged,
    /// No file was changed, and the answer says that one was.
    SaidDone,
    /// The model went in circles.
    Circles,
    /// The step limit was reached.
    StepLimit,
    TimeLimit,
    /// A reply reached its length limit, or the window is full.
    TokenLimit,
    /// Calls could not be read, and nothing was changed.
    UnreadableCalls,
    /// Nothing was changed, and the answer says that it could not be done.
    GaveUp,
    /// It fails, and files were changed that must not be.
    TouchedOthers,
    /// The server or this machine is to blame: it is repeated, and not counted.
    #[default]
    Fault,
}

impl TrialClass {
    /// Whether the trial did what was asked.
    pub fn is_solved(self) -> bool {
        self == TrialClass::Solved
    }

    /// Whether the window or the length of a reply ended it.
    pub fn is_full(self) -> bool {
        self == TrialClass::TokenLimit
    }

    /// All of them, as tables list them.
    pub const ALL: [TrialClass; 13] = [
        TrialClass::Solved,
        TrialClass::Wrong,
        TrialClass::DoesNotBuild,
        TrialClass::NothingChanged,
        TrialClass::SaidDone,
        TrialClass::Circles,
        TrialClass::StepLimit,
        TrialClass::TimeLimit,
        TrialClass::TokenLimit,
        TrialClass::UnreadableCalls,
        TrialClass::GaveUp,
        TrialClass::TouchedOthers,
        TrialClass::Fault,
    ];

    pub fn words(self) -> &'static str {
        match self {
            TrialClass::Solved => "solved",
            TrialClass::Wrong => "wrong",
            TrialClass::DoesNotBuild => "does not build",
            TrialClass::NothingChanged => "nothing changed",
            TrialClass::SaidDone => "said done, was not",
            TrialClass::Circles => "went in circles",
            TrialClass::StepLimit => "step limit",
            TrialClass::TimeLimit => "time limit",
            TrialClass::TokenLimit => "token limit",
            TrialClass::UnreadableCalls => "calls unreadable",
            TrialClass::GaveUp => "gave up honestly",
            TrialClass::TouchedOthers => "touched what it must not",
            TrialClass::Fault => "fault of server or machine",
        }
    }
}

/// How the trial's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildEnd {
    Exited(i32),
    /// By a signal of somebody else.
    Killed,
    /// Its time was up, and it was ended.
    TimeUp,
}

/// Pieces of which an answer that gives up holds one.
const GIVES_UP: [&str; 8] =
    ["could not", "couldn't", "cannot", "can't", "unable to", "not able to", "failed to", "was not possible"];

/// What became of a trial of `task`.
pub fn class(task: &Task, end: ChildEnd, told: &Told, graded: &Graded) -> TrialClass {
    if let Some(fault) = fault(end, told) {
        return fault;
    }
    if task.sheet.kind == TaskKind::Cannot {
        return honest(task, end, told, graded);
    }
    if graded.passed() {
        return TrialClass::Solved;
    }
    if let Some(limit) = limit(end, told) {
        return limit;
    }
    if graded.changed.is_empty() {
        return unchanged(told);
    }
    match graded.failure {
        Some(GradedFailure::Silent) if task.sheet.builds_on_start => TrialClass::DoesNotBuild,
        _ if !graded.outside.is_empty() => TrialClass::TouchedOthers,
        Some(GradedFailure::Silent | GradedFailure::Tests | GradedFailure::TooMuchChanged | GradedFailure::Cut)
        | None => TrialClass::Wrong,
    }
}

/// Whoever else is to blame.
fn fault(end: ChildEnd, told: &Told) -> Option<TrialClass> {
    let ours = matches!(end, ChildEnd::Killed | ChildEnd::Exited(1..=4 | 130 | 141)) && !told.went_on;
    (ours || told.server_failed).then_some(TrialClass::Fault)
}

fn limit(end: ChildEnd, told: &Told) -> Option<TrialClass> {
    match end {
        ChildEnd::TimeUp | ChildEnd::Exited(11) => Some(TrialClass::TimeLimit),
        ChildEnd::Exited(6) => Some(TrialClass::StepLimit),
        ChildEnd::Exited(7) => Some(TrialClass::Circles),
        ChildEnd::Exited(_) | ChildEnd::Killed => told.token_limit.then_some(TrialClass::TokenLimit),
    }
}

fn unchanged(told: &Told) -> TrialClass {
    let answer = told.answer.to_lowercase();
    if told.doubts > 0 {
        TrialClass::SaidDone
    } else if told.unreadable > 0 && told.unreadable == told.calls {
        TrialClass::UnreadableCalls
    } else if GIVES_UP.iter().any(|piece| answer.contains(piece)) {
        TrialClass::GaveUp
    } else {
        TrialClass::NothingChanged
    }
}

/// A task in which nothing is to be done is solved by leaving it and saying so.
fn honest(task: &Task, end: ChildEnd, told: &Told, graded: &Graded) -> TrialClass {
    if !graded.changed.is_empty() {
        return TrialClass::TouchedOthers;
    }
    if let Some(limit) = limit(end, told) {
        return limit;
    }
    let answer = told.answer.to_lowercase();
    let says = task.sheet.answer.iter().flat_map(|answer| &answer.says).any(|piece| answer.contains(piece));
    match (says, told.doubts) {
        (true, _) => TrialClass::Solved,
        (false, 0) => TrialClass::NothingChanged,
        (false, _) => TrialClass::SaidDone,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Template;
    use crate::tree::Files;
    use std::collections::{BTreeMap, BTreeSet};

    fn task(kind: &str) -> Task {
        let sheet = format!(
            "kind = \"{kind}\"\nlanguage = \"shell\"\nhidden = \"true\"\nmay_change = [\"a\"]\n[answer]\nsays = \
             [\"already\"]\nchanges = false\n"
        );
        let start = Files::from([("a".to_owned(), Vec::new())]);
        let parts = (sheet, "Do it.".to_owned(), start, Files::new());
        Template::of("t", parts, Files::new(), BTreeMap::new()).unwrap().fill(1).unwrap()
    }

    fn graded(failure: Option<GradedFailure>, changed: &[&str], outside: &[&str]) -> Graded {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        Graded { failure, changed: names(changed), outside: names(outside), ..Graded::default() }
    }

    fn of(end: ChildEnd, told: Told, graded: Graded) -> TrialClass {
        class(&task("mend"), end, &told, &graded)
    }

    const DONE: ChildEnd = ChildEnd::Exited(0);

    #[test]
    fn what_passes_is_solved_however_it_ended_unless_the_server_is_to_blame() {
        let solved = || graded(None, &["a"], &["scratch"]);
        assert_eq!(of(DONE, Told::default(), solved()), TrialClass::Solved);
        assert_eq!(of(ChildEnd::TimeUp, Told::default(), solved()), TrialClass::Solved);
        let gone = Told { server_failed: true, ..Told::default() };
        assert_eq!(of(ChildEnd::Exited(5), gone, solved()), TrialClass::Fault);
        assert_eq!(of(ChildEnd::Exited(3), Told::default(), solved()), TrialClass::Fault);
    }

    #[test]
    fn what_fails_is_told_apart() {
        let tests = || graded(Some(GradedFailure::Tests), &["a"], &[]);
        assert_eq!(of(DONE, Told::default(), tests()), TrialClass::Wrong);
        assert_eq!(of(ChildEnd::Exited(6), Told::default(), tests()), TrialClass::StepLimit);
        assert_eq!(of(ChildEnd::Exited(7), Told::default(), tests()), TrialClass::Circles);
        assert_eq!(of(ChildEnd::TimeUp, Told::default(), tests()), TrialClass::TimeLimit);
        let long = Told { token_limit: true, ..Told::default() };
        assert_eq!(of(ChildEnd::Exited(5), long, tests()), TrialClass::TokenLimit);
        let silent = graded(Some(GradedFailure::Silent), &["a"], &[]);
        assert_eq!(of(DONE, Told::default(), silent), TrialClass::DoesNotBuild);
        let outside = graded(Some(GradedFailure::Tests), &["a", "test_a"], &["test_a"]);
        assert_eq!(of(DONE, Told::default(), outside), TrialClass::TouchedOthers);
    }

    #[test]
    fn who_changes_nothing_is_judged_by_the_answer() {
        let nothing = || graded(Some(GradedFailure::Tests), &[], &[]);
        let says = |answer: &str| Told { answer: answer.into(), ..Told::default() };
        assert_eq!(of(ChildEnd::Exited(9), says("Do this:"), nothing()), TrialClass::NothingChanged);
        assert_eq!(of(DONE, says("I could not find it."), nothing()), TrialClass::GaveUp);
        assert_eq!(of(DONE, Told { doubts: 1, ..says("Done.") }, nothing()), TrialClass::SaidDone);
        let garbled = Told { calls: 2, unreadable: 2, ..Told::default() };
        assert_eq!(of(DONE, garbled, nothing()), TrialClass::UnreadableCalls);
    }

    #[test]
    fn where_nothing_is_to_be_done_saying_so_is_the_solution() {
        let cannot = |answer: &str, changed: &[&str]| {
            let told = Told { answer: answer.into(), ..Told::default() };
            class(&task("cannot"), DONE, &told, &graded(None, changed, changed))
        };
        assert_eq!(cannot("It is there Already.", &[]), TrialClass::Solved);
        assert_eq!(cannot("Hm.", &[]), TrialClass::NothingChanged);
        assert_eq!(cannot("It is already there.", &["a"]), TrialClass::TouchedOthers);
    }
}

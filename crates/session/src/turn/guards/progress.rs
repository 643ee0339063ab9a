//! Notices when a turn gets no further: one look after the other where a change was asked for, or steps that bring nothing new.
//! Decides nothing: it only counts.
//!
//! Replies are counted, not calls: reading twenty files at once is good work. A reply that opens a file which was not seen before
//! is no standstill, either.
//!
//! Progress is a file that was changed, something read for the first time, a command that says something new, or fewer tests
//! that fail. What is new is told by what the model was told, apart from how long it took.

use crate::turn::patterns::pattern;
use agent_protocol::{Levers, Outcome, Status, Stuck};
use regex::Regex;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::LazyLock;

/// How long something took, as programs write it.
static TOOK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b\d+(?:[.:]\d+)*\s?(?:ns|µs|us|ms|s|sec|secs|seconds|min|minutes)\b"));

/// The tools that open the files whose paths they look at. The paths of the others are the folders in which they search, and
/// what they find there says whether it was seen before.
const OPENING: [&str; 2] = ["read_file", "read_many_files"];

/// Does a call of this tool open the files that it looks at?
pub(crate) fn opens_files(tool: &str) -> bool {
    OPENING.contains(&tool)
}

/// What the calls of a turn brought.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Replies that only looked, at nothing that was not seen before, since the last that did more.
    looks: u32,
    /// Steps in a row that brought nothing new.
    idle: u32,
    /// Something new came of the step at hand.
    moved: bool,
    /// A call of the step at hand only looked.
    looked: bool,
    /// One of them opened what was not seen before.
    opened: bool,
    /// What was looked at in this turn.
    seen: HashSet<PathBuf>,
    /// What the model was told in this turn.
    told: HashSet<u64>,
    /// The fewest tests that failed so far.
    fewest: Option<usize>,
}

/// What a call was, as far as progress goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// It looked at something, and could do nothing else.
    Look,
    /// It may have done something.
    Deed,
    /// It never came to that.
    None,
}

impl Progress {
    /// A call has ended, which looked at these files.
    pub(crate) fn ended(&mut self, kind: CallKind, paths: &[PathBuf], outcome: &Outcome) {
        let is_new = self.is_new(outcome);
        let mut opens = false;
        for path in paths {
            opens |= self.seen.insert(path.clone());
        }
        match kind {
            _ if !outcome.changed.is_empty() => self.begin_looks_again(),
            // What a command, a search or a page shows has no file.
            CallKind::Look => (self.looked, self.opened) = (true, self.opened | opens | (paths.is_empty() && is_new)),
            CallKind::Deed => self.begin_looks_again(),
            CallKind::None => {}
        }
        self.moved |= is_new;
    }

    /// Something was done: what was only looked at before it, in the same reply too, led somewhere.
    fn begin_looks_again(&mut self) {
        (self.looks, self.looked, self.opened) = (0, false, false);
    }

    fn is_new(&mut self, outcome: &Outcome) -> bool {
        if !outcome.changed.is_empty() {
            return true;
        }
        let says_something = match outcome.status {
            Status::Done | Status::Exited { .. } | Status::Stopped | Status::Unknown => true,
            // A person's word is news; that they said no is none.
            Status::Refused => !outcome.summary.trim().is_empty(),
            Status::Failed { .. } => false,
        };
        let fewer = outcome.failing.as_ref().is_some_and(|failing| {
            let fewer = self.fewest.is_none_or(|fewest| failing.len() < fewest);
            self.fewest = Some(self.fewest.map_or(failing.len(), |fewest| fewest.min(failing.len())));
            fewer
        });
        says_something && (self.told.insert(result_hash(outcome)) || fewer)
    }

    /// All calls of a reply have ended. How the turn stands still, if it does, and since how many of what is counted. `wants`: a
    /// change was asked for, and could be made. The count begins anew with what is found.
    pub(crate) fn stepped(&mut self, levers: &Levers, wants: bool) -> Option<(Stuck, u32)> {
        self.idle = if std::mem::take(&mut self.moved) { 0 } else { self.idle + 1 };
        let (looked, opened) = (std::mem::take(&mut self.looked), std::mem::take(&mut self.opened));
        self.looks += u32::from(looked && !opened);
        if wants && levers.looks > 0 && self.looks >= levers.looks {
            return Some((Stuck::Looking, std::mem::take(&mut self.looks)));
        }
        (levers.idle > 0 && self.idle >= levers.idle).then(|| (Stuck::Idle, std::mem::take(&mut self.idle)))
    }

    /// The user said something: what is counted in a row begins anew.
    pub(crate) fn begin_anew(&mut self) {
        (self.looks, self.idle) = (0, 0);
    }
}

/// What the model was told, in which two runs of the same command are alike.
fn result_hash(outcome: &Outcome) -> u64 {
    let mut hasher = DefaultHasher::new();
    match &outcome.failing {
        // Which tests fail is what a run of tests says.
        Some(failing) => failing.hash(&mut hasher),
        None => TOOK.replace_all(&outcome.told, "").hash(&mut hasher),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::results::bare;
    use agent_protocol::{FailureKind, LeverChanges};

    fn levers() -> Levers {
        let mut levers = Levers::default();
        levers.change(&LeverChanges { looks: Some(3), idle: Some(2), ..LeverChanges::off() });
        levers
    }

    fn says(told: &str) -> Outcome {
        bare(Status::Done, told.to_owned(), "")
    }

    fn fails(names: &[&str]) -> Outcome {
        let failing = names.iter().map(|name| (*name).to_owned()).collect();
        Outcome { failing: Some(failing), ..bare(Status::Exited { code: Some(1) }, "1 failed in 0.2 s".into(), "") }
    }

    /// What is found after each of these steps of one call, which looks at a file that was seen before.
    fn found(calls: Vec<(CallKind, Outcome)>) -> Vec<Option<(Stuck, u32)>> {
        let seen = [PathBuf::from("seen.rs")];
        let mut progress = Progress { seen: seen.clone().into(), ..Progress::default() };
        let step = |(kind, outcome): (CallKind, Outcome)| {
            progress.ended(kind, &seen, &outcome);
            progress.stepped(&levers(), true)
        };
        calls.into_iter().map(step).collect()
    }

    #[test]
    fn many_files_read_by_one_reply_are_one_look_and_a_new_file_is_none() {
        let mut progress = Progress::default();
        let mut reply = |paths: std::ops::Range<usize>| {
            for number in paths {
                let path = [PathBuf::from(format!("{number}.rs"))];
                progress.ended(CallKind::Look, &path, &says(&format!("file {number}")));
            }
            progress.stepped(&levers(), true)
        };
        assert_eq!([reply(0..22), reply(22..44), reply(44..45), reply(45..46)], [None; 4]);
        let nothing_new = [None, Some((Stuck::Idle, 2)), Some((Stuck::Looking, 3))];
        assert_eq!([reply(0..22), reply(0..22), reply(0..22)], nothing_new);
    }

    #[test]
    fn what_a_command_shows_for_the_first_time_is_no_standstill() {
        let mut progress = Progress::default();
        for number in 0..20 {
            progress.ended(CallKind::Look, &[], &says(&format!("text of file {number}")));
            assert_eq!(progress.stepped(&levers(), true), None);
        }
    }

    #[test]
    fn looks_in_a_row_are_counted_and_a_deed_ends_the_row() {
        let look = |told: &str| (CallKind::Look, says(told));
        let ran = (CallKind::Deed, says("ran"));
        assert_eq!(found(vec![look("a"), look("b"), ran, look("c"), look("d")]), [None; 5]);
        assert_eq!(found(vec![look("a"), look("b"), look("c")])[2], Some((Stuck::Looking, 3)));
    }

    #[test]
    fn what_was_told_before_is_no_progress_however_long_it_took() {
        let run = |took: &str| (CallKind::Deed, says(&format!("exit code 1 after {took}\nno such option")));
        assert_eq!(found(vec![run("0.2 s"), run("1.25s"), run("31 ms")]), [None, None, Some((Stuck::Idle, 2))]);
        assert_eq!(found(vec![run("0.2 s"), (CallKind::Deed, says("3")), (CallKind::Deed, says("5"))]), [None; 3]);
    }

    #[test]
    fn of_tests_the_names_that_fail_count_and_fewer_are_progress() {
        let run = |names: &[&str]| (CallKind::Deed, fails(names));
        assert_eq!(found(vec![run(&["a", "b"]), run(&["a"]), run(&["b"])]), [None; 3], "other tests fail than before");
        assert_eq!(found(vec![run(&["a"]), run(&["a"]), run(&["a"])])[2], Some((Stuck::Idle, 2)));
    }

    #[test]
    fn calls_that_fail_and_plain_refusals_are_no_progress() {
        let failed = |told: &str| bare(Status::Failed { kind: FailureKind::NotFound }, told.into(), "");
        let refused = |word: &str| bare(Status::Refused, "refused".into(), word);
        let none = |outcome| (CallKind::None, outcome);
        assert_eq!(found(vec![none(failed("no a")), none(failed("no b"))])[1], Some((Stuck::Idle, 2)));
        assert_eq!(found(vec![none(refused("")), none(refused("take b.py instead"))]), [None; 2]);
    }

    #[test]
    fn nothing_is_found_where_the_levers_are_off_or_no_change_was_asked_for() {
        let mut progress = Progress::default();
        let off = {
            let mut levers = Levers::default();
            levers.change(&LeverChanges::off());
            levers
        };
        for _ in 0..20 {
            progress.ended(CallKind::Look, &[], &says("same"));
            assert_eq!(progress.stepped(&off, true), None);
        }
        let mut progress = Progress::default();
        for number in 0..20 {
            progress.ended(CallKind::Look, &[], &says(&format!("line {number}")));
            assert_eq!(progress.stepped(&levers(), false), None);
        }
    }
}

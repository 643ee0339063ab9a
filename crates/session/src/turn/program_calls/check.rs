//! The project's own check after a model's changes: when it is due, and what of it goes back to the model.
//!
//! It is a call that the program makes; what it would run is asked about and kept within limits like any other. Whoever tested
//! the last change with success, or is refused, hears nothing more of it.

use crate::context::squeeze;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::file_work::is_test;
use crate::turn::guards::claims::{Wish, may_change_tests, renamed};
use crate::turn::phase::Next;
use crate::turn::phases::work::Working;
use crate::turn::program_calls::CallOrigin;
use crate::turn::program_calls::check_state::{Ahead, Check};
use crate::turn::program_calls::context_files::asked_for;
use crate::turn::state::Turn;
use crate::turn::user_message::steer;
use crate::{CallEffect, Keep, Planned};
use agent_policy::Verdict;
use agent_protocol::{CallEvent, Failure, FailureKind, FileFate, FileReceipt, Outcome, Status, TurnEndReason};
use serde_json::json;

/// The exit code of a shell that does not find a program.
const NOT_FOUND: i32 = 127;

/// How a person speaks of what fails.
const FAILURES: [&str; 11] =
    ["tests pass", "test pass", "pass the test", "fail", "bug", "error", "broken", "wrong", "mend", "repair", "fix"];

/// How a person says that a check fails as things are.
const FAILS_NOW: [&str; 7] =
    ["fail", "broken", "does not build", "doesn't build", "does not compile", "doesn't compile", "won't compile"];

/// Bytes of what a check said that go back.
const MOST_TOLD: usize = 2_400;

/// Bytes of what it said before anything was changed.
const MOST_AHEAD: usize = 1_200;

/// Files that the model changed and nothing has checked since, at the end of a turn; none: no check is due.
pub(crate) fn due(files: &[FileReceipt], turn: &Turn, server: &Server) -> Vec<String> {
    let changed = files.iter().filter(|file| file.what != FileFate::Deleted);
    let changed = changed.map(|file| file.shown_path.clone());
    if is_wanted(turn, server) && !turn.checks.slow { changed.collect() } else { Vec::new() }
}

/// Why none runs that would be due: the last one did not end in its time.
pub(crate) fn too_slow(files: &[FileReceipt], turn: &Turn, server: &Server) -> Option<String> {
    let is_due = turn.checks.slow && !files.is_empty() && is_wanted(turn, server);
    is_due.then(|| "the last check took too long".to_owned())
}

fn is_wanted(turn: &Turn, server: &Server) -> bool {
    let counts = &turn.counts;
    // A model that was told what fails, and changed nothing, may be right that it is not its own.
    let disowned = counts.check.rounds > 0 && !counts.check.again && matches!(counts.check.last, Check::Failed(_));
    server.levers().check_rounds > 0
        && (counts.done.unchecked || disowned)
        && !counts.done.told_enough
        && !counts.from_outside
        && !server.works_by_files()
}

/// Checks these files, and the project around them.
pub(crate) fn begin(files: &[String], turn: &mut Turn, server: &Server, out: &mut Out) -> Next {
    let counts = &mut turn.counts;
    counts.check.again |= !counts.done.unchecked && !server.works_by_files();
    counts.check.files = files.to_vec();
    // What was deleted or changed besides tells what an import misses that fails now.
    let others = counts.done.touched().iter().filter(|path| !files.contains(path));
    let files: Vec<&String> = files.iter().chain(others).collect();
    let before: Vec<&str> = files.iter().map(|file| counts.done.text_before(file)).collect();
    let mut arguments = json!({ "files": files, "before": before });
    if let Some(command) = &server.settings.check {
        arguments["command"] = command.as_str().into();
    } else if let Some(own) = turn.checks.own() {
        arguments["own_command"] = own.line.as_str().into();
        arguments["own_folder"] = own.folder.to_string_lossy().into();
    }
    if let Some(name) = renamed(&counts.asked) {
        arguments["renamed"] = name.into();
    }
    if !counts.check.told_unfinished && counts.check.ahead != Ahead::Running {
        arguments["asked"] = counts.asked.as_str().into();
        if counts.check.rejected_imports {
            arguments["without_imports"] = true.into();
        }
    }
    Next::Work(vec![CallOrigin::Check.call(arguments, out)])
}

/// The same files once more.
pub(crate) fn once_more(turn: &mut Turn, server: &Server, out: &mut Out) -> Next {
    begin(&turn.counts.check.files.clone(), turn, server, out)
}

/// Checks before the model is asked, where it works by files and the words say that something fails: it cannot look for itself,
/// and what the check says names the place. Nobody is asked for that.
pub(crate) fn ahead(turn: &mut Turn, conversation: &Conversation, server: &Server, out: &mut Out) -> Option<Next> {
    let counts = &mut turn.counts;
    let low = counts.asked.to_lowercase();
    let wanted = counts.check.ahead == Ahead::NotYet
        && FAILS_NOW.iter().any(|words| low.contains(words))
        && Wish::from_text(&counts.asked) == Wish::Work
        && server.works_by_files()
        && server.levers().check_rounds > 0
        && !turn.checks.slow;
    if !wanted {
        return None;
    }
    counts.check.ahead = Ahead::Running;
    Some(begin(&conversation.now.shown.clone(), turn, server, out))
}

/// It has ended: what fails goes with the words. Whoever sees it need not be shown it again for an answer that changes nothing.
fn ran_ahead(outcome: &Outcome, turn: &mut Turn, conversation: &mut Conversation) -> Next {
    let counts = &mut turn.counts;
    counts.check.ahead = Ahead::Done;
    let fails = match outcome.status {
        Status::Exited { code: Some(0 | NOT_FOUND) } => false,
        Status::Exited { .. } => outcome.failing.as_ref().is_none_or(|failing| !failing.is_empty()),
        Status::Failed { kind } => kind == FailureKind::Syntax,
        Status::Done | Status::Refused | Status::Stopped | Status::Unknown => false,
    };
    turn.checks.slow |= outcome.status == Status::Failed { kind: FailureKind::Timeout };
    if fails {
        counts.check.ahead = Ahead::Failed;
        counts.files.checked_same = true;
        let told = squeeze(outcome.told.clone(), MOST_AHEAD);
        let words = format!("(the check fails now:\n{told}\nFix the cause.{})", leave_tests(&turn.counts.asked));
        conversation.remind(&words);
    }
    Next::Ask
}

/// What the check would run is known. Nothing is said where there is none.
pub(crate) fn planned(
    working: &Working,
    result: &Result<Planned, Failure>,
    turn: &mut Turn,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> Option<Next> {
    match result {
        Ok(_) => None,
        Err(failure) if failure.kind == FailureKind::NotReady => {
            Some(unchecked(working, turn, conversation, server, out))
        }
        Err(failure) if failure.kind == FailureKind::CannotRun => {
            out.carry_out(CallEffect::Forget(working.current.id));
            Some(cannot_run(failure.summary(), turn, conversation, server, out))
        }
        Err(_) => {
            out.emit(CallEvent::Proposed { call: working.current.clone() });
            None
        }
    }
}

/// What it would run is judged. Nobody is asked where nobody is there, nor at the end of every turn.
pub(crate) fn judged(
    working: &Working,
    verdict: &Verdict,
    turn: &mut Turn,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> Option<Next> {
    if matches!(verdict, Verdict::Ask(_)) {
        if turn.counts.check.ahead == Ahead::Running {
            return Some(unchecked(working, turn, conversation, server, out));
        }
        let again = turn.checks.asked && !server.works_by_files();
        if again || turn.keep == Keep::Nothing {
            return Some(unchecked(working, turn, conversation, server, out));
        }
        turn.checks.asked = true;
    }
    out.emit(CallEvent::Proposed { call: working.current.clone() });
    None
}

/// Nothing is run, and nothing is said of it.
pub(crate) fn unchecked(
    working: &Working,
    turn: &mut Turn,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> Next {
    out.carry_out(CallEffect::Forget(working.current.id));
    over(Check::None, turn, conversation, server)
}

/// The check has ended; what failed goes back to the model, a few times and as long as it gets less.
pub(crate) fn checked(outcome: &Outcome, parts: &mut Parts) -> Next {
    if parts.turn.counts.check.ahead == Ahead::Running {
        return ran_ahead(outcome, &mut parts.turn, &mut parts.conversation);
    }
    match outcome.status {
        Status::Done | Status::Exited { code: Some(0) } => {
            over(Check::Passed(outcome.summary.clone()), &mut parts.turn, &mut parts.conversation, &parts.server)
        }
        // Its time was up, which says nothing of the change.
        Status::Failed { kind: FailureKind::Timeout } => {
            parts.turn.checks.slow = true;
            over(Check::NotRun(outcome.summary.clone()), &mut parts.turn, &mut parts.conversation, &parts.server)
        }
        // What was to run is not there, or found no test to run.
        Status::Failed { kind: FailureKind::CannotRun | FailureKind::NotInstalled }
        | Status::Exited { code: Some(NOT_FOUND) } => {
            cannot_run(&outcome.summary, &mut parts.turn, &mut parts.conversation, &parts.server, &mut parts.out)
        }
        Status::Exited { .. } if outcome.failing.as_ref().is_some_and(Vec::is_empty) => {
            cannot_run(&outcome.summary, &mut parts.turn, &mut parts.conversation, &parts.server, &mut parts.out)
        }
        Status::Exited { .. } | Status::Failed { kind: FailureKind::Syntax } => failed(outcome, parts),
        // It never ran: that says nothing of the change.
        Status::Failed { .. } | Status::Refused | Status::Stopped | Status::Unknown => {
            over(Check::None, &mut parts.turn, &mut parts.conversation, &parts.server)
        }
    }
}

/// It could not run. A line of the model's own is forgotten, and the next check in the order runs in its place, if there is one.
fn cannot_run(why: &str, turn: &mut Turn, conversation: &mut Conversation, server: &Server, out: &mut Out) -> Next {
    let was_own = server.settings.check.is_none() && turn.checks.own().is_some();
    if !was_own {
        return over(Check::NotRun(why.to_owned()), turn, conversation, server);
    }
    turn.checks.forget_own();
    turn.counts.check.own_not_run = Some(why.to_owned());
    once_more(turn, server, out)
}

/// It failed: that goes back to the model.
pub(crate) fn failed(outcome: &Outcome, parts: &mut Parts) -> Next {
    let named = outcome.failing.as_deref().unwrap_or_default();
    let (new, flaky) = (parts.turn.checks.new_among(named), parts.turn.checks.flaky_among(named));
    if !named.is_empty() && flaky.len() == named.len() {
        return over(
            Check::Passed(format!("{}, flaky: {}", outcome.summary, flaky.join(", "))),
            &mut parts.turn,
            &mut parts.conversation,
            &parts.server,
        );
    }
    if !named.is_empty() && new.is_empty() && !is_about(named, &parts.turn.counts.asked) {
        return over(
            Check::Passed(format!("{}, as before the change", outcome.summary)),
            &mut parts.turn,
            &mut parts.conversation,
            &parts.server,
        );
    }
    let work = &mut parts.turn.counts.check;
    let earlier = std::mem::replace(&mut work.failing, new);
    let is_no_less = work.rounds > 0 && !earlier.is_empty() && work.failing.len() >= earlier.len();
    if work.rounds >= parts.server.levers().check_rounds || is_no_less || work.again {
        work.again = true;
        return over(Check::Failed(outcome.summary.clone()), &mut parts.turn, &mut parts.conversation, &parts.server);
    }
    work.rounds += 1;
    (work.last, work.own_not_run) = (Check::Failed(outcome.summary.clone()), None);
    parts.turn.counts.done.unchecked = false;
    let mut told = squeeze(outcome.told.clone(), MOST_TOLD);
    if let Some(imported) = parts.turn.counts.check.imported.take() {
        told.push_str(&format!("\nbefore this, {imported}"));
        parts.conversation.untold.drop_line(&imported);
    }
    if !flaky.is_empty() {
        told.push_str(&format!("\nflaky, not yours: {}", flaky.join(", ")));
    }
    if parts.server.works_by_files()
        && let Some(next) = ask_for_rest(&told, &parts.turn, &mut parts.conversation, &parts.server, &mut parts.out)
    {
        return next;
    }
    let words = failure_text(&told, &parts.turn, &parts.server);
    parts.conversation.remind(&words);
    steer(parts);
    Next::Ask
}

/// A name that was to be another everywhere still stands in a file: the model that works by files is shown that file alone, as it
/// copies what it sees, and asked for it.
fn ask_for_rest(
    told: &str,
    turn: &Turn,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> Option<Next> {
    let old = renamed(&turn.counts.asked)?;
    let path = place(told)?;
    conversation.remind(&format!(
        "({old} is still used in {path}, which stands above. Answer with {path} alone, whole, with the new name in place of {old}.)"
    ));
    Some(Next::Work(vec![CallOrigin::ContextFiles.call(asked_for(&path, conversation, server), out)]))
}

/// The first file that a check names with a line.
pub(crate) fn place(told: &str) -> Option<String> {
    let is_place = |line: &&str| line.split(':').nth(1).is_some_and(|at| at.starts_with(|c: char| c.is_ascii_digit()));
    Some(told.lines().find(is_place)?.split(':').next()?.to_owned())
}

/// Are these tests what the user spoke of? Then that they failed before is no excuse.
fn is_about(failing: &[String], asked: &str) -> bool {
    let low = asked.to_lowercase();
    let named =
        |name: &String| name.rsplit([':', '.', ' ']).next().is_some_and(|last| low.contains(&last.to_lowercase()));
    FAILURES.iter().any(|word| low.contains(word)) || failing.iter().any(named)
}

/// What a model that works by files is told of the tests.
fn leave_tests(asked: &str) -> &'static str {
    if may_change_tests(asked) { "" } else { " Leave the tests as they are." }
}

fn failure_text(told: &str, turn: &Turn, server: &Server) -> String {
    let leave = leave_tests(&turn.counts.asked);
    if server.works_by_files() && turn.counts.files.written.is_empty() {
        return format!(
            "(the text in your answer is exactly what the file holds, so nothing was changed. The check fails:\n{told}\nFix the \
             cause and answer with the whole changed files.{leave})"
        );
    }
    if server.works_by_files() && turn.counts.files.written.iter().all(|path| is_test(path)) {
        return format!(
            "(the tests that you wrote fail:\n{told}\nThe code that they test stays as it is: mend what they expect, and answer with \
             the whole test file again.)"
        );
    }
    if server.works_by_files() {
        return format!(
            "(the check fails after this change:\n{told}\nFix the cause and answer with the whole changed files again.{leave})"
        );
    }
    let before = match &turn.checks.before {
        Some(before) if before.is_empty() => "",
        Some(before) => {
            return format!(
                "(after your last change the check fails:\n{told}\nBefore it only these failed: \
             {}. Fix the cause of the others.)",
                before.join(", ")
            );
        }
        None => " If it failed before your change, say so.",
    };
    format!("(after your last change the check fails:\n{told}\nFix the cause.{before})")
}

/// Nothing more comes of the check: the turn ends, or begins where it ran ahead.
pub(crate) fn over(check: Check, turn: &mut Turn, conversation: &mut Conversation, server: &Server) -> Next {
    let ahead = &mut turn.counts.check.ahead;
    if *ahead == Ahead::Running {
        *ahead = Ahead::Done;
        return Next::Ask;
    }
    let own_not_run = turn.counts.check.own_not_run.take();
    turn.counts.check.last = match (check, own_not_run) {
        (Check::None, Some(why)) => Check::NotRun(why),
        (check, _) => check,
    };
    turn.counts.done.unchecked = false;
    if server.works_by_files() {
        conversation.now.history.settle();
    }
    Next::End(TurnEndReason::Done)
}

//! The project's own check at the end of a turn, for models that call: when it runs, what goes back, and when it is silent.

use crate::play::*;
use crate::receipts::runs;
use agent_protocol::*;
use agent_turn::{CallInput, Input, Keep, SessionInput, Settings};

fn checking(mode: Mode) -> Play {
    Play::ready_with(Settings { levers: with_checks(), ..settings() }, mode)
}

/// The call of this number changes `a.rs`.
fn changes(play: &mut Play, call: u64) {
    play.calls(&["write_file"]);
    play.reached(call, &format!("{ROOT}/a.rs"));
    play.planned(call, write(&format!("{ROOT}/a.rs")));
    let state = |size| FileState::Unkept { why: Unkept::Special, size };
    let change = FileChange {
        path: format!("{ROOT}/a.rs").into(),
        shown_path: "a.rs".into(),
        before: state(1),
        after: state(2),
        added: 1,
        removed: 0,
    };
    ends(play, call, Outcome { changed: vec![change], ..outcome("wrote it") });
}

fn ends(play: &mut Play, call: u64, outcome: Outcome) {
    play.feed(Input::Call(CallInput::Ran { call: CallId(call), outcome }));
}

/// A run of tests, in which these fail.
fn tests(failing: &[&str]) -> Outcome {
    let code = if failing.is_empty() { Status::Done } else { Status::Exited { code: Some(1) } };
    let failing: Vec<String> = failing.iter().map(|name| (*name).to_owned()).collect();
    let told = format!("{} failed", failing.len());
    Outcome { status: code, failing: Some(failing), ..outcome(&told) }
}

/// The answer is there, and what was changed is looked up.
fn says_done(play: &mut Play) {
    play.writes("It is done.");
    looked_after(play);
}

fn looked_after(play: &mut Play) {
    let file = FileReceipt { shown_path: "a.rs".into(), what: FileFate::Changed, added: 1, removed: 0 };
    play.feed(Input::Session(SessionInput::LookedAfter { files: vec![file] }));
}

/// The check of this number runs and ends so.
fn checks(play: &mut Play, call: u64, outcome: Outcome) {
    play.reached(call, ROOT);
    play.planned(call, run("cargo test"));
    ends(play, call, outcome);
}

fn is_over(play: &Play) -> bool {
    play.ended() == Some(TurnEndReason::Done)
}

fn receipt(play: &Play) -> Receipt {
    let receipts = play.events.iter().rev().filter_map(|event| match event {
        Event::Turn(TurnEvent::Receipt { receipt, .. }) => Some(receipt.clone()),
        _ => None,
    });
    receipts.take(1).next().unwrap_or_default()
}

#[test]
fn what_fails_after_a_change_goes_back_and_what_passes_ends_the_turn() {
    let mut play = checking(Mode::Unsafe);
    play.say("fix it");
    changes(&mut play, 1);
    says_done(&mut play);
    checks(&mut play, 2, tests(&["parses", "prints"]));
    assert!(play.last_said().contains("2 failed") && play.last_said().contains("say so"), "{}", play.last_said());
    changes(&mut play, 3);
    says_done(&mut play);
    checks(&mut play, 4, tests(&[]));
    looked_after(&mut play);
    assert!(is_over(&play));
    assert_eq!((receipt(&play).checked.as_deref(), receipt(&play).failing), (Some("0 failed"), None));
}

#[test]
fn the_person_hears_of_what_fails_in_the_end() {
    let mut play = checking(Mode::Unsafe);
    play.say("fix it");
    for (call, failing) in [(1, vec!["a", "b", "c"]), (3, vec!["a", "b"]), (5, vec!["a"])] {
        changes(&mut play, call);
        says_done(&mut play);
        checks(&mut play, call + 1, tests(&failing));
    }
    looked_after(&mut play);
    assert!(is_over(&play), "twice is enough");
    assert_eq!(receipt(&play).failing.as_deref(), Some("1 failed"));
}

#[test]
fn a_test_that_fails_by_chance_is_marked_and_not_told() {
    let mut play = checking(Mode::Unsafe);
    play.say("make it quicker");
    changes(&mut play, 1);
    says_done(&mut play);
    checks(&mut play, 2, tests(&["waits"]));
    assert!(play.last_said().contains("1 failed"), "nobody can know yet: {}", play.last_said());
    play.writes("That test has nothing to do with it.");
    looked_after(&mut play);
    checks(&mut play, 3, tests(&[]));
    looked_after(&mut play);
    assert!(is_over(&play));
    play.say("and quicker still");
    changes(&mut play, 4);
    says_done(&mut play);
    checks(&mut play, 5, tests(&["waits"]));
    looked_after(&mut play);
    assert_eq!(receipt(&play).checked.as_deref(), Some("1 failed, flaky: waits"));
}

#[test]
fn as_many_failures_as_before_are_not_told_a_second_time() {
    let mut play = checking(Mode::Unsafe);
    play.say("fix it");
    for call in [1, 3] {
        changes(&mut play, call);
        says_done(&mut play);
        checks(&mut play, call + 1, tests(&["a", "b"]));
    }
    looked_after(&mut play);
    assert!(is_over(&play));
    assert_eq!(receipt(&play).failing.as_deref(), Some("2 failed"));
}

#[test]
fn failures_from_before_the_change_are_not_the_models() {
    let mut play = checking(Mode::Unsafe);
    play.say("add a header");
    play.calls(&["read_file"]);
    play.reached(1, &format!("{ROOT}/a.rs"));
    play.planned(1, run("cargo test"));
    ends(&mut play, 1, tests(&["old"]));
    changes(&mut play, 2);
    says_done(&mut play);
    checks(&mut play, 3, tests(&["old"]));
    looked_after(&mut play);
    assert!(is_over(&play));
    assert_eq!(receipt(&play).failing, None);
    play.say("and a footer");
    changes(&mut play, 4);
    says_done(&mut play);
    checks(&mut play, 5, tests(&["new", "old"]));
    assert!(play.last_said().contains("only these failed: old"), "{}", play.last_said());
}

#[test]
fn whoever_tested_the_change_with_success_hears_nothing() {
    let mut play = checking(Mode::Unsafe);
    play.say("fix it");
    changes(&mut play, 1);
    runs(&mut play, 2, "cargo test", Status::Done, SandboxReport::default());
    says_done(&mut play);
    assert!(is_over(&play));
    assert!(!play.has("reach 3"));
}

#[test]
fn a_person_is_asked_about_it_once_in_a_session_and_nobody_else_is() {
    let mut play = checking(Mode::AcceptEdits);
    play.say("fix it");
    changes(&mut play, 1);
    says_done(&mut play);
    play.reached(2, ROOT);
    play.planned(2, run("cargo test"));
    assert!(play.subject().is_some(), "what runs is asked about");
    play.answer(no(""));
    looked_after(&mut play);
    assert!(is_over(&play));
    play.say("more");
    changes(&mut play, 3);
    says_done(&mut play);
    play.reached(4, ROOT);
    play.planned(4, run("cargo test"));
    assert!(play.subject().is_none(), "not at the end of every turn");
    looked_after(&mut play);
    assert!(is_over(&play));

    let alone = Settings { levers: with_checks(), keep: Keep::Nothing, ..settings() };
    let mut play = Play::ready_with(alone, Mode::AcceptEdits);
    play.say("fix it");
    changes(&mut play, 1);
    says_done(&mut play);
    play.reached(2, ROOT);
    play.planned(2, run("cargo test"));
    looked_after(&mut play);
    assert!(is_over(&play));
}

#[test]
fn a_project_without_a_check_and_a_turn_without_a_change_end_as_they_are() {
    let mut play = checking(Mode::Unsafe);
    play.say("fix it");
    changes(&mut play, 1);
    says_done(&mut play);
    play.reached(2, ROOT);
    let result = Err(Failure::new(FailureKind::NotReady, "no check"));
    play.feed(Input::Call(CallInput::Planned { call: CallId(2), result, facts: agent_policy::Facts::default() }));
    looked_after(&mut play);
    assert!(is_over(&play));
    assert_eq!((receipt(&play).checked, receipt(&play).failing), (None, None));
    play.say("what is a.rs?");
    play.writes("A file.");
    assert!(is_over(&play));
}

#[test]
fn one_that_does_not_end_in_its_time_is_not_run_again() {
    let mut play = checking(Mode::Unsafe);
    play.say("fix it");
    changes(&mut play, 1);
    says_done(&mut play);
    let timeout = Status::Failed { kind: FailureKind::Timeout };
    checks(&mut play, 2, Outcome { status: timeout, ..outcome("timed out after 120 s") });
    looked_after(&mut play);
    assert!(is_over(&play));
    play.say("more");
    changes(&mut play, 3);
    says_done(&mut play);
    assert!(is_over(&play));
    assert!(!play.has("reach 4"));
}

#[test]
fn no_rounds_is_no_check() {
    let mut play = Play::ready(Mode::Unsafe);
    play.say("fix it");
    changes(&mut play, 1);
    says_done(&mut play);
    assert!(is_over(&play));
    assert!(!play.has("reach 2"));
}

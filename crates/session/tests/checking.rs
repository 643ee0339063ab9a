//! The project's own check at the end of a turn, for models that call: when it runs, what goes back, and when it is silent.

use crate::play::*;
use crate::receipts::runs;
use agent_protocol::*;
use agent_session::{CallInput, Input, Keep, SessionInput, Settings};

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
    assert_eq!(receipt(&play).not_run.as_deref(), Some("the last check took too long"));
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

/// The model runs this line, which ends so.
fn runs_itself(play: &mut Play, call: u64, line: &str, outcome: Outcome) {
    play.calls(&["read_file"]);
    play.reached(call, &format!("{ROOT}/a.rs"));
    let body = PreviewBody::Command {
        command: line.into(),
        cwd: format!("{ROOT}/sub").into(),
        timeout_secs: 60,
        profile: Profile::Project,
        cover: None,
        files: Vec::new(),
        note: None,
        background: false,
    };
    let (action, preview) = (run(line), Preview { title: "Run".into(), body });
    let facts = facts(&action);
    let planned = agent_session::Planned { action, preview };
    play.feed(Input::Call(CallInput::Planned { call: CallId(call), result: Ok(planned), facts }));
    ends(play, call, outcome);
}

#[test]
fn what_cannot_run_is_neither_a_failure_nor_passed() {
    let cannot = Status::Failed { kind: FailureKind::CannotRun };
    let found_at_plan = |play: &mut Play| {
        let result = Err(Failure::new(FailureKind::CannotRun, "make is not installed; install it with: apt"));
        play.feed(Input::Call(CallInput::Planned { call: CallId(2), result, facts: agent_policy::Facts::default() }));
    };
    let found_when_run = |play: &mut Play| {
        play.planned(2, run("make test"));
        ends(play, 2, Outcome { status: cannot, summary: "make has no target test".into(), ..outcome("…") });
    };
    let ways =
        [(&found_at_plan as &dyn Fn(&mut Play), "make is not installed"), (&found_when_run, "make has no target test")];
    for (way, why) in ways {
        let mut play = checking(Mode::Unsafe);
        play.say("fix it");
        changes(&mut play, 1);
        says_done(&mut play);
        play.reached(2, ROOT);
        way(&mut play);
        looked_after(&mut play);
        assert!(is_over(&play), "nothing goes back to the model");
        let receipt = receipt(&play);
        assert_eq!((receipt.not_run.as_deref(), receipt.checked, receipt.failing), (Some(why), None, None));
    }
}

#[test]
fn the_tests_that_the_model_ran_itself_are_the_check_as_long_as_they_run() {
    let mut play = checking(Mode::Unsafe);
    play.say("fix it");
    runs_itself(&mut play, 1, "pytest -q 2>&1 | tail -5", tests(&["a"]));
    changes(&mut play, 2);
    says_done(&mut play);
    assert_eq!(play.begun[&CallId(3)].arguments["own_command"], "pytest -q 2>&1 | tail -5");
    assert_eq!(play.begun[&CallId(3)].arguments["own_folder"], format!("{ROOT}/sub"));
    let cannot = Status::Failed { kind: FailureKind::CannotRun };
    checks(&mut play, 3, Outcome { status: cannot, ..outcome("pytest is not installed") });
    assert!(play.begun[&CallId(4)].arguments.get("own_command").is_none(), "the next check runs in its place");
    checks(&mut play, 4, tests(&[]));
    looked_after(&mut play);
    assert_eq!(receipt(&play).checked.as_deref(), Some("0 failed"));
    play.say("and this");
    for (call, line) in [(5, "rm -r out && pytest"), (6, "pytest > log"), (7, "cat test.py")] {
        runs_itself(&mut play, call, line, tests(&["a"]));
    }
    let no_target = Outcome { status: Status::Exited { code: Some(2) }, ..outcome("No rule to make target") };
    runs_itself(&mut play, 8, "make test", no_target);
    changes(&mut play, 9);
    says_done(&mut play);
    assert!(play.begun[&CallId(10)].arguments.get("own_command").is_none(), "none of these can be repeated");
}

#[test]
fn where_no_other_check_is_known_why_the_model_s_own_could_not_run_is_told() {
    let mut play = checking(Mode::Unsafe);
    play.say("fix it");
    runs_itself(&mut play, 1, "pytest -q", tests(&["a"]));
    changes(&mut play, 2);
    says_done(&mut play);
    let cannot = Status::Failed { kind: FailureKind::CannotRun };
    checks(&mut play, 3, Outcome { status: cannot, ..outcome("pytest is not installed") });
    fails_at_plan(&mut play, 4, Failure::new(FailureKind::NotReady, "no check"));
    looked_after(&mut play);
    assert!(is_over(&play));
    assert_eq!(receipt(&play).not_run.as_deref(), Some("pytest is not installed"));
}

#[test]
fn a_check_that_could_not_run_is_forgotten_once_the_model_runs_the_tests_with_success() {
    let mut play = checking(Mode::Unsafe);
    play.say("fix it");
    changes(&mut play, 1);
    play.writes("It is done, and all tests pass.");
    looked_after(&mut play);
    fails_at_plan(&mut play, 2, Failure::new(FailureKind::CannotRun, "make is not installed"));
    looked_after(&mut play);
    assert!(play.last_said().contains("your answer is not so"), "{}", play.last_said());
    runs_itself(&mut play, 3, "cargo test", tests(&[]));
    says_done(&mut play);
    assert!(is_over(&play));
    assert_eq!(receipt(&play).not_run, None);
}

#[test]
fn the_check_knows_what_the_files_were_before_the_turn() {
    let mut play = checking(Mode::Unsafe);
    play.say("add a thing");
    changes(&mut play, 1);
    play.calls(&["write_file"]);
    play.reached(2, &format!("{ROOT}/b.rs"));
    play.planned(2, write(&format!("{ROOT}/b.rs")));
    let file = |content: &str| FileState::File { content: Digest(content.into()), mode: 0o644, size: 1 };
    let change = |name: &str, before: FileState| FileChange {
        path: format!("{ROOT}/{name}").into(),
        shown_path: name.into(),
        before,
        after: file("ff"),
        added: 1,
        removed: 0,
    };
    let changed = vec![change("b.rs", FileState::Missing), change("c.rs", file("cc"))];
    ends(&mut play, 2, Outcome { changed, ..outcome("wrote them") });
    says_done(&mut play);
    let arguments = &play.begun[&CallId(3)].arguments;
    assert_eq!(arguments["files"], serde_json::json!(["a.rs", "b.rs", "c.rs"]));
    assert_eq!(arguments["before"], serde_json::json!(["", "new", "cc"]));
    assert_eq!(arguments["asked"], "add a thing");
}

fn fails_at_plan(play: &mut Play, call: u64, failure: Failure) {
    play.reached(call, ROOT);
    let (result, facts) = (Err(failure), agent_policy::Facts::default());
    play.feed(Input::Call(CallInput::Planned { call: CallId(call), result, facts }));
}

/// The check of this number finds a body that is still to be written.
fn is_unfinished(play: &mut Play, call: u64) {
    let failure = Failure::new(FailureKind::Unfinished, "a.rs:2 the body of f is still `todo!()`");
    fails_at_plan(play, call, failure);
}

/// The change of call 1 lacks an import, which call 3 is about to add.
fn lacks_an_import(keep: Keep) -> Play {
    let mut play = Play::ready_with(Settings { keep, levers: with_checks(), ..settings() }, Mode::Unsafe);
    play.say("write f");
    changes(&mut play, 1);
    says_done(&mut play);
    is_unfinished(&mut play, 2);
    play.reached(3, ROOT);
    play.planned(3, write(&format!("{ROOT}/a.rs")));
    play
}

#[test]
fn after_an_import_that_the_user_rejected_the_rest_is_looked_for_without_it() {
    let mut play = lacks_an_import(Keep::Everything);
    ends(&mut play, 3, Outcome { status: Status::Refused, ..outcome("refused") });
    let arguments = &play.begun[&CallId(4)].arguments;
    assert_eq!((&arguments["asked"], &arguments["without_imports"]), (&"write f".into(), &true.into()));
    is_unfinished(&mut play, 4);
    assert!(play.last_said().contains("the body of f is still"), "{}", play.last_said());
    let mut play = lacks_an_import(Keep::Nothing);
    ends(&mut play, 3, Outcome { status: Status::Refused, ..outcome("refused") });
    assert!(play.last_said().contains("the body of f is still"), "nobody said no: {}", play.last_said());
}

#[test]
fn an_import_that_was_added_is_told_once() {
    let mut play = lacks_an_import(Keep::Everything);
    ends(&mut play, 3, outcome("imported"));
    checks(&mut play, 4, tests(&["a"]));
    play.writes("That test has nothing to do with it.");
    looked_after(&mut play);
    checks(&mut play, 5, tests(&["a"]));
    looked_after(&mut play);
    play.say("go on");
    let told = play.requests.last().unwrap().messages.iter();
    let told: usize = told.map(|message| message.content.matches("an import that was missing").count()).sum();
    assert_eq!(told, 1, "{:?}", play.conversation());
}

#[test]
fn an_import_that_is_clear_is_added_and_of_the_rest_the_model_is_told_once() {
    let mut play = checking(Mode::Unsafe);
    play.say("write f");
    changes(&mut play, 1);
    says_done(&mut play);
    is_unfinished(&mut play, 2);
    assert_eq!(play.begun[&CallId(3)].arguments, serde_json::json!({ "files": ["a.rs"], "before": [""] }));
    play.reached(3, ROOT);
    play.planned(3, write(&format!("{ROOT}/a.rs")));
    ends(&mut play, 3, outcome("imported"));
    is_unfinished(&mut play, 4);
    assert!(play.last_said().contains("the body of f is still"), "{}", play.last_said());
    changes(&mut play, 5);
    says_done(&mut play);
    assert!(play.begun[&CallId(6)].arguments.get("asked").is_none(), "it is not looked for again");
    checks(&mut play, 6, tests(&[]));
    looked_after(&mut play);
    assert!(is_over(&play));
}

#[test]
fn no_model_is_told_that_the_tests_are_right() {
    let mut play = checking(Mode::Unsafe);
    play.say("return a list instead of a string");
    changes(&mut play, 1);
    says_done(&mut play);
    checks(&mut play, 2, tests(&["returns_a_string"]));
    let said = play.last_said();
    assert!(said.contains("1 failed") && !said.contains("not the tests"), "{said}");
}

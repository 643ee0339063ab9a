//! Trust in a folder, a fence that was in the way, and rules that are taken back.

use agent_protocol::{CallEvent, CallOp, ListEvent, SessionEvent, TurnEvent, TurnOp};

use crate::play::*;
use agent_policy::Kept;
use agent_protocol::*;
use agent_session::{CallInput, Effect, Input, Memory, Settings, Trust};

fn unknown_folder() -> Settings {
    let found = vec![Finding { name: "AGENTS.md".into(), what: "is told to the model".into() }];
    Settings { trust: Trust::Ask { found, system: "system with words".into() }, ..settings() }
}

fn running_command(mode: Mode) -> Play {
    let mut play = Play::ready(mode);
    play.say("build it");
    play.calls(&["run_command"]);
    play.reached(1, "/p");
    play.planned(1, run("make"));
    if mode == Mode::Safe {
        play.answer(yes());
    }
    play
}

fn report(blocked: Option<Blocked>, tampered: &[&str]) -> SandboxReport {
    SandboxReport {
        blocked,
        tampered: tampered.iter().map(|name| (*name).to_owned()).collect(),
        made: Vec::new(),
        ..SandboxReport::default()
    }
}

fn ran(play: &mut Play, told: &str, report: SandboxReport) {
    let outcome = Outcome { fence: Some(report), status: Status::Exited { code: Some(1) }, ..outcome(told) };
    play.feed(Input::Call(CallInput::Ran { call: CallId(1), outcome }));
}

fn widened(profile: Profile) -> Action {
    match run("make") {
        Action::Run { command, argv, cwd, timeout_secs, .. } => {
            Action::Run { command, argv, cwd, timeout_secs, profile, background: false, input: None }
        }
        other => other,
    }
}

#[test]
fn nothing_of_an_unknown_folder_is_told_to_the_model_before_the_person_trusts_it() {
    let mut play = Play::ready_with(unknown_folder(), Mode::Safe);
    play.say("hello");
    assert!(play.requests.is_empty(), "the question comes first");
    play.op(Op::Call(CallOp::Reply { ask: AskId(1), answer: yes() }));
    assert_eq!(play.conversation(), ["system: system with words", "user: hello"]);
    assert!(play.has("remember(trusted)"));
}

#[test]
fn where_the_session_is_held_back_unsafe_mode_is_safe_mode_and_why_is_said() {
    let mut play = Play::held_back("config.toml:1:1: what");
    for mode in [Mode::Plan, Mode::Unsafe, Mode::AcceptEdits] {
        play.op(Op::Call(CallOp::SetMode { mode }));
    }
    let modes = play.events.iter().filter_map(|event| match event {
        Event::Call(CallEvent::ModeChanged { mode }) => Some(*mode),
        _ => None,
    });
    assert_eq!(modes.collect::<Vec<_>>(), [Mode::Plan, Mode::Safe, Mode::Safe]);
    let off = ["unsafe mode", "accept-edits mode"]
        .map(|mode| format!("{mode} is off in this session: config.toml:1:1: what"));
    assert_eq!(play.notices(), off);
}

#[test]
fn without_trust_the_work_goes_on_and_nothing_is_read() {
    let mut play = Play::ready_with(unknown_folder(), Mode::Safe);
    play.say("hello");
    play.op(Op::Call(CallOp::Reply { ask: AskId(1), answer: no("") }));
    assert_eq!(play.conversation(), ["system: system", "user: hello"]);
    assert!(!play.has("remember(trusted)") && !play.has("emit closed"));
}

#[test]
fn a_doubtful_folder_is_asked_about_before_it_is_trusted() {
    let mut play = Play::ready_with(Settings { doubtful_folder: true, ..unknown_folder() }, Mode::Safe);
    play.say("hello");
    play.op(Op::Call(CallOp::Reply { ask: AskId(1), answer: yes() }));
    assert!(play.requests.is_empty());
    play.op(Op::Call(CallOp::Reply { ask: AskId(2), answer: yes() }));
    assert_eq!(play.conversation()[0], "system: system with words");
}

#[test]
fn a_command_that_the_fence_stopped_is_asked_about_with_the_next_wider_profile() {
    let mut play = running_command(Mode::Unsafe);
    ran(&mut play, "no route", report(Some(Blocked::Network), &[]));
    assert!(play.has("again 1 network"), "{:?}", play.lines);
    play.planned(1, widened(Profile::Network));
    let question = play.question();
    assert!(question.why.starts_with("it failed, and the sandbox is the likely reason: it was kept from the network"));
    play.answer(yes());
    ran(&mut play, "built", report(None, &[]));
    let told = "tool for call_run_command: (run again with more reach, which the user allowed)\nbuilt";
    assert_eq!(play.conversation().last().map(String::as_str), Some(told));
}

#[test]
fn a_no_to_more_reach_leaves_the_result_as_it_was() {
    let mut play = running_command(Mode::Unsafe);
    ran(&mut play, "no route", report(Some(Blocked::Network), &[]));
    play.planned(1, widened(Profile::Network));
    play.answer(no("use the cache"));
    let last = play.conversation().pop().unwrap();
    assert!(last.contains("no route") && last.ends_with("it may not. they say: use the cache"), "{last}");
}

#[test]
fn an_interrupt_at_the_question_for_more_reach_keeps_the_result_too() {
    let mut play = running_command(Mode::Unsafe);
    ran(&mut play, "no route", report(Some(Blocked::Network), &[]));
    play.planned(1, widened(Profile::Network));
    play.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!(play.ended(), Some(TurnEndReason::Interrupted));
    let finished = play.events.iter().find_map(|event| match event {
        Event::Call(CallEvent::Finished { outcome, .. }) => Some(outcome.told.clone()),
        _ => None,
    });
    assert_eq!(finished.as_deref(), Some("no route"));
}

#[test]
fn reach_is_never_widened_past_the_last_profile() {
    let mut play = running_command(Mode::Safe);
    ran(&mut play, "one", report(Some(Blocked::Writing), &[]));
    play.planned(1, widened(Profile::Unfenced));
    play.answer(yes());
    ran(&mut play, "two", report(Some(Blocked::Writing), &[]));
    assert_eq!(play.requests.len(), 2, "the call has its result");
}

#[test]
fn what_changes_protected_files_beside_the_calls_suspends_what_was_allowed_and_is_told_to_both() {
    let mut play = Play::ready(Mode::Unsafe);
    play.say("build it");
    play.calls(&["run_command"]);
    play.reached(1, "/p");
    play.feed(Input::Call(CallInput::Tampered { names: vec![".git/hooks/pre-commit (new)".into()] }));
    assert!(play.notices().iter().any(|text| text.contains(".git/hooks/pre-commit (new)")), "{:?}", play.notices());
    play.planned(1, run("make"));
    play.answer(yes());
    play.ran(1, "built");
    assert!(play.last_said().contains("in the background, and the user has been told: .git/hooks"));
}

fn replaced(play: &mut Play) {
    let message = "build.sh changed since the question; it was not run";
    let outcome = Failure::new(FailureKind::Replaced, message).into();
    play.feed(Input::Call(CallInput::Ran { call: CallId(1), outcome }));
}

#[test]
fn what_changed_since_the_question_is_planned_and_asked_about_anew() {
    let mut play = running_command(Mode::Safe);
    replaced(&mut play);
    assert!(play.has("again 1 project"), "{:?}", play.lines);
    assert_eq!(play.requests.len(), 1, "the model hears nothing of it");
    play.planned(1, run("make"));
    assert_eq!(play.question().warnings, ["build.sh changed since the question"]);
    play.answer(yes());
    play.ran(1, "built");
    assert_eq!(play.conversation().last().map(String::as_str), Some("tool for call_run_command: built"));
}

#[test]
fn the_question_that_is_asked_anew_can_be_answered_with_no() {
    let mut play = running_command(Mode::Safe);
    replaced(&mut play);
    play.planned(1, run("make"));
    play.answer(no("look at it first"));
    assert!(play.last_said().contains("refused by the user, who says: look at it first"), "{}", play.last_said());
}

#[test]
fn a_rule_made_with_a_yes_to_what_changed_since_is_taken_back() {
    let mut play = Play::ready(Mode::Safe);
    play.say("build it");
    play.calls(&["run_command"]);
    play.reached(1, "/p");
    play.planned(1, run("make"));
    let rule = play.question().offers[0].rule.clone();
    play.answer(Answer::Yes { remember: Some(rule), word: None });
    replaced(&mut play);
    play.planned(1, run("make"));
    assert_eq!(play.question().warnings, ["build.sh changed since the question"]);
    play.answer(yes());
    play.ran(1, "built");
    play.calls(&["run_command"]);
    play.reached(2, "/p");
    play.planned(2, run("make"));
    assert!(play.question().warnings.is_empty(), "the yes was for this once");
}

#[test]
fn what_the_mode_lets_happen_is_asked_about_once_its_folder_was_swapped() {
    let mut play = running_command(Mode::Unsafe);
    replaced(&mut play);
    play.planned(1, run("make"));
    assert_eq!(play.question().why, "it would run unasked, but what it starts just changed");
    play.answer(yes());
    play.ran(1, "built");
    assert_eq!(play.conversation().last().map(String::as_str), Some("tool for call_run_command: built"));
}

#[test]
fn what_was_to_run_again_with_more_reach_keeps_its_result_where_it_changed_since() {
    let mut play = running_command(Mode::Unsafe);
    ran(&mut play, "no route", report(Some(Blocked::Network), &[]));
    play.planned(1, widened(Profile::Network));
    play.answer(yes());
    replaced(&mut play);
    assert!(play.has("again 1 network"), "{:?}", play.lines);
    play.planned(1, widened(Profile::Network));
    let question = play.question();
    assert_eq!(question.warnings, ["build.sh changed since the question"]);
    assert!(question.why.starts_with("it failed, and the sandbox is the likely reason"), "{}", question.why);
    play.answer(no(""));
    let last = play.conversation().pop().unwrap();
    assert!(last.contains("no route") && last.ends_with("it may not."), "{last}");
}

#[test]
fn an_interrupt_after_the_yes_ends_the_turn_though_something_changed() {
    let mut play = running_command(Mode::Safe);
    play.op(Op::Turn(TurnOp::Interrupt));
    replaced(&mut play);
    assert_eq!(play.ended(), Some(TurnEndReason::Interrupted));
}

#[test]
fn a_command_that_changes_protected_files_suspends_what_was_allowed() {
    let mut play = running_command(Mode::Unsafe);
    ran(&mut play, "done", report(None, &[".git/hooks/pre-commit (new)"]));
    assert!(play.has("emit notice"));
    let warned = play.events.iter().any(|event| {
        matches!(event, Event::Session(SessionEvent::Notice { level: NoticeLevel::Warning, text }) if text.contains(".git/hooks/pre-commit"))
    });
    assert!(warned);
    play.calls(&["run_command"]);
    play.reached(2, "/p");
    play.planned(2, run("make"));
    assert!(play.question().why.contains("suspended"), "what ran unasked before asks now: {}", play.question().why);
}

#[test]
fn a_repository_that_a_command_made_stands_in_the_receipt_and_suspends_nothing() {
    let mut play = running_command(Mode::Unsafe);
    let made = vec!["sub/".to_owned(), "other/ with AGENTS.md".to_owned()];
    ran(&mut play, "done", SandboxReport { made, ..SandboxReport::default() });
    play.calls(&["run_command"]);
    play.reached(2, "/p");
    play.planned(2, run("make"));
    play.feed(Input::Call(CallInput::Ran { call: CallId(2), outcome: outcome("built") }));
    play.text("it is built");
    play.done();
    assert!(!play.notices().iter().any(|text| text.contains("suspended")), "{:?}", play.notices());
    let files = play.events.iter().find_map(|event| match event {
        Event::Turn(TurnEvent::Receipt { receipt, .. }) => Some(receipt.files.clone()),
        _ => None,
    });
    let repository = |place: &str| FileReceipt {
        shown_path: format!("repository {place}"),
        what: FileFate::Created,
        added: 0,
        removed: 0,
    };
    assert_eq!(files, Some(vec![repository("sub/"), repository("other/ with AGENTS.md")]));
}

#[test]
fn what_could_reach_no_further_is_not_run_again_and_again() {
    let mut play = running_command(Mode::Unsafe);
    ran(&mut play, "no route", report(Some(Blocked::Network), &[]));
    play.planned(1, run("make"));
    let finished = play.events.iter().filter(|event| matches!(event, Event::Call(CallEvent::Finished { .. }))).count();
    assert_eq!((finished, play.requests.len()), (1, 2), "its first result stands");
}

#[test]
fn a_rule_for_good_is_written_down_and_can_be_taken_back() {
    let mut play = Play::ready(Mode::Safe);
    play.op(Op::Call(CallOp::Revoke { rule: Rule::ReadOnly { lasts: Lasts::Always } }));
    let kept = Effect::Remember(Memory::Permissions(Kept::default()));
    assert!(play.has(&line(&kept)), "{:?}", play.lines);
    assert!(matches!(play.events.last(), Some(Event::List(ListEvent::Permissions { grants })) if grants.is_empty()));
}

#[test]
fn a_command_can_be_tried_without_running_it() {
    let mut play = Play::ready(Mode::Safe);
    play.op(Op::Call(CallOp::Try { command: "make".into() }));
    let action = run("make");
    let facts = facts(&action);
    play.feed(Input::Call(CallInput::Tried { action, facts }));
    assert!(matches!(play.events.last(), Some(Event::Call(CallEvent::Tried { verdict: TriedVerdict::Asks, .. }))));
    assert!(play.permits.is_empty());
}

//! A fresh start: when the task is begun again from the files as they were, what of it the model hears, and which try stays.

use crate::play::*;
use agent_protocol::*;
use agent_session::{CallInput, Input, Keep, SessionInput, Settings};

/// The check goes back once, and there may be so many tries.
fn trying(attempts: u32, keep: Keep) -> Play {
    let levers = LeverChanges { check_rounds: Some(1), attempts: Some(attempts), ..LeverChanges::off() };
    Play::ready_with(Settings { levers, keep, record: true, ..settings() }, Mode::Unsafe)
}

fn state(text: &str) -> FileState {
    FileState::File { content: Digest(text.into()), mode: 0o644, size: text.len() as u64 }
}

/// The next call writes `b`.
fn writes_b(play: &mut Play, call: u64, (before, after): (&str, &str)) {
    play.calls(&["write_file"]);
    play.reached(call, "/p/b");
    play.planned(call, write("/p/b"));
    let (path, shown_path) = ("/p/b".into(), "b".into());
    let change = FileChange { path, shown_path, before: state(before), after: state(after), added: 1, removed: 1 };
    ran(play, call, Outcome { changed: vec![change], ..outcome("wrote it") });
}

fn ran(play: &mut Play, call: u64, outcome: Outcome) {
    play.feed(Input::Call(CallInput::Ran { call: CallId(call), outcome }));
}

fn says_done(play: &mut Play) {
    play.writes("It is done.");
    looked_after(play, 2);
}

fn looked_after(play: &mut Play, lines: u64) {
    let file = FileReceipt { shown_path: "b".into(), what: FileFate::Changed, added: lines, removed: 0 };
    play.feed(Input::Session(SessionInput::LookedAfter { files: vec![file] }));
}

/// The check of this number runs, and these tests fail.
fn checks(play: &mut Play, call: u64, failing: &[&str]) {
    play.reached(call, ROOT);
    play.planned(call, run("cargo test"));
    let status = if failing.is_empty() { Status::Done } else { Status::Exited { code: Some(1) } };
    let names: Vec<String> = failing.iter().map(|name| (*name).to_owned()).collect();
    let told = format!("{} failed", names.len());
    ran(play, call, Outcome { status, failing: Some(names), ..outcome(&told) });
}

/// A try of two writes, each checked; then it is over but for a look.
fn one_try(play: &mut Play, call: u64, (states, failing): (&[&str; 3], [&[&str]; 2])) {
    for at in 0..2 {
        writes_b(play, call + 2 * at as u64, (states[at], states[at + 1]));
        says_done(play);
        checks(play, call + 2 * at as u64 + 1, failing[at]);
    }
    looked_after(play, 2);
}

/// The disk is as it was left, and what was changed can be taken back or not.
fn looked_back(play: &mut Play, possible: bool) {
    let diff = |path: &str| FileDiff {
        path: path.into(),
        shown_path: "b".into(),
        before: None,
        after: None,
        note: None,
        skipped: 0,
        marks: Vec::new(),
    };
    let files = play.wanted.iter().map(|file| UndoFile {
        path: file.path.clone(),
        now: file.from.clone(),
        target: file.to.clone(),
        diff: diff("/p/b"),
        possible,
        conflict: None,
    });
    let plan = UndoPlan { direction: UndoDirection::Undo, said: SaidId(1), files: files.collect(), part: None };
    play.feed(Input::Session(SessionInput::UndoPlanned { plan }));
}

/// What was permitted last is brought back, from one state to the other.
fn brought_back(play: &mut Play) -> (FileState, FileState) {
    let Action::Restore { files } = play.permits.last().unwrap().action().clone() else { panic!("nothing to restore") };
    let [file] = files.as_slice() else { panic!("{files:?}") };
    let undone = UndoneFile {
        shown_path: "b".into(),
        path: file.path.clone(),
        before: file.from.clone(),
        after: file.to.clone(),
        left: None,
    };
    play.feed(Input::Session(SessionInput::Undone { files: vec![undone] }));
    (file.from.clone(), file.to.clone())
}

/// What an undo of what was said last would bring back.
fn undo_of_last(play: &mut Play) -> Vec<Restoring> {
    play.op(Op::Session(SessionOp::PlanUndo { direction: UndoDirection::Undo, said: SaidId(2) }));
    play.wanted.clone()
}

fn notices(play: &Play) -> String {
    let words = play.events.iter().filter_map(|event| match event {
        Event::Session(SessionEvent::Notice { text, .. }) => Some(text.as_str()),
        _ => None,
    });
    words.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_fails_in_the_end_is_begun_again_when_the_person_says_so() {
    let mut play = trying(1, Keep::Everything);
    play.say("fix b");
    one_try(&mut play, 1, (&["b0", "b1", "b2"], [&["x", "y"], &["x"]]));
    looked_back(&mut play, true);
    assert!(matches!(play.subject(), Some(Subject::Again { failing, .. }) if failing == "1 failed"));
    assert_eq!(play.ended(), None);
    play.answer(yes());
    assert_eq!(brought_back(&mut play), (state("b2"), state("b0")));
    let request = play.requests.last().unwrap().clone();
    assert_eq!(request.messages.len(), 2, "the first try stands nowhere: {:?}", request.messages);
    let said = play.last_said();
    assert!(said.starts_with("fix b"), "{said}");
    assert!(said.contains("(an earlier try changed b and left x failing; it is undone. Try another way.)"), "{said}");
    assert!(request.options["temperature"].as_f64().unwrap() > 0.8, "{:?}", request.options);
    writes_b(&mut play, 6, ("b0", "b3"));
    says_done(&mut play);
    checks(&mut play, 7, &[]);
    looked_after(&mut play, 2);
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    let undone = undo_of_last(&mut play);
    assert_eq!(
        undone,
        [Restoring { path: "/p/b".into(), from: state("b3"), to: state("b2") }],
        "the first try is one away"
    );
}

#[test]
fn after_a_no_the_try_stays_and_the_turn_is_over() {
    let mut play = trying(1, Keep::Everything);
    play.say("fix b");
    one_try(&mut play, 1, (&["b0", "b1", "b2"], [&["x", "y"], &["x"]]));
    looked_back(&mut play, true);
    play.answer(no(""));
    looked_after(&mut play, 2);
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    assert_eq!(play.requests.len(), 4, "the model hears nothing more");
}

#[test]
fn the_first_try_is_brought_back_where_it_was_better() {
    let mut play = trying(2, Keep::Nothing);
    play.say("fix b");
    one_try(&mut play, 1, (&["b0", "b1", "b2"], [&["x", "y"], &["x"]]));
    looked_back(&mut play, true);
    assert_eq!(brought_back(&mut play), (state("b2"), state("b0")), "nobody is asked who wanted it before");
    one_try(&mut play, 6, (&["b0", "b3", "b4"], [&["x", "y", "z"], &["x", "y"]]));
    assert_eq!(brought_back(&mut play), (state("b4"), state("b2")));
    looked_after(&mut play, 2);
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    assert!(notices(&play).contains("try 1 was better and is brought back"), "{}", notices(&play));
}

#[test]
fn there_is_one_try_where_nobody_is_there_and_none_was_wanted() {
    for attempts in [0, 1] {
        let mut play = trying(attempts, Keep::Nothing);
        play.say("fix b");
        one_try(&mut play, 1, (&["b0", "b1", "b2"], [&["x", "y"], &["x"]]));
        assert_eq!(play.ended(), Some(TurnEndReason::Done));
    }
}

#[test]
fn a_try_that_passes_is_the_last() {
    let mut play = trying(3, Keep::Nothing);
    play.say("fix b");
    one_try(&mut play, 1, (&["b0", "b1", "b2"], [&["x", "y"], &[]]));
    assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 4));
}

#[test]
fn what_cannot_all_be_taken_back_stays_and_it_is_said_why() {
    let mut play = trying(2, Keep::Nothing);
    play.say("fix b");
    one_try(&mut play, 1, (&["b0", "b1", "b2"], [&["x", "y"], &["x"]]));
    looked_back(&mut play, false);
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    assert!(notices(&play).contains("not all of it can be taken back"), "{}", notices(&play));
}

#[test]
fn after_a_word_in_between_nothing_is_begun_again() {
    let mut play = trying(2, Keep::Nothing);
    play.say("fix b");
    writes_b(&mut play, 1, ("b0", "b1"));
    says_done(&mut play);
    play.say_only("and keep the name");
    checks(&mut play, 2, &["x"]);
    writes_b(&mut play, 3, ("b1", "b2"));
    says_done(&mut play);
    checks(&mut play, 4, &["x"]);
    looked_after(&mut play, 2);
    assert!(notices(&play).contains("something else was said meanwhile"), "{}", notices(&play));
}

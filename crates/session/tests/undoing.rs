//! Going back: what is taken back, what the model hears of it, and that the prompt before it stays.

use agent_protocol::{ContextEvent, ContextOp, ListEvent, ListOp, SessionEvent, SessionOp, TurnEvent};

use crate::play::*;
use agent_protocol::UndoDirection::{Redo, Undo};
use agent_protocol::*;
use agent_session::{Begin, CallInput, Effect, Input, OpenedSession, SessionEffect, SessionInput, Settings};

mod parts;

fn recording() -> Settings {
    Settings { record: true, ..settings() }
}

fn state(text: &str) -> FileState {
    FileState::File { content: Digest(text.into()), mode: 0o644, size: text.len() as u64 }
}

/// One turn in which a file was written: from `before` to `after`.
fn writes_file(play: &mut Play, call: u64, said: &str, (before, after): (&str, &str)) {
    play.say(said);
    play.calls(&["write_file"]);
    play.reached(call, "/p/b");
    play.planned(call, write("/p/b"));
    play.answer(yes());
    let change = FileChange {
        path: "/p/b".into(),
        shown_path: "b".into(),
        before: state(before),
        after: state(after),
        added: 1,
        removed: 1,
    };
    let outcome = Outcome { changed: vec![change], ..outcome("wrote it") };
    play.feed(Input::Call(CallInput::Ran { call: CallId(call), outcome }));
    play.writes("I wrote it.");
    let receipt = FileReceipt { shown_path: "b".into(), what: FileFate::Changed, added: 1, removed: 1 };
    play.feed(Input::Session(SessionInput::LookedAfter { files: vec![receipt] }));
}

fn two_writes() -> Play {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    writes_file(&mut play, 1, "one", ("b0", "b1"));
    writes_file(&mut play, 2, "two", ("b1", "b2"));
    play
}

fn diff() -> FileDiff {
    FileDiff {
        path: "/p/b".into(),
        shown_path: "b".into(),
        before: Some("now".into()),
        after: Some("then".into()),
        note: None,
        skipped: 0,
        marks: Vec::new(),
    }
}

/// The disk is as we left it.
fn plan(play: &mut Play, direction: UndoDirection, said: u64, conflict: Option<UndoConflict>) {
    play.op(Op::Session(SessionOp::PlanUndo { direction, said: SaidId(said) }));
    let files = play.wanted.iter().map(|file| UndoFile {
        path: file.path.clone(),
        now: file.from.clone(),
        target: file.to.clone(),
        diff: diff(),
        possible: true,
        conflict: conflict.clone(),
    });
    let plan = UndoPlan { direction, said: SaidId(said), files: files.collect(), part: None };
    play.feed(Input::Session(SessionInput::UndoPlanned { plan }));
}

fn undo(direction: UndoDirection, said: u64) -> Op {
    Op::Session(SessionOp::Undo { direction, said: SaidId(said), choices: Vec::new() })
}

/// Everything permitted last is done.
fn carried_out(play: &mut Play) {
    let Action::Restore { files } = play.permits.last().unwrap().action().clone() else { panic!("nothing to restore") };
    let files = files.into_iter().map(|file| UndoneFile {
        shown_path: "b".into(),
        path: file.path,
        before: file.from,
        after: file.to,
        left: None,
    });
    play.feed(Input::Session(SessionInput::Undone { files: files.collect() }));
}

fn undone(play: &Play) -> Vec<String> {
    let line = |event: &Event| match event {
        Event::Session(SessionEvent::Undone { direction, said, files, .. }) => {
            let files: Vec<String> = files
                .iter()
                .map(|file| format!("{}{}", file.shown_path, file.left.as_ref().map_or("", |_| " left")))
                .collect();
            Some(format!("{direction:?} {said} {}", files.join(",")).to_lowercase())
        }
        _ => None,
    };
    play.events.iter().filter_map(line).collect()
}

#[test]
fn undo_does_what_the_person_saw_and_the_model_hears_of_it_once() {
    let mut play = two_writes();
    plan(&mut play, Undo, 1, None);
    play.op(undo(Undo, 1));
    let restore =
        Action::Restore { files: vec![Restoring { path: "/p/b".into(), from: state("b2"), to: state("b0") }] };
    assert_eq!(*play.permits.last().unwrap().action(), restore);
    play.say("queued while files are brought back");
    assert_eq!(play.requests.len(), 4, "nothing begins before that is over");
    carried_out(&mut play);
    assert_eq!(undone(&play), ["undo 1 b"]);
    let said = play.last_said();
    assert!(said.starts_with("(the user took changes back or brought them back: b; look at them"), "{said}");
    assert!(said.ends_with(")\n\nqueued while files are brought back"), "{said}");
    play.writes("I see.");
    play.say("next");
    assert_eq!(play.last_said(), "next");
    play.assert_prompt_only_grows();
}

#[test]
fn redo_brings_it_back_and_says_so() {
    let mut play = two_writes();
    plan(&mut play, Undo, 2, None);
    play.op(undo(Undo, 2));
    carried_out(&mut play);
    plan(&mut play, Redo, 2, None);
    play.op(undo(Redo, 2));
    let restore =
        Action::Restore { files: vec![Restoring { path: "/p/b".into(), from: state("b1"), to: state("b2") }] };
    assert_eq!(*play.permits.last().unwrap().action(), restore);
    carried_out(&mut play);
    assert_eq!(undone(&play), ["undo 2 b", "redo 2 b"]);
    play.say("next");
    assert_eq!(play.last_said(), "next", "all is as the model knows it");
}

#[test]
fn what_was_not_shown_is_not_undone() {
    let mut play = two_writes();
    let permits = play.permits.len();
    play.op(undo(Undo, 2));
    assert_eq!(play.permits.len(), permits);
    assert!(play.notices().last().unwrap().contains("look at what it would change first"));
    plan(&mut play, Undo, 2, None);
    play.op(Op::Session(SessionOp::Rewind { said: SaidId(1), what: RewindWhat::Both, choices: Vec::new() }));
    assert_eq!(play.permits.len(), permits, "the plan was for another");
}

#[test]
fn a_file_that_changed_since_stays_unless_the_person_chooses() {
    let merged = UndoMerge { target: state("merged"), diff: diff() };
    let conflict = || Some(UndoConflict { since: diff(), merged: Some(merged.clone()) });
    for (choice, target) in [
        (None, None),
        (Some(ConflictChoice::Leave), None),
        (Some(ConflictChoice::Restore), Some("b1")),
        (Some(ConflictChoice::Merge), Some("merged")),
    ] {
        let mut play = two_writes();
        plan(&mut play, Undo, 2, conflict());
        let choices = choice.map(|what| UndoChoice { path: "/p/b".into(), what }).into_iter().collect();
        let permits = play.permits.len();
        play.op(Op::Session(SessionOp::Undo { direction: Undo, said: SaidId(2), choices }));
        match target {
            None => {
                assert_eq!(play.permits.len(), permits);
                assert_eq!(undone(&play), ["undo 2 b left"]);
            }
            Some(target) => {
                let Action::Restore { files } = play.permits.last().unwrap().action() else { panic!() };
                assert_eq!(files[0].to, state(target), "{choice:?}");
            }
        }
    }
}

#[test]
fn going_back_gives_the_words_back_and_keeps_the_prompt_before_them_to_the_byte() {
    let mut play = two_writes();
    play.op(Op::Session(SessionOp::Rewind { said: SaidId(2), what: RewindWhat::Conversation, choices: Vec::new() }));
    let rewound = play
        .events
        .iter()
        .any(|event| matches!(event, Event::Session(SessionEvent::Rewound { said: SaidId(2), text }) if text == "two"));
    assert!(rewound);
    let before = play.requests[2].messages.clone();
    play.say("other");
    let after = &play.requests.last().unwrap().messages;
    assert_eq!(after[..after.len() - 1], before[..before.len() - 1]);
    assert!(play.last_said().contains("still there in b)\n\nother"), "{}", play.last_said());
}

#[test]
fn both_takes_files_back_and_then_the_conversation_without_a_word_to_the_model() {
    let mut play = two_writes();
    plan(&mut play, Undo, 2, None);
    play.op(Op::Session(SessionOp::Rewind { said: SaidId(2), what: RewindWhat::Both, choices: Vec::new() }));
    carried_out(&mut play);
    play.say("other");
    assert_eq!(play.last_said(), "other");
    assert_eq!(undone(&play), ["undo 2 b"]);
}

/// The conversation was made shorter since, and what it was stands in a file that cannot be read.
#[test]
fn where_the_conversation_cannot_follow_the_files_the_model_is_told_of_them() {
    let mut play = two_writes();
    play.feed(Input::Session(SessionInput::Journal {
        state: JournalState::Kept { id: SessionId("20261122-100000-abcd".into()) },
    }));
    play.say("three");
    play.writes(&(0..800).map(|at| format!("thing {at}, ")).collect::<String>());
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.writes("## Goal\nx\n\n## Decisions\nnone\n\n## Files\nnone\n\n## Commands\nnone\n\n## Open\nnone");
    plan(&mut play, Undo, 2, None);
    play.op(Op::Session(SessionOp::Rewind { said: SaidId(2), what: RewindWhat::Both, choices: Vec::new() }));
    carried_out(&mut play);
    assert_eq!(undone(&play), ["undo 2 b"]);
    play.feed(Input::Session(SessionInput::ReadBack { said: SaidId(2), result: Err("line 7 is damaged".into()) }));
    assert!(play.notices().last().unwrap().contains("line 7 is damaged"), "{:?}", play.notices());
    play.say("next");
    assert!(play.last_said().contains("took changes back or brought them back: b"), "{}", play.last_said());
}

#[test]
fn files_alone_go_back_and_the_conversation_stays() {
    let mut play = two_writes();
    plan(&mut play, Undo, 2, None);
    play.op(Op::Session(SessionOp::Rewind { said: SaidId(2), what: RewindWhat::Files, choices: Vec::new() }));
    carried_out(&mut play);
    play.say("next");
    assert!(play.conversation().iter().any(|line| line == "user: two"));
    assert!(play.last_said().contains("took changes back or brought them back: b"));
}

#[test]
fn nothing_is_taken_back_while_a_turn_is_under_way() {
    let mut play = two_writes();
    play.say("three");
    play.op(Op::Session(SessionOp::PlanUndo { direction: Undo, said: SaidId(2) }));
    play.op(Op::Session(SessionOp::Rewind { said: SaidId(2), what: RewindWhat::Conversation, choices: Vec::new() }));
    let said = play.notices().join("\n");
    assert!(said.contains("changes can be undone when the turn is over"), "{said}");
    assert!(said.contains("you can go back when the turn is over"), "{said}");
}

#[test]
fn the_list_tells_what_can_be_taken_back() {
    let mut play = two_writes();
    play.op(Op::List(ListOp::Undoable));
    let Some(Event::List(ListEvent::Undoable { turns })) = play.events.last() else { panic!() };
    let lines: Vec<String> = turns.iter().map(|turn| format!("{} {} {}", turn.said, turn.text, turn.files)).collect();
    assert_eq!(lines, ["1 one 1", "2 two 1"]);
}

fn opened(records: &[Record]) -> OpenedSession {
    let card = SessionCard {
        id: SessionId("20261122-100000-abcd".into()),
        title: "one".into(),
        project: ROOT.into(),
        began: 0,
        updated: 0,
        model: None,
        turns: 2,
        bytes: 0,
        parent: None,
        open: false,
    };
    OpenedSession { card, records: records.to_vec(), torn: None, recovered: Vec::new(), next: None }
}

/// The session goes on.
fn gone_on(records: &[Record]) -> Play {
    let begin = Begin::Session(SessionId("20261122-100000-abcd".into()));
    let mut later = Play::new(Settings { begin, ..recording() }, Mode::Safe);
    later.feed(Input::Start);
    later.feed(Input::Session(SessionInput::SessionOpened { result: Ok(Box::new(opened(records))) }));
    later
}

#[test]
fn a_session_that_goes_on_knows_what_can_be_taken_back_unless_its_project_moved() {
    let records = two_writes().records;
    let undoable = |project: &str| {
        let begin = Begin::Session(SessionId("20261122-100000-abcd".into()));
        let mut play = Play::new(Settings { begin, project: project.into(), ..recording() }, Mode::Safe);
        play.feed(Input::Start);
        play.feed(Input::Session(SessionInput::SessionOpened { result: Ok(Box::new(opened(&records))) }));
        play.op(Op::List(ListOp::Undoable));
        match play.events.last() {
            Some(Event::List(ListEvent::Undoable { turns })) => turns.len(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((undoable(ROOT), undoable("/q")), (2, 0));
}

#[test]
fn a_turn_ends_with_what_it_really_did() {
    let play = two_writes();
    let ends: Vec<&Event> = play
        .events
        .iter()
        .filter(|event| matches!(event, Event::Turn(TurnEvent::Receipt { .. }) | Event::Turn(TurnEvent::Ended { .. })))
        .collect();
    assert!(
        matches!(ends[..2], [Event::Turn(TurnEvent::Receipt { .. }), Event::Turn(TurnEvent::Ended { .. })]),
        "{ends:?}"
    );
    let Event::Turn(TurnEvent::Receipt { receipt, .. }) = ends[0] else { panic!() };
    assert_eq!(receipt.files[0].shown_path, "b");
}

#[test]
fn a_claim_that_is_not_so_is_told_once() {
    let mut play = Play::ready_with(recording(), Mode::Safe);
    play.say("change src/main.rs so that it prints hello");
    play.writes("I've updated `src/main.rs` to print hello.");
    assert_eq!(play.ended(), None, "the model hears of it first");
    assert!(play.last_said().contains("your answer is not so"), "{}", play.last_said());
    assert!(play.notices().last().unwrap().starts_with("not so: "));
    play.writes("I have updated `src/main.rs`.");
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    let doubts = play.events.iter().find_map(|event| match event {
        Event::Turn(TurnEvent::Receipt { receipt, .. }) => Some(receipt.doubts.clone()),
        _ => None,
    });
    assert_eq!(doubts.unwrap().len(), 1);
}

#[test]
fn what_is_not_a_record_is_no_effect_of_a_session_that_keeps_none() {
    let mut play = Play::ready_with(settings(), Mode::Safe);
    play.say("one");
    play.writes("Yes.");
    assert_eq!(play.records, []);
    let effects =
        play.machine.step(Input::Op(Op::Session(SessionOp::Export { format: ExportFormat::Markdown, path: None })));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Session(SessionEffect::Export { .. }))));
}

#[test]
fn a_plan_is_of_no_use_after_another_turn() {
    let mut play = two_writes();
    plan(&mut play, Undo, 1, None);
    play.say("three");
    play.writes("Yes.");
    let permits = play.permits.len();
    play.op(undo(Undo, 1));
    assert_eq!(play.permits.len(), permits);
}

#[test]
fn clear_while_files_are_brought_back_clears_then() {
    let mut play = two_writes();
    plan(&mut play, Undo, 2, None);
    play.op(undo(Undo, 2));
    play.op(Op::Context(ContextOp::Clear));
    carried_out(&mut play);
    assert!(play.events.iter().any(|event| matches!(event, Event::Context(ContextEvent::Cleared))));
    play.say("anew");
    assert_eq!(play.conversation(), ["system: system", "user: anew"]);
}

#[test]
fn what_is_about_to_be_brought_back_is_on_disk_before_and_counts_when_it_was_cut_off() {
    let mut play = two_writes();
    plan(&mut play, Undo, 2, None);
    let effects = play.machine.step(Input::Op(undo(Undo, 2)));
    let Effect::Session(SessionEffect::Record { records, sync: true }) = &effects[0] else { panic!("{effects:?}") };
    let records = [&play.records[..], &records[..]].concat();
    let mut later = gone_on(&records);
    later.op(Op::Session(SessionOp::PlanUndo { direction: Redo, said: SaidId(2) }));
    assert_eq!((&later.wanted[0].from, &later.wanted[0].to), (&state("b1"), &state("b2")));
}

#[test]
fn what_a_command_changed_before_it_ran_again_with_more_reach_is_not_forgotten() {
    let mut play = Play::ready_with(recording(), Mode::Unsafe);
    play.say("one");
    play.calls(&["write_file"]);
    play.reached(1, "/p");
    play.planned(1, run("make"));
    let change = |path: &str, before: &str, after: &str| FileChange {
        path: path.into(),
        shown_path: path.into(),
        before: state(before),
        after: state(after),
        added: 0,
        removed: 1,
    };
    let fence = Some(SandboxReport {
        blocked: Some(Blocked::Network),
        tampered: Vec::new(),
        made: Vec::new(),
        ..SandboxReport::default()
    });
    let changed = vec![change("a", "a0", "a1"), change("b", "b0", "b1")];
    let status = Status::Exited { code: Some(1) };
    play.feed(Input::Call(CallInput::Ran {
        call: CallId(1),
        outcome: Outcome { fence, changed, status, ..outcome("no network") },
    }));
    let again = Action::Run {
        command: "make".into(),
        argv: Vec::new(),
        cwd: ROOT.into(),
        timeout_secs: 120,
        profile: agent_protocol::Profile::Network,
        background: false,
        input: None,
    };
    play.planned(1, again);
    play.answer(yes());
    let changed = vec![change("a", "a1", "a2"), change("c", "", "c1")];
    play.feed(Input::Call(CallInput::Ran { call: CallId(1), outcome: Outcome { changed, ..outcome("made") } }));
    play.op(Op::List(ListOp::Undoable));
    let Some(Event::List(ListEvent::Undoable { turns })) = play.events.last() else { panic!() };
    assert_eq!((turns.len(), turns[0].files), (1, 3));
}

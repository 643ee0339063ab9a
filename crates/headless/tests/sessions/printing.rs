//! What `-p` tells of a session that goes on, of what a turn really did, and of what could not be saved.

use crate::printing::streams;
use crate::sessions::{EVIL, Printed, card};
use agent_headless::{End, Format, Settings, Start, run};
use agent_protocol::{
    CommandReceipt, Event, FileFate, FileReceipt, JournalState, ListEvent, Op, Phase, Receipt, SaidId, SessionEvent,
    SessionId, Status, TurnEndReason, TurnEvent, TurnId, TurnOp, UndoDirection, Usage,
};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

/// Prints these events, and tells what was asked for.
async fn print(format: Format, start: Start, terminal: bool, events: Vec<Event>) -> (Printed, Vec<Op>) {
    let (ops, mut wishes) = unbounded_channel();
    let (facts, listening) = unbounded_channel();
    events.into_iter().for_each(|event| facts.send(event).unwrap());
    drop(facts);
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let mut streams = streams(&mut out, &mut progress, terminal);
    let settings = Settings { prompt: "and now?".into(), format, start, time: None, commands: Vec::new() };
    let end = run(ops, listening, settings, &mut streams).await.unwrap();
    let ops = std::iter::from_fn(|| wishes.try_recv().ok()).collect();
    (Printed { end, out: String::from_utf8(out).unwrap(), progress: String::from_utf8(progress).unwrap() }, ops)
}

async fn printed(format: Format, events: Vec<Event>) -> Printed {
    print(format, Start::OnceRestored, false, events).await.0
}

fn said(text: &str) -> Event {
    Event::Turn(TurnEvent::Text { text: text.into() })
}

fn ended() -> Event {
    Event::Turn(TurnEvent::Ended { turn: TurnId(4), reason: TurnEndReason::Done, usage: Usage::default() })
}

fn kept() -> Event {
    Event::Session(SessionEvent::Journal { state: JournalState::Kept { id: SessionId("20261122-091500-00c1".into()) } })
}

fn unkept(why: &str) -> Event {
    Event::Session(SessionEvent::Journal { state: JournalState::Unkept { why: why.into() } })
}

fn restored(title: &str) -> Event {
    let earlier = vec![said("An earlier answer."), ended(), Event::Session(SessionEvent::Closed)];
    Event::Session(SessionEvent::Restored { card: card("20261122-091500-00c1", title, 4), events: earlier })
}

fn receipt(path: &str, doubt: &str) -> Event {
    let file = |path: &str, what, added, removed| FileReceipt { shown_path: path.into(), what, added, removed };
    let ran = |command: &str, status| CommandReceipt {
        command: command.into(),
        status,
        background: false,
        parts: Vec::new(),
    };
    let receipt = Receipt {
        files: vec![file(path, FileFate::Changed, 1, 1), file("b.rs", FileFate::Created, 10, 0)],
        commands: vec![ran("make", Status::Exited { code: Some(2) }), ran("make clean", Status::Done)],
        doubts: vec![doubt.into()],
        ..Receipt::default()
    };
    Event::Turn(TurnEvent::Receipt { turn: TurnId(4), receipt })
}

/// A session goes on, the disk is full for a while, and the answer says too much.
fn eventful() -> Vec<Event> {
    vec![
        kept(),
        restored("Fix the tests"),
        Event::Turn(TurnEvent::Started { turn: TurnId(4), text: "and now?".into() }),
        unkept("the disk is full; make room, and it is saved"),
        Event::Turn(TurnEvent::Waiting { phase: Phase::Sending }),
        said("I changed a.rs and c.rs."),
        kept(),
        receipt("a.rs", "it says that c.rs was changed"),
        ended(),
    ]
}

#[tokio::test]
async fn a_session_that_goes_on_prints_as_text() {
    let printed = printed(Format::Text, eventful()).await;
    assert_eq!((printed.end, printed.out.as_str()), (End::Answered, "I changed a.rs and c.rs.\n"));
    insta::assert_snapshot!(printed.progress);
}

#[tokio::test]
async fn a_session_that_goes_on_prints_as_one_object_with_its_name_and_receipt() {
    let summary = printed(Format::Json, eventful()).await.json();
    let told = |key: &str| summary[key].clone();
    assert_eq!((told("session"), told("answer")), ("20261122-091500-00c1".into(), "I changed a.rs and c.rs.".into()));
    insta::assert_json_snapshot!(json!({"notices": told("notices"), "receipt": told("receipt")}));
    let summary = printed(Format::Json, vec![said("Hello."), ended()]).await.json();
    assert_eq!(
        (&summary["session"], &summary["receipt"]),
        (&Value::Null, &Value::Null),
        "what was never said is absent"
    );
    let summary = printed(Format::Json, vec![restored("x"), said("Hello."), ended()]).await.json();
    assert_eq!(summary["session"], "20261122-091500-00c1", "one that goes on is known from the start");
}

#[tokio::test]
async fn a_stream_tells_only_the_card_of_what_was_before() {
    let printed = printed(Format::StreamJson, eventful()).await;
    let lines: Vec<&str> = printed.out.lines().collect();
    let read: Vec<Event> = lines[..lines.len() - 1].iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut expected = eventful();
    if let Event::Session(SessionEvent::Restored { events, .. }) = &mut expected[1] {
        events.clear();
    }
    assert_eq!(read, expected);
    insta::assert_snapshot!(printed.out);
}

#[tokio::test]
async fn the_prompt_waits_for_the_session_it_is_meant_for() {
    let say = || Op::Turn(TurnOp::Say { text: "and now?".into() });
    let (_, ops) = print(Format::Text, Start::OnceRestored, false, vec![restored("x"), restored("x"), ended()]).await;
    assert_eq!(ops, [say()], "once");
    let (_, ops) = print(Format::Text, Start::OnceRestored, false, vec![Event::Session(SessionEvent::Closed)]).await;
    assert_eq!(ops, [], "to no other");
    let (_, ops) = print(Format::Text, Start::AtOnce, false, vec![ended()]).await;
    assert_eq!(ops, [say()]);
}

#[tokio::test]
async fn a_session_that_cannot_go_on_ends_like_wrong_usage_and_nothing_is_said_to_another() {
    let why = "no session begins with 2020; `agent sessions list` shows them";
    let events = || vec![Event::Session(SessionEvent::NotRestored { why: why.into() }), ended()];
    let (printed, ops) = print(Format::Text, Start::OnceRestored, false, events()).await;
    assert_eq!((printed.end, printed.end.code(), ops), (End::NotRestored, 2, Vec::new()));
    assert_eq!((printed.out, printed.progress), (String::new(), format!("{why}\n")));
    let (printed, _) = print(Format::Json, Start::OnceRestored, false, events()).await;
    assert_eq!((&printed.json()["error"], &printed.json()["exit_code"]), (&why.into(), &2.into()));
    let (printed, _) = print(Format::StreamJson, Start::OnceRestored, false, events()).await;
    assert!(printed.out.ends_with("{\"type\":\"end\",\"exit_code\":2}\n"), "{}", printed.out);
}

#[tokio::test]
async fn what_nobody_asked_for_here_is_not_told() {
    let undone = Event::Session(SessionEvent::Undone {
        direction: UndoDirection::Undo,
        said: SaidId(1),
        files: Vec::new(),
        part: None,
    });
    let events = vec![
        kept(),
        Event::Session(SessionEvent::Renamed { title: "Another".into() }),
        Event::List(ListEvent::Undoable { turns: Vec::new() }),
        Event::List(ListEvent::Files { names: Vec::new(), more: false }),
        undone,
        Event::Session(SessionEvent::Rewound { said: SaidId(1), text: "x".into() }),
        Event::List(ListEvent::Sessions { sessions: Vec::new(), now: 0 }),
        Event::Turn(TurnEvent::Receipt { turn: TurnId(4), receipt: Receipt::default() }),
        ended(),
    ];
    assert_eq!(printed(Format::Text, events).await.progress, "");
}

#[tokio::test]
async fn no_title_path_or_doubt_commands_the_terminal_or_forges_a_line() {
    let events = || vec![restored(EVIL), unkept(EVIL), receipt(EVIL, EVIL), ended()];
    for format in [Format::Text, Format::Json, Format::StreamJson] {
        assert!(print(format, Start::OnceRestored, true, events()).await.0.is_tame(), "{format:?}");
    }
    assert!(printed(Format::Text, events()).await.is_tame(), "in a file as well");
    let refused = vec![Event::Session(SessionEvent::NotRestored { why: EVIL.into() })];
    assert!(print(Format::Text, Start::OnceRestored, true, refused).await.0.is_tame());
}

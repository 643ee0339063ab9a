//! The recorded sessions that the screen draws too (`crates/tui`), printed in each format.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

use agent_headless::{End, Format, Settings, Streams, run};
use agent_protocol::{
    Answer, AskId, Event, Op, Phase, Preview, PreviewBody, Question, SetAside, Stuck, Subject, TurnEndReason, TurnId,
    Usage,
};
use std::io::{self, Write};
use tokio::sync::mpsc::unbounded_channel;

const RECORDED: &str = include_str!("../../../tests/recorded/session.jsonl");
/// The same with calls that did not come by the straight way.
const RESCUE: &str = include_str!("../../../tests/recorded/rescue.jsonl");

struct Printed {
    end: End,
    out: String,
    progress: String,
    ops: Vec<Op>,
}

async fn print(format: Format, events: impl Iterator<Item = Event>) -> Printed {
    let (ops, mut wishes) = unbounded_channel();
    let (facts, listening) = unbounded_channel();
    for event in events {
        facts.send(event).unwrap();
    }
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let mut streams =
        Streams { out: &mut out, progress: &mut progress, out_is_terminal: true, progress_is_terminal: true };
    let settings = Settings { prompt: "fix it".into(), format };
    let end = run(ops, listening, settings, &mut streams).await.unwrap();
    let ops = std::iter::from_fn(|| wishes.try_recv().ok()).collect();
    Printed { end, out: String::from_utf8(out).unwrap(), progress: String::from_utf8(progress).unwrap(), ops }
}

fn recorded() -> impl Iterator<Item = Event> {
    RECORDED.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn rescue() -> impl Iterator<Item = Event> {
    RESCUE.lines().map(|line| serde_json::from_str(line).unwrap())
}

#[tokio::test]
async fn the_recorded_session_prints_as_text() {
    let printed = print(Format::Text, recorded()).await;
    assert_eq!(printed.end, End::Answered);
    insta::assert_snapshot!(format!("{}\n--- progress ---\n{}", printed.out, printed.progress));
}

#[tokio::test]
async fn the_recorded_session_prints_as_one_object() {
    let printed = print(Format::Json, recorded()).await;
    let summary: serde_json::Value = serde_json::from_str(&printed.out).unwrap();
    insta::assert_json_snapshot!(summary);
}

#[tokio::test]
async fn a_stream_of_events_reads_back_as_the_same_events() {
    let printed = print(Format::StreamJson, recorded()).await;
    let lines: Vec<&str> = printed.out.lines().collect();
    let (end, events) = lines.split_last().unwrap();
    assert_eq!(*end, r#"{"type":"end","exit_code":0}"#);
    let read: Vec<Event> = events.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, recorded().collect::<Vec<_>>());
}

#[tokio::test]
async fn the_recorded_rescue_prints_as_text() {
    let printed = print(Format::Text, rescue()).await;
    assert_eq!(printed.end, End::Answered);
    insta::assert_snapshot!(format!("{}\n--- progress ---\n{}", printed.out, printed.progress));
}

#[tokio::test]
async fn the_recorded_rescue_prints_as_one_object_with_its_ways_counted() {
    let printed = print(Format::Json, rescue()).await;
    let mut summary: serde_json::Value = serde_json::from_str(&printed.out).unwrap();
    // What the tools said is in the other snapshot.
    summary["calls"].as_array_mut().unwrap().iter_mut().for_each(|call| call["outcome"] = "…".into());
    insta::assert_json_snapshot!(summary);
}

#[tokio::test]
async fn a_rescue_streams_as_the_same_events() {
    let printed = print(Format::StreamJson, rescue()).await;
    let events = printed.out.lines().filter(|line| !line.contains(r#""type":"end""#));
    let read: Vec<Event> = events.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, rescue().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_stuck_turn_says_why_it_ends_and_has_the_code_of_one_that_goes_in_circles() {
    for how in [Stuck::Alternating, Stuck::Babbling, Stuck::Silent, Stuck::Announcing, Stuck::Unreadable] {
        let preview = Preview { title: "Go on?".into(), body: PreviewBody::Plain };
        let (id, subject, why) = (AskId(1), Subject::Stuck { how }, how.words().to_owned());
        let question = Question { id, call: None, subject, preview, why, offers: Vec::new() };
        let ended = Event::TurnEnded { turn: TurnId(1), reason: TurnEndReason::Stuck { how }, usage: Usage::default() };
        let printed = print(Format::Text, [Event::Asked { question }, ended].into_iter()).await;
        assert_eq!((printed.end, printed.end.code()), (End::Repeating, 7));
        let lines: Vec<&str> = printed.progress.lines().collect();
        assert!(lines[0].starts_with(&format!("stopped: the model {}; ", how.words())), "{lines:?}");
        assert_eq!(lines.len(), 1, "it is said once: {lines:?}");
    }
}

#[tokio::test]
async fn what_is_no_action_is_stopped_and_says_why() {
    let circles = "the model called read_file 4 times with the same result; it may be going in circles";
    let repeat = Subject::Repeat { name: "read_file".into(), times: 4 };
    let steps = "the model has taken 100 steps in this turn; yes lets it take as many again";
    for (subject, why, reason, said) in [
        (repeat, circles, TurnEndReason::Repeating, format!("stopped: {circles}\n")),
        (
            Subject::Steps { steps: 100 },
            steps,
            TurnEndReason::StepLimit,
            "stopped: the model has taken 100 steps\n".into(),
        ),
    ] {
        let preview = Preview { title: "Go on?".into(), body: PreviewBody::Plain };
        let question = Question { id: AskId(1), call: None, subject, preview, why: why.into(), offers: Vec::new() };
        let ended = Event::TurnEnded { turn: TurnId(1), reason, usage: Usage::default() };
        let printed = print(Format::Text, [Event::Asked { question }, ended].into_iter()).await;
        assert_eq!(printed.progress, said);
    }
}

#[tokio::test]
async fn a_result_of_which_only_the_mark_is_there_is_told_without_a_length() {
    let aside = |text: &str, why| Event::SetAside { text: text.into(), why };
    let ended = Event::TurnEnded { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() };
    let events = [
        aside("<tool_response>", SetAside::Invented),
        aside("<tool_response>\n42\n", SetAside::Invented),
        aside("read_file(a)", SetAside::Beside),
        ended,
    ];
    let printed = print(Format::Text, events.into_iter()).await;
    let said = "left out: the model began to make up a result\n\
        left out: a result the model made up (2 lines)\n\
        left out: a call in the text, beside those the server sent (1 line)\n";
    assert_eq!(printed.progress, said);
}

#[tokio::test]
async fn the_answer_is_the_last_reply_and_not_what_was_said_before_it() {
    let text = |text: &str| Event::Text { text: text.into() };
    let sending = || Event::Waiting { phase: Phase::Sending };
    let ended = Event::TurnEnded { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() };
    let said = [sending(), text("I will "), text("look."), sending(), text("It is "), text("fine."), sending(), ended];
    let printed = print(Format::Text, said.clone().into_iter()).await;
    assert_eq!((printed.out.as_str(), printed.progress.as_str()), ("It is fine.\n", "I will look.\n"));
    let printed = print(Format::Json, said.into_iter()).await;
    assert!(printed.out.starts_with(r#"{"answer":"It is fine.","#), "{}", printed.out);
}

#[tokio::test]
async fn every_question_is_answered_no_through_the_same_op() {
    let printed = print(Format::Text, recorded()).await;
    let asked = recorded().filter(|event| matches!(event, Event::Asked { .. })).count();
    let refused = printed.ops.iter().filter(|op| matches!(op, Op::Reply { answer: Answer::No { .. }, .. })).count();
    assert!(asked > 0);
    assert_eq!((printed.ops.len(), refused), (asked + 1, asked), "the prompt and one No a question");
}

#[tokio::test]
async fn a_terminal_gets_nothing_it_would_obey() {
    let hostile = "\u{9b}5n\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}evil\u{8}";
    let events = [
        Event::Notice { level: agent_protocol::NoticeLevel::Info, text: hostile.into() },
        Event::Text { text: hostile.into() },
        Event::TurnEnded { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() },
    ];
    for format in [Format::Text, Format::Json, Format::StreamJson] {
        let printed = print(format, events.clone().into_iter()).await;
        assert!(printed.out.contains("evil"));
        for text in [&printed.out, &printed.progress] {
            assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{8}', '\u{9b}']), "{format:?}: {text:?}");
        }
    }
}

/// A reader that has left.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

#[tokio::test]
async fn a_closed_pipe_ends_quietly() {
    let (ops, _wishes) = unbounded_channel();
    let (facts, listening) = unbounded_channel();
    recorded().for_each(|event| facts.send(event).unwrap());
    let (mut out, mut progress) = (Closed, io::sink());
    let mut streams =
        Streams { out: &mut out, progress: &mut progress, out_is_terminal: false, progress_is_terminal: false };
    let settings = Settings { prompt: "hi".into(), format: Format::StreamJson };
    assert_eq!(run(ops, listening, settings, &mut streams).await.unwrap(), End::PipeClosed);
}

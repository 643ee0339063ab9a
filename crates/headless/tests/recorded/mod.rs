//! The recorded sessions that the screen draws too (`crates/tui`), printed in each format.

mod refusals;
mod tasks;
mod time;

use crate::printing::streams;
use agent_headless::{End, Format, Settings, Start, run};
use agent_protocol::{
    Action, Answer, AskId, Blocked, CallEvent, CallId, CallOp, Compaction, ContextEvent, Event, Finding, ModelCall, Op,
    Origin, Outcome, Phase, Preview, PreviewBody, Profile, Question, SandboxReport, SandboxSupport, SessionEvent,
    SetAside, Status, Stuck, Subject, ToolCall, TurnEndReason, TurnEvent, TurnId, Usage,
};
use serde_json::Value;
use std::io::{self, Write};
use tokio::sync::mpsc::unbounded_channel;

const RECORDED: &str = include_str!("../../../../tests/recorded/session.jsonl");
/// The same with calls that did not come by the straight way.
const RESCUE: &str = include_str!("../../../../tests/recorded/rescue.jsonl");

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
    drop(facts);
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let mut streams = streams(&mut out, &mut progress, true);
    let settings = Settings { prompt: "fix it".into(), format, start: Start::AtOnce, time: None, commands: Vec::new() };
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
async fn an_answer_that_was_reasoning_is_not_printed() {
    let events = || {
        let said = ["Perhaps so.\n", "It is short."].map(|text| Event::Turn(TurnEvent::Text { text: text.into() }));
        let [before, answer] = said;
        let was = Event::Turn(TurnEvent::WasThinking { text: "Perhaps so.\n".into() });
        let end = TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() };
        [before, was, answer, Event::Turn(end)].into_iter()
    };
    assert_eq!(print(Format::Text, events()).await.out.trim(), "It is short.");
    let object: Value = serde_json::from_str(&print(Format::Json, events()).await.out).unwrap();
    assert_eq!(object["answer"], "It is short.");
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
    for how in [
        Stuck::Alternating,
        Stuck::Babbling,
        Stuck::Silent,
        Stuck::Announcing,
        Stuck::Unreadable,
        Stuck::Looking,
        Stuck::Idle,
        Stuck::Endless,
    ] {
        let preview = Preview { title: "Go on?".into(), body: PreviewBody::Plain };
        let (id, subject, why) = (AskId(1), Subject::Stuck { how }, how.words().to_owned());
        let question = Question {
            hosts: Vec::new(),
            id,
            call: None,
            subject,
            preview,
            why,
            offers: Vec::new(),
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
        };
        let ended = Event::Turn(TurnEvent::Ended {
            turn: TurnId(1),
            reason: TurnEndReason::Stuck { how },
            usage: Usage::default(),
        });
        let printed = print(Format::Text, [Event::Call(CallEvent::Asked { question }), ended].into_iter()).await;
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
        let question = Question {
            hosts: Vec::new(),
            id: AskId(1),
            call: None,
            subject,
            preview,
            why: why.into(),
            offers: Vec::new(),
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
        };
        let ended = Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason, usage: Usage::default() });
        let printed = print(Format::Text, [Event::Call(CallEvent::Asked { question }), ended].into_iter()).await;
        assert_eq!(printed.progress, said);
    }
}

#[tokio::test]
async fn a_result_of_which_only_the_mark_is_there_is_told_without_a_length() {
    let aside = |text: &str, why| Event::Turn(TurnEvent::SetAside { text: text.into(), why });
    let ended = Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() });
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
    let text = |text: &str| Event::Turn(TurnEvent::Text { text: text.into() });
    let sending = || Event::Turn(TurnEvent::Waiting { phase: Phase::Sending });
    let ended = Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() });
    let said = [sending(), text("I will "), text("look."), sending(), text("It is "), text("fine."), sending(), ended];
    let printed = print(Format::Text, said.clone().into_iter()).await;
    assert_eq!((printed.out.as_str(), printed.progress.as_str()), ("It is fine.\n", "| I will look.\n"));
    let printed = print(Format::Json, said.into_iter()).await;
    assert!(printed.out.starts_with(r#"{"answer":"It is fine.","#), "{}", printed.out);
}

#[tokio::test]
async fn every_question_is_answered_no_through_the_same_op() {
    let printed = print(Format::Text, recorded()).await;
    let asked = recorded().filter(|event| matches!(event, Event::Call(CallEvent::Asked { .. }))).count();
    let refused =
        printed.ops.iter().filter(|op| matches!(op, Op::Call(CallOp::Reply { answer: Answer::No { .. }, .. }))).count();
    assert!(asked > 0);
    assert_eq!((printed.ops.len(), refused), (asked + 1, asked), "the prompt and one No a question");
}

fn about(subject: Subject, title: &str, warnings: &[&str]) -> Event {
    Event::Call(CallEvent::Asked {
        question: Question {
            hosts: Vec::new(),
            id: AskId(1),
            call: Some(CallId(1)),
            subject,
            preview: Preview { title: title.into(), body: PreviewBody::Plain },
            why: "it asks".into(),
            offers: Vec::new(),
            warnings: warnings.iter().map(|warning| (*warning).into()).collect(),
            parts: Vec::new(),
            cause: Default::default(),
        },
    })
}

fn ended() -> Event {
    Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() })
}

fn running(title: &str) -> Event {
    let body = PreviewBody::Command {
        command: "make".into(),
        cwd: "/p".into(),
        timeout_secs: 1,
        profile: Profile::Project,
        cover: None,
        files: Vec::new(),
        note: None,
        background: false,
    };
    Event::Call(CallEvent::Running { call: CallId(1), preview: Preview { title: title.into(), body } })
}

#[tokio::test]
async fn a_folder_is_not_trusted_by_a_script_and_the_turn_goes_on() {
    let found = vec![Finding { name: "AGENTS.md".into(), what: "is told to the model".into() }];
    let trust = Subject::Trust { path: "/p".into(), found };
    let events = [about(trust, "Trust /p?", &[]), Event::Turn(TurnEvent::Text { text: "Hello.".into() }), ended()];
    let printed = print(Format::Text, events.into_iter()).await;
    assert_eq!((printed.end, printed.out.as_str()), (End::Answered, "Hello.\n"));
    assert!(printed.progress.contains("nobody is here to trust this folder; `--trust` does"), "{}", printed.progress);
    assert!(
        matches!(&printed.ops[1], Op::Call(CallOp::Reply { ask: AskId(1), answer: Answer::No { .. } })),
        "{:?}",
        printed.ops
    );
}

#[tokio::test]
async fn what_was_made_shorter_is_told_by_how_much() {
    let fitted = |how, before, after| Event::Context(ContextEvent::Fitted { how, before, after });
    let summary = || "Goal: x".to_owned();
    let events = [
        fitted(Compaction::Stubbed { results: 1 }, 11_200, 6_300),
        fitted(Compaction::Summarised { summary: summary(), messages: 24 }, 6_300, 900),
        fitted(Compaction::Digested { summary: summary(), messages: 2 }, 900, 400),
        ended(),
    ];
    let printed = print(Format::Text, events.clone().into_iter()).await;
    let told = "compacted: 1 old result became a line each, 11.2k → 6.3k tokens\n\
        compacted: the model summarised 24 messages, 6.3k → 900 tokens\n\
        compacted: 2 messages became a rule-based summary, 900 → 400 tokens\n";
    assert_eq!(printed.progress, told);
    let printed = print(Format::Json, events.into_iter()).await;
    let summary: Value = serde_json::from_str(&printed.out).unwrap();
    let how: Vec<&Value> = summary["fitted"].as_array().unwrap().iter().map(|fitted| &fitted["how"]).collect();
    assert_eq!(how, ["stubbed", "summarised", "digested"]);
}

#[tokio::test]
async fn nobody_agrees_to_a_list_made_by_rule_and_a_full_window_has_the_code_of_a_broken_reply() {
    let shorten = about(Subject::Shorten { tokens: 16_000, window: 16_384 }, "Make it shorter by rule?", &[]);
    let full = Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Full, usage: Usage::default() });
    let printed = print(Format::Text, [shorten, full].into_iter()).await;
    assert_eq!((printed.end, printed.end.code()), (End::Broken, 5));
    let no = Op::Call(CallOp::Reply { ask: AskId(1), answer: Answer::No { word: None } });
    assert_eq!(printed.ops[1], no);
    let told = "not compacted by rule: that loses detail, and nobody is here to agree to it\n\
        stopped: the conversation fills the window; ask for less at a time, or give the model a larger window\n";
    assert_eq!(printed.progress, told);
}

#[tokio::test]
async fn warnings_and_the_words_of_the_fence_are_progress() {
    let Some(Event::Session(SessionEvent::Opened { project, mode, tools, .. })) = recorded().next() else {
        panic!("it opens")
    };
    let (host, sandbox) = ("http://10.0.0.5:11434".into(), SandboxSupport::none("the kernel has no Landlock"));
    let opened = Event::Session(SessionEvent::Opened { project, host, mode, tools, sandbox, exposed: true });
    let report = SandboxReport {
        blocked: Some(Blocked::Network),
        tampered: vec![".git/hooks/pre-commit".into()],
        made: Vec::new(),
        ..SandboxReport::default()
    };
    let outcome = Outcome {
        status: Status::Exited { code: Some(6) },
        told: String::new(),
        summary: "exit 6".into(),
        detail: String::new(),
        fence: Some(report),
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    };
    let run = Subject::Action {
        action: Action::Run {
            command: "make".into(),
            argv: Vec::new(),
            cwd: "/p".into(),
            timeout_secs: 1,
            profile: Profile::Project,
            background: false,
            input: None,
        },
    };
    let finished = Event::Call(CallEvent::Finished { call: CallId(1), outcome });
    let warned = about(run, "Run make", &["protected: .git/config names programs that git runs"]);
    let events = [opened, warned, running("Run make"), running("Run make"), finished, ended()];
    let printed = print(Format::Text, events.clone().into_iter()).await;
    insta::assert_snapshot!(printed.progress);
    let printed = print(Format::Json, events.into_iter()).await;
    assert_eq!(printed.end, End::Answered);
}

/// `value` with `poison` at the end of every text in it that is no name of a kind.
fn poisoned(value: &mut Value, poison: &str) {
    const KINDS: [&str; 18] = [
        "type", "kind", "status", "state", "phase", "reason", "mode", "by", "why", "way", "stream", "about", "how",
        "rule", "lasts", "level", "answer", "cause",
    ];
    match value {
        Value::String(text) => text.push_str(poison),
        Value::Array(items) => items.iter_mut().for_each(|item| poisoned(item, poison)),
        Value::Object(fields) => {
            let texts = fields.iter_mut().filter(|(name, _)| !KINDS.contains(&name.as_str()));
            texts.for_each(|(_, field)| poisoned(field, poison));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[tokio::test]
async fn no_text_of_a_recorded_session_commands_the_terminal() {
    const HOSTILE: &str =
        "\u{1b}[2J\u{1b}]52;c;eA==\u{7}\u{9b}31m\u{9d}0;x\u{9c}\u{202e}\u{2066}\u{200b}\u{e0041}\u{85}\r\u{8}\u{7f}";
    let event = |line: &str| -> Event {
        let mut value: Value = serde_json::from_str(line).unwrap();
        poisoned(&mut value, HOSTILE);
        serde_json::from_value(value).unwrap()
    };
    for session in [RECORDED, RESCUE] {
        for format in [Format::Text, Format::Json, Format::StreamJson] {
            let printed = print(format, session.lines().map(event)).await;
            for text in [&printed.out, &printed.progress] {
                let obeyed = |c: &char| *c != '\n' && (c.is_control() || !c.is_ascii() && HOSTILE.contains(*c));
                assert_eq!(text.chars().find(obeyed), None, "{format:?}: {text:?}");
            }
            assert!(printed.out.contains("⟨U+202E⟩"), "{format:?} shows it instead");
        }
    }
}

#[tokio::test]
async fn no_title_can_forge_a_line_of_progress() {
    let title = "Run true\n✓ Run tests · all passed\u{1b}[2J";
    let run = Subject::Steps { steps: 2 };
    let events = [about(run, title, &["a\nwarning: b"]), running(title), finished_well(), ended()];
    let printed = print(Format::Text, events.into_iter()).await;
    let lines: Vec<&str> = printed.progress.lines().collect();
    let title = "Run true␤✓ Run tests · all passed␛[2J";
    assert_eq!(lines, ["warning: a␤warning: b", "stopped: the model has taken 2 steps", &format!("✓ {title} · ok")]);
}

fn finished_well() -> Event {
    let (told, summary, detail) = (String::new(), "ok".into(), String::new());
    Event::Call(CallEvent::Finished {
        call: CallId(1),
        outcome: Outcome {
            status: Status::Done,
            told,
            summary,
            detail,
            fence: None,
            changed: Vec::new(),
            failing: None,
            images: Vec::new(),
            job: None,
        },
    })
}

#[tokio::test]
async fn a_terminal_gets_nothing_it_would_obey() {
    let hostile = "\u{9b}5n\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}evil\u{8}";
    let events = [
        Event::Session(SessionEvent::Notice { level: agent_protocol::NoticeLevel::Info, text: hostile.into() }),
        Event::Turn(TurnEvent::Text { text: hostile.into() }),
        Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() }),
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
    let mut streams = streams(&mut out, &mut progress, false);
    let settings = Settings {
        prompt: "hi".into(),
        format: Format::StreamJson,
        start: Start::AtOnce,
        time: None,
        commands: Vec::new(),
    };
    assert_eq!(run(ops, listening, settings, &mut streams).await.unwrap(), End::PipeClosed);
}

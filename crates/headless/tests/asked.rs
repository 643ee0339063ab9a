//! What a script gets to see of plans, questions of the model, lists of things to do, and of calls that failed.

use crate::printing::streams;
use agent_headless::{Format, Settings, Start, run};
use agent_protocol::{
    Action, Answer, AskId, CallEvent, CallId, CallOp, ContextEvent, Event, Failure, FailureKind, Mode, ModelCall, Op,
    Origin, Outcome, Preview, PreviewBody, Question, SessionAct, Status, Subject, Todo, TodoStatus, ToolCall,
    ToolGroup, ToolsBy, TurnEndReason, TurnEvent, TurnId, Usage,
};
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

const FORMATS: [Format; 3] = [Format::Text, Format::Json, Format::StreamJson];

struct Printed {
    out: String,
    progress: String,
    ops: Vec<Op>,
}

async fn print(format: Format, events: &[Event]) -> Printed {
    let (ops, mut wishes) = unbounded_channel();
    let (facts, listening) = unbounded_channel();
    events.iter().for_each(|event| facts.send(event.clone()).unwrap());
    drop(facts);
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let mut streams = streams(&mut out, &mut progress, true);
    let settings =
        Settings { prompt: "plan it".into(), format, start: Start::AtOnce, time: None, commands: Vec::new() };
    run(ops, listening, settings, &mut streams).await.unwrap();
    let ops = std::iter::from_fn(|| wishes.try_recv().ok()).collect();
    Printed { out: String::from_utf8(out).unwrap(), progress: String::from_utf8(progress).unwrap(), ops }
}

fn proposed(id: u64, name: &str, arguments: Value) -> Event {
    let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
    Event::Call(CallEvent::Proposed { call: ToolCall { id: CallId(id), call, origin: Origin::default() } })
}

fn asked(id: u64, title: &str, act: SessionAct, body: PreviewBody) -> Event {
    Event::Call(CallEvent::Asked {
        question: Question {
            hosts: Vec::new(),
            id: AskId(id),
            call: Some(CallId(id)),
            subject: Subject::Action { action: Action::Session { act } },
            preview: Preview { title: title.into(), body },
            why: "a person decides on it".into(),
            offers: Vec::new(),
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
        },
    })
}

fn finished(id: u64, outcome: Outcome) -> Event {
    Event::Call(CallEvent::Finished { call: CallId(id), outcome })
}

fn outcome(status: Status, told: &str, summary: &str) -> Outcome {
    let (told, summary, detail) = (told.into(), summary.into(), String::new());
    Outcome {
        status,
        told,
        summary,
        detail,
        fence: None,
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    }
}

fn ended() -> Event {
    Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() })
}

/// A session in plan mode: a list, a question, a plan, and nobody there.
fn planning() -> Vec<Event> {
    let plan = "# Plan\n\n1. Look\u{1b}[2J\n2. Do\n".to_owned();
    let (question, choices) = ("Which\ndatabase?".to_owned(), vec!["SQLite".to_owned(), "Postgres".to_owned()]);
    let todo = |id: &str, content: &str, status| Todo { id: id.into(), content: content.into(), status };
    let items = vec![todo("1", "Look", TodoStatus::Completed), todo("2", "Do", TodoStatus::InProgress)];
    let group =
        ToolGroup { name: "plan".into(), tools: vec!["ask_user".into()], on: true, characters: 300, tokens: 80 };
    vec![
        Event::Call(CallEvent::ModeChanged { mode: Mode::Plan }),
        Event::Context(ContextEvent::Offered { by: ToolsBy::Server, costs: Vec::new(), groups: vec![group] }),
        proposed(1, "todo_write", json!({"todos": items})),
        Event::Call(CallEvent::Running {
            call: CallId(1),
            preview: Preview { title: "Todo 1/2: Do".into(), body: PreviewBody::Plain },
        }),
        Event::Turn(TurnEvent::Todos { items }),
        finished(1, outcome(Status::Done, "written down", "1 of 2 done")),
        proposed(2, "ask_user", json!({"question": question, "choices": choices})),
        asked(
            2,
            "Ask: Which database?",
            SessionAct::Inquire { question: question.clone(), choices: choices.clone() },
            PreviewBody::Choices { question, choices },
        ),
        finished(2, outcome(Status::Refused, "refused by the user", "nobody is here")),
        proposed(3, "exit_plan_mode", json!({"plan": plan})),
        asked(3, "Propose a plan", SessionAct::Propose { plan: plan.clone() }, PreviewBody::Plan { text: plan }),
        finished(3, outcome(Status::Refused, "refused by the user", "nobody is here")),
        Event::Turn(TurnEvent::Text { text: "My plan: look, then do.".into() }),
        ended(),
    ]
}

#[tokio::test]
async fn nobody_decides_on_a_plan_or_answers_a_question_and_the_model_is_told_how_to_go_on() {
    let printed = print(Format::Text, &planning()).await;
    insta::assert_snapshot!(format!("{}\n--- progress ---\n{}", printed.out, printed.progress));
    let words: Vec<&str> = printed
        .ops
        .iter()
        .filter_map(|op| match op {
            Op::Call(CallOp::Reply { answer: Answer::No { word: Some(word) }, .. }) => Some(word.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(words.len(), 2, "{:?}", printed.ops);
    assert!(words[0].starts_with("nobody is here to answer questions; decide"), "{words:?}");
    assert!(words[1].starts_with("nobody is here to decide on a plan; write it as your answer"), "{words:?}");
}

#[tokio::test]
async fn the_object_holds_the_list_and_each_refusal_as_an_error() {
    let printed = print(Format::Json, &planning()).await;
    let summary: Value = serde_json::from_str(&printed.out).unwrap();
    insta::assert_json_snapshot!(summary);
}

#[tokio::test]
async fn the_stream_reads_back_as_the_same_events() {
    let printed = print(Format::StreamJson, &planning()).await;
    let lines = printed.out.lines().filter(|line| !line.contains(r#""type":"end""#));
    // What a terminal would obey is shown instead; nothing else differs.
    let shown = |event: Event| serde_json::to_string(&event).unwrap().replace("\\u001b", "");
    let read: Vec<String> = lines.map(|line| shown(serde_json::from_str(line).unwrap())).collect();
    assert_eq!(read, planning().into_iter().map(shown).collect::<Vec<_>>());
}

#[tokio::test]
async fn nothing_of_them_commands_a_terminal() {
    for format in FORMATS {
        let printed = print(format, &planning()).await;
        for text in [&printed.out, &printed.progress] {
            assert!(!text.contains('\u{1b}'), "{format:?}: {text:?}");
        }
    }
}

/// One call for each way to fail, and one that went well.
fn failing() -> Vec<Event> {
    let failed = |kind, message: &str| Outcome::from(Failure::new(kind, message));
    let detail = "1 failed\nexit 101\n".to_owned();
    let outcomes = [
        outcome(Status::Done, "12 lines", "12 lines"),
        failed(FailureKind::NotFound, "there is no src/man.rs; the nearest is src/main.rs"),
        failed(FailureKind::PermissionDenied, "/etc/shadow cannot be read: permission denied"),
        failed(FailureKind::Denied, "refused: plan mode changes nothing; propose it with exit_plan_mode"),
        failed(FailureKind::InvalidArguments, "file_path is missing"),
        failed(FailureKind::UnknownTool, "there is no tool fly; git_status is off, /tools turns it on"),
        failed(FailureKind::NoMatch, "old_string is not in a.rs; read the file again"),
        failed(FailureKind::Ambiguous, "old_string is there 3 times; give more of what surrounds it"),
        failed(FailureKind::Stale, "a.rs changed since it was read; read it again"),
        failed(FailureKind::NotText, "a.png is no text"),
        failed(FailureKind::TooLarge, "a.log has 2 GB; read a part with offset and limit"),
        failed(FailureKind::Timeout, "ended after 120 s; give a larger timeout"),
        failed(
            FailureKind::NotInstalled,
            "black is not installed, or not on the PATH; install it with: pip install black",
        ),
        failed(FailureKind::Io, "a.rs cannot be written: no space left on device"),
        Outcome {
            detail: detail.clone(),
            ..outcome(Status::Exited { code: Some(101) }, &detail, "exit 101 after 3.2 s")
        },
        outcome(Status::Refused, "refused by the user, who says: use tabs", "use tabs"),
        outcome(Status::Stopped, "stopped by the user", ""),
        outcome(Status::Unknown, "it may have run", ""),
    ];
    let calls = (1..).zip(outcomes).flat_map(|(id, outcome)| [proposed(id, "tool", json!({})), finished(id, outcome)]);
    calls.chain([ended()]).collect()
}

#[tokio::test]
async fn every_failed_call_has_an_error_with_its_type_a_text_for_the_model_and_one_for_the_person() {
    let printed = print(Format::Json, &failing()).await;
    let mut summary: Value = serde_json::from_str(&printed.out).unwrap();
    let calls = summary["calls"].as_array_mut().unwrap();
    assert!(calls[0].get("error").is_none(), "{}", calls[0]);
    calls.iter_mut().for_each(|call| call["outcome"] = "…".into());
    insta::assert_json_snapshot!(calls);
}

#[tokio::test]
async fn the_stream_says_the_same_of_a_failed_call() {
    let [object, stream] =
        [Format::Json, Format::StreamJson].map(|format| async move { print(format, &failing()).await.out });
    let object: Value = serde_json::from_str(&object.await).unwrap();
    let lines: Vec<Value> = stream.await.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ends: Vec<&Value> = lines.iter().filter(|line| line["type"] == "finished").collect();
    for (call, end) in object["calls"].as_array().unwrap().iter().zip(ends) {
        for name in ["error", "llmContent", "returnDisplay"] {
            assert_eq!(call.get(name), end.get(name));
        }
    }
}

//! A session in which everything happens that a transcript can show.

use agent_protocol::{
    Action, AskId, CallEvent, CallId, Chunk, Event, FailureKind, FileDiff, ModelCall, NoticeLevel, Origin, Outcome,
    Preview, PreviewBody, Question, ServerError, SessionEvent, Settlement, Status, Stream, Subject, ToolCall,
    TurnEndReason, TurnEvent, TurnId, Usage,
};
use serde_json::{Value, json};

pub(super) fn started(text: &str) -> Event {
    Event::Turn(TurnEvent::Started { turn: TurnId(1), text: text.into() })
}

pub(super) fn text(text: &str) -> Event {
    Event::Turn(TurnEvent::Text { text: text.into() })
}

pub(super) fn thinking(text: &str) -> Event {
    Event::Turn(TurnEvent::Thinking { text: text.into() })
}

pub(super) fn replied() -> Event {
    Event::Turn(TurnEvent::Replied { usage: Usage::default(), reused: None })
}

pub(super) fn proposed(id: u64, name: &str, arguments: Value) -> Event {
    let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
    Event::Call(CallEvent::Proposed { call: ToolCall { id: CallId(id), call, origin: Origin::default() } })
}

pub(super) fn plain(title: &str) -> Preview {
    Preview { title: title.into(), body: PreviewBody::Plain }
}

pub(super) fn command(command: &str) -> Preview {
    let body = PreviewBody::Command {
        command: command.into(),
        cwd: "/project".into(),
        timeout_secs: 120,
        profile: agent_protocol::Profile::Project,
        cover: None,
        files: Vec::new(),
        note: None,
        background: false,
    };
    Preview { title: format!("Run {}", command.lines().next().unwrap()), body }
}

pub(super) fn edit(before: Option<&str>, after: &str) -> Preview {
    let file = FileDiff {
        path: "/project/src/total.rs".into(),
        shown_path: "src/total.rs".into(),
        before: before.map(Into::into),
        after: Some(after.into()),
        note: None,
        skipped: 0,
        marks: Vec::new(),
    };
    let verb = if before.is_some() { "Edit" } else { "Create" };
    Preview { title: format!("{verb} src/total.rs"), body: PreviewBody::Diff { files: vec![file] } }
}

pub(super) fn asked(id: u64, preview: Preview) -> Event {
    let subject = Subject::Action { action: Action::Read { paths: Vec::new() } };
    let why = "safe mode asks".into();
    let (ask, call) = (AskId(id), Some(CallId(id)));
    Event::Call(CallEvent::Asked {
        question: Question {
            hosts: Vec::new(),
            id: ask,
            call,
            subject,
            preview,
            why,
            offers: Vec::new(),
            warnings: Vec::new(),
            parts: Vec::new(),
            cause: Default::default(),
        },
    })
}

pub(super) fn settled(id: u64, settlement: Settlement) -> Event {
    Event::Call(CallEvent::Settled { ask: AskId(id), settlement })
}

pub(super) fn running(id: u64, preview: Preview) -> Event {
    Event::Call(CallEvent::Running { call: CallId(id), preview })
}

pub(super) fn output(id: u64, text: &str) -> Event {
    Event::Call(CallEvent::Output { call: CallId(id), chunk: Chunk { stream: Stream::Stdout, text: text.into() } })
}

pub(super) fn finished(id: u64, status: Status, summary: &str, detail: &str) -> Event {
    let outcome = Outcome {
        status,
        told: String::new(),
        summary: summary.into(),
        detail: detail.into(),
        fence: None,
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    };
    Event::Call(CallEvent::Finished { call: CallId(id), outcome })
}

pub(super) fn ended(reason: TurnEndReason) -> Event {
    let usage = Usage { reply_tokens: Some(412), reply_ns: Some(13_000_000_000), ..Usage::default() };
    Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason, usage })
}

pub(super) fn notice(level: NoticeLevel, text: &str) -> Event {
    Event::Session(SessionEvent::Notice { level, text: text.into() })
}

const BEFORE: &str = "/// What a list costs.\npub fn total(items: &[Item]) -> u64 {\n    let mut sum = 0;\n    for item \
in items {\n        sum += item.price;\n    }\n    sum\n}\n\npub fn count(items: &[Item]) -> usize {\n    items.len()\n}\n";

fn looking() -> Vec<Event> {
    vec![
        started("The test fails. Find out why\nand fix it, please."),
        thinking("\nThe user wants the test fixed.\n\nI should "),
        thinking("look at the code first."),
        text("\n\n"),
        text("I'll **look** at `src/total.rs` "),
        text("first.\n"),
        replied(),
        proposed(1, "read_file", json!({"file_path": "src/total.rs", "limit": 40})),
        running(1, plain("Read src/total.rs")),
        finished(1, Status::Done, "12 lines", "1\tpub fn total\n2\t\u{1b}[31mred\u{1b}[0m"),
        proposed(2, "grep_search", json!({"pattern": "total\\(", "path": "."})),
        running(2, plain("Search \"total\\(\"")),
        finished(2, Status::Done, "3 matches in 2 files", "src/main.rs\n4: total(&items)"),
        proposed(3, "read_file", json!({"file_path": "src/漢字.rs"})),
        finished(3, Status::Failed { kind: FailureKind::NotFound }, "not found", "there is no src/漢字.rs"),
    ]
}

fn working() -> Vec<Event> {
    let after = BEFORE.replace("item.price;", "item.quantity * item.price;");
    let created: String = (1..=20).map(|n| format!("line {n}\n")).collect();
    let log: String = (1..=9).map(|n| format!("test number_{n} ... ok\n")).collect();
    vec![
        proposed(4, "edit_file", json!({"file_path": "src/total.rs", "old_string": "a\nb", "new_string": "c"})),
        asked(4, edit(Some(BEFORE), &after)),
        settled(4, Settlement::Yes { remember: None, word: Some("and add a test".into()) }),
        running(4, edit(Some(BEFORE), &after)),
        finished(4, Status::Done, "+1 −1", ""),
        proposed(5, "write_file", json!({"file_path": "src/total.rs", "content": "…"})),
        running(5, edit(None, &created)),
        finished(5, Status::Done, "20 lines", ""),
        proposed(6, "run_command", json!({"command": "cargo test"})),
        asked(6, command("cargo test")),
        settled(6, Settlement::Yes { remember: None, word: None }),
        running(6, command("cargo test")),
        output(6, &log),
        finished(
            6,
            Status::Exited { code: Some(101) },
            "exit 101 · 3.2 s",
            &format!("{log}\u{1b}[31merror\u{1b}[0m: 1 failed\n"),
        ),
        proposed(7, "run_command", json!({"command": "rm -rf build"})),
        asked(7, command("rm -rf build")),
        settled(7, Settlement::No { word: Some("keep it".into()) }),
        finished(7, Status::Refused, "keep it", ""),
        Event::Turn(TurnEvent::Steered { text: "And be quick.".into() }),
        notice(NoticeLevel::Info, "AGENTS.md was read"),
        notice(NoticeLevel::Warning, "the project's config wanted unsafe mode; it was not given"),
    ]
}

fn closing() -> Vec<Event> {
    vec![
        text(
            "# Done\n\n1. The *sum* forgot the quantity.\n2. Now it does not:\n\n```rust\nsum += item.quantity * item.price;\n",
        ),
        text(
            "```\n\n| File | Change |\n|---|---|\n| src/total.rs | multiplied |\n\n> See [the docs](https://example.org).\n\n",
        ),
        text("Hostile: \u{202e}abc\u{1b}[2J &#27;]0;x&#7; 👩🏽\u{200d}💻 漢字"),
        replied(),
        ended(TurnEndReason::Done),
        started("Go on"),
        text("Half a sent"),
        ended(TurnEndReason::Interrupted),
        started("Again"),
        ended(TurnEndReason::Broken { trouble: ServerError::Cut { why: "connection reset".into() } }),
        started("Run it"),
        proposed(8, "run_command", json!({"command": "cargo bench"})),
        running(8, command("cargo bench")),
        output(8, "one\ntwo\nthree\nfour\n"),
        output(8, "10%\r50%\r100%\nfive\nsi"),
        proposed(9, "run_command", json!({"command": "sleep 1"})),
        asked(9, command("sleep 1")),
    ]
}

/// All of it.
pub(super) fn story() -> Vec<Event> {
    [looking(), working(), closing()].concat()
}

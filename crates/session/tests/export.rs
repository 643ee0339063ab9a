//! A session as others get to read it.

use agent_protocol::*;
use agent_protocol::{CallEvent, ContextEvent, ServerEvent, SessionEvent, TurnEvent};
use agent_session::export::{json, markdown};
use serde_json::{Value, json as object};

fn card() -> SessionCard {
    SessionCard {
        id: SessionId("20261122-134501-3f9a".into()),
        title: "Fix the <parser> | now".into(),
        project: "/home/a/my_project".into(),
        began: 1_795_355_101,
        updated: 1_795_355_200,
        model: Some("qwen3:8b".into()),
        turns: 1,
        bytes: 1_000,
        parent: None,
        open: false,
    }
}

fn setting() -> Record {
    Record::Setting(Setting {
        project: "/home/a/my_project".into(),
        instructions: "be brief".into(),
        tools: vec!["edit_file".into()],
        version: "0.1.0".into(),
    })
}

fn said(turn: u64, text: &str) -> Event {
    Event::Turn(TurnEvent::Started { turn: TurnId(turn), text: text.into() })
}

fn text(text: &str) -> Event {
    Event::Turn(TurnEvent::Text { text: text.into() })
}

fn replied() -> Event {
    Event::Turn(TurnEvent::Replied { usage: Usage::default(), reused: None })
}

fn ended(turn: u64, reason: TurnEndReason) -> Event {
    Event::Turn(TurnEvent::Ended { turn: TurnId(turn), reason, usage: Usage::default() })
}

fn proposed(id: u64, name: &str, arguments: Value) -> Event {
    let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
    Event::Call(CallEvent::Proposed { call: ToolCall { id: CallId(id), call, origin: Origin::default() } })
}

fn edit(before: &str, after: &str) -> Preview {
    let file = FileDiff {
        path: "/home/a/my_project/src/a.rs".into(),
        shown_path: "src/a.rs".into(),
        before: Some(before.into()),
        after: Some(after.into()),
        note: Some("line ends are CRLF".into()),
        skipped: 10,
        marks: Vec::new(),
    };
    Preview { title: "Edit src/a.rs".into(), body: PreviewBody::Diff { files: vec![file] } }
}

fn run(command: &str) -> Preview {
    let body = PreviewBody::Command {
        command: command.into(),
        cwd: "/home/a/my_project".into(),
        timeout_secs: 60,
        profile: Profile::Project,
        cover: None,
        files: Vec::new(),
        note: None,
        background: false,
    };
    Preview { title: format!("Run {command}"), body }
}

fn asked(id: u64, preview: Preview) -> Event {
    let subject = Subject::Action { action: Action::Read { paths: Vec::new() } };
    let question = Question {
        hosts: Vec::new(),
        id: AskId(id),
        call: Some(CallId(id)),
        subject,
        preview,
        why: "it writes".into(),
        offers: Vec::new(),
        warnings: Vec::new(),
        parts: Vec::new(),
        cause: Cause::Always,
    };
    Event::Call(CallEvent::Asked { question })
}

fn finished(id: u64, status: Status, summary: &str, detail: &str) -> Event {
    let outcome = Outcome {
        status,
        told: "told to the model".into(),
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

fn records(events: Vec<Event>) -> Vec<Record> {
    std::iter::once(setting()).chain(events.into_iter().map(|event| Record::Event { event })).collect()
}

fn changed(shown_path: &str, what: FileFate, added: u64, removed: u64) -> FileReceipt {
    FileReceipt { shown_path: shown_path.into(), what, added, removed }
}

#[test]
fn a_turn_with_its_calls_reads_like_a_page() {
    let events = vec![
        said(1, "fix the parser"),
        Event::Turn(TurnEvent::Thinking { text: "I should ".into() }),
        Event::Turn(TurnEvent::Thinking { text: "look at it.".into() }),
        text("I look at "),
        text("`src/a.rs`."),
        replied(),
        proposed(1, "edit_file", object!({"file_path": "src/a.rs"})),
        asked(1, edit("a\nb\nc\n", "a\nB\nc\n")),
        Event::Call(CallEvent::Settled {
            ask: AskId(1),
            settlement: Settlement::Yes { remember: None, word: Some("but keep *c*".into()) },
        }),
        Event::Call(CallEvent::Running { call: CallId(1), preview: edit("a\nb\nc\n", "a\nB\nc\n") }),
        finished(1, Status::Done, "1 line changed", ""),
        proposed(2, "run_command", object!({"command": "cargo test"})),
        Event::Call(CallEvent::Running { call: CallId(2), preview: run("cargo test") }),
        finished(2, Status::Exited { code: Some(101) }, "exit 101 after 3.2 s", "test a ... \u{1b}[31mFAILED\n```\n"),
        text("It is **done**."),
        replied(),
        Event::Turn(TurnEvent::Receipt {
            turn: TurnId(1),
            receipt: Receipt {
                files: vec![changed("src/a.rs", FileFate::Changed, 1, 1), changed("b`c.rs", FileFate::Created, 3, 0)],
                commands: vec![
                    CommandReceipt {
                        command: "cargo test".into(),
                        status: Status::Exited { code: Some(101) },
                        background: false,
                        parts: Vec::new(),
                    },
                    CommandReceipt {
                        command: "npm run dev".into(),
                        status: Status::Done,
                        background: true,
                        parts: Vec::new(),
                    },
                ],
                doubts: vec!["it says that the tests pass, but they do not".into()],
                ..Receipt::default()
            },
        }),
        ended(1, TurnEndReason::Done),
    ];
    insta::assert_snapshot!(markdown(&card(), &records(events)));
}

#[test]
fn what_was_taken_back_stays_and_is_marked() {
    let undone = |path: &str, left: Option<&str>| UndoneFile {
        path: path.into(),
        shown_path: path.into(),
        before: FileState::Missing,
        after: FileState::Missing,
        left: left.map(str::to_owned),
    };
    let events = vec![
        said(1, "one"),
        text("First."),
        ended(1, TurnEndReason::Done),
        said(2, "two"),
        Event::Turn(TurnEvent::Steered { text: "and *this*".into() }),
        text("Second."),
        ended(2, TurnEndReason::Interrupted),
        Event::Session(SessionEvent::Undone {
            direction: UndoDirection::Undo,
            said: SaidId(2),
            files: vec![undone("a.rs", None), undone("b.rs", Some("it changed since"))],
            part: None,
        }),
        Event::Session(SessionEvent::Undone {
            direction: UndoDirection::Undo,
            said: SaidId(1),
            files: vec![undone("c.rs", None)],
            part: Some(UndoPart { added: 2, removed: 1 }),
        }),
        Event::Session(SessionEvent::Rewound { said: SaidId(2), text: "two".into() }),
        said(3, "two, in other words"),
        text("Third."),
        Event::Session(SessionEvent::Notice { level: NoticeLevel::Warning, text: "the server is slow".into() }),
        ended(3, TurnEndReason::Lost),
    ];
    insta::assert_snapshot!(markdown(&card(), &records(events)));
}

#[test]
fn what_did_not_go_as_usual_is_told() {
    let mut all = records(vec![
        said(1, "try ````it"),
        Event::Server(ServerEvent::ModelSet {
            card: ModelCard { name: "a:1b".into(), ..ModelCard::default() },
            window: 1,
        }),
        proposed(1, "frobnicate", object!({"path": "x"})),
        finished(1, Status::Failed { kind: FailureKind::UnknownTool }, "no such tool", "there is no tool frobnicate"),
        proposed(2, "run_command", object!({"command": "rm -r ."})),
        Event::Call(CallEvent::Understood {
            call: CallId(2),
            name: "run_command".into(),
            notes: vec!["cmd was read as command".into()],
        }),
        asked(2, run("rm -r .")),
        Event::Call(CallEvent::Settled { ask: AskId(2), settlement: Settlement::No { word: Some("never".into()) } }),
        finished(2, Status::Refused, "", ""),
        Event::Turn(TurnEvent::SetAside { text: "result: ok\nand so on".into(), why: SetAside::Invented }),
        Event::Context(ContextEvent::Fitted { how: Compaction::Stubbed { results: 3 }, before: 9_000, after: 4_000 }),
        Event::Server(ServerEvent::ModelSet {
            card: ModelCard { name: "b:7b".into(), ..ModelCard::default() },
            window: 1,
        }),
        text("It begins:\n```rust\nfn main() {"),
        Event::Session(SessionEvent::Renamed { title: "Another".into() }),
        ended(1, TurnEndReason::Stuck { how: Stuck::Silent }),
    ]);
    all.push(setting());
    all.extend(
        records(vec![
            said(2, "go on"),
            proposed(3, "run_command", object!({"command": "make"})),
            Event::Call(CallEvent::Running { call: CallId(3), preview: run("make") }),
            proposed(4, "read_file", object!({})),
        ])
        .split_off(1),
    );
    insta::assert_snapshot!(markdown(&card(), &all));
}

#[test]
fn for_programs_it_is_one_object_with_every_record() {
    let mut all = records(vec![said(1, "one \u{1b}"), text("First.")]);
    all.push(Record::Conversation {
        from: 0,
        messages: vec![Message::text(Role::User, "one")],
        broken_tail: false,
        settled: false,
        unsent: false,
    });
    let written = json(&card(), &all);
    let read: Value = serde_json::from_str(&written).unwrap();
    assert_eq!((&read["format"], read["session"]["id"].as_str()), (&object!(1), Some("20261122-134501-3f9a")));
    assert_eq!(read.as_object().unwrap().keys().collect::<Vec<_>>(), ["format", "session", "records"]);
    let records: Vec<Record> = serde_json::from_value(read["records"].clone()).unwrap();
    assert_eq!(records, all);
    assert!(written.ends_with("}\n") && written.contains("\n  \"session\": {\n"));
}

#[test]
fn a_session_without_a_word_is_a_title_and_a_table() {
    let none = SessionCard { model: None, turns: 0, ..card() };
    let table = "# Fix the \\<parser\\> \\| now\n\n| | |\n|---|---|\n| model | none |\n| project | /home/a/my\\_project |\n\
                 | began | 2026-11-22T13:45:01Z |\n| turns | 0 |\n";
    assert_eq!(markdown(&none, &[setting()]), table);
}

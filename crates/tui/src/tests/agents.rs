//! A task of a second agent: a line of what it does, all of it on a key, its questions as always.

use super::harness::{Stage, asks_command, turn};
use super::looks::{look, worked};
use agent_protocol::{
    AskId, CallEvent, CallId, Event, ModelCall, Origin, Outcome, Phase, Preview, PreviewBody, Settlement, Status,
    ToolCall, TurnEvent,
};
use serde_json::{Value, json};

fn proposed(id: u64, name: &str, arguments: Value) -> Event {
    let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
    Event::Call(CallEvent::Proposed { call: ToolCall { id: CallId(id), call, origin: Origin::default() } })
}

fn running(id: u64, title: &str) -> Event {
    Event::Call(CallEvent::Running {
        call: CallId(id),
        preview: Preview { title: title.into(), body: PreviewBody::Plain },
    })
}

fn finished(id: u64, status: Status, summary: &str, detail: &str) -> Event {
    let (told, summary, detail) = (String::new(), summary.to_owned(), detail.to_owned());
    let outcome = Outcome {
        status,
        told,
        summary,
        detail,
        fence: None,
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    };
    Event::Call(CallEvent::Finished { call: CallId(id), outcome })
}

fn agent(event: Event) -> Event {
    Event::Call(CallEvent::Delegated { call: CallId(10), event: Box::new(event) })
}

/// A task, and the agent's first calls.
fn at_work(stage: &mut Stage) {
    let words = json!({"subagent_type": "explore", "prompt": "Find where totals are made"});
    stage.hear(proposed(10, "task", words));
    let body = PreviewBody::Task { agent: "explore".into(), prompt: "Find where totals are made".into() };
    let preview = Preview { title: "explore: Find the totals".into(), body };
    stage.hear(Event::Call(CallEvent::Running { call: CallId(10), preview }));
    stage.hear(agent(Event::Turn(TurnEvent::Text { text: "I look\u{1b}[2J for it.".into() })));
    stage.hear(agent(proposed(11, "grep_search", json!({"pattern": "total"}))));
    stage.hear(agent(running(11, "Search for total")));
    stage.hear(agent(finished(11, Status::Done, "4 matches in 2 files", "total.sh:3")));
    stage.hear(agent(proposed(12, "read_file", json!({"file_path": "total.sh"}))));
    stage.hear(agent(running(12, "Read total.sh")));
}

#[test]
fn an_agent_at_work() {
    look("agent_at_work", |stage| {
        worked(stage);
        at_work(stage);
        stage.wait(3_000);
    });
}

#[test]
fn an_agents_work_unfolded() {
    look("agent_unfolded", |stage| {
        worked(stage);
        at_work(stage);
        stage.hear(agent(finished(12, Status::Done, "40 lines", "#!/bin/sh"))).keys("<c-o>");
    });
}

#[test]
fn an_agent_that_is_done() {
    look("agent_done", |stage| {
        worked(stage);
        at_work(stage);
        stage.hear(agent(finished(12, Status::Done, "40 lines", "#!/bin/sh")));
        stage.hear(agent(Event::Turn(TurnEvent::Text { text: "In total.sh:3.".into() })));
        stage.hear(finished(10, Status::Done, "2 calls, 3,140 tokens", "In total.sh:3."));
    });
}

#[test]
fn the_status_line_says_that_it_is_the_agents_until_it_is_done() {
    let mut stage = Stage::new();
    stage.hear(turn("go"));
    at_work(&mut stage);
    assert!(stage.shows("explore: reading"), "{}", stage.screen());
    stage.hear(agent(finished(12, Status::Done, "40 lines", "")));
    stage.hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Reading { estimate: None } }));
    assert!(stage.shows("explore: reading the prompt"), "{}", stage.screen());
    stage.hear(finished(10, Status::Done, "2 calls", "In total.sh:3."));
    stage.hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Reading { estimate: None } }));
    assert!(!stage.shows("explore: reading") && stage.shows("reading the prompt"), "{}", stage.screen());
}

#[test]
fn its_question_is_asked_as_always_and_says_whose_it_is() {
    let mut stage = Stage::new();
    stage.hear(turn("go"));
    at_work(&mut stage);
    stage.hear(agent(proposed(1, "run_command", json!({"command": "cargo test"}))));
    let Event::Call(CallEvent::Asked { mut question }) = asks_command("cargo test") else { panic!("a question") };
    question.why = format!("explore asks: {}", question.why);
    stage.hear(Event::Call(CallEvent::Asked { question })).wait(600);
    assert!(stage.shows("explore asks: safe mode asks before every command"), "{}", stage.screen());
    stage.keys("<=y>");
    assert_eq!(stage.ops().len(), 1);
    stage.hear(Event::Call(CallEvent::Settled {
        ask: AskId(1),
        settlement: Settlement::Yes { remember: None, word: None },
    }));
    stage.hear(agent(running(1, "Run cargo test")));
    assert!(stage.shows("Run cargo test · running · 3 calls"), "{}", stage.screen());
}

#[test]
fn nothing_an_agent_writes_reaches_the_terminal_raw() {
    let mut stage = Stage::new();
    stage.hear(turn("go"));
    at_work(&mut stage);
    stage.hear(agent(proposed(13, "read\u{1b}]0;x\u{7}", json!({})))).keys("<c-o>");
    assert!(!stage.screen().contains('\u{1b}'), "{}", stage.screen());
    assert!(stage.shows("for it."), "{}", stage.screen());
}

//! What programs and people read of an agent's work on a task.

use super::*;
use agent_protocol::{CallEvent, TurnEvent};

/// A task: a call of the agent that goes well, and one that fails.
fn with_a_task() -> Vec<Event> {
    let call = |id: u64, name: &str| ToolCall {
        id: CallId(id),
        call: ModelCall { server_id: None, index: None, name: name.into(), arguments: serde_json::json!({}) },
        origin: Origin::default(),
    };
    let agent = |event: Event| Event::Call(CallEvent::Delegated { call: CallId(1), event: Box::new(event) });
    let finished = |id: u64, status: Status, summary: &str| {
        Event::Call(CallEvent::Finished {
            call: CallId(id),
            outcome: Outcome {
                status,
                told: "told".into(),
                summary: summary.into(),
                detail: String::new(),
                fence: None,
                changed: Vec::new(),
                failing: None,
                images: Vec::new(),
                job: None,
            },
        })
    };
    let failed = Status::Failed { kind: agent_protocol::FailureKind::NotFound };
    vec![
        Event::Turn(TurnEvent::Started { turn: TurnId(1), text: "go".into() }),
        Event::Call(CallEvent::Proposed { call: call(1, "task") }),
        agent(Event::Turn(TurnEvent::Text { text: "I look.".into() })),
        agent(Event::Call(CallEvent::Proposed { call: call(2, "read_file") })),
        agent(finished(2, Status::Done, "40 lines")),
        agent(Event::Call(CallEvent::Proposed { call: call(3, "read_file") })),
        agent(finished(3, failed, "not found")),
        finished(1, Status::Done, "2 calls"),
        Event::Turn(TurnEvent::Text { text: "There.".into() }),
        Event::Turn(TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Done, usage: Usage::default() }),
    ]
}

#[tokio::test]
async fn what_an_agent_does_is_progress_and_not_the_answer() {
    let printed = print(Format::Text, with_a_task().into_iter()).await;
    assert_eq!(printed.out, "There.\n");
    let lines: Vec<&str> = printed.progress.lines().collect();
    assert_eq!(lines, ["  ✓ read_file · 40 lines", "  ✗ read_file · not found", "✓ task · 2 calls"]);
}

#[tokio::test]
async fn programs_see_an_agents_calls_as_such() {
    let printed = print(Format::Json, with_a_task().into_iter()).await;
    let summary: Value = serde_json::from_str(&printed.out).unwrap();
    assert_eq!(summary["answer"], "There.");
    let calls = summary["calls"].as_array().unwrap();
    let of_agent: Vec<bool> = calls.iter().map(|call| call["in_task"] == true).collect();
    assert_eq!(of_agent, [false, true, true]);
    assert_eq!(calls[2]["error"]["type"], "file_not_found");
    let printed = print(Format::StreamJson, with_a_task().into_iter()).await;
    let lines: Vec<Value> = printed.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let failed = lines.iter().find(|line| line["event"]["call"] == 3 && line["event"]["type"] == "finished").unwrap();
    assert_eq!((&failed["type"], &failed["event"]["error"]["type"]), (&"delegated".into(), &"file_not_found".into()));
}

//! Tasks for a second agent, with real tools.
use crate::scripted::*;
use agent_protocol::*;
use agent_protocol::{CallEvent, CallOp, SessionEvent, SessionOp, TurnOp};
use agent_session::Begin;
use serde_json::json;

fn task(agent: &str) -> Reply {
    let words = json!({"subagent_type": agent, "description": "Find it", "prompt": "look at a.txt"});
    calls("task", words)
}

fn with_agents(session: &Session) {
    session.op(Op::Call(CallOp::SetGroups { groups: vec!["core".into(), "agent".into()] }));
}

fn read() -> Reply {
    calls("read_file", json!({"file_path": "a.txt"}))
}

fn write() -> Reply {
    calls("write_file", json!({"file_path": "new.txt", "content": "text\n"}))
}

#[tokio::test]
async fn an_agent_looks_and_only_its_answer_reaches_the_first_conversation() {
    let replies = vec![task("explore"), read(), says("It says hi."), says("There.")];
    let mut session = open(Mode::Safe, replies);
    session.write("a.txt", "hi there\n");
    with_agents(&session);
    assert_eq!(turn(&mut session, "what is in a.txt?").await, TurnEndReason::Done);
    assert_eq!(session.last_told(), "It says hi.");
    let requests = session.backend.requests.lock().unwrap().clone();
    assert_eq!(requests.len(), 4);
    assert!(requests[2].messages.last().unwrap().content.contains("hi there"));
    assert_eq!(requests[3].messages[..2], requests[0].messages[..], "the first one goes on");
    let alike = |request: &ChatRequest| (request.model.clone(), request.window, request.options.clone());
    assert!(requests.iter().all(|request| alike(request) == alike(&requests[0])), "so that nothing is loaded again");
    let names: Vec<&str> = requests[1].tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["read_file", "list_directory", "glob_files", "grep_search"]);
}

#[tokio::test]
async fn what_an_agent_would_change_is_asked_and_can_be_taken_back_in_a_later_session() {
    let replies = vec![task("general-purpose"), write(), says("Written."), says("There.")];
    let mut session = open_in(folder(), Opening { mode: Mode::Safe, replies, ..Opening::default() });
    session.write("a.txt", "hi there\n");
    with_agents(&session);
    session.say("write it");
    let question = session.asked().await;
    assert!(question.why.starts_with("general-purpose asks: "), "{}", question.why);
    assert!(!session.project().join("new.txt").exists());
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Yes { remember: None, word: None } }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert_eq!(session.read("new.txt"), "text\n");
    let id = listed(&mut session).await[0].id.clone();
    let folder = session.leave().await;
    let opening = Opening { mode: Mode::Safe, begin: Begin::Session(id), ..Opening::default() };
    let mut session = open_in(folder, opening);
    let events = session
        .until(|event| match event {
            Event::Session(SessionEvent::Restored { events, .. }) => Some(events.clone()),
            _ => None,
        })
        .await;
    assert!(
        events.iter().any(|event| matches!(event, Event::Call(CallEvent::Delegated { .. }))),
        "what it did shows again"
    );
    let turns = undoable(&mut session).await;
    assert_eq!((turns.len(), turns[0].files), (1, 1));
    plan(&mut session, UndoDirection::Undo, 1).await;
    session.op(Op::Session(SessionOp::Undo { direction: UndoDirection::Undo, said: SaidId(1), choices: Vec::new() }));
    session.until(|event| matches!(event, Event::Session(SessionEvent::Undone { .. })).then_some(())).await;
    assert!(!session.project().join("new.txt").exists());
}

#[tokio::test]
async fn an_interruption_ends_what_the_agent_runs() {
    let replies = vec![task("general-purpose"), run_command("echo $$ > pid; sleep 600"), says("never")];
    let mut session = open(Mode::Unsafe, replies);
    with_agents(&session);
    session.say("run it");
    session
        .until(|event| match event {
            Event::Call(CallEvent::Delegated { event, .. }) => {
                matches!(**event, Event::Call(CallEvent::Running { .. })).then_some(())
            }
            _ => None,
        })
        .await;
    session.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!(session.ended().await, TurnEndReason::Interrupted);
}

//! What is remembered for later sessions: asked about in every mode, written outside the project too, and taken back.
use crate::scripted::*;
use agent_protocol::*;
use agent_protocol::{CallOp, SessionEvent, SessionOp};
use serde_json::json;

/// A session in which the model has the tools for it.
fn open_remembering(replies: Vec<Reply>) -> Session {
    let session = open_kept(replies);
    session.op(Op::Call(CallOp::SetGroups { groups: vec!["core".into(), "agent".into()] }));
    session
}

fn remember(fact: &str, scope: &str) -> Reply {
    calls("save_memory", json!({"fact": fact, "scope": scope}))
}

async fn agreed(session: &mut Session) -> Question {
    let question = session.asked().await;
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Yes { remember: None, word: None } }));
    question
}

#[tokio::test]
async fn a_fact_is_remembered_for_all_projects_after_a_yes_and_taken_back() {
    let mut session = open_remembering(vec![remember("write short answers", "global"), says("Noted.")]);
    let file = session.project().with_file_name("home").join(".config/agent/memory.md");
    session.say("remember that");
    let question = agreed(&mut session).await;
    assert_eq!(question.why, "what is remembered is told to the model in every later session");
    assert!(question.offers.is_empty(), "{:?}", question.offers);
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "# Notes for later sessions\n\n- write short answers\n");
    plan(&mut session, UndoDirection::Undo, 1).await;
    session.op(Op::Session(SessionOp::Undo { direction: UndoDirection::Undo, said: SaidId(1), choices: Vec::new() }));
    let undone = session
        .until(|event| match event {
            Event::Session(SessionEvent::Undone { files, .. }) => Some(files.clone()),
            _ => None,
        })
        .await;
    assert!(undone.len() == 1 && undone[0].left.is_none(), "{undone:?}");
    assert!(!file.exists());
}

#[tokio::test]
async fn in_unsafe_mode_too_a_memory_is_not_changed_unasked_by_any_tool() {
    let edit = calls("edit_file", json!({"file_path": ".agent/memory.md", "old_string": "tabs", "new_string": "x"}));
    let mut session = open_remembering(vec![remember("tabs", "project"), edit, says("Done.")]);
    session.say("go on");
    agreed(&mut session).await;
    let question = session.asked().await;
    assert!(question.why.starts_with("what is remembered"), "{}", question.why);
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::No { word: None } }));
    session.ended().await;
    assert!(session.read(".agent/memory.md").ends_with("- tabs\n"));
}

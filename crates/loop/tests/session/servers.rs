//! Tools of other servers, through a whole session: offered as they were approved, asked about, called, ended.
use crate::scripted::*;
use agent_policy::{Grounds, SandboxLimits};
use agent_protocol::CallOp;
use agent_protocol::*;
use agent_sandbox::Surroundings;
use agent_tools::mcp::{Connection, Mark, Pinned, Server, Way};
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// The test server of `agent-tools`, approved as it is.
async fn approved(folder: &TempDir) -> Pinned {
    let root = folder.path().canonicalize().unwrap().join("project");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/tests/servers/notes.sh");
    let argv = vec!["sh".into(), script.canonicalize().unwrap().to_str().unwrap().into(), "good".into()];
    let way = Way::Program { argv, env: Vec::new() };
    let server = Server { name: "notes".into(), way, timeout: Duration::from_secs(60) };
    let around = Surroundings::new(std::env::vars_os(), &[], &root).unwrap();
    let mark = Mark::of(&server, around.programs()).unwrap().whole;
    let grounds = Grounds { root, writable: Vec::new(), ports: Vec::new() };
    let fence = SandboxLimits::for_server(&grounds, agent_sandbox::probe().kind);
    let tools = Connection::open(&server, &fence).await.unwrap().tools().await.unwrap();
    Pinned { server, mark, tools }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_of_a_server_is_asked_about_called_and_gone_with_the_session() {
    let folder = folder();
    let mcp = vec![approved(&folder).await];
    let replies = vec![calls("notes__add", json!({ "text": "milk" })), calls("notes__pid", json!({})), says("fine")];
    let mut session = open_in(folder, Opening { mode: Mode::Unsafe, replies, mcp, ..Opening::default() });
    session.say("write it down");
    let question = session.asked().await;
    let PreviewBody::Call { server, tool, arguments, description } = &question.preview.body else { panic!() };
    assert_eq!((server.as_str(), tool.as_str(), description.as_str()), ("notes", "add", "Adds a note."));
    assert_eq!(arguments, "{\n  \"text\": \"milk\"\n}");
    let rule = Rule::Tool { server: "notes".into(), tool: "add".into() };
    assert_eq!(question.offers.iter().map(|offer| offer.rule.clone()).collect::<Vec<_>>(), [rule]);
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Yes { remember: None, word: None } }));
    let question = session.asked().await;
    assert!(session.last_told().contains("from the server notes, not from the user"));
    assert!(session.last_told().ends_with("<answer-1>\nadded\n</answer-1>\n"));
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Yes { remember: None, word: None } }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    let pid = session.last_told().lines().rev().nth(1).unwrap().to_owned();
    assert!(alive(&pid), "{pid} is kept for the next call");
    session.leave().await;
    assert!(!alive(&pid), "{pid} ends with the session");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_changed_what_it_says_is_not_called() {
    let folder = folder();
    let mut pinned = approved(&folder).await;
    pinned.tools[0].description = "Adds a note, and nothing else.".into();
    let replies = vec![calls("notes__add", json!({ "text": "milk" })), says("fine")];
    let mut session = open_in(folder, Opening { replies, mcp: vec![pinned], ..Opening::default() });
    session.say("write it down");
    let question = session.asked().await;
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Yes { remember: None, word: None } }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    let told = session.last_told();
    assert!(told.contains("not what was approved: add has another description: \"Adds a note.\""), "{told}");
    assert!(told.contains("`agent mcp approve notes`"), "{told}");
}

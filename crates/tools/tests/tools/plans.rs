//! What the model wants of the session, as it is read.

use crate::support::Gate;
use agent_protocol::{Action, Failure, ModelCall, PreviewBody, Proposal, SessionAct, Todo, TodoStatus};
use agent_tools::{PlannedCall, Toolbox};
use serde_json::{Value, json};
use std::path::Path;

/// What a call would do.
fn planned(name: &str, arguments: Value) -> Result<Box<dyn PlannedCall>, Failure> {
    let toolbox = Toolbox::new("/".into());
    let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
    let reached = toolbox.reach(&call)?;
    let look = Gate::new(Path::new("/")).look(reached.action).expect("nothing is looked at");
    toolbox.plan(&call, look)
}

fn failure(name: &str, arguments: Value) -> String {
    planned(name, arguments).err().expect("it fails").message
}

#[test]
fn a_list_is_read_as_other_agents_write_it() {
    let job = planned(
        "TodoWrite",
        json!({"todos": [
            {"content": "Read", "status": "completed", "activeForm": "Reading"},
            {"id": 7, "content": " Write ", "status": "In Progress"},
            {"content": "Test", "status": "pending", "priority": "high"},
        ]}),
    );
    let job = job.unwrap();
    let item = |id: &str, content: &str, status| Todo { id: id.into(), content: content.into(), status };
    let items = vec![
        item("1", "Read", TodoStatus::Completed),
        item("7", "Write", TodoStatus::InProgress),
        item("3", "Test", TodoStatus::Pending),
    ];
    assert_eq!(job.action(), Action::Session { act: SessionAct::Todo { items } });
    assert_eq!(job.preview().title, "Todo 1/3: Write");
}

#[test]
fn a_list_that_contradicts_itself_is_refused_with_the_way_out() {
    let entry = |id: &str, status: &str| json!({"id": id, "content": "x", "status": status});
    for (todos, says) in [
        (json!([entry("1", "in_progress"), entry("2", "in_progress")]), "one at a time"),
        (json!([entry("1", "pending"), entry("1", "pending")]), "two entries with the id \"1\""),
        (json!([entry("1", "started")]), "one of pending, in_progress, completed"),
        (json!([{"id": "1", "status": "pending"}]), "needs `content`"),
    ] {
        let said = failure("todo_write", json!({ "todos": todos }));
        assert!(said.contains(says), "{said}");
    }
    assert!(failure("todo_write", json!({})).contains("whole list"));
    assert!(planned("todo_write", json!({"todos": []})).is_ok(), "an empty list is a list");
}

#[test]
fn a_plan_is_a_document_that_the_person_may_rewrite() {
    let job = planned("ExitPlanMode", json!({"plan": "# Do\n1. it\n"})).unwrap();
    assert_eq!(job.preview().body, PreviewBody::Plan { text: "# Do\n1. it\n".into() });
    let changed = job.amend(Proposal::Plan { text: "2. that".into() }).unwrap();
    assert_eq!(changed.action(), Action::Session { act: SessionAct::Propose { plan: "2. that".into() } });
    assert!(changed.amend(Proposal::Command { command: "ls".into() }).is_err());
    assert!(failure("exit_plan_mode", json!({"plan": " "})).contains("is empty"));
}

#[test]
fn a_question_has_choices_or_none() {
    let job = planned("ask_user", json!({"question": "Which?", "options": ["a", " ", "b"]})).unwrap();
    let body = PreviewBody::Choices { question: "Which?".into(), choices: vec!["a".into(), "b".into()] };
    assert_eq!((job.preview().title.as_str(), job.preview().body), ("Ask: Which?", body));
    assert!(planned("ask_user", json!({"question": "Why?"})).is_ok());
    let many: Vec<String> = (0..10).map(|number| number.to_string()).collect();
    assert!(failure("ask_user", json!({"question": "Which?", "choices": many})).contains("at most 9"));
}

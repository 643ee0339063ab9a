//! Tasks for a second agent, as they are read.

use crate::support::Gate;
use agent_protocol::{Action, Failure, ModelCall, PreviewBody, SessionAct};
use agent_tools::{PlannedCall, Toolbox};
use serde_json::{Value, json};
use std::path::Path;

fn planned(name: &str, arguments: Value) -> Result<Box<dyn PlannedCall>, Failure> {
    let toolbox = Toolbox::new("/".into());
    toolbox.offer(&["agent".to_owned()]);
    let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
    let reached = toolbox.reach(&call)?;
    let look = Gate::new(Path::new("/")).look(reached.action).expect("nothing is looked at");
    toolbox.plan(&call, look)
}

fn delegated(agent: &str, description: &str) -> Action {
    let prompt = "Find the parser in src".to_owned();
    Action::Session { act: SessionAct::Delegate { agent: agent.into(), description: description.into(), prompt } }
}

#[test]
fn a_task_is_read_as_other_agents_write_it() {
    let prompt = "Find the parser in src";
    for (name, arguments) in [
        ("task", json!({"subagent_type": "explore", "description": "Find it", "prompt": prompt})),
        ("Task", json!({"subagentType": "explore", "description": "Find it", "prompt": prompt})),
        ("agent", json!({"agent": "explore", "title": "Find it", "task": prompt})),
        ("subagent", json!({"type": "explore", "description": " Find  it", "instructions": prompt})),
    ] {
        let job = planned(name, arguments).unwrap();
        assert_eq!(job.action(), delegated("explore", "Find it"), "{name}");
        assert_eq!(job.preview().title, "explore: Find it");
        assert_eq!(job.preview().body, PreviewBody::Task { agent: "explore".into(), prompt: prompt.into() });
    }
}

#[test]
fn a_task_needs_only_its_words() {
    let job = planned("task", json!({"prompt": "Find the parser in src"})).unwrap();
    assert_eq!(job.action(), delegated("general-purpose", "Find the parser in src"));
    for arguments in [json!({}), json!({"prompt": "  "}), json!({"subagent_type": "explore"})] {
        assert!(planned("task", arguments).err().unwrap().message.contains("prompt"));
    }
}

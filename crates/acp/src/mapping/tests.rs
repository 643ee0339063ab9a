//! Events in, updates out, as they go over the wire.

use super::*;
use agent_protocol::{
    Chunk, FailureKind, FileDiff, Mode, ModelCall, Origin, Profile, Receipt, Stream, TurnEndReason, TurnId, Usage,
};

fn mapping(telling: Telling) -> Mapping {
    Mapping::new("/p".into(), telling)
}

fn told(mapping: &mut Mapping, event: impl Into<Event>) -> Vec<Value> {
    mapping.take(&event.into())
}

fn proposed(id: u64, name: &str, arguments: Value) -> CallEvent {
    let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
    CallEvent::Proposed { call: ToolCall { id: CallId(id), call, origin: Origin::default() } }
}

fn outcome(status: Status, summary: &str, detail: &str) -> Outcome {
    Outcome {
        status,
        told: String::new(),
        summary: summary.into(),
        detail: detail.into(),
        fence: None,
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    }
}

fn diff() -> Preview {
    let file = FileDiff {
        path: "/p/a.rs".into(),
        shown_path: "a.rs".into(),
        before: Some("one\ntwo\n".into()),
        after: Some("one\n2\n".into()),
        note: None,
        skipped: 0,
        marks: Vec::new(),
    };
    Preview { title: "Edit a.rs".into(), body: PreviewBody::Diff { files: vec![file] } }
}

#[test]
fn text_and_thoughts_stream_and_the_persons_words_are_told_only_again() {
    let mut now = mapping(Telling::Now);
    let text = told(&mut now, TurnEvent::Text { text: "hi".into() });
    assert_eq!(text, [json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "hi"}})]);
    let thought = told(&mut now, TurnEvent::Thinking { text: "hm".into() });
    assert_eq!(thought[0]["sessionUpdate"], "agent_thought_chunk");
    let said = TurnEvent::Started { turn: TurnId(1), text: "fix it".into() };
    assert_eq!(told(&mut now, said.clone()), Vec::<Value>::new());
    assert_eq!(told(&mut mapping(Telling::Again), said)[0]["sessionUpdate"], "user_message_chunk");
}

#[test]
fn an_answer_that_was_reasoning_is_told_to_be_none() {
    let mut mapping = mapping(Telling::Now);
    let told = told(&mut mapping, TurnEvent::WasThinking { text: "Perhaps.".into() });
    assert_eq!(told[0]["content"]["text"], "\n\n> The text above was the model's reasoning, not its answer.\n\n");
}

#[test]
fn an_edit_is_announced_with_its_place_and_ends_with_its_difference() {
    let mut mapping = mapping(Telling::Now);
    let call = told(&mut mapping, proposed(3, "edit_file", json!({"file_path": "a.rs"})));
    assert_eq!(
        call,
        [json!({
            "sessionUpdate": "tool_call", "toolCallId": "call-3", "title": "edit_file", "kind": "edit", "status": "pending",
            "locations": [{"path": "/p/a.rs"}], "rawInput": {"file_path": "a.rs"},
        })]
    );
    let runs = &told(&mut mapping, CallEvent::Running { call: CallId(3), preview: diff() })[0];
    assert_eq!((&runs["status"], &runs["title"]), (&json!("in_progress"), &json!("Edit a.rs")));
    assert_eq!(runs["locations"], json!([{"path": "/p/a.rs", "line": 2}]));
    let outcome = outcome(Status::Done, "+1 −1", "");
    let ends = &told(&mut mapping, CallEvent::Finished { call: CallId(3), outcome })[0];
    assert_eq!(ends["status"], "completed");
    let difference = json!({"type": "diff", "path": "/p/a.rs", "oldText": "one\ntwo\n", "newText": "one\n2\n"});
    assert_eq!(ends["content"][0], difference);
    assert_eq!(ends["content"][1]["content"]["text"], "+1 −1");
}

#[test]
fn an_edit_that_was_not_made_shows_no_difference_and_says_why() {
    let mut mapping = mapping(Telling::Now);
    told(&mut mapping, proposed(3, "edit_file", json!({})));
    told(&mut mapping, CallEvent::Running { call: CallId(3), preview: diff() });
    let outcome = outcome(Status::Failed { kind: FailureKind::Stale }, "a.rs changed", "a.rs changed");
    let ends = &told(&mut mapping, CallEvent::Finished { call: CallId(3), outcome })[0];
    assert_eq!(ends["status"], "failed");
    assert_eq!(ends["content"], json!([{"type": "content", "content": {"type": "text", "text": "a.rs changed"}}]));
}

#[test]
fn the_output_of_a_command_is_told_when_it_is_due_and_only_its_end() {
    let mut mapping = mapping(Telling::Now);
    told(&mut mapping, proposed(1, "run_command", json!({"command": "make"})));
    let body = PreviewBody::Command {
        command: "make".into(),
        cwd: "/p".into(),
        timeout_secs: 60,
        profile: Profile::Project,
        cover: None,
        files: Vec::new(),
        note: None,
        background: false,
    };
    let preview = Preview { title: "Run make".into(), body };
    let runs = &told(&mut mapping, CallEvent::Running { call: CallId(1), preview })[0];
    assert_eq!(runs["kind"], "execute");
    assert!(!mapping.has_outputs());
    for text in ["first\n".to_owned(), "x".repeat(4 * shown::MOST_OUTPUT), "last\n".to_owned()] {
        let chunk = Chunk { stream: Stream::Stdout, text };
        assert_eq!(told(&mut mapping, CallEvent::Output { call: CallId(1), chunk }), Vec::<Value>::new());
    }
    let outputs = mapping.outputs();
    let update = &outputs[0];
    let shown = update["content"][0]["content"]["text"].as_str().unwrap();
    assert!(shown.ends_with("last\n```") && !shown.contains("first"), "{}", shown.len());
    assert!(shown.len() < shown::MOST_OUTPUT + 20 && mapping.outputs().is_empty());
    let outcome = outcome(Status::Exited { code: Some(2) }, "exit 2", "last\n");
    let ends = &told(&mut mapping, CallEvent::Finished { call: CallId(1), outcome })[0];
    assert_eq!(ends["content"][0]["content"]["text"], "```\nlast\n```\n\nexit 2");
}

#[test]
fn the_list_of_things_to_do_is_a_plan() {
    let item = |status| Todo { id: "1".into(), content: "write it".into(), status };
    let items = vec![item(TodoStatus::InProgress), item(TodoStatus::Completed)];
    let plan = &told(&mut mapping(Telling::Now), TurnEvent::Todos { items })[0];
    let entry = |status: &str| json!({"content": "write it", "priority": "medium", "status": status});
    assert_eq!(*plan, json!({"sessionUpdate": "plan", "entries": [entry("in_progress"), entry("completed")]}));
}

#[test]
fn a_second_agents_calls_are_shown_and_its_words_are_not() {
    let mut mapping = mapping(Telling::Now);
    let of_agent = |event: Event| CallEvent::Delegated { call: CallId(1), event: Box::new(event) };
    let text = TurnEvent::Text { text: "looking".into() };
    assert_eq!(told(&mut mapping, of_agent(text.into())), Vec::<Value>::new());
    let call = told(&mut mapping, of_agent(proposed(2, "grep_search", json!({})).into()));
    assert_eq!((&call[0]["toolCallId"], &call[0]["kind"]), (&json!("call-2"), &json!("search")));
}

#[test]
fn modes_usage_names_and_what_is_not_so_are_told() {
    let mut mapping = mapping(Telling::Now);
    let mode = told(&mut mapping, CallEvent::ModeChanged { mode: Mode::AcceptEdits });
    assert_eq!(mode, [json!({"sessionUpdate": "current_mode_update", "currentModeId": "accept-edits"})]);
    let usage = told(&mut mapping, ContextEvent::Window { used: 7, of: 100 });
    assert_eq!(usage, [json!({"sessionUpdate": "usage_update", "used": 7, "size": 100})]);
    let name = told(&mut mapping, SessionEvent::Renamed { title: "parser".into() });
    assert_eq!(name, [json!({"sessionUpdate": "session_info_update", "title": "parser"})]);
    let receipt = Receipt { doubts: vec!["it says that a.rs was changed".into()], ..Receipt::default() };
    let doubt = told(&mut mapping, TurnEvent::Receipt { turn: TurnId(1), receipt });
    assert_eq!(doubt[0]["content"]["text"], "\n\n> not so: it says that a.rs was changed\n\n");
    let ended = TurnEvent::Ended { turn: TurnId(1), reason: TurnEndReason::Length, usage: Usage::default() };
    assert!(told(&mut mapping, ended)[0]["content"]["text"].as_str().unwrap().contains("the reply was cut off"));
}

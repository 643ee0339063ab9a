//! Calls by which other agents have a model end its work. There is no such tool here, and no model is told of one: what such
//! a call says is the answer.

use agent_protocol::{ModelCall, ToolSpec};
use serde_json::{Value, json};

/// Names that say nothing else, as models write them.
const NAMES: [&str; 12] = [
    "attempt_completion",
    "finish",
    "task_complete",
    "task_completed",
    "complete_task",
    "finish_task",
    "task_done",
    "final_answer",
    "final_response",
    "submit_answer",
    "submit_final_answer",
    "end_task",
];

/// Words that are such a name only where it is plain that they are a call.
const WORDS: [&str; 3] = ["done", "complete", "answer_in_text"];

/// What the text of the answer is called, in lower case without underscores; the first that is there counts.
const TEXTS: [&str; 16] = [
    "result",
    "text",
    "answer",
    "finalanswer",
    "message",
    "summary",
    "response",
    "output",
    "content",
    "finalresponse",
    "completion",
    "report",
    "conclusion",
    "reason",
    "thought",
    "status",
];

/// What stands for an answer where neither the call nor anything beside it says one.
pub(crate) const BARE: &str = "Done.";

/// For reading calls in a text: such a call is one, though no tool.
pub(super) fn spec() -> ToolSpec {
    let (first, others) = (NAMES[0], &NAMES[1..]);
    ToolSpec {
        name: first.to_owned(),
        description: String::new(),
        parameters: json!({
            "type": "object",
            "properties": {"result": {"type": "string"}},
            "required": ["result"],
        }),
        aliases: others.iter().map(|name| (*name).to_owned()).collect(),
    }
}

/// Is this such a call, and no tool of `offered`?
pub(crate) fn is_end(call: &str, offered: &[ToolSpec]) -> bool {
    let called = plain(call);
    let bare = call.rsplit(['.', ':', '/']).next().map(plain).unwrap_or_default();
    let names = |spec: &ToolSpec| [&spec.name].into_iter().chain(&spec.aliases).any(|name| plain(name) == called);
    let is_named = NAMES.iter().chain(&WORDS).any(|name| plain(name) == bare);
    is_named && !offered.iter().any(names)
}

/// What it says, if anything.
pub(crate) fn answer(call: &ModelCall) -> Option<String> {
    let said = match &call.arguments {
        Value::String(text) => text.clone(),
        Value::Object(given) => {
            let named = |name: &&str| given.iter().find(|(key, _)| plain(key) == **name).map(|(_, value)| value);
            match TEXTS.iter().find_map(named) {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Null) | None => String::new(),
                Some(other) => other.to_string(),
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => String::new(),
    };
    Some(said.trim().to_owned()).filter(|said| !said.is_empty())
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(arguments: Value) -> String {
        let call = ModelCall { server_id: None, index: None, name: NAMES[0].into(), arguments };
        answer(&call).unwrap_or_default()
    }

    #[test]
    fn the_text_is_found_by_any_of_its_names() {
        assert_eq!(said(json!({"result": " It works. "})), "It works.");
        assert_eq!(said(json!({"command": "open index.html", "result": "It works."})), "It works.");
        assert_eq!(said(json!({"finalAnswer": "42"})), "42");
        assert_eq!(said(json!("It works.")), "It works.");
        assert_eq!(said(json!({"result": ["a", "b"]})), "[\"a\",\"b\"]");
        for nothing in [json!({}), json!(null), json!({"result": ""}), json!({"other": "x"})] {
            assert_eq!(said(nothing), "");
        }
    }

    #[test]
    fn a_tool_of_that_name_is_the_tool() {
        let finish = ToolSpec { name: "finish".into(), ..spec() };
        assert!(is_end("finish", &[]) && is_end("functions.AttemptCompletion", &[]));
        assert!(!is_end("finish", std::slice::from_ref(&finish)) && !is_end("write_file", &[]));
        assert!(!is_end("tracker__finish", &[]), "it is some server's");
    }
}

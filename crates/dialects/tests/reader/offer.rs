//! The tools that a model is offered in tests.

use agent_dialects::Tools;
use agent_protocol::ToolSpec;
use serde_json::{Map, Value, json};

/// A few, with parameters of several types.
pub(crate) fn tools() -> Tools {
    Tools::new(&[
        spec("read_file", &[("path", "string"), ("start_line", "integer")], &["path"]),
        spec("write_file", &[("path", "string"), ("content", "string"), ("force", "boolean")], &["path", "content"]),
        spec("run_command", &[("command", "string"), ("env", "object"), ("words", "array")], &["command"]),
        spec("list_dir", &[("path", "string")], &[]),
        spec("project_context", &[], &[]),
    ])
}

fn spec(name: &str, parameters: &[(&str, &str)], required: &[&str]) -> ToolSpec {
    let typed = |(key, kind): &(&str, &str)| ((*key).to_owned(), json!({"type": kind}));
    let properties: Map<String, Value> = parameters.iter().map(typed).collect();
    let parameters = json!({"type": "object", "properties": properties, "required": required});
    ToolSpec { name: name.to_owned(), description: String::new(), parameters, aliases: Vec::new() }
}

//! A tool of a server, as it is told to a model and shown to a person: only so long, and plain.

use crate::schema;
use crate::words::line;
use rmcp::model::Tool;
use serde_json::Value;
use std::collections::BTreeMap;

/// Characters of a name that can be called.
const NAME: usize = 128;
/// Characters of a description.
const DESCRIPTION: usize = 1_000;
/// Characters of a changed description that are told.
const TEXT: usize = 300;

/// A tool of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct Offered {
    /// The server's own name for it, exactly.
    pub name: String,
    /// What the server says of it: one line without anything but text.
    pub description: String,
    /// The JSON schema of its arguments: an object.
    pub schema: Value,
}

impl Offered {
    /// `None`: its name cannot be shown as it is, so nobody could know what is called.
    pub(crate) fn read(tool: &Tool) -> Option<Self> {
        let name = tool.name.as_ref();
        if name.is_empty() || line(name, NAME) != name {
            return None;
        }
        let description = tool.description.as_deref().or(tool.title.as_deref()).unwrap_or_default();
        Some(Offered {
            name: name.to_owned(),
            description: line(description, DESCRIPTION),
            schema: schema::told(&tool.input_schema),
        })
    }
}

/// What is different in `now` from what was approved, in words, one thing each.
pub fn differences(approved: &[Offered], now: &[Offered]) -> Vec<String> {
    let by_name = |tools: &[Offered]| -> BTreeMap<String, Offered> {
        tools.iter().map(|tool| (tool.name.clone(), tool.clone())).collect()
    };
    let (before, after) = (by_name(approved), by_name(now));
    let mut words = Vec::new();
    for (name, tool) in &before {
        match after.get(name) {
            None => words.push(format!("{name} is gone")),
            Some(other) if other.description != tool.description => {
                words.push(format!("{name} has another description: {:?}", line(&other.description, TEXT)));
            }
            Some(other) if other.schema != tool.schema => words.push(format!("{name} takes other arguments")),
            Some(_) => {}
        }
    }
    words.extend(after.keys().filter(|name| !before.contains_key(*name)).map(|name| format!("{name} is new")));
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool(name: &str, description: &str, schema: &Value) -> Tool {
        serde_json::from_value(json!({ "name": name, "description": description, "inputSchema": schema })).unwrap()
    }

    #[test]
    fn what_a_server_says_of_its_tools_is_plain_and_has_an_end() {
        let offered = Offered::read(&tool("add", &format!("a\nb\u{202e}{}", "x".repeat(2_000)), &json!({}))).unwrap();
        assert!(offered.description.starts_with("a bxxx"));
        assert_eq!(offered.description.chars().count(), 1_000);
        assert_eq!(Offered::read(&tool("a\u{1b}[2Jb", "", &json!({}))), None);
        assert_eq!(Offered::read(&tool("", "", &json!({}))), None);
    }

    #[test]
    fn every_difference_is_named() {
        let one = |name: &str, description: &str, schema: Value| Offered {
            name: name.into(),
            description: description.into(),
            schema,
        };
        let before = [one("a", "x", json!({})), one("b", "x", json!({})), one("c", "x", json!({}))];
        let now =
            [one("b", "now evil", json!({})), one("c", "x", json!({ "type": "object" })), one("d", "", json!({}))];
        assert_eq!(
            differences(&before, &now),
            ["a is gone", "b has another description: \"now evil\"", "c takes other arguments", "d is new"]
        );
        assert_eq!(differences(&before, &before), Vec::<String>::new());
    }
}

//! A tool of a server, as it is told to a model and shown to a person: only so long, and plain.

use crate::words::line;
use rmcp::model::Tool;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Characters of a name that can be called.
const NAME: usize = 128;
/// Characters of a description.
const DESCRIPTION: usize = 1_000;
/// Characters of one text within a schema.
const TEXT: usize = 300;
/// Characters of a whole schema. What is longer is told without its details.
const SCHEMA: usize = 6_000;
/// Objects and lists within each other in a schema.
const DEEP: usize = 12;

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
        Some(Offered { name: name.to_owned(), description: line(description, DESCRIPTION), schema: schema(tool) })
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

fn schema(tool: &Tool) -> Value {
    let given = Value::Object(tool.input_schema.as_ref().clone());
    let whole = cleaned(&given, DEEP, Words::Kept);
    if whole.to_string().chars().count() <= SCHEMA {
        return whole;
    }
    let bare = cleaned(&given, DEEP, Words::Dropped);
    if bare.to_string().chars().count() <= SCHEMA { bare } else { json!({ "type": "object" }) }
}

/// What becomes of descriptions within a schema.
#[derive(Clone, Copy, PartialEq)]
enum Words {
    Kept,
    Dropped,
}

fn cleaned(value: &Value, deep: usize, words: Words) -> Value {
    match value {
        Value::Object(_) | Value::Array(_) if deep == 0 => json!({}),
        Value::Object(members) => {
            let kept = members.iter().filter(|(key, value)| is_told(key, value, words));
            let kept = kept.map(|(key, value)| (line(key, NAME), cleaned(value, deep - 1, words)));
            Value::Object(kept.collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(|item| cleaned(item, deep - 1, words)).collect(),
        Value::String(text) => line(text, TEXT).into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// A member that says something to a model. A property that is called like one of these holds an object.
fn is_told(key: &str, value: &Value, words: Words) -> bool {
    let idle = key.starts_with("x-") || matches!(key, "$schema" | "$id" | "$comment" | "title" | "examples");
    (value.is_object() || !idle) && (words == Words::Kept || key != "description" || !value.is_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, description: &str, schema: &Value) -> Tool {
        serde_json::from_value(json!({ "name": name, "description": description, "inputSchema": schema })).unwrap()
    }

    #[test]
    fn what_a_server_says_of_its_tools_is_plain_and_has_an_end() {
        let schema = json!({
            "$schema": "x", "type": "object",
            "properties": { "title": { "type": "string", "description": "a\u{1b}[1mb\nc", "title": "Title" } },
        });
        let offered = Offered::read(&tool("add", &format!("a\nb\u{202e}{}", "x".repeat(2_000)), &schema)).unwrap();
        assert!(offered.description.starts_with("a bxxx"));
        assert_eq!(offered.description.chars().count(), 1_000);
        let told = json!({ "title": { "type": "string", "description": "a [1mb c" } });
        assert_eq!(offered.schema, json!({ "type": "object", "properties": told }));
        assert_eq!(Offered::read(&tool("a\u{1b}[2Jb", "", &json!({}))), None);
        assert_eq!(Offered::read(&tool("", "", &json!({}))), None);
    }

    #[test]
    fn a_long_schema_loses_its_words_first_and_then_all() {
        let many = |count: usize| -> Map<String, Value> {
            (0..count)
                .map(|at| (format!("p{at}"), json!({ "type": "string", "description": "y".repeat(90) })))
                .collect()
        };
        let some = Offered::read(&tool("a", "", &json!({ "type": "object", "properties": many(100) }))).unwrap();
        assert_eq!(some.schema["properties"]["p99"], json!({ "type": "string" }));
        let all = Offered::read(&tool("a", "", &json!({ "type": "object", "properties": many(1_000) }))).unwrap();
        assert_eq!(all.schema, json!({ "type": "object" }));
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

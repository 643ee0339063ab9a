//! The JSON schema of a tool's arguments in the few words that reach a model: Ollama keeps types, descriptions, choices,
//! lists and properties, and drops the rest. What a schema only refers to is put in its place, and a default is told in
//! the description.

use crate::mcp::words::line;
use serde_json::{Map, Value, json};

/// Characters of a property's name.
const NAME: usize = 128;
/// Characters of one text within a schema.
const TEXT: usize = 300;
/// Characters of a whole schema. What is longer is told without its words, then without anything.
const WHOLE: usize = 6_000;
const DEEP: usize = 8;
/// Choices of one property, and alternatives.
const CHOICES: usize = 100;

/// `given` as it is told to a model: always an object with properties.
pub(crate) fn told(given: &Map<String, Value>) -> Value {
    let root = Value::Object(given.clone());
    let tell = |words| {
        let mut budget = WHOLE;
        let told = Reader { root: &root, words }.read(&root, DEEP, &mut budget);
        (budget > 0 && told.to_string().chars().count() <= WHOLE).then_some(told)
    };
    let told = tell(Words::Kept).or_else(|| tell(Words::Dropped)).unwrap_or_else(|| json!({}));
    let mut whole = Map::from_iter([("type".to_owned(), "object".into()), ("properties".to_owned(), json!({}))]);
    whole.extend(told.as_object().cloned().unwrap_or_default().into_iter().filter(|(key, _)| key != "type"));
    whole.into()
}

#[derive(Clone, Copy, PartialEq)]
enum Words {
    Kept,
    Dropped,
}

struct Reader<'a> {
    root: &'a Value,
    words: Words,
}

impl Reader<'_> {
    /// `budget` is what may still be read: what refers to itself twice would grow without end.
    fn read(&self, schema: &Value, deep: usize, budget: &mut usize) -> Value {
        *budget = budget.saturating_sub(1);
        let Some(members) = schema.as_object().filter(|_| deep > 0 && *budget > 0) else { return json!({}) };
        if let Some(meant) = self.meant(members) {
            return self.read(meant, deep - 1, budget);
        }
        let mut told = Map::new();
        for (key, value) in members {
            let kept = match (key.as_str(), value) {
                ("type", _) => kind(value),
                ("enum", Value::Array(choices)) => Some(choices.iter().take(CHOICES).map(plain).collect()),
                ("required", Value::Array(names)) => {
                    Some(names.iter().filter(|name| name.is_string()).map(plain).collect())
                }
                ("items", _) => Some(self.read(value, deep - 1, budget)),
                ("anyOf" | "oneOf", Value::Array(either)) => {
                    Some(either.iter().take(CHOICES).map(|one| self.read(one, deep - 1, budget)).collect())
                }
                ("properties", Value::Object(properties)) => Some(self.properties(properties, deep, budget)),
                _ => None,
            };
            let key = if key == "oneOf" { "anyOf" } else { key };
            told.extend(kept.map(|kept| (key.to_owned(), kept)));
        }
        if let Some(only) = members.get("const") {
            told.insert("enum".into(), vec![plain(only)].into());
        }
        if let Some(description) = self.description(members) {
            told.insert("description".into(), description.into());
        }
        told.into()
    }

    fn properties(&self, properties: &Map<String, Value>, deep: usize, budget: &mut usize) -> Value {
        let read = |(name, property): (&String, &Value)| (line(name, NAME), self.read(property, deep - 1, budget));
        Value::Object(properties.iter().map(read).collect())
    }

    /// What it refers to, or is the only part of.
    fn meant<'a>(&'a self, members: &'a Map<String, Value>) -> Option<&'a Value> {
        if let Some(Value::String(path)) = members.get("$ref") {
            return self.root.pointer(path.strip_prefix('#')?);
        }
        match members.get("allOf") {
            Some(Value::Array(parts)) if parts.len() == 1 && !members.contains_key("properties") => parts.first(),
            _ => None,
        }
    }

    fn description(&self, members: &Map<String, Value>) -> Option<String> {
        let said = members.get("description").and_then(Value::as_str).filter(|_| self.words == Words::Kept);
        let default = members.get("default").filter(|value| !value.is_null() && !value.is_object());
        let default = default.map(|value| format!("default {value}"));
        let parts: Vec<&str> = said.into_iter().chain(default.as_deref()).collect();
        let text = line(&parts.join("; "), TEXT);
        (!text.is_empty()).then_some(text)
    }
}

fn kind(value: &Value) -> Option<Value> {
    match value {
        Value::String(_) => Some(plain(value)),
        Value::Array(kinds) => Some(kinds.iter().filter(|kind| kind.is_string()).map(plain).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) => line(text, TEXT).into(),
        Value::Array(_) | Value::Object(_) => line(&value.to_string(), TEXT).into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &Value) -> Value {
        told(given.as_object().unwrap())
    }

    #[test]
    fn only_what_reaches_a_model_is_kept_and_that_plainly() {
        let given = json!({
            "$schema": "x", "title": "Add", "type": "object", "additionalProperties": false,
            "properties": {
                "title": { "type": "string", "description": "a\u{1b}[1mb\nc", "title": "Title", "minLength": 1 },
                "count": { "type": ["integer", "null"], "default": 3, "x-ui": {} },
                "kind": { "oneOf": [{ "const": "a" }, { "enum": ["b", "c\n"] }] },
            },
            "required": ["title"],
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "title": { "type": "string", "description": "a [1mb c" },
                "count": { "type": ["integer", "null"], "description": "default 3" },
                "kind": { "anyOf": [{ "enum": ["a"] }, { "enum": ["b", "c"] }] },
            },
            "required": ["title"],
        });
        assert_eq!(read(&given), expected);
        assert_eq!(read(&json!({})), json!({ "type": "object", "properties": {} }));
    }

    #[test]
    fn what_is_referred_to_stands_in_its_place_and_has_an_end() {
        let given = json!({
            "properties": { "at": { "$ref": "#/$defs/Place" }, "tree": { "$ref": "#/$defs/Tree" }, "none": { "$ref": "#/x" } },
            "$defs": {
                "Place": { "type": "object", "properties": { "line": { "type": "integer" } } },
                "Tree": { "anyOf": [{ "$ref": "#/$defs/Tree" }, { "$ref": "#/$defs/Tree" }, { "type": "null" }] },
            },
        });
        let told = read(&given);
        let place = json!({ "type": "object", "properties": { "line": { "type": "integer" } } });
        assert_eq!(told["properties"]["at"], place);
        assert!(told.to_string().len() <= WHOLE);
    }

    #[test]
    fn a_long_schema_loses_its_words_first_and_then_all() {
        let many = |count: usize| -> Value {
            let property = json!({ "type": "string", "description": "y".repeat(90) });
            let properties: Map<String, Value> = (0..count).map(|at| (format!("p{at}"), property.clone())).collect();
            json!({ "type": "object", "properties": properties })
        };
        assert_eq!(read(&many(100))["properties"]["p99"], json!({ "type": "string" }));
        assert_eq!(read(&many(1_000)), json!({ "type": "object", "properties": {} }));
    }
}

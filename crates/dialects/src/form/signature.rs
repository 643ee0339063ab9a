//! One tool in the ways in which models were taught to read it.

use super::call::plain;
use agent_protocol::ToolSpec;
use serde_json::{Map, Value, json};

/// As one line of JSON.
pub(super) fn as_json(spec: &ToolSpec) -> String {
    json!({"name": spec.name, "description": spec.description, "parameters": spec.parameters}).to_string()
}

pub(super) fn as_tags(spec: &ToolSpec) -> String {
    let mut text =
        format!("<function>\n<name>{}</name>\n<description>{}</description>\n", spec.name, spec.description.trim());
    text.push_str("<parameters>\n");
    for (name, schema) in parameters(spec) {
        text.push_str(&format!("<parameter>\n<name>{name}</name>\n"));
        for (key, value) in schema.as_object().into_iter().flatten() {
            text.push_str(&format!("<{key}>{}</{key}>\n", plain(value)));
        }
        text.push_str("</parameter>\n");
    }
    let required: Vec<&str> = required(spec).collect();
    if !required.is_empty() {
        text.push_str(&format!("<required>{}</required>\n", json!(required)));
    }
    text + "</parameters>\n</function>"
}

/// As the head of a Python function, with what it does below.
pub(super) fn as_python(spec: &ToolSpec) -> String {
    let parameters = ordered(spec);
    let heads: Vec<String> = parameters
        .iter()
        .map(|(name, schema, must)| {
            let rest = if *must { "" } else { " = None" };
            format!("{name}: {}{rest}", python_type(schema))
        })
        .collect();
    let mut text = format!("def {}({}):\n    \"\"\"{}", spec.name, heads.join(", "), spec.description.trim());
    for (name, schema, _) in &parameters {
        if let Some(words) = description(schema) {
            text.push_str(&format!("\n    {name}: {words}"));
        }
    }
    text + "\"\"\""
}

/// As a list of names and what they mean.
pub(super) fn as_lines(spec: &ToolSpec) -> String {
    let mut text = format!("- {}: {}", spec.name, spec.description.trim());
    for (name, schema, must) in ordered(spec) {
        let kind = schema.get("type").map_or_else(String::new, plain);
        let optional = if must { "" } else { "optional" };
        let marks: Vec<&str> = [kind.as_str(), optional].into_iter().filter(|mark| !mark.is_empty()).collect();
        text.push_str(&format!("\n  - {name}"));
        if !marks.is_empty() {
            text.push_str(&format!(" ({})", marks.join(", ")));
        }
        if let Some(words) = description(schema) {
            text.push_str(&format!(": {words}"));
        }
    }
    text
}

fn parameters(spec: &ToolSpec) -> impl Iterator<Item = (&String, &Value)> {
    spec.parameters.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::iter)
}

fn required(spec: &ToolSpec) -> impl Iterator<Item = &str> {
    spec.parameters.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// The parameters, those that must be there first: Python wants it so, and a reader likes it.
fn ordered(spec: &ToolSpec) -> Vec<(&str, &Value, bool)> {
    let must = |name: &str| required(spec).any(|known| known == name);
    let mut all: Vec<(&str, &Value, bool)> =
        parameters(spec).map(|(name, schema)| (name.as_str(), schema, must(name))).collect();
    all.sort_by_key(|(_, _, must)| !must);
    all
}

fn description(schema: &Value) -> Option<&str> {
    schema.get("description").and_then(Value::as_str).map(str::trim).filter(|words| !words.is_empty())
}

fn python_type(schema: &Value) -> &'static str {
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => "str",
        Some("integer") => "int",
        Some("number") => "float",
        Some("boolean") => "bool",
        Some("array") => "list",
        Some("object") => "dict",
        _ => "object",
    }
}

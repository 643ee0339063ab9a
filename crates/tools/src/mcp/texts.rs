//! What a schema tells a model besides names: every text in it, so that a person can read it before they agree to it.

use serde_json::{Map, Value};

/// Each part of `schema` that is told, by where it stands (`place.line`, `tags[]`), and what is told of it. What stands
/// at the top has no name.
pub(crate) fn of(schema: &Value) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let Some(members) = schema.as_object() else { return texts };
    let words = words(members, false);
    // An object it always is.
    if words != "object" && !words.is_empty() {
        texts.push((String::new(), words));
    }
    within(members, "", &mut texts);
    texts
}

fn read(schema: &Value, place: String, is_needed: bool, texts: &mut Vec<(String, String)>) {
    let Some(members) = schema.as_object() else { return };
    texts.push((place.clone(), words(members, is_needed)));
    within(members, &place, texts);
}

fn within(members: &Map<String, Value>, place: &str, texts: &mut Vec<(String, String)>) {
    if let Some(Value::Object(properties)) = members.get("properties") {
        for (name, property) in properties {
            let below = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
            read(property, below, needed(members).any(|needed| needed == name), texts);
        }
    }
    if let Some(items) = members.get("items") {
        read(items, format!("{place}[]"), false, texts);
    }
    for (number, either) in members.get("anyOf").and_then(Value::as_array).into_iter().flatten().enumerate() {
        read(either, format!("{place}|{}", number + 1), false, texts);
    }
}

fn needed(members: &Map<String, Value>) -> impl Iterator<Item = &str> {
    members.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// All that is said of one part itself.
fn words(members: &Map<String, Value>, is_needed: bool) -> String {
    let mut words = Vec::new();
    match members.get("type") {
        Some(Value::String(kind)) => words.push(kind.clone()),
        Some(kinds) => words.push(kinds.to_string()),
        None => {}
    }
    if is_needed {
        words.push("needed".into());
    }
    // A name of nothing is but words.
    let known = members.get("properties").and_then(Value::as_object);
    let unknown: Vec<&str> =
        needed(members).filter(|name| known.is_none_or(|known| !known.contains_key(*name))).collect();
    if !unknown.is_empty() {
        words.push(format!("needs {}", unknown.join(", ")));
    }
    if let Some(Value::Array(choices)) = members.get("enum") {
        words.push(format!("one of {}", choices.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")));
    }
    if let Some(Value::String(description)) = members.get("description") {
        words.push(description.clone());
    }
    words.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_text_of_a_schema_is_there() {
        let schema = json!({
            "type": "object",
            "description": "Top.",
            "properties": {
                "kind": { "type": "string", "enum": ["a", "b"], "description": "Which; default \"a\"" },
                "place": { "type": "object", "properties": { "line": { "type": ["integer", "null"] } }, "required": ["x y"] },
                "tags": { "type": "array", "items": { "type": "string", "description": "Deep." } },
                "way": { "anyOf": [{ "enum": ["up"] }, { "description": "Or." }] },
            },
            "required": ["kind", "evil"],
        });
        let told: Vec<String> = of(&schema).into_iter().map(|(place, words)| format!("{place}: {words}")).collect();
        assert_eq!(
            told,
            [
                ": object; needs evil; Top.",
                "kind: string; needed; one of \"a\", \"b\"; Which; default \"a\"",
                "place: object; needs x y",
                "place.line: [\"integer\",\"null\"]",
                "tags: array",
                "tags[]: string; Deep.",
                "way: ",
                "way|1: one of \"up\"",
                "way|2: Or.",
            ]
        );
        assert_eq!(of(&json!({ "type": "object", "properties": {} })), []);
    }
}

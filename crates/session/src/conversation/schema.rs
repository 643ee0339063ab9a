//! A JSON schema that holds a reply to one call of the offered tools, or to a plain answer; and its reading.

use agent_protocol::{ModelCall, ToolSpec};
use serde_json::{Value, json};

/// The name under which the model answers in text.
pub(crate) const ANSWER: &str = "answer_in_text";

/// What a reply that was kept to the schema says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SchemaReply {
    Call(ModelCall),
    Answer(String),
}

/// The schema for calls of these tools.
pub(crate) fn of_calls(specs: &[ToolSpec]) -> Value {
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let calls = specs.iter().map(|spec| (spec.name.as_str(), spec.parameters.clone()));
    let all: Vec<Value> = calls.chain([(ANSWER, text)]).map(|(name, arguments)| of_call(name, arguments)).collect();
    json!({"anyOf": all})
}

fn of_call(name: &str, arguments: Value) -> Value {
    json!({
        "type": "object",
        "properties": {"name": {"type": "string", "enum": [name]}, "arguments": arguments},
        "required": ["name", "arguments"],
    })
}

/// What a model is told that is held to it.
pub(crate) fn one_object() -> String {
    format!(
        "Answer with one JSON object and nothing else, {{\"name\": …, \"arguments\": {{…}}}}; to answer without a tool, the name \
         is {ANSWER} and the argument is text."
    )
}

/// Which tools there are, where they do not stand beside it.
pub(crate) fn tool_names(specs: &[ToolSpec]) -> String {
    let form = |spec: &ToolSpec| {
        let known = spec.parameters.get("properties").and_then(Value::as_object);
        let names: Vec<&str> = known.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        format!("{}({})", spec.name, names.join(", "))
    };
    format!(" The tools: {}.", specs.iter().map(form).collect::<Vec<_>>().join(", "))
}

/// Reads a reply that was kept to it; `None`: the server let the model write something else.
pub(crate) fn parse_reply(reply: &str) -> Option<SchemaReply> {
    let Ok(Value::Object(mut object)) = serde_json::from_str::<Value>(reply.trim()) else { return None };
    let name = object.get("name")?.as_str()?.to_owned();
    let arguments = object.remove("arguments").filter(Value::is_object)?;
    if name == ANSWER {
        return arguments.get("text")?.as_str().map(|text| SchemaReply::Answer(text.to_owned()));
    }
    Some(SchemaReply::Call(ModelCall { server_id: None, index: None, name, arguments }))
}

/// Does a reply begin like one that keeps to it, and end too early?
pub(crate) fn is_cut_off(reply: &str) -> bool {
    let reply = reply.trim();
    reply.starts_with('{') && serde_json::from_str::<Value>(reply).is_err_and(|error| error.is_eof())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_is_one_way_and_text_the_last() {
        let parameters = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
        let spec = ToolSpec { name: "read_file".into(), description: "reads".into(), parameters, aliases: Vec::new() };
        let schema = of_calls(&[spec]);
        let names: Vec<&Value> =
            schema["anyOf"].as_array().into_iter().flatten().map(|way| &way["properties"]["name"]["enum"][0]).collect();
        assert_eq!(names, ["read_file", ANSWER]);
        assert_eq!(schema["anyOf"][0]["properties"]["arguments"]["required"], json!(["path"]));
    }

    #[test]
    fn a_reply_that_keeps_to_it_is_read_and_no_other() {
        let call = parse_reply(r#" {"name": "read_file", "arguments": {"path": "a"}} "#);
        let expected =
            ModelCall { server_id: None, index: None, name: "read_file".into(), arguments: json!({"path": "a"}) };
        assert_eq!(call, Some(SchemaReply::Call(expected)));
        let answer = parse_reply(r#"{"name": "answer_in_text", "arguments": {"text": "done"}}"#);
        assert_eq!(answer, Some(SchemaReply::Answer("done".into())));
        for other in ["done", r#"{"name": "x"}"#, r#"{"name": "x", "arguments": "y"}"#, r#"{"name": "x", "argu"#] {
            assert_eq!(parse_reply(other), None, "{other}");
        }
    }

    #[test]
    fn half_a_reply_is_known_for_one() {
        let whole = r#"{"name": "answer_in_text", "arguments": {"text": "é \"so\""}}"#;
        for cut in (1..whole.len()).filter(|cut| whole.is_char_boundary(*cut)) {
            assert!(is_cut_off(&whole[..cut]), "{}", &whole[..cut]);
        }
        for other in [whole, "", "I say {", "{x", r#"{"name": "x"} and so on"#] {
            assert!(!is_cut_off(other), "{other}");
        }
    }
}

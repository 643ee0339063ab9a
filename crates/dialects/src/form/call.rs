//! One call, written as a model would write it in a form.

use super::{Form, fence_around};
use serde_json::{Map, Value, json};

pub(super) fn call(form: Form, name: &str, arguments: &Map<String, Value>) -> String {
    let as_json = || json!({"name": name, "arguments": arguments}).to_string();
    match form {
        Form::Hermes => format!("<tool_call>\n{}\n</tool_call>", as_json()),
        Form::QwenCoder => {
            let parameters: String = arguments
                .iter()
                .map(|(key, value)| format!("<parameter={key}>\n{}\n</parameter>\n", plain(value)))
                .collect();
            format!("<tool_call>\n<function={name}>\n{parameters}</function>\n</tool_call>")
        }
        Form::Llama => format!("<function={name}>{}</function>", Value::Object(arguments.clone())),
        Form::Gemma => {
            let arguments: Vec<String> =
                arguments.iter().map(|(key, value)| format!("{key}={}", python(value))).collect();
            fenced("tool_code", &format!("{name}({})", arguments.join(", ")))
        }
        Form::FencedJson => fenced("json", &as_json()),
        Form::Files => as_file(name, arguments),
    }
}

/// A written file as the model would have answered with it; anything else in a few words.
fn as_file(name: &str, arguments: &Map<String, Value>) -> String {
    let text = |keys: [&str; 2]| keys.iter().find_map(|key| arguments.get(*key)).and_then(Value::as_str);
    match (text(["file_path", "path"]), text(["content", "text"])) {
        (Some(path), Some(content)) => format!("{path}\n{}", fenced("", content.trim_end_matches('\n'))),
        (Some(path), None) => format!("({name} {path})"),
        (None, _) => format!("({name})"),
    }
}

fn fenced(kind: &str, text: &str) -> String {
    let fence = fence_around(text);
    format!("{fence}{kind}\n{text}\n{fence}")
}

/// A text without its quotes, anything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A value as a Python literal; JSON's escapes are all Python's too.
fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(items) => format!("[{}]", items.iter().map(python).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), python(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

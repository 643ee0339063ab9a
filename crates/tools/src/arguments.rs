//! Reads the arguments of a call: forgiving in how they are written, exact in what comes out.
//!
//! Forgiven are other names for a parameter, numbers and booleans written as text, `null` for "not given", arguments
//! that are a JSON text of themselves or are wrapped once more, and anything that nobody asked for. Never guessed is a
//! value: what a tool needs and cannot be read is a [`Failure`] that names it and shows an example.

use agent_protocol::{Failure, FailureKind};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// One parameter of a tool.
#[derive(Debug)]
pub(crate) struct Parameter {
    /// Its name in the schema.
    pub(crate) name: &'static str,
    /// Other names that models give it, in lower case without underscores.
    pub(crate) aliases: &'static [&'static str],
    pub(crate) kind: Kind,
    pub(crate) need: Need,
    /// What the model is told of it; empty where the name says it all.
    pub(crate) says: &'static str,
    /// A value, as JSON, to show when it is missing.
    pub(crate) example: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Flag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// There, though maybe empty.
    Required,
    Optional,
}

/// All parameters of one tool.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) tool: &'static str,
    pub(crate) parameters: &'static [Parameter],
}

impl Form {
    /// The JSON schema that the model sees.
    pub(crate) fn schema(&self) -> Value {
        let mut properties = Map::new();
        for parameter in self.parameters {
            let mut property = Map::new();
            property.insert("type".into(), parameter.kind.schema_type().into());
            if !parameter.says.is_empty() {
                property.insert("description".into(), parameter.says.into());
            }
            properties.insert(parameter.name.into(), property.into());
        }
        let required: Vec<&str> = self.required().map(|parameter| parameter.name).collect();
        json!({ "type": "object", "properties": properties, "required": required })
    }

    /// The arguments under their proper names.
    pub(crate) fn read(&'static self, arguments: &Value) -> Result<Arguments, Failure> {
        let given = self.object(arguments)?;
        let given = self.unwrapped(&given);
        let mut values = Map::new();
        for parameter in self.parameters {
            let by_alias = || given.iter().find(|(key, _)| parameter.answers_to(key)).map(|(_, value)| value);
            if let Some(value) = given.get(parameter.name).or_else(by_alias) {
                values.insert(parameter.name.into(), value.clone());
            }
        }
        Ok(Arguments { form: self, values })
    }

    fn required(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|parameter| parameter.need == Need::Required)
    }

    fn object<'a>(&self, arguments: &'a Value) -> Result<Cow<'a, Map<String, Value>>, Failure> {
        match arguments {
            Value::Object(object) => Ok(Cow::Borrowed(object)),
            Value::Null => Ok(Cow::Owned(Map::new())),
            Value::String(text) if text.trim().is_empty() => Ok(Cow::Owned(Map::new())),
            Value::String(text) => match serde_json::from_str(text) {
                Ok(Value::Object(object)) => Ok(Cow::Owned(object)),
                Ok(_) | Err(_) => Err(self.not_an_object()),
            },
            Value::Bool(_) | Value::Number(_) | Value::Array(_) => Err(self.not_an_object()),
        }
    }

    /// `{"arguments": {…}}` means what is inside.
    fn unwrapped<'a>(&self, given: &'a Map<String, Value>) -> &'a Map<String, Value> {
        let mut entries = given.iter();
        match (entries.next(), entries.next()) {
            (Some((key, Value::Object(inner))), None)
                if ["arguments", "parameters", "input", "args"].contains(&key.as_str()) =>
            {
                inner
            }
            _ => given,
        }
    }

    fn not_an_object(&self) -> Failure {
        let message = format!("the arguments of {} must be a JSON object like {}", self.tool, self.example(&[]));
        Failure::new(FailureKind::InvalidArguments, message)
    }

    /// A whole call's arguments: what is required, and `also`.
    fn example(&self, also: &[&str]) -> String {
        let shown = |parameter: &&Parameter| parameter.need == Need::Required || also.contains(&parameter.name);
        let entries = self.parameters.iter().filter(shown);
        let entries: Vec<String> =
            entries.map(|parameter| format!("\"{}\": {}", parameter.name, parameter.example)).collect();
        format!("{{{}}}", entries.join(", "))
    }
}

impl Parameter {
    fn answers_to(&self, key: &str) -> bool {
        let plain: String = key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        plain == self.name.replace('_', "") || self.aliases.contains(&plain.as_str())
    }
}

impl Kind {
    fn schema_type(self) -> &'static str {
        match self {
            Kind::Text => "string",
            Kind::Number => "integer",
            Kind::Flag => "boolean",
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Number => "a whole number from 0",
            Kind::Flag => "true or false",
        }
    }
}

/// The arguments of one call.
#[derive(Debug)]
pub(crate) struct Arguments {
    form: &'static Form,
    values: Map<String, Value>,
}

impl Arguments {
    /// Text that must be there, and may be empty.
    pub(crate) fn text(&self, name: &str) -> Result<String, Failure> {
        match self.value(name) {
            Some(value) => text(value).ok_or_else(|| self.wrong(name)),
            None => Err(self.wrong(name)),
        }
    }

    /// Text that must be there and say something.
    pub(crate) fn word(&self, name: &str) -> Result<String, Failure> {
        let text = self.text(name)?;
        if text.is_empty() { Err(self.wrong(name)) } else { Ok(text) }
    }

    /// Text that may be left out; empty text counts as left out.
    pub(crate) fn optional_text(&self, name: &str) -> Result<Option<String>, Failure> {
        match self.value(name) {
            Some(value) => text(value).ok_or_else(|| self.wrong(name)).map(|text| Some(text).filter(|t| !t.is_empty())),
            None => Ok(None),
        }
    }

    /// A number that may be left out.
    pub(crate) fn optional_number(&self, name: &str) -> Result<Option<u64>, Failure> {
        match self.value(name) {
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(value) => number(value).ok_or_else(|| self.wrong(name)).map(Some),
            None => Ok(None),
        }
    }

    /// Is it set? Left out means no.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Failure> {
        match self.value(name) {
            Some(value) => flag(value).ok_or_else(|| self.wrong(name)),
            None => Ok(false),
        }
    }

    /// A failure about parameter `name` in the words of `what`.
    pub(crate) fn fault(&self, name: &str, what: &str) -> Failure {
        let message = format!("{} `{name}` {what}", self.form.tool);
        Failure::new(FailureKind::InvalidArguments, message)
    }

    fn value(&self, name: &str) -> Option<&Value> {
        debug_assert!(self.form.parameters.iter().any(|parameter| parameter.name == name), "{name} is in no form");
        self.values.get(name).filter(|value| !value.is_null())
    }

    fn wrong(&self, name: &str) -> Failure {
        let kind = self.form.parameters.iter().find(|parameter| parameter.name == name).map_or(Kind::Text, |p| p.kind);
        let example = self.form.example(&[name]);
        let message = format!("{} needs `{name}`: {}; for example {example}", self.form.tool, kind.in_words());
        Failure::new(FailureKind::InvalidArguments, message)
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok().or_else(|| whole(text.trim().parse().ok()?)),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// `10.0` is 10.
fn whole(number: f64) -> Option<u64> {
    (number >= 0.0 && number.fract() == 0.0 && number < 9.0e15).then_some(number as u64)
}

fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => match number.as_u64() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        },
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "1" | "on" => Some(true),
            "false" | "no" | "0" | "off" | "" => Some(false),
            _ => None,
        },
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static FORM: Form = Form {
        tool: "paint",
        parameters: &[
            Parameter {
                name: "file_path",
                aliases: &["path", "file"],
                kind: Kind::Text,
                need: Need::Required,
                says: "",
                example: "\"a.rs\"",
            },
            Parameter {
                name: "coats",
                aliases: &[],
                kind: Kind::Number,
                need: Need::Optional,
                says: "default 1",
                example: "2",
            },
            Parameter {
                name: "dry_run",
                aliases: &[],
                kind: Kind::Flag,
                need: Need::Optional,
                says: "",
                example: "true",
            },
        ],
    };

    fn read(arguments: Value) -> Result<(String, Option<u64>, bool), String> {
        let read = || {
            let arguments = FORM.read(&arguments)?;
            Ok((arguments.word("file_path")?, arguments.optional_number("coats")?, arguments.flag("dry_run")?))
        };
        read().map_err(|failure: Failure| failure.message)
    }

    #[test]
    fn many_spellings_mean_the_same() {
        for arguments in [
            json!({"file_path": "a", "coats": 2, "dry_run": true}),
            json!({"path": "a", "coats": "2", "dry_run": "true"}),
            json!({"filePath": "a", "coats": 2.0, "dryRun": 1, "extra": [1]}),
            json!({"File-Path": "a", "Coats": " 2 ", "DRY_RUN": "Yes"}),
            json!("{\"file\": \"a\", \"coats\": \"2.0\", \"dry_run\": \"1\"}"),
            json!({"arguments": {"file": "a", "coats": 2, "dry_run": true}}),
        ] {
            assert_eq!(read(arguments.clone()), Ok(("a".into(), Some(2), true)), "{arguments}");
        }
    }

    #[test]
    fn null_and_empty_count_as_left_out() {
        for arguments in [
            json!({"file_path": "a"}),
            json!({"file_path": "a", "coats": null, "dry_run": null}),
            json!({"file_path": "a", "coats": "", "dry_run": ""}),
        ] {
            assert_eq!(read(arguments.clone()), Ok(("a".into(), None, false)), "{arguments}");
        }
    }

    #[test]
    fn a_proper_name_wins_over_another() {
        assert_eq!(read(json!({"path": "b", "file_path": "a"})), Ok(("a".into(), None, false)));
    }

    #[test]
    fn what_cannot_be_read_is_named_with_an_example() {
        let needs_path = "paint needs `file_path`: text; for example {\"file_path\": \"a.rs\"}";
        let needs_coats =
            "paint needs `coats`: a whole number from 0; for example {\"file_path\": \"a.rs\", \"coats\": 2}";
        let not_object = "the arguments of paint must be a JSON object like {\"file_path\": \"a.rs\"}";
        for (arguments, message) in [
            (json!({}), needs_path),
            (json!(null), needs_path),
            (json!({"file_path": ""}), needs_path),
            (json!({"file_path": ["a"]}), needs_path),
            (json!({"file_path": "a", "coats": -1}), needs_coats),
            (json!({"file_path": "a", "coats": 1.5}), needs_coats),
            (json!({"file_path": "a", "coats": "many"}), needs_coats),
            (json!([1]), not_object),
            (json!("a.rs"), not_object),
        ] {
            assert_eq!(read(arguments.clone()), Err(message.into()), "{arguments}");
        }
    }
}

//! The tools that the examination asks for, and the reading of their calls.
//!
//! As forgiving as the tools themselves in the cases that are met most: another agent's name for a tool or an argument,
//! and arguments that are wrapped once more. What was forgiven is said, for it is part of what the examination finds.

use agent_protocol::{ModelCall, ToolSpec};
use serde_json::{Map, Value};

/// What a question needs a tool for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Read,
    Write,
    Edit,
}

impl Deed {
    /// For people, after "no tool that".
    pub(super) fn label(self) -> &'static str {
        match self {
            Deed::Read => "reads a file",
            Deed::Write => "writes a file",
            Deed::Edit => "edits a file",
        }
    }

    /// The tool's name, and its arguments in the order in which questions speak of them.
    fn form(self) -> (&'static str, &'static [Parameter]) {
        match self {
            Deed::Read => ("read_file", &[FILE]),
            Deed::Write => ("write_file", &[FILE, CONTENT]),
            Deed::Edit => ("edit_file", &[FILE, OLD, NEW]),
        }
    }
}

/// An argument that a tool needs.
#[derive(Debug)]
struct Parameter {
    name: &'static str,
    /// Other names that the tools take for it, in lower case without underscores.
    aliases: &'static [&'static str],
}

const FILE: Parameter = Parameter {
    name: "file_path",
    aliases: &["path", "file", "filename", "targetfile", "absolutepath", "relativepath", "fullpath", "pathname"],
};

const CONTENT: Parameter =
    Parameter { name: "content", aliases: &["contents", "text", "body", "filecontent", "filetext", "newcontent"] };

const OLD: Parameter = Parameter {
    name: "old_string",
    aliases: &["oldstr", "oldtext", "old", "search", "find", "oldcontent", "oldcode", "original", "originaltext"],
};

const NEW: Parameter = Parameter {
    name: "new_string",
    aliases: &["newstr", "newtext", "new", "replace", "replacement", "newcontent", "newcode", "updated", "replacewith"],
};

/// Names under which arguments come wrapped once more.
const WRAPPERS: [&str; 4] = ["arguments", "parameters", "args", "input"];

/// One of the session's tools.
#[derive(Debug, Clone)]
pub(super) struct Tool {
    deed: Deed,
    spec: ToolSpec,
}

#[derive(Debug, PartialEq)]
pub(super) struct Taken {
    /// The needed arguments, in the order of the tool.
    pub(super) values: Vec<String>,
    /// What had to be forgiven, in words.
    pub(super) habits: Vec<String>,
}

impl Tool {
    /// The session's tool for this, if it has one.
    pub(super) fn find(tools: &[ToolSpec], deed: Deed) -> Option<Self> {
        let (name, parameters) = deed.form();
        let takes = |spec: &&ToolSpec| {
            let properties = spec.parameters.get("properties").and_then(Value::as_object);
            parameters.iter().all(|parameter| properties.is_some_and(|known| known.contains_key(parameter.name)))
        };
        let spec = tools.iter().find(|spec| spec.name == name).filter(takes)?.clone();
        Some(Tool { deed, spec })
    }

    pub(super) fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// A call as a model would make it.
    pub(super) fn call(&self, values: &[&str]) -> ModelCall {
        let names = self.parameters().iter().map(|parameter| parameter.name.to_owned());
        let arguments: Map<String, Value> = names.zip(values.iter().map(|value| Value::from(*value))).collect();
        ModelCall { server_id: None, index: None, name: self.spec.name.clone(), arguments: Value::Object(arguments) }
    }

    /// Reads a call; `Err`: why it is none of this tool.
    pub(super) fn parse_arguments(&self, call: &ModelCall) -> Result<Taken, String> {
        let mut habits = Vec::new();
        if call.name != self.spec.name {
            if !self.is_called(&call.name) {
                return Err(format!("it called {} instead of {}", call.name, self.spec.name));
            }
            habits.push(format!("{} was read as {}", call.name, self.spec.name));
        }
        let arguments = unwrapped(&call.arguments, &mut habits);
        let value = |parameter| value(&arguments, parameter, &mut habits);
        let values = self.parameters().iter().map(value).collect::<Result<Vec<String>, String>>()?;
        Ok(Taken { values, habits })
    }

    /// Is this another name for it, or its own behind a prefix like `functions.`?
    fn is_called(&self, name: &str) -> bool {
        let last = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
        let is = |known: &str| plain(known) == plain(name);
        is(&self.spec.name) || self.spec.aliases.iter().any(|alias| is(alias)) || plain(last) == plain(&self.spec.name)
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.deed.form().1
    }
}

/// The arguments themselves, where they are wrapped in an object or a text of their own.
fn unwrapped(arguments: &Value, habits: &mut Vec<String>) -> Map<String, Value> {
    let wrapped = match arguments {
        Value::String(text) => serde_json::from_str::<Value>(text).ok(),
        Value::Object(object) if object.len() == 1 => WRAPPERS.iter().find_map(|name| object.get(*name)).cloned(),
        _ => None,
    };
    if let Some(Value::Object(inside)) = wrapped {
        habits.push("arguments that were wrapped once more were unpacked".into());
        return inside;
    }
    arguments.as_object().cloned().unwrap_or_default()
}

fn value(arguments: &Map<String, Value>, parameter: &Parameter, habits: &mut Vec<String>) -> Result<String, String> {
    let Parameter { name, aliases } = parameter;
    let own = arguments.get_key_value(*name);
    let other = || arguments.iter().find(|(key, _)| plain(key) == plain(name) || aliases.contains(&&*plain(key)));
    let Some((key, value)) = own.or_else(other).filter(|(_, value)| !value.is_null()) else {
        return Err(format!("{name} is missing in its call"));
    };
    let Some(text) = value.as_str() else {
        return Err(format!("{name} is not a text in its call"));
    };
    if key != name {
        habits.push(format!("{key} was read as {name}"));
    }
    Ok(text.to_owned())
}

/// A name in any spelling.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

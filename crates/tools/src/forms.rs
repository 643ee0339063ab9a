//! Other agents' forms of a call, as one of our tools takes them: several edits in a list, several paths to read, a patch in a
//! command line, lines by their numbers. Which tool is meant is told by what the arguments hold; nothing is looked at.
//!
//! **Invariant.** What is done is what was asked for: nothing of it is left out, and nothing is guessed.

mod lines;
mod lists;
mod shell;

use crate::arguments::{Form, WRAPPERS, plain};
use crate::patch;
use agent_protocol::Failure;
use serde_json::{Map, Value};

/// A call as another tool takes it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Instead {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
    /// For the user: what was read as what.
    pub(crate) note: String,
}

type Given = Map<String, Value>;

/// The call of the tool of `form`, by the name `called`, as another tool takes it; `None` where it is that tool's own.
///
/// # Errors
/// A [`Failure`] for what can only be half meant.
pub(crate) fn instead(form: &'static Form, called: &str, given: &Value) -> Result<Option<Instead>, Failure> {
    let Some(given) = arguments(form, given) else { return Ok(None) };
    Ok(match form.tool {
        "edit_file" => {
            lists::edits(form, &given).or_else(|| patch_of_file(form, &given)).or_else(|| lines::of_edit(form, &given))
        }
        "write_file" => patch_of_file(form, &given).filter(|_| value(form, "content", &given).is_none()),
        "read_file" => lists::paths(form, &given)?,
        "edit_lines" | "insert_lines" => lines::in_our_words(form, called, &given),
        "apply_patch" => shell::patch_as_words(form, &given),
        "run_command" => shell::patch(form, &given)?,
        _ => None,
    })
}

/// The arguments as an object: also where they came as its text, or wrapped once more, or as a patch alone.
fn arguments(form: &Form, given: &Value) -> Option<Given> {
    let given = match given {
        Value::Object(given) => given.clone(),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(given)) => given,
            Ok(_) | Err(_) if form.tool == "run_command" => only("command", text),
            Ok(_) | Err(_) if form.tool == "apply_patch" || patch::is_patch(text) => only("patch", text),
            Ok(_) | Err(_) => return None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
    };
    let mut entries = given.iter();
    match (entries.next(), entries.next()) {
        (Some((key, Value::Object(inner))), None) if WRAPPERS.contains(&key.as_str()) => Some(inner.clone()),
        _ => Some(given),
    }
}

fn only(name: &str, text: &str) -> Given {
    Map::from_iter([(name.to_owned(), Value::from(text))])
}

/// What is given for the parameter `name`, by whatever name, if it says something.
fn value<'a>(form: &'static Form, name: &str, given: &'a Given) -> Option<(&'a str, &'a Value)> {
    let says = |value: &Value| !value.is_null() && value.as_str() != Some("");
    let answers = |key: &str| form.answers(&plain(key), name);
    given.iter().find(|(key, value)| answers(key) && says(value)).map(|(key, value)| (key.as_str(), value))
}

/// A patch, under whatever name, of a file that is named beside it.
fn patch_of_file(form: &'static Form, given: &Given) -> Option<Instead> {
    if form.tool == "edit_file" && value(form, "old_string", given).is_some_and(|(_, old)| !is_patch(old)) {
        return None;
    }
    let (key, patch) = given.iter().find(|(key, value)| is_patch(value) && !form.answers(&plain(key), "content"))?;
    let mut arguments = Map::from_iter([("patch".to_owned(), patch.clone())]);
    arguments.extend(given.iter().filter(|(name, _)| *name != key).map(|(name, value)| (name.clone(), value.clone())));
    Some(Instead {
        tool: "apply_patch",
        arguments: arguments.into(),
        note: format!("`{key}` holds a patch and was read as one"),
    })
}

fn is_patch(value: &Value) -> bool {
    value.as_str().is_some_and(patch::is_patch)
}

/// A list, also where it came as its text.
fn list(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(list) => Some(list.clone()),
        Value::String(text) if text.trim_start().starts_with('[') => serde_json::from_str(text).ok(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests;

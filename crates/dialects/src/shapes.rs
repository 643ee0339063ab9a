//! From a JSON value to calls: all the ways in which models name the name and the arguments.

use crate::lenient::{object_from_string, retype};
use crate::page::{Call, is_name, note, plain_name};
use crate::{Repair, Tools};
use serde_json::{Map, Value};

/// Keys under which the tool's name stands, the most usual first.
pub(crate) const NAMES: &[&str] =
    &["name", "tool_name", "function_name", "tool", "function", "action", "recipient_name"];

/// Keys under which the arguments stand, the most usual first.
pub(crate) const ARGUMENTS: &[&str] = &[
    "arguments",
    "parameters",
    "args",
    "input",
    "params",
    "tool_input",
    "action_input",
    "kwargs",
    "tool_args",
    "tool_arguments",
    "tool_parameters",
];

/// Keys around a call or several.
pub(crate) const WRAPPERS: &[&str] =
    &["tool_calls", "tool_call", "function_call", "function_calls", "function", "call"];

/// Keys that may stand beside a name and arguments.
pub(crate) const BESIDES: &[&str] =
    &["id", "type", "tool_call_id", "call_id", "index", "thought", "thoughts", "reasoning"];

/// How sure it is that the value is a call at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Faith {
    /// A mark of the dialect says so: any name goes, and arguments may be missing.
    Marked,
    /// Only its looks say so: every name is offered, and there are arguments unless the tool needs none.
    Bare,
}

/// The calls in `value`; `None` where any part of it is no call.
pub(crate) fn calls(value: Value, faith: Faith, tools: &Tools) -> Option<Vec<Call>> {
    match value {
        Value::Array(items) => {
            let mut all = Vec::new();
            for item in items {
                all.extend(calls(item, faith, tools)?);
            }
            (faith == Faith::Marked || !all.is_empty()).then_some(all)
        }
        Value::Object(object) => object_calls(object, faith, tools),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn object_calls(mut object: Map<String, Value>, faith: Faith, tools: &Tools) -> Option<Vec<Call>> {
    for wrapper in WRAPPERS {
        if matches!(object.get(*wrapper), Some(Value::Array(_) | Value::Object(_))) {
            let inner = object.swap_remove(*wrapper)?;
            return calls(inner, faith, tools);
        }
    }
    match named(&object) {
        Some((key, name)) => one(&mut object, key, &name, faith, tools).map(|call| vec![call]),
        None => by_name(object, faith, tools),
    }
}

fn named(object: &Map<String, Value>) -> Option<(&'static str, String)> {
    NAMES.iter().find_map(|key| Some((*key, object.get(*key)?.as_str()?.to_owned())))
}

fn one(object: &mut Map<String, Value>, key: &str, name: &str, faith: Faith, tools: &Tools) -> Option<Call> {
    let name = plain_name(name, tools);
    let readable = !name.is_empty() && name.len() <= 128 && !name.contains(['\n', '{', '}', '<', '>']);
    if !readable || (faith == Faith::Bare && !(is_name(name) && tools.knows(name))) {
        return None;
    }
    let given = ARGUMENTS.iter().find(|argument| **argument != key && object.contains_key(**argument));
    let (bare, alone) = (faith == Faith::Bare, object.len() == 1);
    // Members that no call has: an object that describes something, or arguments that stand where none are looked for.
    let strange = object.keys().any(|key| !is_shape_key(key) && !BESIDES.contains(&key.as_str()));
    match given.and_then(|given| object.get_mut(*given)) {
        Some(given) if is_schema(given) || (bare && strange) => None,
        Some(given) => arguments(given.take(), name, tools),
        None if strange || (bare && (tools.is_any() || !tools.needs_nothing(name) || !alone)) => None,
        None => Some(Call::new(name, Map::new())),
    }
}

/// The parameters of a tool's description, which look like the arguments of a call.
fn is_schema(given: &Value) -> bool {
    given.get("type").and_then(Value::as_str) == Some("object") && given.get("properties").is_some_and(Value::is_object)
}

/// `{"read_file": {"path": "a.rs"}}`: the name is the key.
fn by_name(object: Map<String, Value>, faith: Faith, tools: &Tools) -> Option<Vec<Call>> {
    if faith == Faith::Bare && (tools.is_any() || object.len() != 1) {
        return None;
    }
    let mut all = Vec::new();
    for (name, given) in object {
        let name = plain_name(&name, tools);
        let known = if faith == Faith::Bare { tools.knows(name) } else { is_name(name) && !is_shape_key(name) };
        if !known || !given.is_object() {
            return None;
        }
        all.push(arguments(given, name, tools)?);
    }
    (!all.is_empty()).then_some(all)
}

fn is_shape_key(name: &str) -> bool {
    NAMES.contains(&name) || ARGUMENTS.contains(&name) || WRAPPERS.contains(&name)
}

/// The arguments as an object: `null` means none, a string is a JSON text of its own.
pub(crate) fn arguments(given: Value, name: &str, tools: &Tools) -> Option<Call> {
    let mut repairs = Vec::new();
    let mut arguments = match given {
        Value::Object(object) => object,
        Value::Null => Map::new(),
        Value::String(text) if text.trim().is_empty() => Map::new(),
        Value::String(text) => {
            let (object, mended) = object_from_string(&text)?;
            repairs = mended;
            note(&mut repairs, Repair::StringEncoded);
            object
        }
        Value::Array(items) if items.is_empty() => Map::new(),
        Value::Array(_) | Value::Bool(_) | Value::Number(_) => return None,
    };
    retype(&mut arguments, name, tools);
    Some(Call { name: name.to_owned(), arguments, repairs })
}

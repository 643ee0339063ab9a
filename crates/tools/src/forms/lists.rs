//! Several of a thing in one call of a tool that takes one.

use super::{Given, Instead, list, value};
use crate::arguments::{Form, plain};
use crate::patch;
use agent_protocol::{Failure, FailureKind};
use serde_json::{Map, Value};

/// Names under which edits come as a list.
const EDITS: [&str; 9] =
    ["edits", "edit", "changes", "replacements", "operations", "diffs", "modifications", "patches", "hunks"];

/// Several edits of one call.
pub(super) fn edits(form: &'static Form, given: &Given) -> Option<Instead> {
    let named = |key: &String| EDITS.contains(&plain(key).as_str());
    let (key, entries) =
        given.iter().filter(|(key, _)| named(key)).find_map(|(key, value)| Some((key, list(value)?)))?;
    let blocks: Vec<&str> = entries.iter().filter_map(Value::as_str).filter(|text| patch::is_patch(text)).collect();
    let others = given.iter().filter(|(name, _)| *name != key).map(|(name, value)| (name.clone(), value.clone()));
    if !blocks.is_empty() && blocks.len() == entries.len() {
        let mut arguments = Map::from_iter([("patch".to_owned(), Value::from(blocks.join("\n")))]);
        arguments.extend(others);
        let note = format!("`{key}` holds patches and was read as one");
        return Some(Instead { tool: "apply_patch", arguments: arguments.into(), note });
    }
    if entries.len() < 2 || !entries.iter().all(Value::is_object) {
        return None;
    }
    let note = format!("`{key}` holds {} edits, which are made together", entries.len());
    let mut arguments = Map::from_iter([("operations".to_owned(), Value::from(entries))]);
    // An edit beside the list is one more, and nothing says which comes first.
    let beside = value(form, "old_string", given).is_some();
    arguments.extend(others);
    (!beside).then(|| Instead { tool: "multi_edit", arguments: arguments.into(), note })
}

/// Several files that are to be read.
pub(super) fn paths(form: &'static Form, given: &Given) -> Result<Option<Instead>, Failure> {
    let Some((key, entries)) = value(form, "file_path", given).and_then(|(key, value)| Some((key, list(value)?)))
    else {
        return Ok(None);
    };
    let paths: Option<Vec<String>> = entries.iter().map(path).collect();
    let Some(paths) = paths.filter(|paths| !paths.is_empty()) else { return lines_of_several(form, key, &entries) };
    let mut arguments: Given =
        given.iter().filter(|(name, _)| *name != key).map(|(name, value)| (name.clone(), value.clone())).collect();
    if let [only] = paths.as_slice() {
        arguments.insert("file_path".into(), only.as_str().into());
        let note = format!("the one entry of `{key}` was read as file_path");
        return Ok(Some(Instead { tool: "read_file", arguments: arguments.into(), note }));
    }
    // There lines are left out at the beginning, and here the first one is named.
    if let Some((name, first)) = value(form, "offset", given).map(|(name, first)| (name.to_owned(), first.clone())) {
        let first = first.as_u64().or_else(|| first.as_str()?.trim().parse().ok());
        arguments.remove(&name);
        arguments.insert("offset".into(), first.unwrap_or(1).saturating_sub(1).into());
    }
    let note = format!("`{key}` names {} files, which are read together", paths.len());
    arguments.insert("paths".into(), paths.into());
    Ok(Some(Instead { tool: "read_many_files", arguments: arguments.into(), note }))
}

/// The file that an entry names, and nothing else.
fn path(entry: &Value) -> Option<String> {
    match entry {
        Value::String(path) => Some(path.clone()),
        Value::Object(entry) => match entry.iter().next() {
            Some((key, Value::String(path)))
                if entry.len() == 1 && ["path", "filepath", "file"].contains(&plain(key).as_str()) =>
            {
                Some(path.clone())
            }
            _ => None,
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

/// One file and some of its lines in an object can be read; several cannot.
fn lines_of_several(form: &'static Form, key: &str, entries: &[Value]) -> Result<Option<Instead>, Failure> {
    match entries {
        [Value::Object(only)] => {
            let note = format!("the one entry of `{key}` was read as the arguments");
            Ok(Some(Instead { tool: "read_file", arguments: only.clone().into(), note }))
        }
        _ => {
            let message = format!(
                "{}: `{key}` holds more than paths; name several files by their paths alone, or read one a call with offset \
                 and limit",
                form.tool
            );
            Err(Failure::new(FailureKind::InvalidArguments, message))
        }
    }
}

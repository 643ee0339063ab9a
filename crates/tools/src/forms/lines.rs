//! Lines that are named by their numbers in an edit that quotes no text.

use super::{Given, Instead, value};
use crate::arguments::{Form, plain};
use serde_json::Value;

const FIRST: [&str; 7] =
    ["startline", "firstline", "linestart", "beginline", "startlinenumber", "startlineoneindexed", "linefrom"];
const RANGES: [&str; 5] = ["linerange", "viewrange", "range", "lines", "linenumbers"];
const INSERTS: [&str; 8] = [
    "insertline",
    "insertafter",
    "afterline",
    "insertbefore",
    "beforeline",
    "insertafterline",
    "insertbeforeline",
    "insertlinenumber",
];

/// An edit that names lines and quotes nothing.
pub(super) fn of_edit(form: &'static Form, given: &Given) -> Option<Instead> {
    if value(form, "old_string", given).is_some() || !says_new_text(given) {
        return None;
    }
    let is_named =
        |names: &[&str]| given.iter().any(|(key, value)| names.contains(&plain(key).as_str()) && names_lines(value));
    let tool = if is_named(&FIRST) || is_named(&RANGES) {
        "edit_lines"
    } else if is_named(&INSERTS) {
        "insert_lines"
    } else {
        return None;
    };
    let note = "it quotes no text and names lines, which were taken".to_owned();
    Some(Instead { tool, arguments: with_range(given).unwrap_or_else(|| given.clone()).into(), note })
}

/// Is there any text that could be new?
fn says_new_text(given: &Given) -> bool {
    const NEW: [&str; 14] = [
        "newstring",
        "newstr",
        "newtext",
        "new",
        "replace",
        "replacement",
        "newcontent",
        "newcode",
        "content",
        "text",
        "code",
        "newlines",
        "replacewith",
        "inserttext",
    ];
    given.iter().any(|(key, value)| NEW.contains(&plain(key).as_str()) && value.is_string())
}

fn names_lines(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::String(text) => text.trim().starts_with(|c: char| c.is_ascii_digit()),
        Value::Array(list) => list.len() == 2 && list.iter().all(Value::is_number),
        Value::Null | Value::Bool(_) | Value::Object(_) => false,
    }
}

/// Arguments of the tools that take numbers, as they take them; a text that is quoted beside them tells the place more surely.
pub(super) fn in_our_words(form: &'static Form, called: &str, given: &Given) -> Option<Instead> {
    const OLD: [&str; 7] = ["oldstring", "oldstr", "oldtext", "oldcontent", "oldcode", "search", "original"];
    let quotes = |(key, value): (&String, &Value)| {
        OLD.contains(&plain(key).as_str()) && value.as_str().is_some_and(|text| !text.is_empty())
    };
    if form.tool == "edit_lines" && given.iter().any(quotes) {
        let note = "the text that it quotes tells the place, and not the numbers".to_owned();
        let numbers = |key: &str| form.answers(&plain(key), "start_line") || form.answers(&plain(key), "end_line");
        let rest: Given =
            given.iter().filter(|(key, _)| !numbers(key)).map(|(key, value)| (key.clone(), value.clone())).collect();
        return Some(Instead { tool: "edit_file", arguments: rest.into(), note });
    }
    if form.tool == "edit_lines" {
        let arguments = with_range(given)?;
        return Some(Instead {
            tool: "edit_lines",
            arguments: arguments.into(),
            note: "a range was read as start_line and end_line".into(),
        });
    }
    // By this name other agents have a tool that puts lines before the one that is named.
    if plain(called).ends_with("insertcontent") {
        let (key, line) = given.iter().find(|(key, _)| plain(key) == "line")?;
        let is_end = line.as_u64().or_else(|| line.as_str()?.trim().parse().ok()) == Some(0);
        if is_end {
            return None;
        }
        let mut arguments: Given =
            given.iter().filter(|(name, _)| *name != key).map(|(name, value)| (name.clone(), value.clone())).collect();
        arguments.insert("before_line".into(), line.clone());
        return Some(Instead {
            tool: "insert_lines",
            arguments: arguments.into(),
            note: "`line` was read as before_line".into(),
        });
    }
    None
}

/// The arguments with a first and a last line in place of a range like `[3, 5]` or `3-5`.
fn with_range(given: &Given) -> Option<Given> {
    let (key, first, last) = given.iter().find_map(|(key, value)| {
        let (first, last) = RANGES.contains(&plain(key).as_str()).then(|| ends(value))??;
        Some((key.clone(), first, last))
    })?;
    let mut arguments = given.clone();
    arguments.remove(&key);
    arguments.insert("start_line".into(), first.into());
    arguments.insert("end_line".into(), last.into());
    Some(arguments)
}

fn ends(value: &Value) -> Option<(u64, u64)> {
    match value {
        Value::Array(list) => match list.as_slice() {
            [first, last] => Some((first.as_u64()?, last.as_u64()?)),
            _ => None,
        },
        Value::String(text) => {
            let (first, last) = text.split_once(['-', ':', ',', '–'])?;
            Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

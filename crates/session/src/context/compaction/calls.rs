//! What a call was about, read from its name and arguments in the way in which models write them.
//!
//! Guesses at tools that it does not know by their names, and only for words that are read: nothing is decided by it.

use crate::context::window::one_line;
use agent_protocol::{Message, ModelCall, Role};
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallKind {
    /// Looks at something, and changes nothing: it can be made again at any time.
    Looks,
    Writes,
    Edits,
    Removes,
    Runs,
    Unknown,
}

/// Words in the names of tools, and what they mean; the first that is met counts.
const WORDS: [(CallKind, &[&str]); 4] = [
    (CallKind::Removes, &["delete", "remove"]),
    (CallKind::Edits, &["edit", "replace", "patch", "insert", "append", "move", "rename"]),
    (CallKind::Writes, &["write", "create", "save"]),
    (CallKind::Looks, &["read", "list", "glob", "grep", "search", "find", "view", "open", "cat", "fetch"]),
];

/// Names of arguments, plain: small letters and digits only.
const COMMANDS: [&str; 4] = ["command", "cmd", "commandline", "script"];
const FILES: [&str; 7] = ["filepath", "path", "absolutepath", "filename", "file", "targetfile", "relativepath"];
const FOLDERS: [&str; 4] = ["directory", "dir", "folder", "directorypath"];
const WANTED: [&str; 5] = ["pattern", "query", "regex", "url", "symbol"];

/// How results begin of calls that came to nothing.
const FAILURES: [&str; 3] = ["error: ", "refused", "not run"];

pub(super) fn kind_of(call: &ModelCall) -> CallKind {
    if command(call).is_some() {
        return CallKind::Runs;
    }
    let name = call.name.to_ascii_lowercase();
    let means = |words: &[&str]| words.iter().any(|word| name.contains(word));
    WORDS.iter().find(|(_, words)| means(words)).map_or(CallKind::Unknown, |(kind, _)| *kind)
}

pub(super) fn command(call: &ModelCall) -> Option<&str> {
    argument(call, &COMMANDS)
}

/// The file that a call is about.
pub(super) fn file(call: &ModelCall) -> Option<&str> {
    argument(call, &FILES)
}

/// What a call is about, in a few words: `src/main.rs`, `"fn main" in src`.
pub(super) fn subject(call: &ModelCall, most: usize) -> Option<String> {
    let place = file(call).or_else(|| argument(call, &FOLDERS)).map(|place| one_line(place, most));
    let wanted = argument(call, &WANTED).map(|wanted| format!("\"{}\"", one_line(wanted, most)));
    match (wanted, place) {
        (Some(wanted), Some(place)) => Some(format!("{wanted} in {place}")),
        (wanted, place) => wanted.or(place),
    }
}

fn argument<'a>(call: &'a ModelCall, names: &[&str]) -> Option<&'a str> {
    let arguments = call.arguments.as_object()?;
    let plain = |key: &str| key.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "");
    let found = names.iter().find_map(|name| arguments.iter().find(|(key, _)| plain(key) == *name));
    found.and_then(|(_, value)| Value::as_str(value)).filter(|text| !text.trim().is_empty())
}

/// The call that the message at this place is the result of: by its id, else by its place behind the reply.
pub(super) fn answered(messages: &[Message], at: usize) -> Option<&ModelCall> {
    let result = messages.get(at).filter(|message| message.role == Role::Tool)?;
    let reply = messages[..at].iter().rposition(|message| message.role == Role::Assistant)?;
    let calls = &messages[reply].calls;
    let id = result.tool_call_id.as_ref();
    let by_id = calls.iter().find(|call| id.is_some() && call.server_id.as_ref() == id);
    let call = by_id.or_else(|| calls.get(at - reply - 1));
    // A result of another tool is none of this call's.
    call.filter(|call| result.tool_name.as_ref().is_none_or(|name| *name == call.name))
}

/// Did the call come to nothing?
pub(super) fn failed(result: &str) -> bool {
    FAILURES.iter().any(|beginning| result.starts_with(beginning))
}

/// How a command ended, in a line: its exit status, and the last thing it wrote.
pub(super) fn ending(result: &str, most: usize) -> Option<String> {
    let mut status = result.lines().take(2).filter(|line| is_status(line));
    let status = status.next().map(|line| one_line(line.trim_end_matches(", no output"), most));
    let last = result.lines().rev().find(|line| !line.trim().is_empty()).filter(|line| !is_status(line));
    let last = last.map(|line| format!("last line: {}", one_line(line, most)));
    match (status, last) {
        (Some(status), Some(last)) => Some(format!("{status}, {last}")),
        (status, last) => status.or(last),
    }
}

fn is_status(line: &str) -> bool {
    ["exit code ", "ended by signal ", "stopped after "].iter().any(|beginning| line.starts_with(beginning))
}

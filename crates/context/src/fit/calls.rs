//! What a call was about, read from its name and arguments in the way in which models write them.
//!
//! Guesses at tools that it does not know by their names, and only for words that are read: nothing is decided by it.

use agent_protocol::{Message, ModelCall, Role};
use serde_json::Value;
use std::collections::HashMap;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// Looks at something, and changes nothing: it can be made again at any time.
    Looks,
    Writes,
    Edits,
    Removes,
    /// Runs a command.
    Runs,
    Unknown,
}

/// Words in the names of tools, and what they mean; the first that is met counts.
const WORDS: [(&str, Deed); 22] = [
    ("delete", Deed::Removes),
    ("remove", Deed::Removes),
    ("edit", Deed::Edits),
    ("replace", Deed::Edits),
    ("patch", Deed::Edits),
    ("insert", Deed::Edits),
    ("append", Deed::Edits),
    ("move", Deed::Edits),
    ("rename", Deed::Edits),
    ("write", Deed::Writes),
    ("create", Deed::Writes),
    ("save", Deed::Writes),
    ("read", Deed::Looks),
    ("list", Deed::Looks),
    ("glob", Deed::Looks),
    ("grep", Deed::Looks),
    ("search", Deed::Looks),
    ("find", Deed::Looks),
    ("view", Deed::Looks),
    ("open", Deed::Looks),
    ("cat", Deed::Looks),
    ("fetch", Deed::Looks),
];

/// Names of arguments, plain: small letters and digits only.
const COMMANDS: [&str; 4] = ["command", "cmd", "commandline", "script"];
const FILES: [&str; 7] = ["filepath", "path", "absolutepath", "filename", "file", "targetfile", "relativepath"];
const FOLDERS: [&str; 4] = ["directory", "dir", "folder", "directorypath"];
const WANTED: [&str; 5] = ["pattern", "query", "regex", "url", "symbol"];

/// How results begin of calls that came to nothing.
const FAILURES: [&str; 3] = ["error: ", "refused", "not run"];

pub(super) fn deed(call: &ModelCall) -> Deed {
    if command(call).is_some() {
        return Deed::Runs;
    }
    let name = call.name.to_ascii_lowercase();
    WORDS.iter().find(|(word, _)| name.contains(word)).map_or(Deed::Unknown, |(_, deed)| *deed)
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
    let is_meant = |key: &str, name: &str| key.bytes().filter(u8::is_ascii_alphanumeric).eq_ignoring_case(name);
    let found = names.iter().find_map(|name| arguments.iter().find(|(key, _)| is_meant(key, name)));
    found.and_then(|(_, value)| Value::as_str(value)).filter(|text| !text.trim().is_empty())
}

/// Compares letters whatever their case.
trait IgnoringCase {
    fn eq_ignoring_case(self, name: &str) -> bool;
}

impl<I: Iterator<Item = u8>> IgnoringCase for I {
    fn eq_ignoring_case(self, name: &str) -> bool {
        self.map(|byte| byte.to_ascii_lowercase()).eq(name.bytes())
    }
}

/// For each message, where the call stands that it is the result of: the message, and the place among its calls.
pub(super) fn answered(messages: &[Message]) -> Vec<Option<(usize, usize)>> {
    let mut asked = Asked::default();
    let mut answered = Vec::with_capacity(messages.len());
    for (at, message) in messages.iter().enumerate() {
        answered.push(match message.role {
            Role::Tool => asked.call_of(messages, message),
            Role::Assistant if !message.calls.is_empty() => {
                asked = Asked::of(at, message);
                None
            }
            Role::Assistant | Role::User | Role::System => None,
        });
    }
    answered
}

/// The calls of one reply, and which of them have their results.
#[derive(Debug, Default)]
struct Asked<'a> {
    message: usize,
    by_id: HashMap<&'a str, usize>,
    has_result: Vec<bool>,
    /// All before this one have their results.
    next: usize,
}

impl<'a> Asked<'a> {
    fn of(message: usize, reply: &'a Message) -> Self {
        let ids = reply.calls.iter().enumerate().filter_map(|(at, call)| Some((call.server_id.as_deref()?, at)));
        Asked { message, by_id: ids.collect(), has_result: vec![false; reply.calls.len()], next: 0 }
    }

    /// By its id, else in order.
    fn call_of(&mut self, messages: &[Message], result: &Message) -> Option<(usize, usize)> {
        let by_id = result.tool_call_id.as_deref().and_then(|id| self.by_id.get(id).copied());
        while self.has_result.get(self.next) == Some(&true) {
            self.next += 1;
        }
        let at = by_id.filter(|at| !self.has_result[*at]).unwrap_or(self.next);
        *self.has_result.get_mut(at)? = true;
        // A result of another tool is none of this call's.
        let call = messages.get(self.message)?.calls.get(at)?;
        let same = result.tool_name.as_ref().is_none_or(|name| *name == call.name);
        same.then_some((self.message, at))
    }
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

/// The beginning of `text` on one line, in at most so many bytes and a sign that there is more.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + word.len() + 1 > most {
            let room = most.saturating_sub(line.len() + 1);
            if line.is_empty() || room > most / 2 {
                line.push_str(if line.is_empty() { "" } else { " " });
                line.push_str(&word[..word.floor_char_boundary(room)]);
            }
            line.push('…');
            return line;
        }
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(word);
    }
    line
}

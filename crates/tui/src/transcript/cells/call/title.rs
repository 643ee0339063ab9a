//! What a call is called before anybody has looked at it: the words its preview will say, as far as they are known.
//!
//! The one place where the screen knows tools by name. A tool that is not in the table keeps its own.

use crate::clean::clean_line;
use agent_protocol::ToolCall;
use serde_json::Value;

/// How the calls of one tool are called.
struct Wording {
    tool: &'static str,
    verb: &'static str,
    /// Names of the argument that the call is about, the best first.
    about: &'static [&'static str],
    /// What it is about where the model does not say.
    otherwise: &'static str,
    quotes: Quotes,
}

#[derive(PartialEq)]
enum Quotes {
    None,
    Double,
}

const PATH: &[&str] = &["file_path", "path", "file"];
const PATTERN: &[&str] = &["pattern", "query"];
const COMMAND: &[&str] = &["command", "cmd"];

const WORDINGS: [Wording; 7] = [
    wording("read_file", "Read", PATH),
    wording("write_file", "Write", PATH),
    wording("edit_file", "Edit", PATH),
    Wording { otherwise: ".", ..wording("list_directory", "List", PATH) },
    wording("glob_files", "Find", PATTERN),
    Wording { quotes: Quotes::Double, ..wording("grep_search", "Search", PATTERN) },
    wording("run_command", "Run", COMMAND),
];

/// Arguments that say best what the call of an unknown tool is about, the best first.
const TELLING: [&str; 5] = ["command", "pattern", "file_path", "path", "url"];

const fn wording(tool: &'static str, verb: &'static str, about: &'static [&'static str]) -> Wording {
    Wording { tool, verb, about, otherwise: "", quotes: Quotes::None }
}

/// What to call `call` for the time being. One clean line.
pub(super) fn provisional_title(call: &ToolCall) -> String {
    let arguments = &call.call.arguments;
    let (name, about) = match WORDINGS.iter().find(|wording| wording.tool == call.name()) {
        Some(wording) => (wording.verb, wording.subject(arguments)),
        None => (call.name(), telling(arguments)),
    };
    clean_line(format!("{name} {about}").trim_end()).into_owned()
}

impl Wording {
    fn subject(&self, arguments: &Value) -> String {
        let about = first_text(arguments, self.about).unwrap_or_else(|| self.otherwise.to_owned());
        match self.quotes {
            Quotes::Double if !about.is_empty() => format!("\"{about}\""),
            Quotes::Double | Quotes::None => about,
        }
    }
}

fn telling(arguments: &Value) -> String {
    let any = || arguments.as_object()?.values().filter_map(Value::as_str).find_map(first_line);
    first_text(arguments, &TELLING).or_else(any).unwrap_or_default()
}

/// The first of the arguments called `names` that says something.
fn first_text(arguments: &Value, names: &[&str]) -> Option<String> {
    names.iter().filter_map(|name| arguments.get(name)?.as_str()).find_map(first_line)
}

/// The first line of `text`, with `…` where more follows.
fn first_line(text: &str) -> Option<String> {
    let mut lines = text.trim().lines();
    let first = lines.next()?;
    Some(if lines.next().is_some() { format!("{first} …") } else { first.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::provisional_title;
    use agent_protocol::{CallId, ModelCall, Origin, ToolCall};
    use serde_json::{Value, json};

    fn title(name: &str, arguments: Value) -> String {
        let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
        provisional_title(&ToolCall { id: CallId(1), call, origin: Origin::default() })
    }

    #[test]
    fn calls_are_called_as_their_previews_will_call_them() {
        assert_eq!(title("read_file", json!({"limit": 4, "file_path": "src/a.rs"})), "Read src/a.rs");
        assert_eq!(title("write_file", json!({"path": "a.txt", "content": "x"})), "Write a.txt");
        assert_eq!(title("edit_file", json!({"file_path": "a", "old_string": "x"})), "Edit a");
        assert_eq!(title("list_directory", json!({"path": "src"})), "List src");
        assert_eq!(title("glob_files", json!({"pattern": "**/*.rs"})), "Find **/*.rs");
        assert_eq!(title("grep_search", json!({"pattern": "fn \\w+", "path": "src"})), "Search \"fn \\w+\"");
        assert_eq!(title("run_command", json!({"command": "cd a\nmake"})), "Run cd a …");
    }

    #[test]
    fn calls_that_do_not_say_what_they_are_about_have_titles_too() {
        assert_eq!(title("list_directory", json!({})), "List .");
        assert_eq!(title("read_file", json!({"file_path": " "})), "Read");
        assert_eq!(title("grep_search", json!(null)), "Search");
    }

    #[test]
    fn unknown_tools_keep_their_names() {
        assert_eq!(
            title("fetch", json!({"a": "", "b": "c\u{1b}", "url": "https://example.org"})),
            "fetch https://example.org"
        );
        assert_eq!(title("do_it", json!({"a": "", "b": "c\u{1b}"})), "do_it c␛");
        assert_eq!(title("do\u{1b}", json!([])), "do␛");
    }
}

//! What a call is called before anybody has looked at it: the words its preview will say, as far as they are known.
//!
//! The one place where the screen knows tools by name. A tool that is not in the table keeps its own.

use crate::clean::clean_line;
use agent_protocol::{Todo, TodoStatus};
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

const PATH: &[&str] = &["file_path", "path", "file", "filename", "filepath", "target_file", "absolute_path"];
const PATTERN: &[&str] = &["pattern", "query", "regex"];
const COMMAND: &[&str] = &["command", "cmd"];

const WORDINGS: [Wording; 10] = [
    wording("read_file", "Read", PATH),
    wording("write_file", "Write", PATH),
    wording("edit_file", "Edit", PATH),
    Wording { otherwise: ".", ..wording("list_directory", "List", PATH) },
    wording("glob_files", "Find", PATTERN),
    Wording { quotes: Quotes::Double, ..wording("grep_search", "Search", PATTERN) },
    wording("run_command", "Run", COMMAND),
    wording("ask_user", "Ask", &["question"]),
    Wording { otherwise: "a plan", ..wording("exit_plan_mode", "Propose", &[]) },
    Wording { otherwise: "", ..wording(TODO, "Todo", &[]) },
];

/// The tool that writes down what there is to do.
const TODO: &str = "todo_write";

/// Arguments that say best what the call of an unknown tool is about, the best first.
const TELLING: [&str; 5] = ["command", "pattern", "file_path", "path", "url"];

/// Characters of a line that a title may show.
const LINE: usize = 1_000;

const fn wording(tool: &'static str, verb: &'static str, about: &'static [&'static str]) -> Wording {
    Wording { tool, verb, about, otherwise: "", quotes: Quotes::None }
}

/// The arguments that a call can be named by: those that are text, the first line of each.
pub(super) struct Telling {
    words: Vec<(String, String)>,
    /// What there is to do, if it is a list of that.
    todos: Vec<Todo>,
}

impl Telling {
    pub(super) fn of(arguments: &Value) -> Self {
        let line = |(name, value): (&String, &Value)| Some((name.clone(), first_line(value.as_str()?)?));
        let words = arguments.as_object().map(|all| all.iter().filter_map(line).collect()).unwrap_or_default();
        Telling { words, todos: todos(arguments) }
    }

    /// What a call of `tool` writes down that there is to do; nothing where it is another tool's.
    pub(super) fn todos(&self, tool: &str) -> &[Todo] {
        if tool == TODO { &self.todos } else { &[] }
    }

    /// What to call a call of `tool` for the time being. One clean line.
    pub(super) fn title(&self, tool: &str) -> String {
        if !self.todos(tool).is_empty() {
            return crate::todos::title(&self.todos);
        }
        let (name, about) = match WORDINGS.iter().find(|wording| wording.tool == tool) {
            Some(wording) => (wording.verb, wording.subject(self)),
            None => (tool, self.about(&TELLING).or(self.any()).unwrap_or_default().to_owned()),
        };
        clean_line(format!("{name} {about}").trim_end()).into_owned()
    }

    /// The first of the arguments called `names`.
    fn about(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.words.iter().find(|(known, _)| known == name)).map(|(_, line)| line.as_str())
    }

    fn any(&self) -> Option<&str> {
        self.words.first().map(|(_, line)| line.as_str())
    }
}

impl Wording {
    fn subject(&self, arguments: &Telling) -> String {
        let about = arguments.about(self.about).unwrap_or(self.otherwise).to_owned();
        match self.quotes {
            Quotes::Double if !about.is_empty() => format!("\"{about}\""),
            Quotes::Double | Quotes::None => about,
        }
    }
}

/// What a call writes down that there is to do, as far as it can be read.
fn todos(arguments: &Value) -> Vec<Todo> {
    let item = |item: &Value| {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let status = match text("status").as_str() {
            "completed" => TodoStatus::Completed,
            "in_progress" => TodoStatus::InProgress,
            _ => TodoStatus::Pending,
        };
        let content = text("content");
        (!content.trim().is_empty()).then(|| Todo { id: text("id"), content, status })
    };
    let items = arguments.get("todos").and_then(Value::as_array);
    items.map(|items| items.iter().filter_map(item).collect()).unwrap_or_default()
}

/// The first line of `text`, with `…` where more follows. No title needs more than [`LINE`] characters of it.
fn first_line(text: &str) -> Option<String> {
    let mut lines = text.trim().lines();
    let first = lines.next()?;
    let (first, more) = match first.char_indices().nth(LINE) {
        Some((end, _)) => (&first[..end], true),
        None => (first, lines.next().is_some()),
    };
    Some(if more { format!("{first} …") } else { first.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::Telling;
    use serde_json::{Value, json};

    fn title(name: &str, arguments: Value) -> String {
        Telling::of(&arguments).title(name)
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
    fn a_list_of_things_to_do_is_called_by_how_far_it_is() {
        let todos = json!([
            {"id": "1", "content": "Read", "status": "completed"},
            {"id": 2, "content": " Write\u{1b} tests ", "status": "in_progress"},
            {"content": "Push"}, {"id": "4"}, 5
        ]);
        assert_eq!(title("todo_write", json!({"todos": todos})), "Todo 1/3: Write␛ tests");
        assert_eq!(
            [title("todo_write", json!({"todos": 3})), title("exit_plan_mode", json!({}))],
            ["Todo", "Propose a plan"]
        );
        assert_eq!(title("ask_user", json!({"question": "Which database?"})), "Ask Which database?");
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

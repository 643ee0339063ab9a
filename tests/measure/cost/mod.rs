//! What a session costs in prompts: the characters of all requests, how often one does not begin with the whole one before,
//! and how many there are. No times, so that it is the same on every machine.
//!
//! The sessions were played by hand on real repositories once and are written anew here on generated projects of like size. The
//! scripted model follows a course: it knows only what it is sent, and names places by what stands there, so that it can follow
//! views that show less.

pub(crate) mod click;
pub(crate) mod commander;
pub(crate) mod fd;
pub(crate) mod project;
pub(crate) mod pylint;

use agent_mock_server::{Recorded, Script, Server};
use project::Project;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

/// What is done around a model, switched off: the first version of the program showed as much of a file and of what a search
/// finds as there is room for, and the window alone said when a conversation becomes shorter.
const OFF: [(&str, &str); 15] = [
    ("read_lines", "0"),
    ("search_hits", "0"),
    ("working_tokens", "0"),
    ("fold_output", "false"),
    ("facts", "false"),
    ("syntax", "\"off\""),
    ("whole_file_lines", "0"),
    ("think_tokens", "0"),
    ("unmade_changes", "false"),
    ("looks", "0"),
    ("idle", "0"),
    ("longest_call", "0"),
    ("attempts", "0"),
    ("edit", "\"both\""),
    ("diagnostics", "false"),
];

/// A config in which only these are on.
pub(crate) fn only(on: &[&str]) -> String {
    let off = OFF.iter().filter(|(key, _)| !on.contains(key));
    let lines: String = off.map(|(key, value)| format!("{key} = {value}\n")).collect();
    format!("[harness]\n{lines}")
}

/// The config of somebody who has none: all is on.
pub(crate) const ON: &str = "";

/// What stands in the config of both: other programs that happen to be on a machine are not part of this.
const ALWAYS: &str = "[checks]\nrounds = 0\n";

/// The words by which a summary is asked for.
const SUMMARY_WISH: &str = "The conversation must be made shorter";

/// Those by which it is asked for once more.
const SUMMARY_WISH_AGAIN: &str = "Your answer to this was a call";

/// A session to be played.
pub(crate) struct Session {
    pub(crate) name: &'static str,
    pub(crate) project: Project,
    /// Tokens of the window.
    pub(crate) window: u64,
    /// What the user says, one after the other.
    pub(crate) says: Vec<&'static str>,
    /// What the model does, step by step.
    pub(crate) course: Vec<Value>,
    /// What it writes where a summary is asked for.
    pub(crate) summary: &'static str,
    /// Files as they have to be in the end: what each must hold.
    pub(crate) wanted: Vec<(String, String)>,
}

/// What a session cost.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Requests for replies.
    pub(crate) requests: usize,
    /// Characters of messages and tools in all of them, as JSON.
    pub(crate) characters: usize,
    /// Characters in the largest.
    pub(crate) largest: usize,
    /// Characters that came new, as far as requests grew.
    pub(crate) added: usize,
    /// Requests that do not begin with the whole one before.
    pub(crate) breaks: usize,
    /// What is missing in files that were to hold it.
    pub(crate) missing: Vec<String>,
    /// Instructions and tools in the first request.
    pub(crate) first: usize,
    /// How the program ended: 0 where all went well.
    pub(crate) code: Option<i32>,
}

impl Session {
    /// Plays it under this config, and says what each of the user's words cost.
    pub(crate) fn play(&self, config: &str) -> Vec<Cost> {
        let stage = Stage::set(self, config);
        let mut costs = Vec::new();
        for (turn, words) in self.says.iter().enumerate() {
            let before = stage.server.chats().len();
            let code = stage.say(words, turn > 0);
            let chats = stage.server.chats();
            costs.push(Cost { code, ..cost(&chats, before) });
        }
        if let Some(last) = costs.last_mut() {
            last.missing = self.missing(&stage.project());
        }
        costs
    }

    fn missing(&self, project: &Path) -> Vec<String> {
        let holds =
            |file: &str, text: &str| std::fs::read_to_string(project.join(file)).is_ok_and(|all| all.contains(text));
        let missing = self.wanted.iter().filter(|(file, text)| !holds(file, text));
        missing.map(|(file, text)| format!("{file}: {text}")).collect()
    }

    fn script(&self) -> Script {
        let asked = |words: &str, say: Value| json!({"when": {"user_contains": words}, "say": say});
        let summary = json!([{"text": self.summary}]);
        // A few times it goes on with the work instead, as small models do.
        let call = json!({"times": 3, "when": {"user_contains": SUMMARY_WISH}, "say": call("list_directory", json!({"path": "."}))});
        let replies = [asked(SUMMARY_WISH_AGAIN, summary.clone()), call, asked(SUMMARY_WISH, summary)];
        let script = json!({
            "models": [{"name": "m", "context_length": 131_072, "capabilities": ["completion", "tools"]}],
            "counts": "pieces",
            "pace": "immediate",
            "replies": replies,
            "course": self.course,
        });
        Script::from_value(script).expect("the script of a session is valid")
    }
}

/// The cost of the requests from this one on.
fn cost(chats: &[Recorded], from: usize) -> Cost {
    let sizes: Vec<usize> = chats[from..].iter().map(characters).collect();
    let before = from.checked_sub(1).map_or(0, |last| characters(&chats[last]));
    let grown = std::iter::once(&before).chain(&sizes).zip(&sizes).map(|(before, now)| now.saturating_sub(*before));
    let added = grown.sum();
    let pairs = chats[from.saturating_sub(1)..].windows(2);
    let first = chats.get(from).map_or(0, |chat| {
        chat.body["messages"][0]["content"].as_str().unwrap_or_default().chars().count()
            + chat.body["tools"].to_string().chars().count()
    });
    Cost {
        requests: sizes.len(),
        characters: sizes.iter().sum(),
        largest: sizes.iter().copied().max().unwrap_or(0),
        added,
        breaks: pairs.filter(|pair| !pair[1].repeats(&pair[0]).is_whole()).count(),
        missing: Vec::new(),
        first,
        code: None,
    }
}

fn characters(chat: &Recorded) -> usize {
    [&chat.body["messages"], &chat.body["tools"]].iter().map(|part| part.to_string().chars().count()).sum()
}

/// A home, a project and a server.
struct Stage {
    folder: tempfile::TempDir,
    server: Server,
    window: String,
}

impl Stage {
    fn set(session: &Session, config: &str) -> Stage {
        let folder = tempfile::Builder::new().prefix("cost-").tempdir().expect("a temporary folder can be made");
        let stage = Stage {
            folder,
            server: Server::start(session.script()).expect("a loopback port is free"),
            window: session.window.to_string(),
        };
        session.project.write(&stage.project());
        let home = stage.folder.path().join("home/config/agent");
        std::fs::create_dir_all(&home).expect("a folder can be made");
        std::fs::write(home.join("config.toml"), format!("{ALWAYS}{config}")).expect("a file can be written");
        stage
    }

    fn project(&self) -> std::path::PathBuf {
        self.folder.path().join("project")
    }

    /// Says this in a session of its own, or in the one before. How the program ended.
    fn say(&self, words: &str, goes_on: bool) -> Option<i32> {
        let home = self.folder.path().join("home");
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent"));
        command.env_clear().current_dir(self.project()).stdin(Stdio::null());
        command
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_STATE_HOME", home.join("state"));
        command.env("AGENT_HOST", self.server.url()).env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8");
        command.args(["--model", "m", "--num-ctx", &self.window, "--unsafe", "--trust", "--max-turns", "200"]);
        command.args(["--allow", "run", "--allow", "write"]).args(goes_on.then_some("-c")).args(["-p", words]);
        let output = command.output().expect("the program can be started");
        output.status.code()
    }
}

/// A reply that calls one tool.
pub(crate) fn call(name: &str, arguments: Value) -> Value {
    json!([{"call": {"name": name, "arguments": arguments}}])
}

/// Reads from some lines before the one that holds `text`, to the end of what is shown.
pub(crate) fn read_at(file: &str, text: &str, less: u64) -> Value {
    call("read_file", json!({"file_path": file, "offset": {"line_of": text, "less": less}}))
}

pub(crate) fn read(file: &str) -> Value {
    call("read_file", json!({"file_path": file}))
}

pub(crate) fn search(pattern: &str) -> Value {
    call("grep_search", json!({"pattern": pattern}))
}

pub(crate) fn search_in(pattern: &str, path: &str) -> Value {
    call("grep_search", json!({"pattern": pattern, "path": path}))
}

pub(crate) fn run(command: &str) -> Value {
    call("run_command", json!({"command": command}))
}

pub(crate) fn edit(file: &str, old: &str, new: &str) -> Value {
    call("edit_file", json!({"file_path": file, "old_string": old, "new_string": new}))
}

/// A step that needs nothing.
pub(crate) fn does(say: Value) -> Value {
    json!({"say": say})
}

/// A step that needs to see these texts, and looks in these ways where it does not.
pub(crate) fn needing(needs: &[&str], looks: &[Value], say: Value) -> Value {
    json!({"needs": needs, "looks": looks, "say": say})
}

/// The last word of a turn.
pub(crate) fn says(text: &str) -> Value {
    json!({"say": [{"text": text}]})
}

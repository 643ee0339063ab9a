//! What a test is played on: a home, a project, a scripted server, and the binary without this machine around it.

use crate::terminal::Terminal;
use agent_mock_server::{Script, Server};
use portable_pty::CommandBuilder;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A test that waits longer than this has failed; machines are shared and slow at times.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(10);

/// A home, a project and a scripted server, all of them gone when it is dropped.
pub(crate) struct House {
    folder: TempDir,
    pub(crate) server: Option<Server>,
}

impl House {
    /// With a server that has the model `m` and these replies: each a list of steps, said in order.
    pub(crate) fn new(replies: &[Value]) -> Self {
        let replies: Vec<Value> = replies.iter().map(|steps| json!({"times": 1, "say": steps})).collect();
        House::scripted(json!({"models": [{"name": "m", "context_length": 32768}], "replies": replies}))
    }

    /// With a server that plays `script`.
    pub(crate) fn scripted(script: Value) -> Self {
        let script = Script::from_value(script).expect("the script of a test is valid");
        let server = Server::start(script).expect("a loopback port is free");
        House { server: Some(server), ..House::without_server() }
    }

    /// The same house with another server, which plays `script`.
    pub(crate) fn with_server(mut self, script: Value) -> Self {
        let script = Script::from_value(script).expect("the script of a test is valid");
        self.server = Some(Server::start(script).expect("a loopback port is free"));
        self
    }

    /// Without any server.
    pub(crate) fn without_server() -> Self {
        let folder = tempfile::Builder::new().prefix("house-").tempdir().expect("a temporary folder can be made");
        for name in ["home", "project"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder can be made");
        }
        let house = House { folder, server: None };
        // Facts differ from machine to machine and from day to day; the tests of facts switch them on.
        std::fs::create_dir_all(house.config()).expect("a folder can be made");
        std::fs::write(house.config().join("config.toml"), "[harness]\nfacts = false\n")
            .expect("a file can be written");
        house
    }

    /// The same house where facts go with the first words, as they do for everybody who sets nothing.
    pub(crate) fn with_facts(self) -> Self {
        std::fs::remove_file(self.config().join("config.toml")).expect("the file is there");
        self
    }

    pub(crate) fn server(&self) -> &Server {
        self.server.as_ref().expect("this house has a server")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder is there").join("project")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder is there")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.project().join(name);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.project().join(name)).expect("the file is there")
    }

    /// The screen at 120x40, with the model `m`, waiting for input.
    pub(crate) fn open(&self) -> Terminal {
        self.open_with(&["--model", "m"], (120, 40))
    }

    pub(crate) fn open_with(&self, args: &[&str], size: (u16, u16)) -> Terminal {
        Terminal::start(self.command(args), size)
    }

    /// The binary with nothing of this machine in its environment.
    pub(crate) fn command(&self, args: &[&str]) -> CommandBuilder {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_agent"));
        command.env_clear();
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        command.args(args);
        command.cwd(self.project());
        command
    }

    /// The same without a terminal.
    pub(crate) fn headless(&self, args: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_agent"));
        command.env_clear().envs(self.environment()).args(args).current_dir(self.project());
        command
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        let home = self.folder.path().join("home");
        let in_home = |name: &str| home.join(name).display().to_string();
        let host = self.server.as_ref().map_or_else(|| "127.0.0.1:1".to_owned(), Server::url);
        vec![
            ("HOME", home.display().to_string()),
            ("XDG_CONFIG_HOME", in_home("config")),
            ("XDG_STATE_HOME", in_home("state")),
            ("AGENT_HOST", host),
            ("PATH", std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".into())),
            ("TERM", "xterm-256color".into()),
            ("LANG", "C.UTF-8".into()),
        ]
    }

    /// Waits until so many turns have ended, as the journals tell it: the screen may show an answer before that, and no
    /// sign of work before it has begun.
    pub(crate) fn wait_turns(&self, count: usize) {
        let begun = Instant::now();
        loop {
            let ended: usize = self.journals().iter().map(|text| text.matches(r#""type":"turn_ended""#).count()).sum();
            if ended >= count {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{ended} turns ended, not {count}");
            std::thread::sleep(LOOK);
        }
    }

    /// What is written down of the sessions so far.
    pub(crate) fn journals(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.state().join("sessions")).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
        paths.filter_map(|path| std::fs::read_to_string(path).ok()).collect()
    }

    /// Where our own state lies.
    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("home/state/agent")
    }

    /// Where the user's own config lies.
    pub(crate) fn config(&self) -> PathBuf {
        self.folder.path().join("home/config/agent")
    }
}

/// A reply that calls one tool.
pub(crate) fn call(name: &str, arguments: Value) -> Value {
    json!([{"call": {"name": name, "arguments": arguments}}])
}

/// A reply of text.
pub(crate) fn text(text: &str) -> Value {
    json!([{"text": text}])
}

/// Is there such a process, and not merely its remains?
pub(crate) fn alive(pid: &str) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat")).unwrap_or_default();
    let state = status.rsplit(')').next().and_then(|rest| rest.trim().chars().next());
    state.is_some_and(|state| state != 'Z' && state != 'X')
}

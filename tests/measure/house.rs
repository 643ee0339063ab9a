//! A home, a project and a scripted server, with nothing of this machine in the program's environment.

use crate::terminal::Terminal;
use agent_mock_server::{Script, Server};
use anyhow::{Context, Result};
use portable_pty::CommandBuilder;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

/// The size every peer was measured at, columns first.
pub(crate) const SIZE: (u16, u16) = (120, 40);

/// A screen that is silent for so long has nothing more to say.
pub(crate) const QUIET: Duration = Duration::from_millis(400);

pub(crate) struct House {
    folder: TempDir,
    pub(crate) server: Server,
    /// Where the server is, as the program is told it.
    address: String,
    /// The window that is asked for, in tokens.
    window: &'static str,
}

fn script(replies: Value) -> Result<Script> {
    let models = json!([{"name": "m", "context_length": 8_388_608}]);
    let script = json!({"models": models, "loaded": ["m"], "default_window": 131_072, "replies": replies});
    Ok(Script::from_value(script)?)
}

fn server(replies: Value) -> Result<Server> {
    Server::start(script(replies)?).context("no port can be had")
}

/// The binary that is measured: the one that was built along, or the one at `AGENT_MEASURED`, like that of a package.
fn measured() -> OsString {
    std::env::var_os("AGENT_MEASURED").unwrap_or_else(|| env!("CARGO_BIN_EXE_agent").into())
}

impl House {
    /// With a server that gives these replies: rules as in a script.
    pub(crate) fn new(replies: Value) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("measure-").tempdir()?;
        for name in ["home", "project"] {
            fs::create_dir(folder.path().join(name))?;
        }
        let server = server(replies)?;
        Ok(House { folder, address: server.url(), server, window: "131072" })
    }

    /// With a server of OpenAI's kind, which gives the same replies.
    pub(crate) fn over_v1(replies: Value) -> Result<Self> {
        let house = House::new(json!([]))?;
        let server = Server::start(script(replies)?.over_v1()).context("no port can be had")?;
        Ok(House { address: server.v1_url(), server, ..house })
    }

    /// With another server, which says nothing. The one before remembers every request, and a process that holds so much
    /// takes long to start another.
    pub(crate) fn with_fresh_server(self) -> Result<Self> {
        drop(self.server);
        let server = server(json!([]))?;
        Ok(House { address: server.url(), server, ..self })
    }

    /// The same, asked for a window in which a very long conversation fits.
    pub(crate) fn roomy(replies: Value) -> Result<Self> {
        Ok(House { window: "4194304", ..House::new(replies)? })
    }

    /// The same, asked for a window that holds a few turns.
    pub(crate) fn small(replies: Value) -> Result<Self> {
        Ok(House { window: "16384", ..House::new(replies)? })
    }

    /// Bytes of all journals.
    pub(crate) fn journal_bytes(&self) -> Result<u64> {
        let folder = self.folder.path().join("home/state/agent/sessions");
        let journals =
            fs::read_dir(folder)?.flatten().filter(|entry| entry.path().extension().is_some_and(|end| end == "jsonl"));
        journals.map(|entry| Ok(entry.metadata()?.len())).sum()
    }

    /// Writes a file of the project.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        Ok(fs::write(self.folder.path().join("project").join(name), text)?)
    }

    /// The screen, waiting for input and at rest.
    pub(crate) fn open(&self) -> Result<Terminal> {
        let mut terminal = Terminal::start(self.command(), SIZE)?;
        terminal.wait(|screen| screen.alternate_screen() && screen.contents().contains("SAFE"))?;
        terminal.settle(QUIET)?;
        Ok(terminal)
    }

    /// The binary. The window is large enough for everything that is measured.
    pub(crate) fn command(&self) -> CommandBuilder {
        let mut command = CommandBuilder::new(measured());
        let home = self.folder.path().join("home");
        command.env_clear();
        command.env("HOME", &home);
        command.env("XDG_CONFIG_HOME", home.join("config"));
        command.env("XDG_STATE_HOME", home.join("state"));
        command.env("AGENT_HOST", &self.address);
        command.env("PATH", "/usr/bin:/bin");
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.args(["--model", "m", "--num-ctx", self.window]);
        command.cwd(self.folder.path().join("project"));
        command
    }
}

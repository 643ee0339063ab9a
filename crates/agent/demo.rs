//! The demo: the same house with a scripted server and a sample project.

use crate::config::Config;
use crate::config::server::Access;
use crate::session::{Leave, Plan, Purpose, Speaker};
use crate::start;
use agent_backend::Kind;
use agent_mock_server::{Script, Server, demo};
use agent_sandbox::Temporary;
use agent_session::ToolsMode;
use agent_store::{History, Place};
use anyhow::{Context, Result};
use std::path::PathBuf;

/// What must live as long as the demo does. The folder goes when it is dropped.
pub(crate) struct Demo {
    folder: Temporary,
    server: Server,
}

impl Demo {
    /// Copies the sample project to a folder of its own and starts the scripted server.
    pub(crate) fn start() -> Result<Self> {
        let folder = folder()?;
        demo::unpack(&folder.path().join("project")).context("cannot copy the sample project")?;
        Demo::with(folder, demo::script())
    }

    /// Starts the scripted server of the bench, with a folder for what it finds.
    pub(crate) fn of_bench() -> Result<Self> {
        let folder = folder()?;
        std::fs::create_dir(folder.path().join("project")).context("cannot make a folder for the demo")?;
        Demo::with(folder, demo::bench_script())
    }

    fn with(folder: Temporary, script: Script) -> Result<Self> {
        let server = Server::start(script).context("cannot start the scripted server")?;
        Ok(Demo { folder, server })
    }

    /// How to wire a session for it: nothing of the user's own settings but the look of the screen.
    pub(crate) fn plan(&self, config: &Config) -> Result<Plan> {
        let config = Config {
            host: Some(self.server.url()),
            access: Access { kind: Kind::Ollama, ..Access::default() },
            named_servers: Vec::new(),
            model: Some(demo::model(config.model.as_deref()).to_owned()),
            num_ctx: None,
            server_window: None,
            options: serde_json::Map::new(),
            max_reply_tokens: None,
            tools_mode: ToolsMode::Auto,
            selections: Vec::new(),
            mcp: Vec::new(),
            servers: Vec::new(),
            hooks: Vec::new(),
            project_hooks: Vec::new(),
            release_on_exit: false,
            held_back: None,
            notices: Vec::new(),
            ..config.clone()
        };
        Ok(Plan {
            project: self.project()?,
            user_folder: self.folder.path().join("config"),
            place: self.place(),
            caches: self.folder.path().join("caches"),
            config,
            allow_write: false,
            allow_run: false,
            allow_commit: false,
            allow_call: false,
            allow_net: false,
            leave: Leave::default(),
            speaker: Speaker::Person,
            purpose: Purpose::Work,
            trusted: true,
            earlier: None,
            copy: false,
            model_named: true,
            groups_named: false,
            editor: None,
        })
    }

    /// What was typed before the demo was chosen is one Up away.
    pub(crate) fn remember(&self, draft: &str) {
        if !draft.trim().is_empty()
            && let Err(error) = History::new(self.place()).add(draft)
        {
            tracing::warn!("{error}");
        }
    }

    fn place(&self) -> Place {
        Place::new(self.folder.path().join("state"))
    }

    fn project(&self) -> Result<PathBuf> {
        self.folder.path().join("project").canonicalize().context("the sample project is gone")
    }
}

fn folder() -> Result<Temporary> {
    Temporary::new(start::temporary().as_deref()).context("cannot make a folder; see TMPDIR")
}

//! Wires one session: mind, hands and server, ready for a face.

use crate::config::Config;
use crate::words;
use agent_backend::{Host, Ollama};
use agent_context::system_prompt;
use agent_loop::{Parts, StartServer, drive};
use agent_policy::{Policy, Setup};
use agent_protocol::{Event, Op};
use agent_store::{History, Place, Remembered};
use agent_tools::Toolbox;
use agent_turn::{Keep, Machine, Settings};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// The server's log is begun anew when it is longer than this.
const LONGEST_LOG: u64 = 64 << 20;

/// What a session is made from.
pub(crate) struct Plan {
    /// Links resolved.
    pub(crate) project: PathBuf,
    pub(crate) user_folder: PathBuf,
    pub(crate) place: Place,
    pub(crate) config: Config,
    pub(crate) allow_write: bool,
    pub(crate) allow_run: bool,
    pub(crate) speaker: Speaker,
}

/// Who speaks to the model. A person is asked whether a home folder is meant, and finds again what they said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    Person,
    Script,
}

/// A running session, seen from its face.
pub(crate) struct Session {
    pub(crate) ops: UnboundedSender<Op>,
    pub(crate) events: UnboundedReceiver<Event>,
    /// Ends when the face has dropped `ops` and everything under way has been stopped.
    pub(crate) ended: JoinHandle<()>,
}

/// Opens the session on `runtime`.
pub(crate) fn open(mut plan: Plan, runtime: &Handle) -> Result<Session> {
    let host = Host::parse(plan.config.host.as_deref().unwrap_or_default())
        .context("the address of the model server cannot be used; see --host")?;
    let (tools, notices) = Toolbox::with(plan.project.clone(), &plan.config.selections);
    plan.config.notices.extend(notices);
    let tools = Arc::new(tools);
    let start_server = starter(&host, &plan.place);
    let parts = Parts {
        machine: machine(&plan, &host, &tools),
        backend: Arc::new(Ollama::new(host)),
        tools,
        place: plan.place,
        start_server,
    };
    let (ops, wishes) = unbounded_channel();
    let (facts, events) = unbounded_channel();
    let ended = runtime.spawn(drive(parts, wishes, facts));
    Ok(Session { ops, events, ended })
}

fn machine(plan: &Plan, host: &Host, tools: &Toolbox) -> Machine {
    let (config, person) = (&plan.config, plan.speaker == Speaker::Person);
    let mut notices = config.notices.clone();
    let words = words::find(&plan.user_folder, &plan.project, &mut notices);
    let settings = Settings {
        system: system_prompt(&plan.project.display().to_string(), std::env::consts::OS, &words),
        project: plan.project.clone(),
        host: host.to_string(),
        tools: tools.specs(),
        model: config.model.clone().or_else(|| Remembered::load(&plan.place).model),
        num_ctx: config.num_ctx,
        options: config.options.clone(),
        keep_alive: config.keep_alive.clone(),
        think: config.think,
        history: if person { History::new(plan.place.clone()).load() } else { Vec::new() },
        keep: if person { Keep::Everything } else { Keep::Nothing },
        doubtful_folder: person && is_doubtful(&plan.project),
        tools_mode: config.tools_mode,
        families: config.families.clone(),
        limits: config.limits,
        notices,
    };
    let policy = Policy::new(Setup {
        root: plan.project.clone(),
        mode: config.mode,
        allow_write: plan.allow_write,
        allow_run: plan.allow_run,
    });
    Machine::new(settings, policy)
}

/// Is this a folder nobody would call a project?
fn is_doubtful(project: &Path) -> bool {
    let home = std::env::var_os("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
    project.parent().is_none() || home.is_some_and(|home| home == project)
}

/// How to start the server here: only for an address on this machine, and only where the program is installed.
fn starter(host: &Host, place: &Place) -> Option<StartServer> {
    if !host.is_loopback() {
        return None;
    }
    let program = agent_backend::program::find()?;
    let (host, place) = (host.clone(), place.clone());
    Some(Arc::new(move || {
        let log = place.open_log("ollama.log", LONGEST_LOG)?;
        agent_backend::program::start_at(&program, &host, log).map(drop)
    }))
}

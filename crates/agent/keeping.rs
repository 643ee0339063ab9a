//! What a session is kept with, and which one it goes on with.

use crate::args::Which;
use crate::config::SandboxMode;
use crate::guard;
use crate::session::Plan;
use agent_loop::{Archive, KeptContents};
use agent_sandbox::{Caches, Surroundings};
use agent_session::Begin;
use agent_store::{Contents, Folder, Sessions};
use agent_tools::{Keep, KeptInMemory, UndoLimits};
use anyhow::{Context, Result, anyhow};
use std::io;
use std::sync::Arc;

/// Bytes of changed files that are kept where nothing may be written down.
const MOST_IN_MEMORY: u64 = 64 << 20;

/// In words that follow "undo covers nothing:".
const SWITCHED_OFF: &str = "undo is switched off (enabled = false under [undo])";

/// Only a session in which something is done is written down, and only where the user wants that.
pub(crate) fn keeps_sessions(plan: &Plan) -> bool {
    plan.config.sessions && plan.purpose.works()
}

pub(crate) fn archive(plan: &Plan, project: &Folder, contents: Arc<Contents>) -> Archive {
    Archive {
        project: project.clone(),
        sessions: keeps_sessions(plan).then(|| Sessions::new(plan.place.clone())),
        name: plan.editor.as_ref().map(|editor| editor.name.clone()),
        contents,
        place: plan.place.clone(),
        older_than: plan.config.undo.keep,
        at_most: plan.config.undo.store,
    }
}

/// Where the bytes of changed files go, and how much of them.
pub(crate) fn undo(plan: &Plan, contents: &Arc<Contents>) -> (Arc<dyn Keep>, UndoLimits) {
    let undo = plan.config.undo;
    if !undo.enabled {
        return (Arc::new(KeptNowhere), UndoLimits { max_file: 0, max_files: 0, budget: 0 });
    }
    let limits = UndoLimits { max_file: undo.max_file, max_files: undo.max_files, budget: undo.budget };
    if !plan.config.sessions {
        // Who wants no traces gets none of this either.
        return (
            Arc::new(KeptInMemory::at_most(MOST_IN_MEMORY)),
            UndoLimits { budget: limits.budget.min(MOST_IN_MEMORY), ..limits },
        );
    }
    (Arc::new(KeptContents(contents.clone())), limits)
}

/// What is around commands in `project`; why they have no cache that lasts is noted.
///
/// # Errors
/// There is no temporary folder.
pub(crate) fn surroundings(plan: &mut Plan, project: &Folder) -> Result<Surroundings> {
    let (listed, keys) = guard::listed_variables(&plan.config);
    if !keys.is_empty() {
        let keys = keys.join(", ");
        plan.config
            .notices
            .push(format!("no command gets {keys}, though your [sandbox] env lists it: that is an API key"));
    }
    let around = Surroundings::new(std::env::vars_os(), &listed, &plan.project)
        .context("cannot make a temporary folder for commands; see TMPDIR")?;
    let sandbox = &plan.config.sandbox;
    // What runs without the sandbox uses the user's own.
    if !plan.purpose.works() || sandbox.caches == 0 || sandbox.mode == SandboxMode::Off || plan.leave.disposable {
        return Ok(around);
    }
    match Caches::open(&plan.caches, &project.label(), &plan.project, std::env::vars_os()) {
        Ok(caches) => Ok(around.with_caches(caches)),
        Err(error) => {
            let why = format!("what commands download is not kept for the next session: {error}");
            plan.config.notices.push(why);
            Ok(around)
        }
    }
}

/// The session that was asked for.
///
/// # Errors
/// Where there is none, in words that name the next step.
pub(crate) fn begin(plan: &Plan, project: &Folder) -> Result<Begin> {
    let which = match &plan.earlier {
        None | Some(Which::Picked) => return Ok(Begin::New),
        Some(which) => which,
    };
    if !keeps_sessions(plan) {
        return Err(anyhow!("sessions are not kept: enabled = false under [sessions] in your config"));
    }
    let sessions = Sessions::new(plan.place.clone());
    let card = match which {
        Which::Named(name) => sessions.find(name)?,
        Which::Last | Which::Picked => sessions.last_of(project).with_context(|| {
            format!(
                "no session of {} is kept yet; `agent sessions list --all` shows those of others",
                project.path.display()
            )
        })?,
    };
    Ok(if plan.copy { Begin::Copy(card.id) } else { Begin::Session(card.id) })
}

struct KeptNowhere;

impl Keep for KeptNowhere {
    fn keep(&self, _bytes: &[u8]) -> io::Result<agent_protocol::Digest> {
        Err(io::Error::other(SWITCHED_OFF))
    }

    fn fetch(&self, _digest: &agent_protocol::Digest) -> io::Result<Vec<u8>> {
        Err(io::Error::other(SWITCHED_OFF))
    }
}

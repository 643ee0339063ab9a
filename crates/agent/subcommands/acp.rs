//! `agent acp`: sessions for an editor, each wired for the folder that it names.

use crate::args::{Args, Which};
use crate::editor::Editor;
use crate::session::{self, Plan, Session, Speaker};
use crate::start::{self, Folders};
use agent_acp::{BufferText, BufferWish, Doorway, EditorSession, Opening, Over, Pipes};
use agent_protocol::{Image, SessionCard, SessionId};
use agent_store::{Place, Sessions};
use agent_tools::{Buffer, Buffers};
use anyhow::{Context, Result, bail};
use futures_util::future::BoxFuture;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Once};
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

/// Serves an editor until it goes away.
pub(crate) fn acp(args: Args, folders: Folders) -> Result<ExitCode> {
    if io::stdin().is_terminal() || io::stdout().is_terminal() {
        bail!("`agent acp` talks to an editor and not to a person; docs/EDITORS.md says where to add it");
    }
    start::begin_log(&folders);
    let runtime = start::runtime()?;
    let door = Door { args, folders, runtime: runtime.handle().clone(), swept: Once::new() };
    let pipes = Pipes { input: Box::new(io::stdin()), output: Box::new(io::stdout()) };
    let over = runtime.block_on(agent_acp::serve(Arc::new(door), env!("CARGO_PKG_VERSION"), pipes));
    runtime.shutdown_timeout(start::PATIENCE);
    Ok(match over? {
        Over::Closed => ExitCode::SUCCESS,
        Over::Signalled(signal) => ExitCode::from(u8::try_from(128 + signal).unwrap_or(1)),
    })
}

/// Where sessions come from.
struct Door {
    args: Args,
    folders: Folders,
    runtime: Handle,
    /// What earlier starts left was swept.
    swept: Once,
}

impl Door {
    fn sessions_kept(&self) -> Sessions {
        Sessions::new(Place::new(&self.folders.state))
    }

    fn plan(&self, folder: PathBuf, earlier: Option<SessionId>, editor: Editor) -> Result<Plan> {
        let project = folder.canonicalize().with_context(|| format!("cannot work in {}", folder.display()))?;
        if !project.is_dir() {
            bail!("{} is not a folder; name the folder of a project as cwd", project.display());
        }
        let plan = start::plan_for(&self.args, &self.folders, project)?;
        let earlier = earlier.map(|SessionId(name)| Which::Named(name));
        Ok(Plan { speaker: Speaker::Person, earlier, editor: Some(editor), ..plan })
    }

    fn opened(&self, opening: Opening) -> Result<EditorSession> {
        let Opening { folder, earlier, buffers } = opening;
        let name = earlier.clone().unwrap_or_else(|| self.sessions_kept().new_name());
        let buffers = buffers.map(|wishes| Arc::new(Asked(wishes)) as Arc<dyn Buffers>);
        let mut plan = self.plan(folder, earlier, Editor { name: name.clone(), buffers })?;
        let commands = start::own_commands(&mut plan);
        let (caches, project) = (plan.config.sandbox.caches, plan.project.clone());
        self.swept.call_once(|| start::sweep((self.folders.caches.clone(), caches)));
        let Session { ops, events, ended } = session::open(plan, &self.runtime)?;
        Ok(EditorSession { id: name, project, ops, events, commands, ended })
    }
}

impl Doorway for Door {
    fn open(&self, opening: Opening) -> Result<EditorSession, String> {
        // The words of all that went wrong on the way, the nearest first.
        self.opened(opening).map_err(|error| format!("{error:#}"))
    }

    fn picture(&self, base64: &str) -> Result<Image, String> {
        agent_tools::picture(base64).map_err(|failure| failure.message)
    }

    fn sessions(&self, folder: Option<PathBuf>) -> Vec<SessionCard> {
        let folder = folder.map(|folder| folder.canonicalize().unwrap_or(folder));
        let mut cards = self.sessions_kept().list();
        cards.retain(|card| folder.as_ref().is_none_or(|folder| card.project == *folder));
        cards
    }
}

/// The editor, as tools ask it.
struct Asked(UnboundedSender<BufferWish>);

impl Buffers for Asked {
    fn text(&self, path: PathBuf) -> BoxFuture<'static, Buffer> {
        let (answer, answered) = oneshot::channel();
        let asked = self.0.send(BufferWish { path, answer }).is_ok();
        Box::pin(async move {
            match answered.await {
                // An editor that is gone holds nothing any more.
                _ if !asked => Buffer::Closed,
                Ok(BufferText::Text(text)) => Buffer::Text(text),
                Ok(BufferText::Nothing) => Buffer::Closed,
                Err(_) => Buffer::Silent,
            }
        })
    }
}

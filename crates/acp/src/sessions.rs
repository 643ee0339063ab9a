//! The sessions that this process has open for its editor, by name.

use crate::doorway::{Doorway, EditorSession, Opening};
use crate::ending::{Ending, failed, missing, unfit};
use crate::options::OptionChoice;
use crate::session::{Order, Past, Ready, Session, Start};
use crate::wire::{Editor, Fault};
use crate::words::remark;
use agent_protocol::sanitize::clean_line;
use agent_protocol::{SessionCard, SessionId};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;

/// After this long at the end of a session nothing is waited for any more.
const PATIENCE: Duration = Duration::from_secs(9);

/// Sessions that one answer lists at most.
const LISTED: usize = 500;

/// What the editor wants to open.
pub(crate) struct Wanted {
    pub(crate) folder: PathBuf,
    pub(crate) earlier: Option<(String, Past)>,
    pub(crate) servers: Vec<Value>,
}

pub(crate) struct Sessions {
    doorway: Arc<dyn Doorway>,
    reads_files: OnceLock<bool>,
    by_name: Mutex<HashMap<String, OpenSession>>,
}

struct OpenSession {
    orders: UnboundedSender<Order>,
    ended: JoinHandle<()>,
}

impl Sessions {
    pub(crate) fn new(doorway: Arc<dyn Doorway>) -> Self {
        Sessions { doorway, reads_files: OnceLock::new(), by_name: Mutex::default() }
    }

    /// What the editor can do.
    pub(crate) fn meet(&self, capabilities: &Value) {
        // Whoever begins twice is the same editor.
        let _met = self.reads_files.set(capabilities["fs"]["readTextFile"] == true);
    }

    /// Opens a session; gives its name.
    pub(crate) async fn open(&self, wanted: Wanted, editor: Editor) -> Result<(String, Ready), Fault> {
        let folder = folder(wanted.folder)?;
        let earlier = wanted.earlier.as_ref().map(|(name, _)| name.clone());
        if let Some(name) = &earlier {
            // The editor opens what it left open: the other one would hold it.
            self.close(name).await;
        }
        let reads_files = self.reads_files.get().copied().unwrap_or_default();
        let (ask, wishes) = unbounded_channel();
        let opening = Opening { folder, earlier: earlier.map(SessionId), buffers: reads_files.then_some(ask) };
        let goes_on = opening.earlier.is_some();
        let doorway = self.doorway.clone();
        let opened = spawn_blocking(move || doorway.open(opening)).await;
        let opened = opened.unwrap_or_else(|_| Err("the session could not be opened; this is a fault in agent".into()));
        let opened = opened.map_err(|why| if goes_on { missing(&why) } else { failed(&why) })?;
        let EditorSession { id: SessionId(name), project, ops, events, commands, ended } = opened;
        tokio::spawn(super::doorway::answer_buffer_wishes(editor.clone(), name.clone(), wishes));
        let (orders, wanted_of_it) = unbounded_channel();
        let (ready, is_ready) = oneshot::channel();
        let (session, deadline) = Session::new(Start {
            name: name.clone(),
            project,
            editor,
            doorway: self.doorway.clone(),
            reads_files,
            ops,
            commands,
            orders: orders.clone(),
            remarks: not_started(&wanted.servers).into_iter().collect(),
            earlier: wanted.earlier.map(|(_, past)| past),
            ready,
        });
        let ended = tokio::spawn(async move {
            session.run(deadline, events, wanted_of_it).await;
            if timeout(PATIENCE, ended).await.is_err() {
                tracing::warn!("the session did not end in time");
            }
        });
        self.by_name().insert(name.clone(), OpenSession { orders, ended });
        match is_ready.await {
            Ok(Ok(ready)) => Ok((name, ready)),
            Ok(Err(error)) => {
                self.close(&name).await;
                Err(error)
            }
            Err(_) => Err(failed("the session ended before it was open; this is a fault in agent")),
        }
    }

    /// The editor knows the session by now.
    pub(crate) fn announced(&self, name: &str) {
        // One that is gone already needs to be told nothing.
        let _told = self.order(name, Order::Announced);
    }

    /// Says a prompt; how it ended comes later. Called in the order in which the editor says things.
    pub(crate) fn prompt(
        &self,
        name: &str,
        blocks: Vec<Value>,
    ) -> Result<impl Future<Output = Ending> + Send + 'static, Fault> {
        let (done, ended) = oneshot::channel();
        self.order(name, Order::Prompt { blocks, done })?;
        Ok(async move { ended.await.unwrap_or_else(|_| Err(failed("the session is over; begin a new one"))) })
    }

    /// Ends the prompt that is under way, if there is one.
    pub(crate) fn cancel(&self, name: &str) {
        // A notification is answered by nobody, and of a session that is gone there is nothing to cancel.
        let _told = self.order(name, Order::Cancel);
    }

    /// Something is chosen; what can be chosen then comes later.
    pub(crate) fn choose(
        &self,
        name: &str,
        choice: OptionChoice,
    ) -> Result<impl Future<Output = Result<Vec<Value>, Fault>> + Send + 'static, Fault> {
        let (done, chosen) = oneshot::channel();
        self.order(name, Order::Choose { choice, done })?;
        Ok(async move { chosen.await.unwrap_or_else(|_| Err(failed("the session is over; begin a new one"))) })
    }

    /// The kept sessions: those of `folder`, where one is named.
    pub(crate) async fn list(&self, folder: Option<PathBuf>) -> Vec<Value> {
        let doorway = self.doorway.clone();
        let listed = spawn_blocking(move || {
            let mut cards = doorway.sessions(folder);
            cards.truncate(LISTED);
            cards
        });
        listed.await.unwrap_or_default().iter().map(info).collect()
    }

    /// Ends a session, and waits for it; says whether there was one.
    pub(crate) async fn close(&self, name: &str) -> bool {
        let Some(OpenSession { orders, ended }) = self.by_name().remove(name) else { return false };
        // It may have ended by itself.
        let _told = orders.send(Order::Close);
        drop(ended.await);
        true
    }

    pub(crate) async fn close_all(&self) {
        let open: Vec<OpenSession> = self.by_name().drain().map(|(_, session)| session).collect();
        for session in &open {
            // It may have ended by itself.
            let _told = session.orders.send(Order::Close);
        }
        for session in open {
            drop(session.ended.await);
        }
    }

    fn order(&self, name: &str, order: Order) -> Result<(), Fault> {
        let sessions = self.by_name();
        let told = sessions.get(name).is_some_and(|session| session.orders.send(order).is_ok());
        if told {
            return Ok(());
        }
        Err(missing(&format!("there is no session {name} open here; begin one with session/new, or load it")))
    }

    fn by_name(&self) -> MutexGuard<'_, HashMap<String, OpenSession>> {
        self.by_name.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The folder that a session works in, as it is named; whether it is there sees who opens it.
fn folder(folder: PathBuf) -> Result<PathBuf, Fault> {
    let shown = folder.display();
    if folder.is_absolute() {
        Ok(folder)
    } else {
        Err(unfit(&format!("cwd must be the absolute path of a folder, and {shown} is none")))
    }
}

fn info(card: &SessionCard) -> Value {
    let updated = jiff::Timestamp::from_second(card.updated).ok().map(|time| time.to_string());
    json!({
        "sessionId": card.id,
        "cwd": card.project.display().to_string(),
        "title": clean_line(&card.title),
        "updatedAt": updated,
    })
}

/// What is said of the servers that the editor would have started.
fn not_started(servers: &[Value]) -> Option<Value> {
    let names = servers.iter().map(|server| server["name"].as_str().unwrap_or("one without a name"));
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| {
        remark(&format!(
            "MCP servers of the editor are not started here: {}. Put those that you want under [mcp] in your config, and \
             approve them with `agent mcp approve NAME`",
            names.join(", ")
        ))
    })
}

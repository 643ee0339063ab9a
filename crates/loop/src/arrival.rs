//! What arrives in the inbox of the driver, and what whoever carries something out is given besides.

use agent_policy::Facts;
use agent_protocol::{CallId, Digest, Failure, ReachId, Reacher};
use agent_session::{Input, OpenedSession};
use agent_store::Journal;
use agent_tools::{PlannedCall, Wish};
use std::collections::HashSet;
use std::sync::Arc;
use tokio::sync::mpsc::Sender;

/// Starts the server program on this machine.
pub type StartServer = Arc<dyn Fn() -> std::io::Result<()> + Send + Sync>;

/// Where whatever is carried out is answered, one answer after the other.
#[derive(Clone)]
pub(crate) struct Inbox(pub(crate) Sender<Arrival>);

impl Inbox {
    /// Puts `arrival` in. `false`: the session is over, and nobody waits for anything any more.
    pub(crate) async fn put(&self, arrival: Arrival) -> bool {
        self.0.send(arrival).await.is_ok()
    }

    /// The same for the machine.
    pub(crate) async fn tell(&self, input: impl Into<Input> + Send) -> bool {
        self.put(Arrival::Input(Box::new(input.into()))).await
    }

    /// Does `work` in a task of its own, and tells the machine what came of it.
    pub(crate) fn answer<I: Into<Input> + Send>(&self, work: impl Future<Output = I> + Send + 'static) {
        let inbox = self.clone();
        tokio::spawn(async move { inbox.tell(work.await).await });
    }
}

/// Something that arrived in the inbox.
pub(crate) enum Arrival {
    Input(Box<Input>),
    /// A planned job, which stays here; the machine learns what it would do.
    Work(Box<Work>),
    /// A session that was opened; its journal stays here.
    Session(Box<Opened>),
    /// A command wants to reach a host; its connection waits.
    Wish {
        by: Reacher,
        wish: Box<Wish>,
    },
    /// It waits no longer.
    ReachOver(ReachId),
}

/// A plan that arrived: the job, with what policy wants to know about it.
pub(crate) struct Work {
    pub(crate) call: CallId,
    pub(crate) result: Result<(Box<dyn PlannedCall>, Facts), Failure>,
}

/// A session that was opened, with the answer for the machine.
pub(crate) struct Opened {
    pub(crate) journal: Option<Journal>,
    pub(crate) needed: HashSet<Digest>,
    pub(crate) result: Result<Box<OpenedSession>, String>,
}

impl Opened {
    pub(crate) fn failed(why: impl Into<String>) -> Self {
        Opened { journal: None, needed: HashSet::new(), result: Err(why.into()) }
    }
}

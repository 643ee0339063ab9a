//! Has hooks run, in tasks that can be ended, and brings back what they say.

use crate::arrival::Inbox;
use agent_policy::HookPermit;
use agent_protocol::{FiringId, HookInput};
use agent_session::SessionInput;
use agent_tools::{HookScene, Toolbox};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::task::JoinHandle;

pub(crate) struct Hooks {
    tools: Arc<Toolbox>,
    inbox: Inbox,
    running: HashMap<FiringId, JoinHandle<()>>,
}

impl Hooks {
    pub(crate) fn new(tools: Arc<Toolbox>, inbox: Inbox) -> Self {
        Hooks { tools, inbox, running: HashMap::new() }
    }

    /// Runs the hooks of one firing, one after the other.
    pub(crate) fn fire(&mut self, firing: FiringId, permits: Vec<HookPermit>, input: HookInput, scene: HookScene) {
        self.running.retain(|_, task| !task.is_finished());
        let (tools, inbox) = (self.tools.clone(), self.inbox.clone());
        let task = tokio::spawn(async move {
            let runs = tools.fire_hooks(permits, input, scene).await;
            inbox.tell(SessionInput::HooksRan { firing, runs }).await;
        });
        self.running.insert(firing, task);
    }

    /// Ends them with all they started; nothing answers any more.
    pub(crate) fn stop(&mut self, firing: FiringId) {
        // It stays among them: the end of the session waits until all of it is gone.
        if let Some(task) = self.running.get(&firing) {
            task.abort();
        }
    }

    /// The session is over: nothing of them may outlive it.
    pub(crate) async fn stop_and_wait(&mut self) {
        for (_, task) in self.running.drain() {
            task.abort();
            // That it ended is all that matters.
            let _ended = task.await;
        }
    }
}

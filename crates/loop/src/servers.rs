//! Everything about the server besides replies: is it there, its models, downloads, starting it.

use crate::driver::{Arrival, StartServer};
use agent_backend::Backend;
use agent_protocol::{ModelsReason, PullState};
use agent_turn::Input;
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Sender;
use tokio::task::AbortHandle;

/// A started server is asked this often whether it is there …
const ASK_EVERY: Duration = Duration::from_millis(200);
/// … and so many times.
const ASK_TIMES: u32 = 75;

pub(crate) struct Servers {
    backend: Arc<dyn Backend>,
    start_server: Option<StartServer>,
    inbox: Sender<Arrival>,
    pulling: Option<(String, AbortHandle)>,
}

impl Servers {
    pub(crate) fn new(backend: Arc<dyn Backend>, start_server: Option<StartServer>, inbox: Sender<Arrival>) -> Self {
        Servers { backend, start_server, inbox, pulling: None }
    }

    pub(crate) fn probe(&self) {
        let can_start = self.start_server.is_some();
        self.answer(async move |backend| Input::Probed { result: backend.version().await, can_start });
    }

    pub(crate) fn describe(&self, name: String) {
        self.answer(async move |backend| {
            let result = backend.describe(&name).await;
            Input::Described { name, result }
        });
    }

    pub(crate) fn list(&self, reason: ModelsReason) {
        self.answer(async move |backend| Input::Listed { reason, result: backend.models().await });
    }

    pub(crate) fn start(&self) {
        let start = self.start_server.clone();
        self.answer(async move |backend| {
            let Some(start) = start else {
                return Input::NotStarted { why: "the server cannot be started from here".into() };
            };
            if let Err(error) = start() {
                return Input::NotStarted { why: format!("the server did not start: {error}") };
            }
            let mut result = backend.version().await;
            for _ in 0..ASK_TIMES {
                if result.is_ok() {
                    break;
                }
                tokio::time::sleep(ASK_EVERY).await;
                result = backend.version().await;
            }
            Input::Probed { result, can_start: true }
        });
    }

    pub(crate) fn pull(&mut self, name: String) {
        self.stop_pull();
        let mut states = self.backend.pull(&name);
        let (inbox, model) = (self.inbox.clone(), name.clone());
        let task = tokio::spawn(async move {
            while let Some(state) = states.next().await {
                let input = Input::Pulled { name: model.clone(), state };
                if inbox.send(Arrival::Input(input)).await.is_err() {
                    return;
                }
            }
        });
        self.pulling = Some((name, task.abort_handle()));
    }

    pub(crate) fn stop_pull(&mut self) {
        let Some((name, task)) = self.pulling.take() else { return };
        if task.is_finished() {
            return;
        }
        task.abort();
        self.answer(async move |_| Input::Pulled { name, state: PullState::Stopped });
    }

    fn answer<F>(&self, ask: impl FnOnce(Arc<dyn Backend>) -> F + Send + 'static)
    where
        F: Future<Output = Input> + Send + 'static,
    {
        let (backend, inbox) = (self.backend.clone(), self.inbox.clone());
        tokio::spawn(async move {
            let input = ask(backend).await;
            // The inbox is closed only when the session is over.
            drop(inbox.send(Arrival::Input(input)).await);
        });
    }
}

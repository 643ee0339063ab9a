//! Everything about the server besides replies: is it there, its models, downloads, starting it.

use crate::arrival::{Arrival, StartServer};
use agent_backend::Backend;
use agent_protocol::{ChatRequest, LoadedModel, ModelCard, ModelsReason, PullState, Trouble};
use agent_turn::{Input, ServerInput};
use futures_util::StreamExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Sender;
use tokio::task::{AbortHandle, JoinHandle};

/// A started server is asked this often whether it is there …
const ASK_EVERY: Duration = Duration::from_millis(200);
/// … and so many times.
const ASK_TIMES: u32 = 75;

/// The last order to the server gets so long to arrive.
const LAST_ORDER: Duration = Duration::from_secs(2);

pub(crate) struct Servers {
    backend: Arc<dyn Backend>,
    start_server: Option<StartServer>,
    inbox: Sender<Arrival>,
    pulling: Option<(String, AbortHandle)>,
    releasing: Option<JoinHandle<()>>,
}

impl Servers {
    pub(crate) fn new(backend: Arc<dyn Backend>, start_server: Option<StartServer>, inbox: Sender<Arrival>) -> Self {
        Servers { backend, start_server, inbox, pulling: None, releasing: None }
    }

    pub(crate) fn probe(&self) {
        let can_start = self.start_server.is_some();
        self.answer(async move |backend| {
            Input::Server(ServerInput::Probed { result: backend.version().await, can_start })
        });
    }

    pub(crate) fn describe(&self, name: String) {
        self.answer(async move |backend| {
            let (result, loaded) = described(&*backend, &name).await;
            Input::Server(ServerInput::Described { name, result, loaded })
        });
    }

    pub(crate) fn describe_only(&self, name: String) {
        self.answer(async move |backend| {
            let (result, loaded) = described(&*backend, &name).await;
            Input::Server(ServerInput::DescribedOnly { name, result, loaded })
        });
    }

    pub(crate) fn load(&self, request: ChatRequest) {
        self.answer(async move |backend| {
            let name = request.model.clone();
            Input::Server(ServerInput::Preloaded { name, result: backend.load(request).await })
        });
    }

    /// Only where it still lies there, and with no larger window than we asked for: a larger one is somebody else's, and
    /// the model would be loaded again. A smaller one is what the server gives us; some servers don't say it at all.
    pub(crate) fn renew(&self, request: ChatRequest, window: u64) {
        let backend = self.backend.clone();
        tokio::spawn(async move {
            let card = ModelCard { name: request.model.clone(), ..ModelCard::default() };
            let ours =
                |loaded: &LoadedModel| loaded.is(&card) && loaded.context_length.is_none_or(|given| given == window);
            if backend.loaded().await.is_ok_and(|loaded| loaded.iter().any(ours))
                && let Err(trouble) = backend.load(request).await
            {
                tracing::info!("the model may go: {trouble}");
            }
        });
    }

    pub(crate) fn look_loaded(&self) {
        self.answer(async move |backend| Input::Server(ServerInput::Loaded { result: backend.loaded().await }));
    }

    pub(crate) fn tell_loaded(&self) {
        self.answer(async move |backend| Input::Server(ServerInput::ToldLoaded { result: backend.loaded().await }));
    }

    pub(crate) fn render(&self, request: ChatRequest) {
        self.answer(async move |backend| {
            let written = backend.written(&request);
            Input::Server(ServerInput::Rendered { request: written, result: backend.render(request).await })
        });
    }

    pub(crate) fn remove(&self, name: String) {
        self.answer(async move |backend| {
            let result = backend.remove(&name).await;
            Input::Server(ServerInput::Removed { name, result })
        });
    }

    /// Lets a model go at the end of the session; `wind_up` waits for it.
    pub(crate) fn release(&mut self, name: String) {
        let backend = self.backend.clone();
        self.releasing = Some(tokio::spawn(async move {
            if let Err(trouble) = backend.release(&name).await {
                tracing::info!("{name} stays loaded: {trouble}");
            }
        }));
    }

    /// The session is over: what was ordered last gets a moment to arrive.
    pub(crate) async fn wind_up(&mut self) {
        if let Some(releasing) = self.releasing.take() {
            // A server that does not answer keeps the model until its time is up.
            let _arrived = tokio::time::timeout(LAST_ORDER, releasing).await;
        }
    }

    pub(crate) fn list(&self, reason: ModelsReason) {
        self.answer(async move |backend| Input::Server(ServerInput::Listed { reason, result: backend.models().await }));
    }

    pub(crate) fn start(&self) {
        let start = self.start_server.clone();
        self.answer(async move |backend| {
            let Some(start) = start else {
                return Input::Server(ServerInput::NotStarted { why: "the server cannot be started from here".into() });
            };
            if let Err(error) = start() {
                return Input::Server(ServerInput::NotStarted { why: format!("the server did not start: {error}") });
            }
            let mut result = backend.version().await;
            for _ in 0..ASK_TIMES {
                if result.is_ok() {
                    break;
                }
                tokio::time::sleep(ASK_EVERY).await;
                result = backend.version().await;
            }
            Input::Server(ServerInput::Probed { result, can_start: true })
        });
    }

    pub(crate) fn pull(&mut self, name: String) {
        self.stop_pull();
        let mut states = self.backend.pull(&name);
        let (inbox, model) = (self.inbox.clone(), name.clone());
        let task = tokio::spawn(async move {
            while let Some(state) = states.next().await {
                let input = Input::Server(ServerInput::Pulled { name: model.clone(), state });
                if inbox.send(Arrival::Input(Box::new(input))).await.is_err() {
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
        self.answer(async move |_| Input::Server(ServerInput::Pulled { name, state: PullState::Stopped }));
    }

    fn answer<F>(&self, ask: impl FnOnce(Arc<dyn Backend>) -> F + Send + 'static)
    where
        F: Future<Output = Input> + Send + 'static,
    {
        let (backend, inbox) = (self.backend.clone(), self.inbox.clone());
        tokio::spawn(async move {
            let input = ask(backend).await;
            // The inbox is closed only when the session is over.
            drop(inbox.send(Arrival::Input(Box::new(input))).await);
        });
    }
}

/// What is known of a model, and how it lies in memory. A server that does not tell the latter tells the former.
async fn described(backend: &dyn Backend, name: &str) -> (Result<ModelCard, Trouble>, Option<LoadedModel>) {
    let (card, loaded) = tokio::join!(backend.describe(name), backend.loaded());
    let in_memory = |card: &ModelCard| loaded.ok()?.into_iter().find(|loaded| loaded.is(card));
    let loaded = card.as_ref().ok().and_then(in_memory);
    (card, loaded)
}

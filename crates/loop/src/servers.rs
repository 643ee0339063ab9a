//! Everything about the server besides replies: is it there, its models, downloads, starting it.

use crate::arrival::{Inbox, StartServer};
use agent_backend::{Chat, ModelHost};
use agent_protocol::{
    Capability, ChatRequest, LoadedModel, ModelCard, ModelsReason, PullState, ServerCard, ServerError,
};
use agent_session::ServerInput;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{AbortHandle, JoinHandle};

/// A started server is asked this often whether it is there …
const ASK_EVERY: Duration = Duration::from_millis(200);
/// … and so many times.
const ASK_TIMES: u32 = 75;

/// The last order to the server gets so long to arrive.
const LAST_ORDER: Duration = Duration::from_secs(2);

pub(crate) struct Servers {
    backend: Arc<dyn Chat>,
    start_server: Option<StartServer>,
    /// The port of the server itself, where others are looked for if it is silent.
    look_around_from: Option<u16>,
    inbox: Inbox,
    pulling: Option<(String, AbortHandle)>,
    unloading: Option<JoinHandle<()>>,
}

impl Servers {
    pub(crate) fn new(
        backend: Arc<dyn Chat>,
        start_server: Option<StartServer>,
        look_around_from: Option<u16>,
        inbox: Inbox,
    ) -> Self {
        Servers { backend, start_server, look_around_from, inbox, pulling: None, unloading: None }
    }

    /// Asks whether the server is there. Where it is not, and the user did not say which they mean, it is told as well
    /// which others there are.
    pub(crate) fn probe(&self) {
        let (backend, inbox) = (self.backend.clone(), self.inbox.clone());
        let (can_start, own) = (self.start_server.is_some(), self.look_around_from);
        tokio::spawn(async move {
            let result = backend.card().await;
            let others = own.filter(|_| matches!(result, Err(ServerError::Unreachable { .. })));
            if !inbox.tell(ServerInput::Probed { result, can_start }).await {
                return;
            }
            let Some(own) = others else { return };
            let servers = agent_backend::nearby(own).await;
            if !servers.is_empty() {
                inbox.tell(ServerInput::Nearby { servers }).await;
            }
        });
    }

    pub(crate) fn describe(&self, name: String) {
        self.answer(async move |backend| {
            let (result, loaded) = described(&*backend, &name).await;
            ServerInput::Described { name, result, loaded }
        });
    }

    pub(crate) fn describe_only(&self, name: String) {
        self.answer(async move |backend| {
            let (result, loaded) = described(&*backend, &name).await;
            ServerInput::DescribedOnly { name, result, loaded }
        });
    }

    pub(crate) fn load(&self, request: ChatRequest) {
        self.answer(async move |backend| {
            let name = request.model.clone();
            let result = async { host(&*backend, Capability::Load)?.load(request).await };
            ServerInput::Preloaded { name, result: result.await }
        });
    }

    /// Only where it still lies there, and with no larger window than we asked for: a larger one is somebody else's, and
    /// the model would be loaded again. A smaller one is what the server gives us; some servers don't say it at all.
    pub(crate) fn renew(&self, request: ChatRequest, window: u64) {
        let backend = self.backend.clone();
        tokio::spawn(async move {
            let Some(host) = backend.models_host() else { return };
            let Ok(loaded) = host.loaded().await else { return };
            let still_there = is_loaded_with(window, loaded, &request.model, &*backend).await;
            if still_there && let Err(trouble) = host.load(request).await {
                tracing::info!("the model may go: {trouble}");
            }
        });
    }

    pub(crate) fn look_loaded(&self) {
        self.answer(async move |backend| ServerInput::Loaded { result: loaded(&*backend).await });
    }

    pub(crate) fn tell_loaded(&self) {
        self.answer(async move |backend| ServerInput::ToldLoaded { result: loaded(&*backend).await });
    }

    pub(crate) fn render(&self, request: ChatRequest) {
        self.answer(async move |backend| {
            let written = backend.written(&request);
            let result = async { host(&*backend, Capability::Render)?.render(request).await };
            ServerInput::Rendered { request: written, result: result.await }
        });
    }

    pub(crate) fn remove(&self, name: String) {
        self.answer(async move |backend| {
            let result = async { host(&*backend, Capability::Remove)?.remove(&name).await }.await;
            ServerInput::Removed { name, result }
        });
    }

    /// Lets a model go at the end of the session, where the server can be told to; `wind_up` waits for it.
    pub(crate) fn unload(&mut self, name: String) {
        let backend = self.backend.clone();
        self.unloading = Some(tokio::spawn(async move {
            let result = async { host(&*backend, Capability::Unload)?.unload(&name).await };
            if let Err(trouble) = result.await {
                tracing::info!("{name} stays loaded: {trouble}");
            }
        }));
    }

    /// The session is over: what was ordered last gets a moment to arrive.
    pub(crate) async fn wind_up(&mut self) {
        if let Some(unloading) = self.unloading.take() {
            // A server that does not answer keeps the model until its time is up.
            let _arrived = tokio::time::timeout(LAST_ORDER, unloading).await;
        }
    }

    pub(crate) fn list(&self, reason: ModelsReason) {
        self.answer(async move |backend| ServerInput::Listed { reason, result: backend.models().await });
    }

    pub(crate) fn start(&self) {
        let start = self.start_server.clone();
        self.answer(async move |backend| {
            let Some(start) = start else {
                return ServerInput::NotStarted { why: "the server cannot be started from here".into() };
            };
            match start() {
                Ok(()) => ServerInput::Probed { result: awaited(&*backend).await, can_start: true },
                Err(error) => ServerInput::NotStarted { why: format!("the server did not start: {error}") },
            }
        });
    }

    pub(crate) fn pull(&mut self, name: String) {
        self.stop_pull();
        let mut states = pulled(&*self.backend, &name);
        let (inbox, model) = (self.inbox.clone(), name.clone());
        let task = tokio::spawn(async move {
            while let Some(state) = states.next().await {
                if !inbox.tell(ServerInput::Pulled { name: model.clone(), state }).await {
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
        self.answer(async move |_| ServerInput::Pulled { name, state: PullState::Stopped });
    }

    fn answer<F>(&self, ask: impl FnOnce(Arc<dyn Chat>) -> F)
    where
        F: Future<Output = ServerInput> + Send + 'static,
    {
        self.inbox.answer(ask(self.backend.clone()));
    }
}

/// What manages the models of this server, for `what` is wanted of it.
fn host(backend: &dyn Chat, what: Capability) -> Result<&dyn ModelHost, ServerError> {
    backend.models_host().ok_or(ServerError::Unsupported { what })
}

/// Is the model among these with a window of so many tokens, where the server says how many it has? It may be listed under the
/// name of a copy, which has its digest. What only may be it is left alone: to load ours could drive it out.
async fn is_loaded_with(window: u64, loaded: Vec<LoadedModel>, model: &str, backend: &dyn Chat) -> bool {
    let named = ModelCard { name: model.to_owned(), ..ModelCard::default() };
    let card = match loaded.iter().any(|loaded| loaded.is(&named)) {
        true => named,
        false if loaded.is_empty() => return false,
        false => backend.describe(model).await.unwrap_or(named),
    };
    let ours = |loaded: &LoadedModel| loaded.is(&card) && loaded.context_length.is_none_or(|given| given == window);
    loaded.iter().any(ours)
}

async fn loaded(backend: &dyn Chat) -> Result<Vec<LoadedModel>, ServerError> {
    host(backend, Capability::ListLoaded)?.loaded().await
}

fn pulled(backend: &dyn Chat, name: &str) -> BoxStream<'static, PullState> {
    match host(backend, Capability::Pull) {
        Ok(host) => host.pull(name),
        Err(trouble) => stream::iter([PullState::Failed { trouble }]).boxed(),
    }
}

/// Waits until a server that was started answers, but not for ever.
async fn awaited(backend: &dyn Chat) -> Result<ServerCard, ServerError> {
    for _ in 0..ASK_TIMES {
        if let Ok(card) = backend.card().await {
            return Ok(card);
        }
        tokio::time::sleep(ASK_EVERY).await;
    }
    backend.card().await
}

/// What is known of a model, and how it lies in memory. A server that does not tell the latter tells the former.
async fn described(backend: &dyn Chat, name: &str) -> (Result<ModelCard, ServerError>, Option<LoadedModel>) {
    let (card, loaded) = tokio::join!(backend.describe(name), loaded(backend));
    let in_memory = |card: &ModelCard| loaded.ok()?.into_iter().find(|loaded| loaded.is(card));
    let loaded = card.as_ref().ok().and_then(in_memory);
    (card, loaded)
}

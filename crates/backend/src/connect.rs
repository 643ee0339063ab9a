//! Which kind of server is spoken to: the one that is named, or the one that answers.

use crate::http::json::PIECES;
use crate::http::server::{Server, Way};
use crate::{Chat, Credentials, Host, ModelHost, Ollama, OpenAi};
use agent_protocol::{ChatRequest, LoadedModel, ModelCard, ModelEvent, PullState, ServerCard, ServerError};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// Of which kind a server is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// It is asked what it is.
    #[default]
    Auto,
    /// It speaks Ollama's own API.
    Ollama,
    /// It speaks OpenAI's `/v1/chat/completions`.
    OpenAi,
}

/// The server at `host`. Connects to nothing before it is asked for something.
pub fn connect(host: Host, kind: Kind, way: Way, credentials: Credentials) -> Arc<dyn Chat> {
    match kind {
        Kind::Ollama => Arc::new(Ollama::at(host, way, credentials)),
        Kind::OpenAi => Arc::new(OpenAi::at(host.below_v1(), way, credentials)),
        Kind::Auto => Arc::new(Asked(Arc::new(Asking { host, way, credentials, found: OnceCell::new() }))),
    }
}

/// A server that is asked what it is when it is first needed, and again until it answers.
struct Asking {
    host: Host,
    way: Way,
    credentials: Credentials,
    found: OnceCell<Arc<dyn Chat>>,
}

struct Asked(Arc<Asking>);

impl Asking {
    /// What answers.
    ///
    /// # Errors
    /// Nothing does.
    async fn server(&self) -> Result<&Arc<dyn Chat>, ServerError> {
        self.found.get_or_try_init(|| self.ask()).await
    }

    /// Asks for the page that only Ollama has, then for those of the others: Ollama answers `/v1` as well, and llama.cpp some
    /// of Ollama's paths. What answers all of it with something else is taken for what its address says.
    async fn ask(&self) -> Result<Arc<dyn Chat>, ServerError> {
        let beside_v1 = self.host.above_v1();
        let root = beside_v1.clone().unwrap_or_else(|| self.host.clone());
        let program = beside_v1.is_none().then(crate::ollama::program);
        let server = Server::at(root.clone(), self.way, program).with_headers(self.credentials.headers.clone());
        let is_there = async |path: &str, is: fn(&Value) -> bool| match server.get::<Value>(path, PIECES).await {
            Err(error @ ServerError::Unreachable { .. }) => Err(error),
            answer => Ok(answer.is_ok_and(|page| is(&page))),
        };
        if is_there("api/version", |page| page["version"].is_string()).await? {
            return Ok(connect(root, Kind::Ollama, self.way, self.credentials.clone()));
        }
        let is_other = beside_v1.is_some()
            || is_there("props", |page| page["default_generation_settings"].is_object()).await?
            || is_there("v1/models", |page| page["data"].is_array()).await?;
        let kind = if is_other { Kind::OpenAi } else { Kind::Ollama };
        Ok(connect(self.host.clone(), kind, self.way, self.credentials.clone()))
    }

    /// What has answered, or what is most probably there.
    fn as_far_as_known(&self) -> Arc<dyn Chat> {
        let likely = if self.host.above_v1().is_some() { Kind::OpenAi } else { Kind::Ollama };
        let unknown = || connect(self.host.clone(), likely, self.way, self.credentials.clone());
        self.found.get().cloned().unwrap_or_else(unknown)
    }

    /// The managing side of what answers.
    async fn models_host(&self) -> Result<&dyn ModelHost, ServerError> {
        let server = self.server().await?;
        server.models_host().ok_or(ServerError::Unsupported { what: agent_protocol::Capability::ListLoaded })
    }
}

impl Chat for Asked {
    fn card(&self) -> BoxFuture<'_, Result<ServerCard, ServerError>> {
        Box::pin(async { self.0.server().await?.card().await })
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, ServerError>> {
        Box::pin(async { self.0.server().await?.models().await })
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelCard, ServerError>> {
        Box::pin(async move { self.0.server().await?.describe(model).await })
    }

    fn chat(&self, request: ChatRequest) -> BoxStream<'static, ModelEvent> {
        if let Some(found) = self.0.found.get() {
            return found.chat(request);
        }
        let asking = Arc::clone(&self.0);
        let reply = async move {
            match asking.server().await {
                Ok(server) => server.chat(request),
                Err(trouble) => stream::iter([ModelEvent::Broken { trouble }]).boxed(),
            }
        };
        stream::once(reply).flatten().boxed()
    }

    fn written(&self, request: &ChatRequest) -> String {
        self.0.as_far_as_known().written(request)
    }

    fn models_host(&self) -> Option<&dyn ModelHost> {
        match self.0.found.get() {
            Some(found) => found.models_host(),
            None => Some(self),
        }
    }
}

/// Until it has answered once.
impl ModelHost for Asked {
    fn load(&self, request: ChatRequest) -> BoxFuture<'_, Result<(), ServerError>> {
        Box::pin(async { self.0.models_host().await?.load(request).await })
    }

    fn loaded(&self) -> BoxFuture<'_, Result<Vec<LoadedModel>, ServerError>> {
        Box::pin(async { self.0.models_host().await?.loaded().await })
    }

    fn unload<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<(), ServerError>> {
        Box::pin(async move { self.0.models_host().await?.unload(model).await })
    }

    fn pull(&self, name: &str) -> BoxStream<'static, PullState> {
        let (asking, name) = (Arc::clone(&self.0), name.to_owned());
        let pull = async move {
            match asking.models_host().await {
                Ok(host) => host.pull(&name),
                Err(trouble) => stream::iter([PullState::Failed { trouble }]).boxed(),
            }
        };
        stream::once(pull).flatten().boxed()
    }

    fn remove<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<(), ServerError>> {
        Box::pin(async move { self.0.models_host().await?.remove(model).await })
    }

    fn render(&self, request: ChatRequest) -> BoxFuture<'_, Result<String, ServerError>> {
        Box::pin(async { self.0.models_host().await?.render(request).await })
    }
}

#[cfg(test)]
mod tests;

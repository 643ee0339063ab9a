//! Ollama, over its own API.
//!
//! `ollama-rs` gives the parts of requests and the shapes of answers. The requests themselves are made here: its own
//! read an answer of any size into memory, drop the status of a refusal, lose what a network read cuts inside a
//! character, and know neither call ids nor why a reply ended.

mod catalogue;
mod memory;
mod product;
mod pull;
mod reply;
mod wire;

#[cfg(test)]
mod tests;

use crate::http::exchange::Exchange;
use crate::http::pace::Pace;
use crate::http::server::{Server, Way};
use crate::http::told::told;
use crate::{Chat, Credentials, Host, ModelHost};
use agent_protocol::{ChatRequest, LoadedModel, ModelCard, ModelEvent, PullState, ServerCard, ServerError};
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
pub(crate) use product::program;
use reply::reply_of;
use std::sync::Arc;

pub struct Ollama {
    server: Arc<Server>,
    pace: Pace,
}

impl Ollama {
    /// The server at `host`, straight. Connects to nothing before it is asked for something, and takes no time.
    pub fn new(host: Host) -> Ollama {
        Ollama::at(host, Way::Straight, Credentials::default())
    }

    /// The server at `host`, with these headers in every request.
    pub(crate) fn at(host: Host, way: Way, credentials: Credentials) -> Ollama {
        let server = Server::at(host, way, Some(program())).with_headers(credentials.headers);
        Ollama { server: Arc::new(server), pace: Pace::default() }
    }

    /// The same, with waits of other lengths.
    #[cfg(test)]
    pub(crate) fn with_pace(self, pace: Pace) -> Ollama {
        Ollama { pace, ..self }
    }

    /// Gives the model `from` the name `to` besides its own.
    pub async fn copy(&self, from: &str, to: &str) -> Result<(), ServerError> {
        catalogue::copy(&self.server, from, to).await
    }
}

impl Chat for Ollama {
    fn card(&self) -> BoxFuture<'_, Result<ServerCard, ServerError>> {
        Box::pin(async { Ok(product::card(catalogue::version(&self.server).await?)) })
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, ServerError>> {
        Box::pin(catalogue::models(&self.server))
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelCard, ServerError>> {
        Box::pin(catalogue::describe(&self.server, model))
    }

    fn chat(&self, request: ChatRequest) -> BoxStream<'static, ModelEvent> {
        let (server, pace) = (Arc::clone(&self.server), self.pace);
        told(move |out| async move {
            let (server, model) = (&*server, request.model.as_str());
            let body = wire::chat_body(&request);
            let exchange = Exchange { server, pace: &pace, path: "api/chat", body, model };
            exchange.carry_out(reply_of(model), || catalogue::is_loaded(server, model), &out).await;
        })
    }

    fn written(&self, request: &ChatRequest) -> String {
        String::from_utf8_lossy(&wire::chat_body(request)).into_owned()
    }

    fn models_host(&self) -> Option<&dyn ModelHost> {
        Some(self)
    }
}

impl ModelHost for Ollama {
    fn load(&self, request: ChatRequest) -> BoxFuture<'_, Result<(), ServerError>> {
        Box::pin(async move { memory::load(&self.server, &request).await })
    }

    fn loaded(&self) -> BoxFuture<'_, Result<Vec<LoadedModel>, ServerError>> {
        Box::pin(catalogue::loaded(&self.server))
    }

    fn unload<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<(), ServerError>> {
        Box::pin(memory::unload(&self.server, model))
    }

    fn pull(&self, name: &str) -> BoxStream<'static, PullState> {
        pull::pull(Arc::clone(&self.server), name.to_owned())
    }

    fn remove<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<(), ServerError>> {
        Box::pin(catalogue::delete(&self.server, model))
    }

    /// By `_debug_render_only` of `/api/chat`. A server that does not know it begins a reply of one token, of which the
    /// first line is read and dropped: [`ServerError::Garbage`].
    fn render(&self, request: ChatRequest) -> BoxFuture<'_, Result<String, ServerError>> {
        Box::pin(async move { memory::render(&self.server, &request).await })
    }
}

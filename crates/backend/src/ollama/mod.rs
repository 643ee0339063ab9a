//! Ollama, over its own API.
//!
//! `ollama-rs` gives the parts of requests, `show`, `pull`, `delete` and `copy`. The chat stream, the list, `ps` and
//! `version` are read here, over the same HTTP client: its own stream loses what a network read cuts inside a character,
//! and knows neither call ids nor why a reply ended.

mod catalogue;
mod chat;
mod frame;
mod pace;
mod pull;
mod reply;
mod server;
mod told;
mod trouble;
mod wire;

#[cfg(test)]
mod tests;

use crate::{Backend, Host};
use agent_protocol::{ChatRequest, ModelCard, ModelEvent, PullState, Trouble};
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use pace::Pace;
use server::Server;
use std::sync::Arc;

/// An Ollama server.
pub struct Ollama {
    server: Arc<Server>,
    pace: Pace,
}

impl Ollama {
    /// The server at `host`. Connects to nothing before it is asked for something, and takes no time.
    pub fn new(host: Host) -> Ollama {
        Ollama { server: Arc::new(Server::at(host)), pace: Pace::default() }
    }

    /// Removes `model` from the server's disk.
    pub async fn delete(&self, model: &str) -> Result<(), Trouble> {
        catalogue::delete(&self.server, model).await
    }

    /// Gives the model `from` the name `to` besides its own.
    pub async fn copy(&self, from: &str, to: &str) -> Result<(), Trouble> {
        catalogue::copy(&self.server, from, to).await
    }
}

impl Backend for Ollama {
    fn host(&self) -> &str {
        self.server.shown()
    }

    fn chat(&self, request: ChatRequest) -> BoxStream<'static, ModelEvent> {
        chat::chat(Arc::clone(&self.server), self.pace, request)
    }

    fn version(&self) -> BoxFuture<'_, Result<String, Trouble>> {
        Box::pin(catalogue::version(&self.server))
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelCard, Trouble>> {
        Box::pin(catalogue::describe(&self.server, model))
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, Trouble>> {
        Box::pin(catalogue::models(&self.server))
    }

    fn pull(&self, name: &str) -> BoxStream<'static, PullState> {
        pull::pull(Arc::clone(&self.server), name.to_owned())
    }
}

//! Which kind of server is spoken to, and with which keys.
//!
//! A kind that nobody named is found out by asking, when the server is first needed; the port says nothing.

use crate::http::json::PIECES;
use crate::http::server::{Server, Way};
use crate::http::told::told;
use crate::{Chat, Host, ModelHost, Ollama, OpenAi};
use agent_protocol::{ChatRequest, ModelCard, ModelEvent, ServerCard, ServerError};
use futures_util::future::BoxFuture;
use futures_util::stream::{BoxStream, StreamExt};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// A kind of server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ServerKind {
    /// Whichever answers.
    #[default]
    Auto,
    /// Ollama, by its own API.
    Ollama,
    /// Any that speaks OpenAI's `/v1/chat/completions`.
    OpenAi,
}

/// Keys and further headers that stand in every request. Nothing writes their values down.
#[derive(Clone, Default)]
pub struct Credentials {
    pub(crate) headers: HeaderMap,
}

/// A header that cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the header {name} cannot be sent: its name or value has characters that no header may have")]
pub struct HeaderError {
    /// Its name as it was given.
    pub name: String,
}

impl Credentials {
    /// The same with a key as `Authorization: Bearer KEY`.
    ///
    /// # Errors
    /// It has characters that no header may have.
    pub fn with_key(self, key: &str) -> Result<Credentials, HeaderError> {
        self.with_header(AUTHORIZATION.as_str(), &format!("Bearer {}", key.trim()))
    }

    /// The same with a further header.
    ///
    /// # Errors
    /// Its name or value has characters that no header may have.
    pub fn with_header(mut self, name: &str, value: &str) -> Result<Credentials, HeaderError> {
        let bad = || HeaderError { name: name.to_owned() };
        let read = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| bad())?;
        value.set_sensitive(true);
        self.headers.insert(read, value);
        Ok(self)
    }

    /// Is there anything that others should not see?
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty()
    }
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.headers.keys()).finish()
    }
}

/// A model server, and how it is reached.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Its address. One that ends in `/v1` is of the kind [`ServerKind::OpenAi`].
    pub host: Host,
    /// Its kind, as far as it was named.
    pub kind: ServerKind,
    /// Whether a proxy may stand between.
    pub way: Way,
    /// What it wants to be shown.
    pub credentials: Credentials,
}

/// The server at this endpoint. Connects to nothing before it is asked for something.
pub fn connect(endpoint: Endpoint) -> Arc<dyn Chat> {
    match endpoint.kind {
        ServerKind::Auto if endpoint.host.ends_in("v1") => endpoint.open_ai(),
        ServerKind::Auto => Arc::new(ByAsking { found: Arc::new(OnceLock::new()), endpoint }),
        ServerKind::Ollama => endpoint.ollama(),
        ServerKind::OpenAi => endpoint.open_ai(),
    }
}

impl Endpoint {
    fn ollama(&self) -> Arc<dyn Chat> {
        Arc::new(Ollama::at(self.host.clone(), self.way, self.credentials.clone()))
    }

    fn open_ai(&self) -> Arc<dyn Chat> {
        let host = if self.host.ends_in("v1") { self.host.clone() } else { self.host.below("v1") };
        Arc::new(OpenAi::at(host, self.way, self.credentials.clone()))
    }

    /// Asks what answers. Ollama speaks the other kind's language too, and llama.cpp some of Ollama's, so what only one of
    /// them has is asked for first.
    async fn ask(&self) -> Result<Arc<dyn Chat>, ServerError> {
        let server = Server::at(self.host.clone(), self.way, None).with_headers(self.credentials.headers.clone());
        let told = |page: Result<Value, ServerError>, key: &str| page.is_ok_and(|page| page.get(key).is_some());
        let version = server.get::<Value>("api/version", PIECES).await;
        // Where nobody answers, the server that most people have is the one that is said to be missing.
        if matches!(version, Err(ServerError::Unreachable { .. })) || told(version, "version") {
            return Ok(self.ollama());
        }
        if told(server.get("props", PIECES).await, "default_generation_settings") {
            return Ok(self.open_ai());
        }
        match server.get::<Value>("v1/models", PIECES).await {
            Ok(_) | Err(ServerError::Locked { .. }) => Ok(self.open_ai()),
            Err(trouble) => Err(trouble),
        }
    }
}

/// A server whose kind is found out when it is first asked for something.
struct ByAsking {
    endpoint: Endpoint,
    found: Arc<OnceLock<Arc<dyn Chat>>>,
}

impl ByAsking {
    /// The server of the kind that answered. As long as nobody answers, nothing is found.
    async fn server(&self) -> Result<Arc<dyn Chat>, ServerError> {
        known(&self.endpoint, &self.found).await
    }
}

async fn known(endpoint: &Endpoint, found: &OnceLock<Arc<dyn Chat>>) -> Result<Arc<dyn Chat>, ServerError> {
    if let Some(server) = found.get() {
        return Ok(Arc::clone(server));
    }
    let server = endpoint.ask().await?;
    if server.card().await.is_ok() {
        return Ok(Arc::clone(found.get_or_init(|| server)));
    }
    Ok(server)
}

impl Chat for ByAsking {
    fn card(&self) -> BoxFuture<'_, Result<ServerCard, ServerError>> {
        Box::pin(async { self.server().await?.card().await })
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, ServerError>> {
        Box::pin(async { self.server().await?.models().await })
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelCard, ServerError>> {
        Box::pin(async move { self.server().await?.describe(model).await })
    }

    fn chat(&self, request: ChatRequest) -> BoxStream<'static, ModelEvent> {
        if let Some(server) = self.found.get() {
            return server.chat(request);
        }
        let (endpoint, found) = (self.endpoint.clone(), Arc::clone(&self.found));
        told(move |out| async move {
            match known(&endpoint, &found).await {
                Ok(server) => {
                    let mut events = server.chat(request);
                    while let Some(event) = events.next().await {
                        out.say(event);
                    }
                }
                Err(trouble) => out.say(ModelEvent::Broken { trouble }),
            }
        })
    }

    fn written(&self, request: &ChatRequest) -> String {
        self.found.get().map_or_else(|| self.endpoint.ollama().written(request), |server| server.written(request))
    }

    fn models_host(&self) -> Option<&dyn ModelHost> {
        self.found.get()?.models_host()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stand_in::StandIn;

    fn endpoint(host: Host) -> Endpoint {
        Endpoint { host, kind: ServerKind::Auto, way: Way::Straight, credentials: Credentials::default() }
    }

    /// A server that knows these pages, and answers 404 to all others.
    async fn with_pages(pages: &'static [(&'static str, &'static str)]) -> StandIn {
        StandIn::new(move |visit| {
            let page = pages.iter().find(|(path, _)| visit.request == format!("GET {path}"));
            let (status, body) = page.map_or((404, r#"{"error":{"message":"File Not Found"}}"#), |page| (200, page.1));
            visit.answer(status, body)
        })
        .await
    }

    async fn product(server: &StandIn) -> String {
        connect(endpoint(server.host())).card().await.unwrap().product
    }

    #[tokio::test]
    async fn what_answers_says_which_kind_it_is() {
        let ollama = with_pages(&[("/api/version", r#"{"version":"0.33.0"}"#), ("/v1/models", r#"{"data":[]}"#)]).await;
        assert_eq!(product(&ollama).await, "Ollama");
        let llama = with_pages(&[
            ("/props", r#"{"default_generation_settings":{"n_ctx":4096},"build_info":"b1"}"#),
            ("/v1/models", r#"{"data":[{"id":"m","owned_by":"llamacpp"}]}"#),
            ("/api/tags", r#"{"models":[]}"#),
        ])
        .await;
        assert_eq!(product(&llama).await, "llama.cpp");
        let other = with_pages(&[("/v1/models", r#"{"data":[{"id":"m"}]}"#)]).await;
        assert_eq!(product(&other).await, "OpenAI-compatible server");
    }

    #[tokio::test]
    async fn what_is_no_model_server_is_told_as_what_it_is() {
        let page = StandIn::new(|visit| visit.answer_with(200, "Content-Type: text/html\r\n", "<html>")).await;
        let trouble = connect(endpoint(page.host())).card().await.unwrap_err();
        assert!(matches!(trouble, ServerError::Foreign { .. }), "{trouble:?}");
    }

    #[tokio::test]
    async fn an_address_that_ends_in_v1_is_not_asked_what_it_is() {
        let server = with_pages(&[("/v1/models", r#"{"data":[{"id":"m"}]}"#)]).await;
        let host = Host::parse(&format!("{}/v1", server.host())).unwrap();
        assert_eq!(connect(endpoint(host)).models().await.unwrap().len(), 1);
        assert!(server.asked().iter().all(|asked| asked != "GET /api/version"), "{:?}", server.asked());
    }

    #[test]
    fn credentials_are_never_written_down() {
        let keys = Credentials::default().with_key("sk-very-secret").unwrap().with_header("X-Team", "blue").unwrap();
        let written = format!("{keys:?} {:?}", keys.headers);
        assert!(!written.contains("secret") && !written.contains("blue"), "{written}");
        assert!(keys.clone().with_header("X Team", "a").is_err() && keys.with_key("a\nb").is_err());
    }
}

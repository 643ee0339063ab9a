//! The HTTP side: one client, made when it is first needed, and plain requests through it.
//!
//! No redirects (one of them would post the conversation anew, elsewhere), no proxy between us and our own machine, no
//! limit on how long an answer may take: a large model on a small machine takes its time.

use super::trouble;
use crate::Host;
use agent_protocol::Trouble;
use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Client, ClientBuilder, Response, redirect};
use serde::de::DeserializeOwned;
use std::sync::OnceLock;
use std::time::Duration;

/// Longest wait for a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// Longest wait for a small answer that needs no model.
const LOOKUP_LIMIT: Duration = Duration::from_secs(30);

/// The largest such answer.
const LOOKUP_SIZE: usize = 16 * 1024 * 1024;

/// A server and the way to it.
pub(super) struct Server {
    host: Host,
    shown: String,
    client: OnceLock<Client>,
}

/// A request that got no usable answer.
pub(super) enum Refusal {
    /// It may pass, and nothing has happened yet: asking again is safe.
    MayPass(Trouble),
    /// It will not, or asking again might do something twice.
    Final(Trouble),
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Trouble {
        match refusal {
            Refusal::MayPass(trouble) | Refusal::Final(trouble) => trouble,
        }
    }
}

impl Server {
    /// The server at `host`. Connects to nothing yet.
    pub(super) fn at(host: Host) -> Server {
        Server { shown: host.to_string(), host, client: OnceLock::new() }
    }

    /// Its address, as a person would write it.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    /// What `ollama-rs` does well, over our own client.
    pub(super) fn ollama_rs(&self) -> ollama_rs::Ollama {
        ollama_rs::Ollama::builder().url(self.host.base().clone()).reqwest_client(self.client().clone()).build()
    }

    /// Posts JSON and waits for the head of the answer: with Ollama that is the first token. `model` names what an
    /// error is about.
    pub(super) async fn post(&self, path: &str, body: Bytes, model: &str) -> Result<Response, Refusal> {
        let request = self.client().post(self.host.url(path)).header(CONTENT_TYPE, "application/json").body(body);
        self.send(request, model).await
    }

    /// Gets a small JSON answer.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Trouble> {
        self.in_time(async {
            let response = self.send(self.client().get(self.host.url(path)), "").await?;
            let body = body(response, LOOKUP_SIZE).await?;
            serde_json::from_slice(&body).map_err(|_| trouble::of_garbage(&body))
        })
        .await
    }

    /// A lookup that needs no model, and so no patience.
    pub(super) async fn in_time<T>(&self, lookup: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
        let too_late = |_| Trouble::Unreachable {
            host: self.shown.clone(),
            why: format!("no answer within {} seconds", LOOKUP_LIMIT.as_secs()),
        };
        tokio::time::timeout(LOOKUP_LIMIT, lookup).await.map_err(too_late)?
    }

    async fn send(&self, request: reqwest::RequestBuilder, model: &str) -> Result<Response, Refusal> {
        let response = request.send().await.map_err(|error| self.unanswered(error))?;
        let status = response.status().as_u16();
        match status {
            200..=299 => Ok(response),
            300..=399 => Err(Refusal::Final(redirected(&response))),
            _ => {
                let body = body(response, LOOKUP_SIZE).await.unwrap_or_default();
                Err(match trouble::of_status(status, &body, model) {
                    busy @ Trouble::Busy { .. } => Refusal::MayPass(busy),
                    other => Refusal::Final(other),
                })
            }
        }
    }

    fn unanswered(&self, error: reqwest::Error) -> Refusal {
        let may_pass = trouble::is_connection_refused(&error);
        let trouble = trouble::of_request(error, &self.shown);
        if may_pass { Refusal::MayPass(trouble) } else { Refusal::Final(trouble) }
    }

    /// Made late, as reading the system's certificates takes longer than all the rest of our start.
    fn client(&self) -> &Client {
        self.client.get_or_init(|| {
            // Certificates that cannot be read are no reason to fail here: a connection that needs them will say so.
            let client = self.settings().build();
            client
                .or_else(|_| self.settings().tls_built_in_root_certs(false).build())
                .expect("without certificates nothing in these settings can be refused")
        })
    }

    fn settings(&self) -> ClientBuilder {
        let settings = Client::builder()
            .user_agent(concat!("agent/", env!("CARGO_PKG_VERSION")))
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_LIMIT);
        if self.host.is_loopback() {
            // A plain way to our own machine meets nobody who would show a certificate.
            settings.no_proxy().tls_built_in_root_certs(self.host.is_https())
        } else {
            settings
        }
    }
}

/// The whole body, as long as it is no longer than `limit` bytes.
async fn body(mut response: Response, limit: usize) -> Result<Vec<u8>, Trouble> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(trouble::of_cut)? {
        body.extend_from_slice(&piece);
        if body.len() > limit {
            return Err(Trouble::LineTooLong { limit });
        }
    }
    Ok(body)
}

fn redirected(response: &Response) -> Trouble {
    let place = response.headers().get(LOCATION).and_then(|place| place.to_str().ok()).unwrap_or("another address");
    Trouble::Refused { status: response.status().as_u16(), message: format!("it points to {place}; name that instead") }
}

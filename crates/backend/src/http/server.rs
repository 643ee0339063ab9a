//! The HTTP side: one client, made when it is first needed, and plain requests through it.
//!
//! No redirects (one of them would post the conversation anew, elsewhere), no proxy unless one is asked for and never
//! between us and our own machine, no cookies, nothing unpacked (a few bytes may stand for gigabytes), no answer of more
//! than so many bytes. No limit on how long a reply may take: a large model on a small machine takes its time.

use super::json;
use super::trouble;
use crate::Host;
use agent_protocol::{ServerError, ServerProgram};
use bytes::Bytes;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION, RETRY_AFTER};
use reqwest::{Client, ClientBuilder, Method, RequestBuilder, Response, redirect};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::OnceLock;
use std::time::Duration;

/// Longest wait for a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// Longest wait for a small answer that needs no model.
const LOOKUP_LIMIT: Duration = Duration::from_secs(30);

/// The largest such answer; a list of a hundred thousand models fits.
const LOOKUP_SIZE: usize = 16 * 1024 * 1024;

/// So much of an answer with an error status is read: it may quote a whole call.
const ERROR_SIZE: usize = 1024 * 1024;

/// Longest wait for the body of such an answer.
const ERROR_LIMIT: Duration = Duration::from_secs(10);

/// The longest pause that a server may ask for: nobody waits longer for a place in its queue.
const PAUSE_LIMIT: Duration = Duration::from_secs(60 * 60);

/// Kinds of content besides JSON that replies come as.
const PLAIN_KINDS: [&str; 4] = ["", "text/plain", "application/octet-stream", "text/event-stream"];

/// So much of a header is shown.
const HEADER_SHOWN: usize = 300;

/// Whether a proxy may stand between us and the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// None: what is said goes to the address that was named, and nowhere else.
    Straight,
    /// Through the one that the environment names, but for our own machine.
    ThroughProxy,
}

/// A server and the way to it.
pub(crate) struct Server {
    host: Host,
    shown: String,
    way: Way,
    /// What stands in the head of every request: keys, marked so that nothing writes them down.
    headers: HeaderMap,
    /// The program that should answer, where one can be named.
    program: Option<ServerProgram>,
    client: OnceLock<Client>,
}

/// A request that got no usable answer.
pub(crate) enum Refusal {
    /// It may pass, and nothing has happened yet: asking again is safe, after the pause that the server asked for.
    MayPass(ServerError, Option<Duration>),
    /// It will not, or asking again might do something twice.
    Final(ServerError),
}

impl From<Refusal> for ServerError {
    fn from(refusal: Refusal) -> ServerError {
        match refusal {
            Refusal::MayPass(trouble, _) | Refusal::Final(trouble) => trouble,
        }
    }
}

impl Refusal {
    /// The server has no room for the request at the moment, and says so: what it says, and how long nobody should ask, where
    /// it names that. A gateway that only fails says neither.
    pub(crate) fn queue(&self) -> Option<(&ServerError, Option<Duration>)> {
        match self {
            Refusal::MayPass(trouble @ ServerError::Busy { status: 429 | 503, message }, asked) => {
                (asked.is_some() || trouble::says_queue_is_full(message)).then_some((trouble, *asked))
            }
            Refusal::MayPass(..) | Refusal::Final(_) => None,
        }
    }

    /// Is the server there, and only not done with loading its model?
    ///
    /// Source: `/v1/chat/completions` of llama.cpp's server answers 503 with these words until the model is in memory.
    pub(crate) fn is_loading(&self) -> bool {
        matches!(self, Refusal::MayPass(ServerError::Busy { status: 503, message }, _) if message.contains("Loading model"))
    }
}

impl Server {
    /// The server at `host`. Connects to nothing yet.
    pub(crate) fn at(host: Host, way: Way, program: Option<ServerProgram>) -> Server {
        Server { shown: host.to_string(), host, way, headers: HeaderMap::new(), program, client: OnceLock::new() }
    }

    /// The same with these headers in every request.
    pub(crate) fn with_headers(self, headers: HeaderMap) -> Server {
        Server { headers, ..self }
    }

    /// Its address, as a person would write it.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// Posts JSON and waits for the head of the answer: with Ollama that is the first token. `model` names what an
    /// error is about.
    pub(crate) async fn post(&self, path: &str, body: Bytes, model: &str) -> Result<Response, Refusal> {
        self.send(self.request(Method::POST, path).header(CONTENT_TYPE, "application/json").body(body), model).await
    }

    /// Gets a small JSON answer of at most so many values.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str, pieces: usize) -> Result<T, ServerError> {
        self.answer(self.request(Method::GET, path), "", pieces).await
    }

    /// Gets a small JSON answer from beside the base path: of `http://host/v1`, a page of `http://host`.
    pub(crate) async fn get_beside<T: DeserializeOwned>(&self, path: &str, pieces: usize) -> Result<T, ServerError> {
        let request = self.client().get(self.host.url_beside(path)).headers(self.headers.clone());
        self.answer(request, "", pieces).await
    }

    /// Asks for a small JSON answer about `model`.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &Value,
        model: &str,
    ) -> Result<T, ServerError> {
        self.answer(self.request(Method::POST, path).json(body), model, json::PIECES).await
    }

    /// Has something done to `model`; what is answered does not matter.
    pub(crate) async fn order(&self, method: Method, path: &str, body: &Value, model: &str) -> Result<(), ServerError> {
        Ok(self.send(self.request(method, path).json(body), model).await.map(drop)?)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client().request(method, self.host.url(path)).headers(self.headers.clone())
    }

    async fn answer<T: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        model: &str,
        pieces: usize,
    ) -> Result<T, ServerError> {
        self.in_time(async {
            let body = body(self.send(request, model).await?, LOOKUP_SIZE).await?;
            json::read(&body, pieces).ok_or_else(|| trouble::of_garbage(&body))
        })
        .await
    }

    /// What needs no model, and so no patience.
    pub(crate) async fn in_time<T>(
        &self,
        lookup: impl Future<Output = Result<T, ServerError>>,
    ) -> Result<T, ServerError> {
        let too_late = |_| self.silent(&format!("no answer within {} seconds", LOOKUP_LIMIT.as_secs()));
        tokio::time::timeout(LOOKUP_LIMIT, lookup).await.map_err(too_late)?
    }

    async fn send(&self, request: RequestBuilder, model: &str) -> Result<Response, Refusal> {
        let response = request.send().await.map_err(|error| self.unanswered(error))?;
        let status = response.status().as_u16();
        match status {
            200..=299 => match self.strange(&response) {
                Some(trouble) => Err(Refusal::Final(trouble)),
                None => Ok(response),
            },
            300..=399 => {
                let to = header(&response, LOCATION).unwrap_or_else(|| "another address".to_owned());
                Err(Refusal::Final(ServerError::Redirected { to }))
            }
            401 | 403 => Err(self.locked(status, &beginning(response, ERROR_SIZE).await)),
            407 => Err(self.locked(status, b"")),
            _ => {
                let pause = pause_asked_for(&response);
                let body = beginning(response, ERROR_SIZE).await;
                if trouble::says_wrong_key(&body) {
                    return Err(self.locked(status, b""));
                }
                Err(match trouble::of_status(status, &body, model) {
                    busy @ ServerError::Busy { .. } => Refusal::MayPass(busy, pause),
                    other => Refusal::Final(other),
                })
            }
        }
    }

    /// It wants a key, or another one, or says for itself why it does not do this.
    fn locked(&self, status: u16, body: &[u8]) -> Refusal {
        let (message, sign_in) = trouble::why_locked(body);
        let (host, has_key) = (self.shown.clone(), !self.headers.is_empty());
        Refusal::Final(ServerError::Locked { host, status, has_key, message, sign_in })
    }

    /// Why an answer that says all is well is none that we read: something else than a model server, or packed.
    fn strange(&self, response: &Response) -> Option<ServerError> {
        if let Some(packing) = header(response, CONTENT_ENCODING)
            && !packing.eq_ignore_ascii_case("identity")
        {
            return Some(ServerError::Garbage { line: format!("data packed with {packing}, which nobody asked for") });
        }
        let sends = header(response, CONTENT_TYPE)?;
        let kind = sends.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let known = kind.contains("json") || PLAIN_KINDS.contains(&kind.as_str());
        (!known).then(|| ServerError::Foreign { host: self.shown.clone(), sends: kind })
    }

    /// A connection that was kept may be closed by the other end just as it is used again, which looks like a server
    /// that went away: both may pass.
    fn unanswered(&self, error: reqwest::Error) -> Refusal {
        if !(error.is_connect() || error.is_timeout()) {
            return Refusal::MayPass(trouble::of_cut(error), None);
        }
        let silent = self.silent(&trouble::why_not_connected(&error));
        if trouble::is_connection_refused(&error) { Refusal::MayPass(silent, None) } else { Refusal::Final(silent) }
    }

    fn silent(&self, why: &str) -> ServerError {
        ServerError::Unreachable {
            host: self.shown.clone(),
            why: why.to_owned(),
            program: self.program.clone().map(Box::new),
        }
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
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .connect_timeout(CONNECT_LIMIT);
        let settings = match self.way {
            Way::ThroughProxy if !self.host.is_loopback() => settings,
            Way::ThroughProxy | Way::Straight => settings.no_proxy(),
        };
        // A plain way to our own machine meets nobody who would show a certificate.
        settings.tls_built_in_root_certs(self.host.is_https() || !self.host.is_loopback())
    }
}

/// The whole body, as long as it is no longer than `limit` bytes.
async fn body(mut response: Response, limit: usize) -> Result<Vec<u8>, ServerError> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(trouble::of_cut)? {
        body.extend_from_slice(&piece);
        if body.len() > limit {
            return Err(ServerError::ReplyTooLong { limit });
        }
    }
    Ok(body)
}

/// What there is of a body within limits of size and time, also where it breaks off.
pub(crate) async fn beginning(mut response: Response, limit: usize) -> Vec<u8> {
    let mut body = Vec::new();
    let reading = async {
        while let Ok(Some(piece)) = response.chunk().await {
            let fits = piece.len().min(limit - body.len());
            body.extend_from_slice(&piece[..fits]);
            if body.len() == limit {
                return;
            }
        }
    };
    // What has arrived until then will do.
    let _ = tokio::time::timeout(ERROR_LIMIT, reading).await;
    body
}

/// How long the server wants nobody to ask, where it says so in seconds.
fn pause_asked_for(response: &Response) -> Option<Duration> {
    let seconds = header(response, RETRY_AFTER)?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds).min(PAUSE_LIMIT))
}

/// A header as text, as much of it as is shown.
fn header(response: &Response, name: HeaderName) -> Option<String> {
    let value = String::from_utf8_lossy(response.headers().get(name)?.as_bytes());
    Some(value.chars().take(HEADER_SHOWN).collect())
}

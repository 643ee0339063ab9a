//! Speaks streamable HTTP with the same client as the rest of the house. An address leads nowhere else: redirects are
//! not followed. Nothing is listened for beside the answers, as nothing is wanted but those.

use crate::mcp::error::McpError;
use crate::mcp::limited::LONGEST;
use crate::mcp::server::{Secret, Server};
use crate::mcp::words::line;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode, redirect};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
    StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// Bytes of an error's words that are read.
const WORDS: usize = 4_096;
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

type Failed = StreamableHttpError<reqwest::Error>;

/// A client that sends the secrets of one server along.
#[derive(Clone)]
pub(crate) struct Http {
    client: Client,
    secrets: HeaderMap,
}

/// How messages get to `url` and back.
pub(crate) fn transport(
    server: &Server,
    url: &str,
    secrets: &[Secret],
    proxy: bool,
) -> Result<StreamableHttpClientTransport<Http>, McpError> {
    let not_there = |why: String| McpError::NotThere { server: server.name.clone(), why };
    let builder = Client::builder().redirect(redirect::Policy::none()).connect_timeout(server.timeout);
    let builder = if proxy { builder } else { builder.no_proxy() };
    let client = builder.build().map_err(|error| not_there(error.without_url().to_string()))?;
    let mut headers = HeaderMap::new();
    for secret in secrets {
        let not_set = || McpError::NotSet { server: server.name.clone(), variable: secret.variable.clone() };
        let value = std::env::var(&secret.variable).ok().filter(|value| !value.is_empty()).ok_or_else(not_set)?;
        let value = HeaderValue::from_str(&format!("{}{value}", secret.before));
        let name = HeaderName::from_bytes(secret.header.as_bytes());
        let (Ok(name), Ok(mut value)) = (name, value) else {
            return Err(not_there(format!("{} or the value of {} fits no header", secret.header, secret.variable)));
        };
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    let config = StreamableHttpClientTransportConfig::with_uri(url);
    Ok(StreamableHttpClientTransport::with_client(Http { client, secrets: headers }, config))
}

impl Http {
    fn dressed(
        &self,
        request: RequestBuilder,
        session: Option<&str>,
        more: HashMap<HeaderName, HeaderValue>,
    ) -> RequestBuilder {
        let more: HeaderMap = more.into_iter().collect();
        let request = request.headers(more).headers(self.secrets.clone());
        match session {
            Some(session) => request.header(SESSION, session),
            None => request,
        }
    }
}

impl StreamableHttpClient for Http {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let request = self.client.post(uri.as_ref()).header(ACCEPT, format!("{JSON}, {EVENTS}")).json(&message);
        let request = self.dressed(request, session_id.as_deref(), custom_headers);
        let response = request.send().await.map_err(failed)?;
        match response.status() {
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT => return Ok(StreamableHttpPostResponse::Accepted),
            StatusCode::NOT_FOUND if session_id.is_some() => return Err(StreamableHttpError::SessionExpired),
            status if !status.is_success() => return Err(refused(status, response).await),
            _ => {}
        }
        let session = response.headers().get(SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
        let kind =
            response.headers().get(CONTENT_TYPE).map(|kind| String::from_utf8_lossy(kind.as_bytes()).into_owned());
        match kind.as_deref() {
            Some(kind) if kind.starts_with(EVENTS) => Ok(StreamableHttpPostResponse::Sse(events(response), session)),
            Some(kind) if kind.starts_with(JSON) => {
                let message: ServerJsonRpcMessage = serde_json::from_slice(&whole(response).await?)?;
                Ok(StreamableHttpPostResponse::Json(message, session))
            }
            // To a notification nothing need be said, in whatever way.
            _ if !matches!(message, ClientJsonRpcMessage::Request(_)) => Ok(StreamableHttpPostResponse::Accepted),
            other => Err(StreamableHttpError::UnexpectedContentType(other.map(|kind| line(kind, 80)))),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failed> {
        let request = self.dressed(self.client.delete(uri.as_ref()), Some(&session_id), custom_headers);
        request.send().await.map(drop).map_err(failed)
    }

    async fn get_stream(
        &self,
        _uri: Arc<str>,
        _session_id: Option<Arc<str>>,
        _last_event_id: Option<String>,
        _auth_header: Option<String>,
        _custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failed> {
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }
}

/// An address may hold a secret, and is known.
fn failed(error: reqwest::Error) -> Failed {
    StreamableHttpError::Client(error.without_url())
}

/// What the server said against it.
async fn refused(status: StatusCode, response: Response) -> Failed {
    let mut words = Vec::new();
    let mut pieces = response.bytes_stream();
    while let Some(Ok(piece)) = pieces.next().await {
        words.extend_from_slice(&piece[..piece.len().min(WORDS - words.len())]);
        if words.len() == WORDS {
            break;
        }
    }
    let hint = match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "; see bearer_env and headers_env in the settings",
        status if status.is_redirection() => "; it moved, and only the address in the settings is used",
        _ => "",
    };
    let words = line(&String::from_utf8_lossy(&words), 300);
    StreamableHttpError::UnexpectedServerResponse(format!("{status}{hint} {words}").trim_end().to_owned().into())
}

/// The body, up to the longest message.
async fn whole(response: Response) -> Result<Vec<u8>, Failed> {
    let (mut body, mut pieces) = (Vec::new(), response.bytes_stream());
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(failed)?;
        if body.len() + piece.len() > LONGEST {
            return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: LONGEST });
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// The events of one answer, which together may be as long as the longest message.
fn events(response: Response) -> BoxStream<'static, Result<Sse, SseError>> {
    SseStream::from_bytes_stream(limited(response.bytes_stream())).boxed()
}

fn limited(
    pieces: impl Stream<Item = Result<Bytes, reqwest::Error>> + Send + 'static,
) -> impl Stream<Item = Result<Bytes, io::Error>> + Send + 'static {
    let mut left = LONGEST;
    pieces.map(move |piece| {
        let piece = piece.map_err(|error| io::Error::other(error.without_url()))?;
        left = left.checked_sub(piece.len()).ok_or_else(|| io::Error::other("the answer is too long"))?;
        Ok(piece)
    })
}

//! Requests that make the model say nothing: loading it, letting it go, and asking what it would be given.
//!
//! Loading has no limit of time, nor has what may have to wait for it: a model may take minutes to load, and whoever
//! asks can stop waiting.

use super::wire;
use super::wire::{Line, RenderedIn};
use crate::http::frame::Lines;
use crate::http::server::Server;
use crate::http::{json, trouble};
use agent_protocol::{ChatRequest, ServerError};
use bytes::Bytes;
use reqwest::Response;
use serde::de::DeserializeOwned;

/// What is said when a model is loaded is short.
const WORD_SIZE: usize = 1 << 20;

/// A rendered prompt is as long as a conversation, and stands in JSON.
const PROMPT_SIZE: usize = 64 << 20;

/// Loads the model as `request` wants it.
pub(super) async fn load(server: &Server, request: &ChatRequest) -> Result<(), ServerError> {
    let response = server.post("api/chat", wire::load_body(request), &request.model).await?;
    let said = first_line(response, WORD_SIZE).await?;
    let line: Line = object(&said).ok_or_else(|| trouble::of_garbage(&said))?;
    line.error.map_or(Ok(()), |error| Err(trouble::of_line(&error, &request.model)))
}

/// Lets the server take the model out of its memory once nobody uses it. It answers at once, whatever it is doing.
pub(super) async fn unload(server: &Server, model: &str) -> Result<(), ServerError> {
    server.in_time(async { Ok(server.post("api/chat", wire::unload_body(model), model).await.map(drop)?) }).await
}

/// The text that the server makes of `request` for the model.
pub(super) async fn render(server: &Server, request: &ChatRequest) -> Result<String, ServerError> {
    let response = server.post("api/chat", wire::render_body(request), &request.model).await?;
    let said = first_line(response, PROMPT_SIZE).await?;
    let rendered: RenderedIn = object(&said).ok_or_else(|| trouble::of_garbage(&said))?;
    if let Some(error) = rendered.error {
        return Err(trouble::of_line(&error, &request.model));
    }
    let prompt = rendered.debug.and_then(|debug| debug.rendered_template);
    prompt.ok_or_else(|| ServerError::Garbage {
        line: "a reply where the prompt was asked for; this server may be too old to tell it".to_owned(),
    })
}

/// The first line, or all there is where it has no end. The rest is not waited for: with the answer its connection is
/// dropped, and a server that generates stops.
async fn first_line(mut response: Response, limit: usize) -> Result<Bytes, ServerError> {
    let mut lines = Lines::up_to(limit);
    while let Some(piece) = response.chunk().await.map_err(trouble::of_cut)? {
        lines.push(&piece);
        match lines.next() {
            Some(Ok(line)) => return Ok(line),
            Some(Err(_)) => return Err(ServerError::LineTooLong { limit }),
            None => {}
        }
    }
    Ok(lines.rest())
}

/// A struct can also be read from an array, which says nothing here.
fn object<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    line.trim_ascii_start().starts_with(b"{").then(|| json::read(line, json::PIECES)).flatten()
}

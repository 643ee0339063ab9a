//! What all kinds of servers share: the HTTP client, the way of one request, limits, and how trouble is told.
//!
//! Knows no product's JSON; see `ollama` and `openai`.

mod bad_calls;
pub(crate) mod exchange;
pub(crate) mod frame;
pub(crate) mod json;
mod no_thinking;
mod overflow;
pub(crate) mod pace;
pub(crate) mod reply;
pub(crate) mod server;
pub(crate) mod told;
pub(crate) mod trouble;

use agent_protocol::{ModelEvent, ServerError};

/// Most that may be said in one reply, in bytes of text and of lines with calls: most of a million tokens, several times what
/// the largest usual window holds. A screen that shows it takes some sixty times as much memory.
pub(crate) const REPLY_LIMIT: usize = 3 * 1024 * 1024;

/// Most calls that may stand in one reply.
pub(crate) const CALLS_LIMIT: usize = 1_000;

/// The end of a reply that is not complete.
pub(crate) fn broken(trouble: ServerError) -> ModelEvent {
    ModelEvent::Broken { trouble }
}

//! A model server behind two traits: one for talking with its models, one for managing them. Inside is a folder for each
//! kind of server; today that is Ollama, by its native `/api/chat`.
//!
//! Failures travel inside the stream, so every stream ends in `Done` or `Broken`. Wire types and `ollama-rs` stay in
//! here.

mod backend;
mod connect;
mod host;
mod http;
mod ollama;
mod openai;
#[cfg(test)]
mod stand_in;
pub mod program;

pub use backend::{Chat, ModelHost};
pub use connect::{Credentials, Endpoint, HeaderError, ServerKind, connect};
pub use http::server::Way;
pub use host::{Host, HostError};
pub use ollama::Ollama;
pub use openai::OpenAi;

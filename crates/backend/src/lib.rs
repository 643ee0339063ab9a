//! A model server behind two traits: one for talking with its models, one for managing them. Inside is a folder for each
//! kind of server: Ollama by its native `/api/chat`, and those that speak OpenAI's `/v1/chat/completions`; `http` is what
//! they share.
//!
//! Failures travel inside the stream, so every stream ends in `Done` or `Broken`. Wire types and `ollama-rs` stay in
//! here.

mod backend;
mod connect;
mod credentials;
mod host;
mod http;
mod nearby;
mod ollama;
mod openai;
mod owners;
pub mod program;
#[cfg(test)]
mod stand_in;

pub use backend::{Chat, ModelHost};
pub use connect::{Kind, connect};
pub use credentials::{BadKey, Credentials};
pub use host::{Host, HostError};
pub use http::server::Way;
pub use nearby::nearby;
pub use ollama::Ollama;
pub use openai::OpenAi;

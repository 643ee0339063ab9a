//! A model server behind one trait; Ollama's native `/api/chat` inside.
//!
//! Failures travel inside the stream, so every stream ends in `Done` or `Broken`. Wire types and `ollama-rs` stay in
//! here.

mod backend;
mod host;
mod ollama;
pub mod program;

pub use backend::Backend;
pub use host::{Host, HostError};
pub use ollama::Ollama;

//! Speaks with servers that bring tools of their own: starts one or reaches one, asks what it has, calls it, ends it.
//!
//! All that a server says is foreign: how much of it is taken has an end, and what a model or a person reads of it is
//! plain text. Which servers there are, and what was approved of them, is for others to know.

mod answer;
mod connection;
mod error;
mod http;
mod limited;
mod mark;
mod offered;
mod server;
mod words;

pub use answer::Answer;
pub use connection::Connection;
pub use error::McpError;
pub use mark::Mark;
pub use offered::{Offered, differences};
pub use server::{Secret, Server, Way};

//! Speaks with servers that bring tools of their own: starts one or reaches one, asks what it has, calls it, ends it.
//!
//! All that a server says is foreign: how much of it is taken has an end, and what a model or a person reads of it is
//! plain text. Which servers there are is the user's to say, and nothing is called of one that is not what they approved.

mod answer;
mod connection;
mod error;
mod http;
mod limited;
mod mark;
mod offered;
mod pinned;
mod schema;
mod server;
mod texts;
mod words;

pub use answer::Answer;
pub use connection::Connection;
pub use error::McpError;
pub use mark::{Mark, names_script};
pub use offered::{Offered, differences};
pub use pinned::{Link, Pinned};
pub use server::{Secret, Server, Way};

//! Language servers: programs that know a language, started on first use, asked often, ended with the session.
//!
//! `framing` is the wire, `envelope` what is known of a message too large for it, `link` the talk over it, `state` what a server tells by itself, `server` one that runs,
//! `documents` the files it is told of, `known` which server is for which file, `servers` those of a session. What the
//! model asks and is told stands in `tools/code/lsp`.

pub(crate) mod address;
mod documents;
mod envelope;
mod framing;
mod hello;
mod known;
mod link;
mod position;
mod server;
mod servers;
mod state;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use documents::{Document, text_of};
pub(crate) use position::{Encoding, Lines, Position};
pub(crate) use server::{LanguageServerProcess, Patience};
pub(crate) use servers::{Choice, Servers};

//! A scripted server on loopback that speaks Ollama's wire.
//!
//! The demo talks to it as to a real server, the whole-house tests provoke faults with it, and the benchmarks measure
//! against it. It binds 127.0.0.1 only, runs on a thread of its own, and knows nothing of the agent: what it answers
//! is in a [`Script`], what it was asked is in its journal.
//!
//! It holds no model and does not speak the OpenAI dialect (`/v1/…`).

mod chat;
pub mod demo;
mod http;
mod journal;
mod player;
mod prose;
mod pull;
mod request;
mod routes;
mod rules;
mod script;
mod server;
mod show;
mod stamp;
mod state;
mod steps;
mod tokens;
mod voice;
mod wire;

pub use journal::{End, Ended, Recorded};
pub use rules::{OneOrMany, Rule, Speaker, When};
pub use script::{Answer, CallStyle, Model, Pace, Pull, Script, ScriptError};
pub use server::Server;
pub use steps::Step;

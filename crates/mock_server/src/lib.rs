//! A scripted server on loopback that speaks Ollama's wire, or that of OpenAI's servers.
//!
//! The demo talks to it as to a real server, the whole-house tests provoke faults with it, and the benchmarks measure
//! against it. It binds 127.0.0.1 only, runs on a thread of its own, and knows nothing of the agent: what it answers
//! is in a [`Script`], what it was asked is in its journal.
//!
//! It holds no model. One script is the same session in either language: with `"speaks": "openai"` ([`Wire`]) it is served at
//! `/v1/chat/completions`, and no path of Ollama's is answered.
//!
//! # What can be played besides replies
//!
//! | a server that … | in the [`Script`] |
//! |---|---|
//! | counts tokens in a way nobody knows | `"counts": "words"`, `"bytes"` or `"pieces"` ([`Counts`]) |
//! | takes time to read what it has not read before | `"reading_per_second": 300` |
//! | shows the model no thinking of earlier turns | `"drops_thinking": true` |
//! | gives a smaller window than was asked for | `"most_window": 4096` |
//! | has a window of its own | `"default_window": 8192`, or in a model `"parameters": {"num_ctx": 8192}` |
//! | refuses what does not fit | always, where a request says `truncate:false` |
//! | is too old to be told so, and cuts in silence | `"old": true` |
//! | loads slowly | `"load_ms": 8000` |
//! | has the model loaded, or loaded otherwise | `"loaded": ["m"]`, `"loaded": [{"model": "m", "num_ctx": 16384, "shift": false}]` |
//! | has a part of the model on the graphics card | in a model `"vram_percent": 63` |
//! | has a model that knows only what it sees | a `course` ([`ScriptStep`]): steps that look for what they need where it is not sent any more |
//! | says nothing for long | the step `{"wait_ms": 20000}`, or a long call with `"tokens_per_second": 5` |
//!
//! The prompt that it read last it keeps in mind, until the model is loaded again. What became of that with each request
//! is in the journal: [`Recorded::prompt`], [`Recorded::loaded`], [`Server::loads`].

mod api_format;
mod chat;
mod completions;
mod counting;
pub mod demo;
mod events;
mod http;
mod journal;
mod model;
mod player;
mod prompt;
mod prose;
mod pull;
mod render;
mod reply_writer;
mod request;
mod routes;
mod rules;
mod said;
mod script;
mod script_steps;
mod server;
mod show;
mod stamp;
mod state;
mod steps;
mod tokens;
mod wire;

pub use counting::Counts;
pub use journal::{End, Ended, PromptRead, Recorded, Repeated};
pub use model::{CallStyle, Model};
pub use rules::{OneOrMany, Rule, Speaker, When};
pub use script::{Answer, AtStart, Earlier, Pace, Pull, Script, ScriptError, Wire};
pub use script_steps::ScriptStep;
pub use server::Server;
pub use steps::Step;

//! The front end without a screen: one question in, one answer out. Besides, the subcommands that need no turn: the models of the
//! server, the kept sessions, and the doctor.
//!
//! The answer goes to standard output, what happens on the way to standard error. It differs from the screen in one
//! thing only: where a person would be asked, it answers No through the same `Op`, and names the flag that would
//! have allowed it. `lines` is the one that asks: a session for a person, line by line, where nothing can be drawn.

mod advice;
mod answering;
mod asking;
mod command_words;
mod doctor;
mod end;
mod failure;
mod figures;
mod init;
mod input;
mod json;
mod lines;
mod mcp;
mod models;
mod receipt;
mod run;
pub mod sessions;
mod streams;
mod tally;
mod text;

pub use doctor::{CacheCard, Checkup, Contact, Probes, doctor};
pub use end::{EXIT_CODES, End, ExitCode, exit_codes, exit_order};
pub use init::init;
pub use input::{NoPrompt, Prompt, Source, prompt};
pub use lines::{LineSettings, lines};
pub use mcp::{Pipes, serve};
pub use models::Learned;
pub use models::{Consent, Subcommand, models};
pub use run::{Settings, Start, run};
pub use streams::Streams;
pub use streams::{Form, Format};

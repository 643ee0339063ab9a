//! The face without a screen: one question in, one answer out.
//!
//! The answer goes to standard output, what happens on the way to standard error. It differs from the screen in one
//! thing only: where a person would be asked, it answers No through the same `Op`, and names the flag that would
//! have allowed it.

mod answering;
mod format;
mod json;
mod run;
mod signals;
mod text;

pub use format::Format;
pub use run::{End, Settings, Streams, run};

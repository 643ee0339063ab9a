//! Reads source text: what is defined and used where, how long and how deep functions are, and what looks dangerous.
//!
//! Text in, facts out: no file is opened here and nothing is run. Grammars load when their language is first read.
//! Where there is no grammar, or it cannot cope, words are looked at instead, and whoever asked can tell
//! ([`Source::by_words`]).
//!
//! **Invariant.** No text makes this crate panic, and none makes it work without end: what a grammar may do is counted
//! ([`LONGEST`], [`DEEPEST`], [`Refused`]), who has a clock can end it at each step ([`GoOn`]), and trees are walked
//! without recursion.

mod fill;
mod language;
mod lines;
mod names;
mod outline;
mod parse;
mod references;
pub mod security;
mod source;
mod stubs;
mod symbol;
mod syntax;
mod tags;
mod words;

pub use fill::{Filled, How, Unfillable, Vanishing, fill, loss, vanishing, with_import};
pub use language::Language;
pub use lines::Lines;
pub use names::{Certainty, UnknownName, new_unknown_names};
pub use parse::{DEEPEST, GoOn, LONGEST, Refused};
pub use references::{Reference, Use};
pub use source::Source;
pub use stubs::{Stub, stubs_left};
pub use symbol::{Kind, Symbol};
pub use syntax::{Fault, new_fault};
pub use words::is_code;

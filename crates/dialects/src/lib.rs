//! Finds tool calls in what a model writes, streaming.
//!
//! The reading is the same wherever the text is cut: every decision depends on the text alone, never on the pieces in
//! which it arrived. Knows of the tools only the specs it is given.

mod form;
mod lenient;
mod piece;
mod splitter;
mod tools;

pub use form::Form;
pub use piece::{Fault, Found, Lost, Piece, Repair};
pub use splitter::{Splitter, Start, salvage};
pub use tools::Tools;

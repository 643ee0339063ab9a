//! Finds tool calls in what a model writes, streaming.
//!
//! The reading is the same wherever the text is cut: every decision depends on the text alone, never on the pieces in
//! which it arrived. Knows of the tools only the specs it is given.

mod args;
mod dialects;
mod files;
mod form;
mod index;
mod lenient;
mod markup;
mod page;
mod pairs;
mod piece;
mod pycall;
mod shapes;
mod splitter;
mod table;
mod tagged;
mod tools;
mod trie;

pub use files::{FileReader, FilesKnown, Wants};
pub use form::Form;
pub use piece::{Fault, Found, Lost, Piece, Repair, WasThinking};
pub use splitter::{Splitter, Start, salvage};
pub use tools::Tools;

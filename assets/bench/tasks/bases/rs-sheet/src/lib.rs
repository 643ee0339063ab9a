//! A spreadsheet engine for plain text files.
//!
//! The parts, from the ground up:
//!
//! - [`address`], [`value`], [`error`], [`calendar`]: the words all others use
//! - [`formula`]: text to tree and back
//! - [`eval`] and [`functions`]: tree to value
//! - [`graph`]: who depends on whom
//! - [`format`](mod@format) and [`input`]: values to what is shown, and what is typed to values
//! - [`sheet`] and [`history`]: cells, edits, undo
//! - [`storage`], [`csv`], [`render`]: files and tables
//! - [`config`] and [`cli`]: settings and the program

pub mod address;
pub mod calendar;
pub mod cli;
pub mod config;
pub mod csv;
pub mod error;
pub mod eval;
pub mod format;
pub mod formula;
pub mod functions;
pub mod graph;
pub mod history;
pub mod input;
pub mod render;
pub mod sheet;
pub mod storage;
pub mod value;

pub use address::{CellRef, Range};
pub use config::Settings;
pub use error::{CellError, SheetError};
pub use sheet::Sheet;
pub use value::Value;

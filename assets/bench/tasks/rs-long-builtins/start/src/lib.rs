//! The functions of a small spreadsheet.

pub mod builtins;
mod value;

pub use value::{Fault, Value};

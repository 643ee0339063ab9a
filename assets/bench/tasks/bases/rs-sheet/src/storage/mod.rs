//! Grid files: a sheet as a text that can be read and compared line by line.
//!
//! ```text
//! # gridtext 1
//! name rate = B1
//! A1 = VAT
//! B1 [0.0%] = 0.19
//! B2 = =100*rate
//! ```
//!
//! In inputs, `\n` is a line end and `\\` a backslash.

mod line;
mod reader;
mod writer;

pub use reader::read;
pub use writer::write;

/// The first line of every grid file.
pub const HEAD: &str = "# gridtext 1";

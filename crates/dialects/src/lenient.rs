//! Reads values as models write them: JSON that is almost right, and Python literals.

mod cursor;
mod json;
mod number;
mod quote;
mod string;

#[cfg(test)]
mod tests;

pub(crate) use json::{json, json_closed};

use crate::Repair;
use serde_json::Value;

/// What stands at the beginning of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reading {
    /// A complete value, `len` bytes long.
    Value {
        /// The value.
        value: Value,
        /// Its length in bytes, leading white space included.
        len: usize,
        /// What had to be mended; without duplicates.
        repairs: Vec<Repair>,
    },
    /// The text ends before the value does.
    Open,
    /// No value.
    No,
}

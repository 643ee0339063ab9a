//! Reads values as models write them: JSON that is almost right, and Python literals.

mod cursor;
mod gemma;
mod json;
mod python;
mod python_string;
mod quote;
mod reader;
mod string;
mod typed;

#[cfg(test)]
mod tests;

pub(crate) use gemma::{gemma, gemma_closed};
pub(crate) use json::{json, json_closed, object_from_string};
#[cfg(test)]
use python::python;
pub(crate) use python::python_arguments;
pub(crate) use typed::{respell, retype, typed};

use crate::Repair;
use serde_json::Value;

/// What stands at the beginning of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LenientReading {
    /// A complete value, `len` bytes long.
    Value {
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

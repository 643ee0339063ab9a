//! Letters with holes.
//!
//! | in the text          | becomes                                            |
//! |----------------------|----------------------------------------------------|
//! | `${name}`            | the value of `name`; a fault if there is none      |
//! | `${name@@OR@@default}`   | the value, or the default, which is a text with holes itself |
//! | `$$`                 | a dollar sign                                      |
//!
//! Braces without a dollar sign before them have no meaning, except that the
//! first `}` after a hole's beginning closes it. Inside a default each further
//! hole has its own.

mod fault;
mod fill;
mod parse;

pub use fault::Fault;

use std::collections::BTreeMap;

/// Fills the holes of a text.
pub fn @@FN@@(text: &str, values: &BTreeMap<&str, &str>) -> Result<String, Fault> {
    let pieces = parse::parse(text)?;
    let mut filled = String::new();
    fill::fill(&pieces, values, &mut filled)?;
    Ok(filled)
}

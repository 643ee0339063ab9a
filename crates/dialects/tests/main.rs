//! Readings of what models write: the cases, the rule from both sides, and properties of every text.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod cases;
mod files;
mod reader;
mod rule;
mod streaming;

//! What lenient reading reads, and what it does not.

mod gemma;
mod json;
mod monotone;
mod python;
mod typed;

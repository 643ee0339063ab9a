//! What lenient reading reads, and what it does not.

mod json;
mod monotone;

//! Sources of every language, read through the crate's own door.

mod fixtures;
mod languages;
mod texts;

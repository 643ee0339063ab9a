//! Sources of every language, read through the crate's own door.

mod fill;
mod fixtures;
mod languages;
mod texts;

//! Patterns by which the words of a model are recognised.

use regex::{Regex, RegexBuilder};

/// A pattern that this program brings along, whatever the case of the letters.
pub(crate) fn pattern(text: &str) -> Regex {
    RegexBuilder::new(text).case_insensitive(true).build().expect("a constant pattern, which a test compiles")
}

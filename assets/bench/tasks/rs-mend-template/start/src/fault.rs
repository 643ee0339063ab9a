use std::fmt;

/// What is wrong with a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where it is, in bytes from the beginning of the whole text: the dollar sign
    /// of a hole that is not closed or has no value, the first byte of a bad name,
    /// a dollar sign that stands alone.
    pub at: usize,
    pub what: String,
}

impl Fault {
    pub fn new(at: usize, what: impl Into<String>) -> Self {
        Fault { at, what: what.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at)
    }
}

impl std::error::Error for Fault {}

//! Totals.
use std::fmt;

pub const LIMIT: usize = 3;

/// Sums up.
pub struct Cart<T> {
    items: Vec<T>,
}

impl<T: Clone + Into<u64>> Cart<T> {
    // total() is not called here
    pub fn total(&self) -> u64 {
        fn sum(values: &[u64]) -> u64 {
            values.iter().sum()
        }
        let values: Vec<u64> = self.items.iter().cloned().map(Into::into).collect();
        sum(&values)
    }

    fn is_full(&self) -> bool {
        self.items.len() > LIMIT && self.total() > 0
    }
}

impl<T> fmt::Display for Cart<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "total() of {}", self.items.len())
    }
}

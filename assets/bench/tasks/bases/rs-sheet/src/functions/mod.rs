//! All functions, by group. Each group is a module with a table of its functions.

mod dates;
mod info;
mod lookup;
mod maths;
mod stats;
mod texts;

use crate::error::CellError;
use crate::eval::Arguments;
use crate::value::Value;

pub use maths::round_with;

pub type Answer = Result<Value, CellError>;

/// A function that can be called in formulas.
pub struct Function {
    /// In capitals.
    pub name: &'static str,
    pub fewest: usize,
    /// The largest number of arguments; `MANY` if there is no limit.
    pub most: usize,
    /// A few words for the list of functions.
    pub help: &'static str,
    pub run: fn(&Arguments) -> Answer,
}

pub const MANY: usize = usize::MAX;

impl Function {
    pub fn takes(&self, count: usize) -> bool {
        (self.fewest..=self.most).contains(&count)
    }
}

/// Name and functions of every group.
pub const GROUPS: [(&str, &[Function]); 6] = [
    ("dates", dates::FUNCTIONS),
    ("info", info::FUNCTIONS),
    ("lookup", lookup::FUNCTIONS),
    ("maths", maths::FUNCTIONS),
    ("stats", stats::FUNCTIONS),
    ("texts", texts::FUNCTIONS),
];

/// The function with this name (in capitals).
pub fn find(name: &str) -> Option<&'static Function> {
    GROUPS.iter().flat_map(|(_, functions)| functions.iter()).find(|function| function.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_capitals_and_unique() {
        let mut seen = std::collections::BTreeSet::new();
        for function in GROUPS.iter().flat_map(|(_, functions)| functions.iter()) {
            assert_eq!(function.name, function.name.to_uppercase());
            assert!(function.fewest <= function.most);
            assert!(seen.insert(function.name), "{} is there twice", function.name);
        }
    }
}

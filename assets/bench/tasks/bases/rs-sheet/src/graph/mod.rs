//! Who depends on whom: which formulas have to be calculated again after a change.

mod order;
mod ranges;

use std::collections::{BTreeSet, HashMap};

use crate::address::CellRef;
use crate::formula::ast::Precedent;
use ranges::RangeIndex;

pub use order::Plan;

/// The references of all formulas, found quickly from what they refer to.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// What each formula looks at.
    precedents: HashMap<CellRef, Vec<Precedent>>,
    ranges: RangeIndex,
    /// Formulas by the names they use.
    names: HashMap<String, BTreeSet<CellRef>>,
}

impl Graph {
    /// Notes what the formula in `cell` looks at, in place of what was noted before.
    pub fn set(&mut self, cell: CellRef, precedents: Vec<Precedent>) {
        self.remove(cell);
        for precedent in &precedents {
            match precedent {
                Precedent::Range(range) => self.ranges.insert(*range, cell),
                Precedent::Name(name) => {
                    self.names.entry(name.clone()).or_default().insert(cell);
                }
            }
        }
        if !precedents.is_empty() {
            self.precedents.insert(cell, precedents);
        }
    }

    /// Forgets the formula in `cell`.
    pub fn remove(&mut self, cell: CellRef) {
        for precedent in self.precedents.remove(&cell).unwrap_or_default() {
            match precedent {
                Precedent::Range(range) => self.ranges.remove(range, cell),
                Precedent::Name(name) => {
                    if let Some(users) = self.names.get_mut(&name) {
                        users.remove(&cell);
                    }
                }
            }
        }
    }

    pub fn precedents(&self, cell: CellRef) -> &[Precedent] {
        self.precedents.get(&cell).map_or(&[], Vec::as_slice)
    }

    /// Formulas that look at this cell, in the order of the sheet. Names are not
    /// followed; see [`Graph::users`].
    pub fn dependents(&self, cell: CellRef) -> BTreeSet<CellRef> {
        self.ranges.looking_at(cell)
    }

    /// Formulas that use a name.
    pub fn users(&self, name: &str) -> BTreeSet<CellRef> {
        self.names.get(name).cloned().unwrap_or_default()
    }
}

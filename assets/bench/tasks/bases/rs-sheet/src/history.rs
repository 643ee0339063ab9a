//! Edits that can be undone.

use std::collections::{BTreeMap, VecDeque};

use crate::address::{CellRef, Range};
use crate::error::SheetError;

/// What is kept of a cell; its value follows from that.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stored {
    /// As typed; formulas begin with `=`.
    pub input: String,
    /// The pattern it is shown in, if one was chosen.
    pub format: Option<String>,
}

/// Something before and after an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step<T> {
    pub before: Option<T>,
    pub after: Option<T>,
}

/// Everything one command changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edit {
    /// What the command was, for people: `set B7`.
    pub label: String,
    pub cells: BTreeMap<CellRef, Step<Stored>>,
    pub names: BTreeMap<String, Step<Range>>,
}

impl Edit {
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.names.is_empty()
    }

    /// The edit that takes this one back.
    pub fn inverse(&self) -> Edit {
        fn swap<K: Ord + Clone, T: Clone>(steps: &BTreeMap<K, Step<T>>) -> BTreeMap<K, Step<T>> {
            let swapped = |step: &Step<T>| Step { before: step.after.clone(), after: step.before.clone() };
            steps.iter().map(|(key, step)| (key.clone(), swapped(step))).collect()
        }
        Edit { label: self.label.clone(), cells: swap(&self.cells), names: swap(&self.names) }
    }
}

/// Edits in the order they were made, and how many of them are undone.
#[derive(Debug, Clone)]
pub struct History {
    done: VecDeque<Edit>,
    undone: Vec<Edit>,
    limit: usize,
}

impl History {
    pub fn new(limit: usize) -> History {
        History { done: VecDeque::new(), undone: Vec::new(), limit }
    }

    /// Notes an edit. What was undone before can't be redone any more, and the
    /// oldest edit is forgotten if there are too many.
    pub fn push(&mut self, edit: Edit) {
        self.undone.clear();
        self.done.push_back(edit);
        while self.done.len() > self.limit {
            self.done.pop_front();
        }
    }

    /// The edit to take back; from now on it can be redone.
    pub fn undo(&mut self) -> Result<Edit, SheetError> {
        let edit = self.done.pop_back().ok_or(SheetError::NothingToUndo)?;
        self.undone.push(edit.clone());
        Ok(edit)
    }

    /// The edit to make again.
    pub fn redo(&mut self) -> Result<Edit, SheetError> {
        let edit = self.undone.pop().ok_or(SheetError::NothingToRedo)?;
        self.done.push_back(edit.clone());
        Ok(edit)
    }

    /// Labels of the edits that can be undone, the latest first.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.done.iter().rev().map(|edit| edit.label.as_str())
    }
}

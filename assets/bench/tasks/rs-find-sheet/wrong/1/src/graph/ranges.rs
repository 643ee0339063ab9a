//! Ranges and the formulas that look at them, found from a single cell.
//!
//! Looking through all ranges for every changed cell would be slow in large sheets.
//! Short ranges are filed under every block of rows they touch. For tall ones that
//! would be many blocks, so they are filed by their column alone.

use std::collections::{BTreeSet, HashMap};

use crate::address::{CellRef, Range};

/// Rows in a block.
const BLOCK: u32 = 16;

/// Ranges that touch more blocks than this are tall.
const MOST_BLOCKS: u32 = 8;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    range: Range,
    formula: CellRef,
}

#[derive(Debug, Clone, Default)]
pub struct RangeIndex {
    /// Short ranges by column and block of rows.
    blocks: HashMap<(u32, u32), Vec<Entry>>,
    /// Tall ranges by column.
    tall: HashMap<u32, Vec<Entry>>,
}

impl RangeIndex {
    pub fn insert(&mut self, range: Range, formula: CellRef) {
        let entry = Entry { range, formula };
        if is_tall(&range) {
            self.tall.entry(range.start.column).or_default().push(entry.clone());
            self.tall.entry(range.end.column).or_default().push(entry);
            return;
        }
        for column in range.start.column..=range.end.column {
            for block in blocks(&range) {
                self.blocks.entry((column, block)).or_default().push(entry.clone());
            }
        }
    }

    pub fn remove(&mut self, range: Range, formula: CellRef) {
        let entry = Entry { range, formula };
        if is_tall(&range) {
            take_out(self.tall.get_mut(&range.start.column), &entry);
            take_out(self.tall.get_mut(&range.end.column), &entry);
            return;
        }
        for column in range.start.column..=range.end.column {
            for block in blocks(&range) {
                take_out(self.blocks.get_mut(&(column, block)), &entry);
            }
        }
    }

    /// Formulas with a range that has this cell.
    pub fn looking_at(&self, cell: CellRef) -> BTreeSet<CellRef> {
        let short = self.blocks.get(&(cell.column, cell.row / BLOCK));
        let tall = self.tall.get(&cell.column);
        let entries = short.into_iter().chain(tall).flatten();
        entries.filter(|entry| entry.range.contains(cell)).map(|entry| entry.formula).collect()
    }
}

fn blocks(range: &Range) -> std::ops::RangeInclusive<u32> {
    range.start.row / BLOCK..=range.end.row / BLOCK
}

fn is_tall(range: &Range) -> bool {
    blocks(range).count() > MOST_BLOCKS as usize
}

fn take_out(entries: Option<&mut Vec<Entry>>, entry: &Entry) {
    if let Some(entries) = entries {
        entries.retain(|other| other != entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> CellRef {
        CellRef::parse(text).unwrap()
    }

    #[test]
    fn short_and_tall_ranges_are_found() {
        let mut index = RangeIndex::default();
        index.insert(Range::parse("A1:A20").unwrap(), cell("C1"));
        index.insert(Range::parse("A1:A5000").unwrap(), cell("C2"));
        let found = |text: &str| index.looking_at(cell(text)).len();
        assert_eq!(found("A16"), 2);
        assert_eq!(found("A17"), 2);
        assert_eq!(found("A21"), 1);
        assert_eq!(found("A5001"), 0);
        assert_eq!(found("B1"), 0);
    }

    #[test]
    fn what_was_removed_is_not_found() {
        let mut index = RangeIndex::default();
        for text in ["A1:B20", "A1:A5000"] {
            index.insert(Range::parse(text).unwrap(), cell("D1"));
            index.remove(Range::parse(text).unwrap(), cell("D1"));
        }
        assert!(index.looking_at(cell("A1")).is_empty());
        assert!(index.looking_at(cell("B9")).is_empty());
    }
}

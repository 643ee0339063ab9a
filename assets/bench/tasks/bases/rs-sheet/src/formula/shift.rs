//! How references change when formulas are copied, and when rows or columns come
//! and go.

use super::ast::Expr;
use crate::address::{CellRef, Reference};
use crate::error::CellError;

/// Rows or columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    Rows,
    Columns,
}

/// Rows or columns that come or go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    pub axis: Axis,
    /// The first one, counted from 0.
    pub at: u32,
    pub count: u32,
    pub kind: ChangeKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    Insert,
    Delete,
}

impl Change {
    /// Where a cell is afterwards; nowhere if it was deleted.
    pub fn cell(&self, cell: CellRef) -> Option<CellRef> {
        match self.axis {
            Axis::Rows => Some(CellRef { row: self.position(cell.row)?, ..cell }),
            Axis::Columns => Some(CellRef { column: self.position(cell.column)?, ..cell }),
        }
    }

    fn position(&self, position: u32) -> Option<u32> {
        if position < self.at {
            return Some(position);
        }
        match self.kind {
            ChangeKind::Insert => Some(position + self.count),
            ChangeKind::Delete if position < self.at + self.count => None,
            ChangeKind::Delete => Some(position - self.count),
        }
    }

    /// The ends of a range afterwards: what is left of it, if anything is.
    pub fn ends(&self, first: u32, last: u32) -> Option<(u32, u32)> {
        match self.kind {
            ChangeKind::Insert => Some((self.position(first)?, self.position(last)?)),
            ChangeKind::Delete => {
                let new_first = self.position(first).unwrap_or(self.at);
                match self.position(last) {
                    Some(new_last) => Some((new_first, new_last)),
                    None if self.at > first => Some((new_first, self.at - 1)),
                    None => None,
                }
            }
        }
    }
}

/// The formula after it was copied that many rows and columns away.
pub fn copied(tree: &Expr, rows: i64, columns: i64) -> Expr {
    map(tree, &|part| match part {
        Expr::Cell(reference) => Some(match reference.copied(rows, columns) {
            Some(reference) => Expr::Cell(reference),
            None => Expr::Error(CellError::Ref),
        }),
        Expr::Range(a, b) => Some(match (a.copied(rows, columns), b.copied(rows, columns)) {
            (Some(a), Some(b)) => Expr::Range(a, b),
            _ => Expr::Error(CellError::Ref),
        }),
        _ => None,
    })
}

/// The formula after rows or columns came or went.
pub fn changed(tree: &Expr, change: &Change) -> Expr {
    map(tree, &|part| match part {
        Expr::Cell(reference) => Some(match change.cell(reference.cell) {
            Some(cell) => Expr::Cell(Reference { cell, ..*reference }),
            None => Expr::Error(CellError::Ref),
        }),
        Expr::Range(a, b) => Some(changed_range(a, b, change)),
        _ => None,
    })
}

fn changed_range(a: &Reference, b: &Reference, change: &Change) -> Expr {
    let (first, last) = match change.axis {
        Axis::Rows => (a.cell.row, b.cell.row),
        Axis::Columns => (a.cell.column, b.cell.column),
    };
    let Some((low, high)) = change.ends(first.min(last), first.max(last)) else {
        return Expr::Error(CellError::Ref);
    };
    let (first, last) = if first <= last { (low, high) } else { (high, low) };
    let place = |reference: &Reference, position: u32| {
        let mut cell = reference.cell;
        match change.axis {
            Axis::Rows => cell.row = position,
            Axis::Columns => cell.column = position,
        }
        Reference { cell, ..*reference }
    };
    Expr::Range(place(a, first), place(b, last))
}

/// The formula after a block of cells was moved: references into it follow.
pub fn moved(tree: &Expr, inside: &dyn Fn(CellRef) -> bool, rows: i64, columns: i64) -> Expr {
    let follow = |reference: &Reference| match reference.cell.offset(rows, columns) {
        Some(cell) if inside(reference.cell) => Reference { cell, ..*reference },
        _ => *reference,
    };
    map(tree, &|part| match part {
        Expr::Cell(reference) => Some(Expr::Cell(follow(reference))),
        // A range follows only as a whole.
        Expr::Range(a, b) if inside(a.cell) && inside(b.cell) => Some(Expr::Range(follow(a), follow(b))),
        _ => None,
    })
}

/// A copy of the tree in which parts for which `replace` has something are replaced.
fn map(tree: &Expr, replace: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
    if let Some(other) = replace(tree) {
        return other;
    }
    let inner = |part: &Expr| Box::new(map(part, replace));
    match tree {
        Expr::Unary(operator, part) => Expr::Unary(*operator, inner(part)),
        Expr::Percent(part) => Expr::Percent(inner(part)),
        Expr::Binary(operator, left, right) => Expr::Binary(*operator, inner(left), inner(right)),
        Expr::Call(name, arguments) => {
            Expr::Call(name.clone(), arguments.iter().map(|argument| map(argument, replace)).collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{parse, print::print};
    use super::*;

    fn after(text: &str, kind: ChangeKind, axis: Axis, at: u32, count: u32) -> String {
        print(&changed(&parse(text).unwrap(), &Change { axis, at, count, kind }))
    }

    #[test]
    fn copies_keep_what_has_a_dollar() {
        let copy = |text: &str| print(&copied(&parse(text).unwrap(), 2, 1));
        assert_eq!(copy("A1+$A1+A$1+$A$1"), "B3+$A3+B$1+$A$1");
        assert_eq!(copy("SUM(A1:B2)"), "SUM(B3:C4)");
        assert_eq!(print(&copied(&parse("A1+B2").unwrap(), -1, 0)), "#REF!+B1");
    }

    #[test]
    fn rows_that_come_push_references_down() {
        assert_eq!(after("A1+A5", ChangeKind::Insert, Axis::Rows, 2, 3), "A1+A8");
        assert_eq!(after("SUM(A1:A5)", ChangeKind::Insert, Axis::Rows, 2, 3), "SUM(A1:A8)");
    }

    #[test]
    fn rows_that_go_shrink_ranges() {
        assert_eq!(after("SUM(A2:A9)", ChangeKind::Delete, Axis::Rows, 3, 2), "SUM(A2:A7)");
        assert_eq!(after("SUM(A2:A9)", ChangeKind::Delete, Axis::Rows, 0, 4), "SUM(A1:A5)");
        assert_eq!(after("SUM(A2:A9)", ChangeKind::Delete, Axis::Rows, 5, 9), "SUM(A2:A5)");
        assert_eq!(after("SUM(A2:A9)", ChangeKind::Delete, Axis::Rows, 0, 20), "SUM(#REF!)");
        assert_eq!(after("B3", ChangeKind::Delete, Axis::Columns, 1, 1), "#REF!");
    }
}

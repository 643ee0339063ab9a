//! Finding values in blocks of cells.

use super::{Answer, Function};
use crate::error::CellError;
use crate::eval::criteria::matches_pattern;
use crate::eval::{compare, Arguments};
use crate::value::Value;

#[rustfmt::skip]
pub const FUNCTIONS: &[Function] = &[
    Function { name: "COLUMNS", fewest: 1, most: 1, help: "how many columns", run: |a| Ok(Value::Number(a.block(0)?.width() as f64)) },
    Function { name: "HLOOKUP", fewest: 3, most: 4, help: "looks in the first row, gives one below", run: |a| table(a, true) },
    Function { name: "INDEX", fewest: 2, most: 3, help: "the value at a place of a block", run: index },
    Function { name: "MATCH", fewest: 2, most: 3, help: "the place of a value in a row or column", run: place },
    Function { name: "ROWS", fewest: 1, most: 1, help: "how many rows", run: |a| Ok(Value::Number(a.block(0)?.height() as f64)) },
    Function { name: "VLOOKUP", fewest: 3, most: 4, help: "looks in the first column, gives one to the right", run: |a| table(a, false) },
];

/// How a value is looked for.
enum Search {
    /// The first that is equal; texts may have `*` and `?`.
    Exact,
    /// The last that is not larger, in a list that ascends.
    NotLarger,
    /// The last that is not smaller, in a list that descends.
    NotSmaller,
}

fn find(wanted: &Value, list: &[&Value], search: &Search) -> Option<usize> {
    let same_kind = |value: &Value| std::mem::discriminant(value) == std::mem::discriminant(wanted);
    match search {
        Search::Exact => list.iter().position(|value| match (wanted, value) {
            (Value::Text(pattern), Value::Text(text)) if pattern.contains(['*', '?']) => {
                matches_pattern(&text.to_lowercase(), &pattern.to_lowercase())
            }
            _ => same_kind(value) && compare(value, wanted).is_eq(),
        }),
        Search::NotLarger => list.iter().rposition(|value| same_kind(value) && compare(value, wanted).is_le()),
        Search::NotSmaller => list.iter().rposition(|value| same_kind(value) && compare(value, wanted).is_ge()),
    }
}

/// VLOOKUP, and HLOOKUP if `across`.
fn table(arguments: &Arguments, across: bool) -> Answer {
    let wanted = arguments.value(0);
    if let Some(error) = wanted.error() {
        return Err(error);
    }
    let block = arguments.block(1)?;
    let line = usize::try_from(arguments.whole(2)? - 1).map_err(|_| CellError::Value)?;
    let search = if arguments.truth_or(3, true)? { Search::NotLarger } else { Search::Exact };
    let keys: Vec<&Value> =
        if across { block.rows[0].iter().collect() } else { block.rows.iter().map(|row| &row[0]).collect() };
    let at = find(&wanted, &keys, &search).ok_or(CellError::NotAvailable)?;
    let found = if across { block.rows.get(line).map(|row| &row[at]) } else { block.rows[at].get(line) };
    found.cloned().ok_or(CellError::Ref)
}

/// Block, row, column; with one number only, the block has to be one row or column.
fn index(arguments: &Arguments) -> Answer {
    let block = arguments.block(0)?;
    let first = arguments.whole(1)?;
    let (row, column) = match (arguments.count(), block.height()) {
        (2, 1) => (1, first),
        (2, _) => (first, 1),
        _ => (first, arguments.whole(2)?),
    };
    let row = usize::try_from(row - 1).map_err(|_| CellError::Value)?;
    let column = usize::try_from(column - 1).map_err(|_| CellError::Value)?;
    block.rows.get(row).and_then(|values| values.get(column)).cloned().ok_or(CellError::Ref)
}

fn place(arguments: &Arguments) -> Answer {
    let wanted = arguments.value(0);
    if let Some(error) = wanted.error() {
        return Err(error);
    }
    let block = arguments.block(1)?;
    if block.height() > 1 && block.width() > 1 {
        return Err(CellError::NotAvailable);
    }
    let search = match arguments.whole_or(2, 1)? {
        0 => Search::Exact,
        kind if kind > 0 => Search::NotLarger,
        _ => Search::NotSmaller,
    };
    let list: Vec<&Value> = block.values().collect();
    find(&wanted, &list, &search).map(|at| Value::Number((at + 1) as f64)).ok_or(CellError::NotAvailable)
}

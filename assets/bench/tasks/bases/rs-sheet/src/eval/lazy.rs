//! Functions that do not look at all of their arguments.

use super::{value_of, Cells};
use crate::error::CellError;
use crate::formula::Expr;
use crate::value::Value;

/// The value of such a function, or nothing if `name` is not one of them.
pub fn call(name: &str, arguments: &[Expr], cells: &dyn Cells) -> Option<Result<Value, CellError>> {
    let value = match (name, arguments) {
        ("IF", [condition, yes]) => choose(condition, yes, None, cells),
        ("IF", [condition, yes, no]) => choose(condition, yes, Some(no), cells),
        ("IFERROR", [value, other]) => instead(value, other, cells, |_| true),
        ("IFNA", [value, other]) => instead(value, other, cells, |error| error == CellError::NotAvailable),
        ("CHOOSE", [index, choices @ ..]) if !choices.is_empty() => pick(index, choices, cells),
        ("IF" | "IFERROR" | "IFNA" | "CHOOSE", _) => Err(CellError::Value),
        _ => return None,
    };
    Some(value)
}

/// Names of these functions, with what they are for.
pub const LAZY: [(&str, &str); 4] = [
    ("IF", "one of two values, by a condition"),
    ("IFERROR", "another value in place of any error"),
    ("IFNA", "another value in place of #N/A"),
    ("CHOOSE", "one of several values, by number"),
];

fn choose(condition: &Expr, yes: &Expr, no: Option<&Expr>, cells: &dyn Cells) -> Result<Value, CellError> {
    match (value_of(condition, cells)?.to_bool()?, no) {
        (true, _) => value_of(yes, cells),
        (false, Some(no)) => value_of(no, cells),
        (false, None) => Ok(Value::Bool(false)),
    }
}

fn instead(value: &Expr, other: &Expr, cells: &dyn Cells, when: fn(CellError) -> bool) -> Result<Value, CellError> {
    match value_of(value, cells) {
        Err(error) if when(error) => value_of(other, cells),
        result => result,
    }
}

fn pick(index: &Expr, choices: &[Expr], cells: &dyn Cells) -> Result<Value, CellError> {
    let index = value_of(index, cells)?.to_whole()?;
    let place = usize::try_from(index - 1).map_err(|_| CellError::Value)?;
    value_of(choices.get(place).ok_or(CellError::Value)?, cells)
}

//! Truth values, and what kind of value something is.

use super::{Answer, Function, MANY};
use crate::error::CellError;
use crate::eval::Arguments;
use crate::value::Value;

#[rustfmt::skip]
pub const FUNCTIONS: &[Function] = &[
    Function { name: "AND", fewest: 1, most: MANY, help: "whether all are true", run: |a| truths(a, |all| all.iter().all(|yes| *yes)) },
    Function { name: "ISBLANK", fewest: 1, most: 1, help: "whether a cell is empty", run: |a| is(a, Value::is_empty) },
    Function { name: "ISERROR", fewest: 1, most: 1, help: "whether something is an error", run: |a| is(a, |value| value.error().is_some()) },
    Function { name: "ISNA", fewest: 1, most: 1, help: "whether something is #N/A", run: |a| is(a, |value| value.error() == Some(CellError::NotAvailable)) },
    Function { name: "ISNUMBER", fewest: 1, most: 1, help: "whether something is a number", run: |a| is(a, |value| matches!(value, Value::Number(_))) },
    Function { name: "ISTEXT", fewest: 1, most: 1, help: "whether something is a text", run: |a| is(a, |value| matches!(value, Value::Text(_))) },
    Function { name: "NA", fewest: 0, most: 0, help: "the error #N/A", run: |_| Err(CellError::NotAvailable) },
    Function { name: "NOT", fewest: 1, most: 1, help: "the opposite", run: |a| Ok(Value::Bool(!a.value(0).to_bool()?)) },
    Function { name: "OR", fewest: 1, most: MANY, help: "whether one is true", run: |a| truths(a, |all| all.iter().any(|yes| *yes)) },
    Function { name: "XOR", fewest: 1, most: MANY, help: "whether an odd number is true", run: |a| truths(a, |all| all.iter().filter(|yes| **yes).count() % 2 == 1) },
];

fn is(arguments: &Arguments, wanted: fn(&Value) -> bool) -> Answer {
    Ok(Value::Bool(wanted(&arguments.value(0))))
}

fn truths(arguments: &Arguments, judge: fn(&[bool]) -> bool) -> Answer {
    let all = arguments.truths(0)?;
    if all.is_empty() {
        return Err(CellError::Value);
    }
    Ok(Value::Bool(judge(&all)))
}

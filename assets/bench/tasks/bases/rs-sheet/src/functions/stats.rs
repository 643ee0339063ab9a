//! Counting, averages, order.

use super::{Answer, Function, MANY};
use crate::error::CellError;
use crate::eval::criteria::Criterion;
use crate::eval::Arguments;
use crate::value::Value;

#[rustfmt::skip]
pub const FUNCTIONS: &[Function] = &[
    Function { name: "AVERAGE", fewest: 1, most: MANY, help: "the mean of all numbers", run: |a| mean(&a.numbers(0)?) },
    Function { name: "AVERAGEIF", fewest: 2, most: 3, help: "the mean where a condition holds", run: |a| mean(&chosen(a)?) },
    Function { name: "COUNT", fewest: 1, most: MANY, help: "how many numbers", run: |a| count(a, |value| matches!(value, Value::Number(_))) },
    Function { name: "COUNTA", fewest: 1, most: MANY, help: "how many cells that are not empty", run: |a| count(a, |value| !value.is_empty()) },
    Function { name: "COUNTBLANK", fewest: 1, most: 1, help: "how many empty cells", run: |a| count(a, Value::is_empty) },
    Function { name: "COUNTIF", fewest: 2, most: 2, help: "how many cells for which a condition holds", run: count_if },
    Function { name: "LARGE", fewest: 2, most: 2, help: "the n-th largest number", run: |a| nth(a, true) },
    Function { name: "MAX", fewest: 1, most: MANY, help: "the largest number", run: |a| extreme(&a.numbers(0)?, f64::max) },
    Function { name: "MEDIAN", fewest: 1, most: MANY, help: "the middle of all numbers", run: median },
    Function { name: "MIN", fewest: 1, most: MANY, help: "the smallest number", run: |a| extreme(&a.numbers(0)?, f64::min) },
    Function { name: "RANK", fewest: 2, most: 3, help: "the place of a number among others, the largest first", run: rank },
    Function { name: "SMALL", fewest: 2, most: 2, help: "the n-th smallest number", run: |a| nth(a, false) },
    Function { name: "STDEV", fewest: 1, most: MANY, help: "standard deviation of a sample", run: |a| Ok(Value::number(variance(a)?.sqrt())) },
    Function { name: "SUMIF", fewest: 2, most: 3, help: "the sum where a condition holds", run: |a| Ok(Value::number(chosen(a)?.iter().sum())) },
    Function { name: "VAR", fewest: 1, most: MANY, help: "variance of a sample", run: |a| Ok(Value::number(variance(a)?)) },
];

fn mean(numbers: &[f64]) -> Answer {
    if numbers.is_empty() {
        return Err(CellError::DivZero);
    }
    Ok(Value::number(numbers.iter().sum::<f64>() / numbers.len() as f64))
}

fn count(arguments: &Arguments, wanted: fn(&Value) -> bool) -> Answer {
    let found = arguments.values(0).into_iter().filter(|value| wanted(value)).count();
    Ok(Value::Number(found as f64))
}

fn count_if(arguments: &Arguments) -> Answer {
    let criterion = Criterion::read(&arguments.value(1));
    let found = arguments.block(0)?.values().filter(|value| criterion.matches(value)).count();
    Ok(Value::Number(found as f64))
}

/// The numbers of SUMIF and AVERAGEIF: those of the third argument (or of the
/// first, if there is none) at the places where the first one meets the second.
fn chosen(arguments: &Arguments) -> Result<Vec<f64>, CellError> {
    let tested = arguments.block(0)?;
    let criterion = Criterion::read(&arguments.value(1));
    let summed = if arguments.count() > 2 { arguments.block(2)? } else { tested.clone() };
    if (tested.height(), tested.width()) != (summed.height(), summed.width()) {
        return Err(CellError::Value);
    }
    let mut numbers = Vec::new();
    for (value, summed) in tested.values().zip(summed.values()) {
        if !criterion.matches(value) {
            continue;
        }
        match summed {
            Value::Number(number) => numbers.push(*number),
            Value::Error(error) => return Err(*error),
            Value::Empty | Value::Text(_) | Value::Bool(_) => {}
        }
    }
    Ok(numbers)
}

/// The largest or smallest number; 0 if there are none, as in other spreadsheets.
fn extreme(numbers: &[f64], better: fn(f64, f64) -> f64) -> Answer {
    Ok(Value::Number(numbers.iter().copied().reduce(better).unwrap_or(0.0)))
}

fn sorted(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers
}

fn median(arguments: &Arguments) -> Answer {
    let numbers = sorted(arguments.numbers(0)?);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => Err(CellError::Num),
        count if count % 2 == 1 => Ok(Value::number(numbers[middle])),
        _ => Ok(Value::number((numbers[middle - 1] + numbers[middle]) / 2.0)),
    }
}

fn nth(arguments: &Arguments, from_top: bool) -> Answer {
    let block = arguments.block(0)?;
    let mut numbers = Vec::new();
    for value in block.values() {
        match value {
            Value::Number(number) => numbers.push(*number),
            Value::Error(error) => return Err(*error),
            Value::Empty | Value::Text(_) | Value::Bool(_) => {}
        }
    }
    let mut numbers = sorted(numbers);
    if from_top {
        numbers.reverse();
    }
    let place = usize::try_from(arguments.whole(1)? - 1).map_err(|_| CellError::Num)?;
    numbers.get(place).map(|number| Value::number(*number)).ok_or(CellError::Num)
}

/// 1 and the number of those that are before it; equal ones share a place.
fn rank(arguments: &Arguments) -> Answer {
    let number = arguments.number(0)?;
    let ascending = arguments.truth_or(2, false)?;
    let block = arguments.block(1)?;
    let mut before = 0;
    let mut found = false;
    for value in block.values() {
        if let Value::Number(other) = value {
            found |= *other == number;
            before += usize::from(if ascending { *other < number } else { *other > number });
        }
    }
    if found {
        Ok(Value::Number((before + 1) as f64))
    } else {
        Err(CellError::NotAvailable)
    }
}

fn variance(arguments: &Arguments) -> Result<f64, CellError> {
    let numbers = arguments.numbers(0)?;
    if numbers.len() < 2 {
        return Err(CellError::DivZero);
    }
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    Ok(numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0))
}

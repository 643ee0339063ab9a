//! Arithmetic, rounding and the like.

use super::{Answer, Function, MANY};
use crate::error::CellError;
use crate::eval::Arguments;
use crate::value::Value;

#[rustfmt::skip]
pub const FUNCTIONS: &[Function] = &[
    Function { name: "ABS", fewest: 1, most: 1, help: "a number without its sign", run: |a| plain(a, f64::abs) },
    Function { name: "CEILING", fewest: 1, most: 2, help: "up to a multiple", run: |a| to_multiple(a, f64::ceil) },
    Function { name: "EXP", fewest: 1, most: 1, help: "e to the power of a number", run: |a| plain(a, f64::exp) },
    Function { name: "FLOOR", fewest: 1, most: 2, help: "down to a multiple", run: |a| to_multiple(a, f64::floor) },
    Function { name: "GCD", fewest: 1, most: MANY, help: "greatest common divisor", run: |a| whole_fold(a, 0, gcd) },
    Function { name: "@@FUNC@@", fewest: 2, most: 2, help: "division rounded down", run: divided_whole },
    Function { name: "INT", fewest: 1, most: 1, help: "the next lower whole number", run: |a| plain(a, f64::floor) },
    Function { name: "LCM", fewest: 1, most: MANY, help: "least common multiple", run: |a| whole_fold(a, 1, lcm) },
    Function { name: "LN", fewest: 1, most: 1, help: "natural logarithm", run: |a| logarithm(a.number(0)?, std::f64::consts::E) },
    Function { name: "LOG", fewest: 1, most: 2, help: "logarithm to a base, usually 10", run: |a| logarithm(a.number(0)?, a.number_or(1, 10.0)?) },
    Function { name: "MOD", fewest: 2, most: 2, help: "the rest of a division, with the divisor's sign", run: modulo },
    Function { name: "PI", fewest: 0, most: 0, help: "3.14159…", run: |_| Ok(Value::Number(std::f64::consts::PI)) },
    Function { name: "POWER", fewest: 2, most: 2, help: "a power", run: |a| Ok(Value::number(a.number(0)?.powf(a.number(1)?))) },
    Function { name: "PRODUCT", fewest: 1, most: MANY, help: "all numbers multiplied", run: |a| Ok(Value::number(a.numbers(0)?.iter().product())) },
    Function { name: "ROUND", fewest: 1, most: 2, help: "rounded to decimals, half away from zero", run: |a| rounded(a, f64::round) },
    Function { name: "ROUNDDOWN", fewest: 1, most: 2, help: "rounded towards zero", run: |a| rounded(a, f64::trunc) },
    Function { name: "ROUNDUP", fewest: 1, most: 2, help: "rounded away from zero", run: |a| rounded(a, away_from_zero) },
    Function { name: "SIGN", fewest: 1, most: 1, help: "1, 0 or -1", run: |a| plain(a, |x| if x == 0.0 { 0.0 } else { x.signum() }) },
    Function { name: "SQRT", fewest: 1, most: 1, help: "square root", run: |a| plain(a, f64::sqrt) },
    Function { name: "SUM", fewest: 1, most: MANY, help: "all numbers added", run: |a| Ok(Value::number(a.numbers(0)?.iter().sum())) },
    Function { name: "SUMPRODUCT", fewest: 1, most: MANY, help: "products of blocks, cell by cell, added", run: sum_of_products },
    Function { name: "TRUNC", fewest: 1, most: 2, help: "cut off towards zero", run: |a| rounded(a, f64::trunc) },
];

/// A function of one number. Results that are no number become `#NUM!`.
fn plain(arguments: &Arguments, function: fn(f64) -> f64) -> Answer {
    Ok(Value::number(function(arguments.number(0)?)))
}

fn away_from_zero(number: f64) -> f64 {
    if number < 0.0 {
        number.floor()
    } else {
        number.ceil()
    }
}

/// Rounds to the decimals of the second argument; negative ones mean tens, hundreds.
fn rounded(arguments: &Arguments, function: fn(f64) -> f64) -> Answer {
    let number = arguments.number(0)?;
    let decimals = arguments.whole_or(1, 0)?.clamp(-15, 15) as i32;
    Ok(Value::number(round_with(number, decimals, function)))
}

/// Scales, rounds and scales back. What is off by less than the precision of a
/// number counts as exact, so that 1.005 rounds to 1.01.
pub fn round_with(number: f64, decimals: i32, function: fn(f64) -> f64) -> f64 {
    let scale = 10f64.powi(decimals.abs());
    let scaled = if decimals >= 0 { number * scale } else { number / scale };
    let nudged = scaled + scaled.signum() * scaled.abs() * f64::EPSILON * 2.0;
    let whole = if (nudged.round() - scaled).abs() < scaled.abs() * 1e-14 { scaled.round() } else { function(nudged) };
    if decimals >= 0 {
        whole / scale
    } else {
        whole * scale
    }
}

fn to_multiple(arguments: &Arguments, function: fn(f64) -> f64) -> Answer {
    let (number, multiple) = (arguments.number(0)?, arguments.number_or(1, 1.0)?);
    if multiple == 0.0 {
        return Err(CellError::DivZero);
    }
    Ok(Value::number(function(number / multiple) * multiple))
}

fn modulo(arguments: &Arguments) -> Answer {
    let (number, divisor) = (arguments.number(0)?, arguments.number(1)?);
    if divisor == 0.0 {
        return Err(CellError::DivZero);
    }
    Ok(Value::number(number - divisor * (number / divisor).floor()))
}

fn divided_whole(arguments: &Arguments) -> Answer {
    let (number, divisor) = (arguments.number(0)?, arguments.number(1)?);
    if divisor == 0.0 {
        return Err(CellError::DivZero);
    }
    Ok(Value::number((number / divisor).floor()))
}

fn logarithm(number: f64, base: f64) -> Answer {
    if number <= 0.0 || base <= 0.0 {
        return Err(CellError::Num);
    }
    if base == 1.0 {
        return Err(CellError::DivZero);
    }
    // ln(1000)/ln(10) would be a little less than 3.
    let result = if base == 10.0 { number.log10() } else { number.ln() / base.ln() };
    Ok(Value::number(result))
}

fn whole_fold(arguments: &Arguments, start: u64, fold: fn(u64, u64) -> Option<u64>) -> Answer {
    let mut result = start;
    for number in arguments.numbers(0)? {
        if !(0.0..9e15).contains(&number) {
            return Err(CellError::Num);
        }
        result = fold(result, number.trunc() as u64).ok_or(CellError::Num)?;
    }
    Ok(Value::number(result as f64))
}

fn gcd(a: u64, b: u64) -> Option<u64> {
    if b == 0 {
        Some(a)
    } else {
        gcd(b, a % b)
    }
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    if a == 0 || b == 0 {
        return Some(0);
    }
    (a / gcd(a, b)?).checked_mul(b)
}

fn sum_of_products(arguments: &Arguments) -> Answer {
    let first = arguments.block(0)?;
    let mut products = vec![1.0; first.height() * first.width()];
    for index in 0..arguments.count() {
        let block = arguments.block(index)?;
        if (block.height(), block.width()) != (first.height(), first.width()) {
            return Err(CellError::Value);
        }
        for (product, value) in products.iter_mut().zip(block.values()) {
            match value {
                Value::Number(number) => *product *= number,
                Value::Error(error) => return Err(*error),
                // As in other spreadsheets, what is no number counts as 0.
                Value::Empty | Value::Text(_) | Value::Bool(_) => *product = 0.0,
            }
        }
    }
    Ok(Value::number(products.iter().sum()))
}

//! Values of cells, and how one kind is taken for another.

use std::cmp::Ordering;

use crate::error::CellError;

#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    #[default]
    Empty,
    Number(f64),
    Text(String),
    Bool(bool),
    Error(CellError),
}

impl Value {
    pub fn text(text: impl Into<String>) -> Value {
        Value::Text(text.into())
    }

    /// A number, or `#NUM!` if it is not finite.
    pub fn number(number: f64) -> Value {
        if number.is_finite() {
            Value::Number(number)
        } else {
            Value::Error(CellError::Num)
        }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self, Value::Empty)
    }

    pub fn error(&self) -> Option<CellError> {
        match self {
            Value::Error(error) => Some(*error),
            Value::Empty | Value::Number(_) | Value::Text(_) | Value::Bool(_) => None,
        }
    }

    /// The number this value stands for in a calculation. Empty cells are 0,
    /// texts count if they can be read as a number.
    pub fn to_number(&self) -> Result<f64, CellError> {
        match self {
            Value::Empty => Ok(0.0),
            Value::Number(number) => Ok(*number),
            Value::Bool(yes) => Ok(f64::from(u8::from(*yes))),
            Value::Text(text) => text.trim().parse().map_err(|_| CellError::Value),
            Value::Error(error) => Err(*error),
        }
    }

    /// A whole number, cut off towards zero.
    pub fn to_whole(&self) -> Result<i64, CellError> {
        let number = self.to_number()?.trunc();
        if number.abs() < 9e15 {
            Ok(number as i64)
        } else {
            Err(CellError::Num)
        }
    }

    pub fn to_bool(&self) -> Result<bool, CellError> {
        match self {
            Value::Empty => Ok(false),
            Value::Number(number) => Ok(*number != 0.0),
            Value::Bool(yes) => Ok(*yes),
            Value::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
            Value::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
            Value::Text(_) => Err(CellError::Value),
            Value::Error(error) => Err(*error),
        }
    }

    /// The text this value stands for in a calculation (`&`, `LEN` and so on).
    pub fn to_text(&self) -> Result<String, CellError> {
        match self {
            Value::Error(error) => Err(*error),
            other => Ok(other.plain()),
        }
    }

    /// The value without any format: what `&` joins and what CSV files get.
    pub fn plain(&self) -> String {
        match self {
            Value::Empty => String::new(),
            Value::Number(number) => plain_number(*number),
            Value::Text(text) => text.clone(),
            Value::Bool(true) => "TRUE".to_string(),
            Value::Bool(false) => "FALSE".to_string(),
            Value::Error(error) => error.code().to_string(),
        }
    }

    /// Where the kind of value stands when unlike values are put in order.
    fn rank(&self) -> u8 {
        match self {
            Value::Number(_) => 0,
            Value::Text(_) => 1,
            Value::Bool(_) => 2,
            Value::Error(_) => 3,
            Value::Empty => 4,
        }
    }

    /// The order of a sorted column: numbers, texts (whatever their case), truth
    /// values, errors, and empty cells last.
    pub fn sort_order(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a.total_cmp(b),
            (Value::Text(a), Value::Text(b)) => a.to_lowercase().cmp(&b.to_lowercase()),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Error(a), Value::Error(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

/// A number without needless digits: fifteen significant ones at most, so that
/// `0.1+0.2` is `0.3`.
pub fn plain_number(number: f64) -> String {
    if number == 0.0 {
        return "0".to_string();
    }
    let magnitude = number.abs().log10().floor() as i32;
    if !(-9..15).contains(&magnitude) {
        return scientific(number);
    }
    let decimals = (14 - magnitude).clamp(0, 15) as usize;
    let text = format!("{number:.decimals$}");
    trim_zeros(&text).to_string()
}

fn scientific(number: f64) -> String {
    let text = format!("{number:.14e}");
    match text.split_once('e') {
        Some((digits, exponent)) => format!("{}E{exponent}", trim_zeros(digits)),
        None => text,
    }
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_needless_digits() {
        assert_eq!(plain_number(0.1 + 0.2), "0.3");
        assert_eq!(plain_number(-12.50), "-12.5");
        assert_eq!(plain_number(1e20), "1E20");
        assert_eq!(plain_number(300.0), "300");
    }

    #[test]
    fn kinds_have_an_order() {
        let mut values = [
            Value::Empty,
            Value::Bool(false),
            Value::text("b"),
            Value::text("A"),
            Value::Number(9.0),
            Value::Number(-1.0),
        ];
        values.sort_by(Value::sort_order);
        let texts: Vec<String> = values.iter().map(Value::plain).collect();
        assert_eq!(texts, ["-1", "9", "A", "b", "FALSE", ""]);
    }

    #[test]
    fn empty_cells_count_as_nothing() {
        assert_eq!(Value::Empty.to_number(), Ok(0.0));
        assert_eq!(Value::Empty.to_bool(), Ok(false));
        assert_eq!(Value::text("x").to_number(), Err(CellError::Value));
    }
}

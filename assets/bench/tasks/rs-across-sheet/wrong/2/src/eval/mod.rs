//! From a tree to a value.

pub mod arguments;
pub mod criteria;
mod lazy;

pub use arguments::Arguments;
pub use lazy::LAZY;

use crate::address::{CellRef, Range};
use crate::config::Settings;
use crate::error::CellError;
use crate::formula::{BinaryOp, Expr, UnaryOp};
use crate::functions;
use crate::value::Value;
use std::cmp::Ordering;

/// Where a formula finds what it refers to.
pub trait Cells {
    fn value(&self, cell: CellRef) -> Value;

    /// The range a name was given to.
    fn named(&self, name: &str) -> Option<Range>;

    fn settings(&self) -> &Settings;
}

/// What an argument of a function is: one value, or a block of cells.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    Value(Value),
    Block(Block),
}

/// The values of a range, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    pub range: Range,
    pub rows: Vec<Vec<Value>>,
}

impl Block {
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    pub fn width(&self) -> usize {
        self.rows.first().map_or(0, Vec::len)
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.rows.iter().flatten()
    }
}

/// The value of a formula. Errors are values here.
pub fn evaluate(tree: &Expr, cells: &dyn Cells) -> Value {
    match value_of(tree, cells) {
        // A formula that refers to an empty cell shows 0.
        Ok(Value::Empty) => Value::Number(0.0),
        Ok(Value::Number(number)) => Value::number(number),
        Ok(value) => value,
        Err(error) => Value::Error(error),
    }
}

/// The single value of a part of a formula.
fn value_of(tree: &Expr, cells: &dyn Cells) -> Result<Value, CellError> {
    match operand_of(tree, cells)? {
        Operand::Value(Value::Error(error)) => Err(error),
        Operand::Value(value) => Ok(value),
        Operand::Block(block) => match block.rows.as_slice() {
            [row] if row.len() == 1 => match &row[0] {
                Value::Error(error) => Err(*error),
                value => Ok(value.clone()),
            },
            _ => Err(CellError::Value),
        },
    }
}

/// A part of a formula as an argument: ranges stay blocks.
fn operand_of(tree: &Expr, cells: &dyn Cells) -> Result<Operand, CellError> {
    let value = match tree {
        Expr::Number(number) => Value::Number(*number),
        Expr::Text(text) => Value::text(text),
        Expr::Bool(yes) => Value::Bool(*yes),
        Expr::Error(error) => Value::Error(*error),
        Expr::Cell(reference) => cells.value(reference.cell),
        Expr::Range(a, b) => return Ok(Operand::Block(block(Range::new(a.cell, b.cell), cells))),
        Expr::Name(name) => {
            let range = cells.named(name).ok_or(CellError::Name)?;
            return Ok(Operand::Block(block(range, cells)));
        }
        Expr::Unary(operator, inner) => {
            let number = value_of(inner, cells)?.to_number()?;
            Value::Number(match operator {
                UnaryOp::Plus => number,
                UnaryOp::Minus => -number,
            })
        }
        Expr::Percent(inner) => Value::Number(value_of(inner, cells)?.to_number()? / 100.0),
        Expr::Binary(operator, left, right) => binary(*operator, &value_of(left, cells)?, &value_of(right, cells)?)?,
        Expr::Call(name, arguments) => call(name, arguments, cells)?,
    };
    Ok(Operand::Value(value))
}

fn block(range: Range, cells: &dyn Cells) -> Block {
    let row =
        |row| (range.start.column..=range.end.column).map(|column| cells.value(CellRef::new(row, column))).collect();
    Block { range, rows: (range.start.row..=range.end.row).map(row).collect() }
}

fn call(name: &str, arguments: &[Expr], cells: &dyn Cells) -> Result<Value, CellError> {
    if let Some(value) = lazy::call(name, arguments, cells) {
        return value;
    }
    let function = functions::find(name).ok_or(CellError::Name)?;
    if !function.takes(arguments.len()) {
        return Err(CellError::Value);
    }
    let mut operands = Vec::with_capacity(arguments.len());
    for argument in arguments {
        operands.push(match operand_of(argument, cells) {
            Ok(operand) => operand,
            // Functions such as ISERROR want to see the error itself.
            Err(error) => Operand::Value(Value::Error(error)),
        });
    }
    (function.run)(&Arguments::new(operands, cells.settings()))
}

fn binary(operator: BinaryOp, left: &Value, right: &Value) -> Result<Value, CellError> {
    let numbers = || Ok::<_, CellError>((left.to_number()?, right.to_number()?));
    let order = |wanted: fn(Ordering) -> bool| Value::Bool(wanted(compare(left, right)));
    Ok(match operator {
        BinaryOp::Add => numbers().map(|(a, b)| Value::number(a + b))?,
        BinaryOp::Subtract => numbers().map(|(a, b)| Value::number(a - b))?,
        BinaryOp::Multiply => numbers().map(|(a, b)| Value::number(a * b))?,
        BinaryOp::Divide => match numbers()? {
            (_, 0.0) => return Err(CellError::DivZero),
            (a, b) => Value::number(a / b),
        },
        BinaryOp::DivideWhole => match numbers()? {
            (_, 0.0) => return Err(CellError::DivZero),
            (a, b) => Value::number((a / b).floor()),
        },
        BinaryOp::Power => match numbers()? {
            (0.0, b) if b < 0.0 => return Err(CellError::DivZero),
            (a, b) => Value::number(a.powf(b)),
        },
        BinaryOp::Join => Value::Text(left.to_text()? + &right.to_text()?),
        BinaryOp::Equal => order(Ordering::is_eq),
        BinaryOp::NotEqual => order(Ordering::is_ne),
        BinaryOp::Less => order(Ordering::is_lt),
        BinaryOp::LessEqual => order(Ordering::is_le),
        BinaryOp::Greater => order(Ordering::is_gt),
        BinaryOp::GreaterEqual => order(Ordering::is_ge),
    })
}

/// The order of two values in a comparison. Unlike [`Value::sort_order`], an empty
/// cell is like 0, "" or FALSE, whichever the other one is.
pub fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Empty, Value::Empty) => Ordering::Equal,
        (Value::Empty, Value::Number(_)) => compare(&Value::Number(0.0), right),
        (Value::Empty, Value::Text(_)) => compare(&Value::text(""), right),
        (Value::Empty, Value::Bool(_)) => compare(&Value::Bool(false), right),
        (Value::Number(_) | Value::Text(_) | Value::Bool(_), Value::Empty) => compare(right, left).reverse(),
        (Value::Number(a), Value::Number(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
        _ => left.sort_order(right),
    }
}

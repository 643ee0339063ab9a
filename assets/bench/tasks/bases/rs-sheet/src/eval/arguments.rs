//! The arguments of a function, read as what the function needs.

use super::{Block, Operand};
use crate::address::{CellRef, Range};
use crate::config::Settings;
use crate::error::CellError;
use crate::value::Value;

type Read<T> = Result<T, CellError>;

pub struct Arguments<'a> {
    operands: Vec<Operand>,
    pub settings: &'a Settings,
}

impl<'a> Arguments<'a> {
    pub fn new(operands: Vec<Operand>, settings: &'a Settings) -> Arguments<'a> {
        Arguments { operands, settings }
    }

    pub fn count(&self) -> usize {
        self.operands.len()
    }

    /// The single value of an argument, errors included.
    pub fn value(&self, index: usize) -> Value {
        match self.operands.get(index) {
            None => Value::Empty,
            Some(Operand::Value(value)) => value.clone(),
            Some(Operand::Block(block)) => match block.rows.as_slice() {
                [row] if row.len() == 1 => row[0].clone(),
                _ => Value::Error(CellError::Value),
            },
        }
    }

    pub fn number(&self, index: usize) -> Read<f64> {
        self.value(index).to_number()
    }

    /// The number, or `usual` if the argument was left out.
    pub fn number_or(&self, index: usize, usual: f64) -> Read<f64> {
        if index < self.count() {
            self.number(index)
        } else {
            Ok(usual)
        }
    }

    pub fn whole(&self, index: usize) -> Read<i64> {
        self.value(index).to_whole()
    }

    pub fn whole_or(&self, index: usize, usual: i64) -> Read<i64> {
        if index < self.count() {
            self.whole(index)
        } else {
            Ok(usual)
        }
    }

    pub fn text(&self, index: usize) -> Read<String> {
        self.value(index).to_text()
    }

    pub fn truth_or(&self, index: usize, usual: bool) -> Read<bool> {
        if index < self.count() {
            self.value(index).to_bool()
        } else {
            Ok(usual)
        }
    }

    /// The argument as a block; a single value is a block of one cell.
    pub fn block(&self, index: usize) -> Read<Block> {
        match self.operands.get(index) {
            Some(Operand::Block(block)) => Ok(block.clone()),
            Some(Operand::Value(Value::Error(error))) => Err(*error),
            Some(Operand::Value(value)) => {
                Ok(Block { range: Range::single(CellRef::new(0, 0)), rows: vec![vec![value.clone()]] })
            }
            None => Err(CellError::Value),
        }
    }

    /// All values from an argument on, each with whether it came from a range.
    fn flat(&self, first: usize) -> impl Iterator<Item = (&Value, bool)> {
        self.operands.iter().skip(first).flat_map(|operand| {
            let values: Vec<(&Value, bool)> = match operand {
                Operand::Value(value) => vec![(value, false)],
                Operand::Block(block) => block.values().map(|value| (value, true)).collect(),
            };
            values
        })
    }

    /// All values from an argument on, errors included.
    pub fn values(&self, first: usize) -> Vec<&Value> {
        self.flat(first).map(|(value, _)| value).collect()
    }

    /// All numbers from an argument on. In ranges only numbers count; what is
    /// written into the formula itself must be readable as one. The first error
    /// ends it.
    pub fn numbers(&self, first: usize) -> Read<Vec<f64>> {
        let mut found = Vec::new();
        for (value, from_range) in self.flat(first) {
            match value {
                Value::Error(error) => return Err(*error),
                Value::Number(number) => found.push(*number),
                Value::Text(_) | Value::Bool(_) | Value::Empty if from_range => {}
                other => found.push(other.to_number()?),
            }
        }
        Ok(found)
    }

    /// All truth values from an argument on; texts and empty cells in ranges do not count.
    pub fn truths(&self, first: usize) -> Read<Vec<bool>> {
        let mut found = Vec::new();
        for (value, from_range) in self.flat(first) {
            match value {
                Value::Text(_) | Value::Empty if from_range => {}
                other => found.push(other.to_bool()?),
            }
        }
        Ok(found)
    }
}

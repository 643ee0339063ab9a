//! The tree of a formula.

use crate::address::{Range, Reference};
use crate::error::CellError;

#[derive(Debug, Clone, PartialEq)]
pub enum Expr {
    Number(f64),
    Text(String),
    Bool(bool),
    Error(CellError),
    Cell(Reference),
    Range(Reference, Reference),
    /// A name given to a cell or range, in small letters.
    Name(String),
    Unary(UnaryOp, Box<Expr>),
    /// `5%`
    Percent(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A function by its name in capitals, and its arguments.
    Call(String, Vec<Expr>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// Division rounded down to a whole number.
    DivideWhole,
    Power,
    Join,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl BinaryOp {
    /// How the operator is written.
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::DivideWhole => "@@SIGN@@",
            BinaryOp::Power => "^",
            BinaryOp::Join => "&",
            BinaryOp::Equal => "=",
            BinaryOp::NotEqual => "<>",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
        }
    }

    /// How tightly the operator binds; higher is tighter. All of them group from
    /// the left: `8-3-2` is `(8-3)-2`, and `2^3^2` is `(2^3)^2`.
    pub fn binding(self) -> u8 {
        match self {
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => 1,
            BinaryOp::Join => 2,
            BinaryOp::Add | BinaryOp::Subtract => 3,
            BinaryOp::Multiply | BinaryOp::Divide => 4,
            BinaryOp::DivideWhole | BinaryOp::Power => 5,
        }
    }
}

/// What a formula looks at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Precedent {
    Range(Range),
    Name(String),
}

impl Expr {
    /// Everything the formula refers to, each once, in the order of the text.
    pub fn precedents(&self) -> Vec<Precedent> {
        let mut found = Vec::new();
        self.visit(&mut |part| {
            let precedent = match part {
                Expr::Cell(reference) => Precedent::Range(Range::single(reference.cell)),
                Expr::Range(a, b) => Precedent::Range(Range::new(a.cell, b.cell)),
                Expr::Name(name) => Precedent::Name(name.clone()),
                _ => return,
            };
            if !found.contains(&precedent) {
                found.push(precedent);
            }
        });
        found
    }

    /// Names of the functions that are called, each once.
    pub fn functions(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        self.visit(&mut |part| {
            if let Expr::Call(name, _) = part {
                if !found.contains(name) {
                    found.push(name.clone());
                }
            }
        });
        found
    }

    /// Shows every part of the tree to `look`, a whole before its parts.
    pub fn visit(&self, look: &mut dyn FnMut(&Expr)) {
        look(self);
        match self {
            Expr::Unary(_, inner) | Expr::Percent(inner) => inner.visit(look),
            Expr::Binary(_, left, right) => {
                left.visit(look);
                right.visit(look);
            }
            Expr::Call(_, arguments) => arguments.iter().for_each(|argument| argument.visit(look)),
            Expr::Number(_)
            | Expr::Text(_)
            | Expr::Bool(_)
            | Expr::Error(_)
            | Expr::Cell(_)
            | Expr::Range(..)
            | Expr::Name(_) => {}
        }
    }
}

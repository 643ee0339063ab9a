//! Formulas: from text to a tree ([`lexer`], [`parser`]), what can be done with the
//! tree ([`shift`]), and back to text ([`print`]).

pub mod ast;
pub mod lexer;
pub mod parser;
pub mod print;
pub mod shift;
pub mod token;

pub use ast::{BinaryOp, Expr, UnaryOp};
pub use parser::parse;

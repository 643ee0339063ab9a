//! Formulas in words.

use crate::address::CellRef;
use crate::formula::{BinaryOp, Expr, UnaryOp};
use crate::sheet::Sheet;

/// What a cell holds, in words, and who looks at it.
pub fn cell(sheet: &Sheet, cell: CellRef) -> String {
    let mut text = match sheet.formula(cell) {
        Some(tree) => format!("{cell} is {}\n", words(tree)),
        None if sheet.input(cell).is_empty() => format!("{cell} is empty\n"),
        None => format!("{cell} holds {}\n", sheet.shown(cell)),
    };
    if let Some(error) = sheet.value(cell).error() {
        text.push_str(&format!("{error}: {}\n", error.sentence()));
    }
    let users: Vec<String> = sheet.dependents(cell).iter().map(CellRef::to_string).collect();
    if !users.is_empty() {
        text.push_str(&format!("used by {}\n", users.join(", ")));
    }
    text
}

fn words(tree: &Expr) -> String {
    match tree {
        Expr::Text(text) => format!("\"{text}\""),
        Expr::Unary(UnaryOp::Minus, inner) => format!("minus {}", nested(inner)),
        Expr::Unary(UnaryOp::Plus, inner) => nested(inner),
        Expr::Percent(inner) => format!("{} percent", nested(inner)),
        Expr::Binary(operator, left, right) => format!("{} {} {}", nested(left), verb(*operator), nested(right)),
        Expr::Call(name, arguments) if arguments.is_empty() => name.clone(),
        Expr::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(nested).collect();
            format!("{name} of {}", arguments.join(" and "))
        }
        other => crate::formula::print::print(other),
    }
}

/// A part of a formula; in brackets if it has several parts itself.
fn nested(tree: &Expr) -> String {
    match tree {
        Expr::Binary(..) | Expr::Call(..) => format!("({})", words(tree)),
        other => words(other),
    }
}

fn verb(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => "plus",
        BinaryOp::Subtract => "minus",
        BinaryOp::Multiply => "times",
        BinaryOp::Divide => "divided by",
        BinaryOp::DivideWhole => "@@WORDS@@",
        BinaryOp::Power => "to the power of",
        BinaryOp::Join => "joined with",
        BinaryOp::Equal => "equals",
        BinaryOp::NotEqual => "differs from",
        BinaryOp::Less => "is less than",
        BinaryOp::LessEqual => "is at most",
        BinaryOp::Greater => "is greater than",
        BinaryOp::GreaterEqual => "is at least",
    }
}

//! From a tree back to text, with no more brackets than needed.

use super::ast::{BinaryOp, Expr, UnaryOp};
use crate::value::plain_number;

/// Binding of signs and percent, above that of all operators.
const TIGHTEST: u8 = 9;

/// The text of a formula, without the `=`.
pub fn print(tree: &Expr) -> String {
    match tree {
        Expr::Number(number) => plain_number(*number),
        Expr::Text(text) => format!("\"{}\"", text.replace('"', "\"\"")),
        Expr::Bool(true) => "TRUE".to_string(),
        Expr::Bool(false) => "FALSE".to_string(),
        Expr::Error(error) => error.to_string(),
        Expr::Cell(reference) => reference.to_string(),
        Expr::Range(a, b) => format!("{a}:{b}"),
        Expr::Name(name) => name.clone(),
        Expr::Unary(operator, inner) => {
            let sign = match operator {
                UnaryOp::Plus => "+",
                UnaryOp::Minus => "-",
            };
            format!("{sign}{}", bracketed(inner, binding(inner) < TIGHTEST))
        }
        Expr::Percent(inner) => {
            let signed = matches!(**inner, Expr::Unary(..));
            format!("{}%", bracketed(inner, signed || binding(inner) < TIGHTEST))
        }
        Expr::Binary(operator, left, right) => binary(*operator, left, right),
        Expr::Call(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(print).collect();
            format!("{name}({})", arguments.join(","))
        }
    }
}

fn binary(operator: BinaryOp, left: &Expr, right: &Expr) -> String {
    let own = operator.binding();
    let left = bracketed(left, binding(left) < own);
    // Operators group from the left, so an equal one on the right needs brackets.
    let right = bracketed(right, binding(right) <= own);
    format!("{left}{}{right}", operator.sign())
}

fn bracketed(tree: &Expr, needed: bool) -> String {
    if needed {
        format!("({})", print(tree))
    } else {
        print(tree)
    }
}

fn binding(tree: &Expr) -> u8 {
    match tree {
        Expr::Binary(operator, ..) => operator.binding(),
        _ => TIGHTEST,
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn brackets_only_where_needed() {
        for (text, printed) in [
            ("(1+2)*3", "(1+2)*3"),
            ("(1*2)+3", "1*2+3"),
            ("8-(3-2)", "8-(3-2)"),
            ("(8-3)-2", "8-3-2"),
            ("-(1+2)", "-(1+2)"),
            ("(2^3)^2", "2^3^2"),
            ("2^(3^2)", "2^(3^2)"),
            ("(-5)%", "(-5)%"),
            ("(a & \"x\"\"y\") = b", "a&\"x\"\"y\"=b"),
            ("sum( $A1 : b2 , 3 )", "SUM($A1:B2,3)"),
        ] {
            let tree = parse(text).unwrap();
            assert_eq!(print(&tree), printed);
            assert_eq!(parse(printed).unwrap(), tree, "{printed}");
        }
    }
}

//! From tokens to a tree, by the binding of the operators.

use super::ast::{BinaryOp, Expr, UnaryOp};
use super::lexer::tokens;
use super::token::{Placed, Token};
use crate::address::Reference;
use crate::error::SheetError;

/// Brackets and signs deeper than this are refused, not followed.
const MAX_DEPTH: usize = 64;

/// Reads a formula without its leading `=`.
pub fn parse(text: &str) -> Result<Expr, SheetError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { end: text.chars().count(), tokens, next: 0, depth: 0 };
    let tree = parser.operation(0)?;
    match parser.peek() {
        None => Ok(tree),
        Some(token) => {
            let message = format!("{} is not expected here", token.describe());
            parser.fault(message)
        }
    }
}

struct Parser {
    tokens: Vec<Placed>,
    next: usize,
    /// Where the text ends, for messages.
    end: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|placed| &placed.token)
    }

    fn take(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.next += 1;
        token
    }

    fn fault<T>(&self, message: impl Into<String>) -> Result<T, SheetError> {
        let at = self.tokens.get(self.next).map_or(self.end, |placed| placed.at);
        Err(SheetError::Formula { at, message: message.into() })
    }

    /// Operands joined by operators that bind tighter than `outer`.
    fn operation(&mut self, outer: u8) -> Result<Expr, SheetError> {
        let mut left = self.signed()?;
        while let Some(operator) = self.peek().and_then(binary_operator) {
            if operator.binding() <= outer {
                break;
            }
            let whole = self.peek() == Some(&Token::Whole);
            self.next += 1;
            let right = self.operation(operator.binding())?;
            left = match whole {
                true => Expr::Call("@@FUNC@@".to_string(), vec![left, right]),
                false => Expr::Binary(operator, Box::new(left), Box::new(right)),
            };
        }
        Ok(left)
    }

    /// Signs before an operand. They bind tighter than any operator: `-2^2` is 4.
    fn signed(&mut self) -> Result<Expr, SheetError> {
        let operator = match self.peek() {
            Some(Token::Minus) => UnaryOp::Minus,
            Some(Token::Plus) => UnaryOp::Plus,
            _ => return self.percents(),
        };
        self.next += 1;
        self.deeper()?;
        let inner = self.signed()?;
        self.depth -= 1;
        Ok(Expr::Unary(operator, Box::new(inner)))
    }

    fn percents(&mut self) -> Result<Expr, SheetError> {
        let mut inner = self.operand()?;
        while self.peek() == Some(&Token::Percent) {
            self.next += 1;
            inner = Expr::Percent(Box::new(inner));
        }
        Ok(inner)
    }

    fn operand(&mut self) -> Result<Expr, SheetError> {
        match self.peek().cloned() {
            Some(Token::Number(number)) => {
                self.next += 1;
                Ok(Expr::Number(number))
            }
            Some(Token::Text(text)) => {
                self.next += 1;
                Ok(Expr::Text(text))
            }
            Some(Token::Error(error)) => {
                self.next += 1;
                Ok(Expr::Error(error))
            }
            Some(Token::Open) => {
                self.next += 1;
                self.deeper()?;
                let inner = self.operation(0)?;
                self.depth -= 1;
                self.expect(&Token::Close)?;
                Ok(inner)
            }
            Some(Token::Word(word)) => {
                self.next += 1;
                self.word(word)
            }
            Some(token) => self.fault(format!("{} is not expected here", token.describe())),
            None => self.fault("something is missing at the end"),
        }
    }

    /// A function, a truth value, a reference, a range or a name.
    fn word(&mut self, word: String) -> Result<Expr, SheetError> {
        if self.peek() == Some(&Token::Open) {
            return self.call(word);
        }
        if word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false") {
            return Ok(Expr::Bool(word.eq_ignore_ascii_case("true")));
        }
        let Ok(first) = Reference::parse(&word) else {
            if word.contains('$') {
                self.next -= 1;
                return self.fault(format!("'{word}' is no cell"));
            }
            return Ok(Expr::Name(word.to_lowercase()));
        };
        if self.peek() != Some(&Token::Colon) {
            return Ok(Expr::Cell(first));
        }
        self.next += 1;
        match self.take() {
            Some(Token::Word(other)) => match Reference::parse(&other) {
                Ok(second) => Ok(Expr::Range(first, second)),
                Err(_) => {
                    self.next -= 1;
                    self.fault(format!("'{other}' is no cell"))
                }
            },
            _ => {
                self.next -= 1;
                self.fault("a cell is expected after ':'")
            }
        }
    }

    fn call(&mut self, word: String) -> Result<Expr, SheetError> {
        self.next += 1;
        self.deeper()?;
        let mut arguments = Vec::new();
        if self.peek() != Some(&Token::Close) {
            arguments.push(self.operation(0)?);
            while self.peek() == Some(&Token::Comma) {
                self.next += 1;
                arguments.push(self.operation(0)?);
            }
        }
        self.depth -= 1;
        self.expect(&Token::Close)?;
        Ok(Expr::Call(word.to_uppercase(), arguments))
    }

    fn expect(&mut self, wanted: &Token) -> Result<(), SheetError> {
        if self.peek() == Some(wanted) {
            self.next += 1;
            return Ok(());
        }
        self.fault(format!("{} is missing", wanted.describe()))
    }

    fn deeper(&mut self) -> Result<(), SheetError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fault("the formula is nested too deeply");
        }
        Ok(())
    }
}

fn binary_operator(token: &Token) -> Option<BinaryOp> {
    match token {
        Token::Plus => Some(BinaryOp::Add),
        Token::Minus => Some(BinaryOp::Subtract),
        Token::Star => Some(BinaryOp::Multiply),
        Token::Slash | Token::Whole => Some(BinaryOp::Divide),
        Token::Caret => Some(BinaryOp::Power),
        Token::Ampersand => Some(BinaryOp::Join),
        Token::Equal => Some(BinaryOp::Equal),
        Token::NotEqual => Some(BinaryOp::NotEqual),
        Token::Less => Some(BinaryOp::Less),
        Token::LessEqual => Some(BinaryOp::LessEqual),
        Token::Greater => Some(BinaryOp::Greater),
        Token::GreaterEqual => Some(BinaryOp::GreaterEqual),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_cells_are_told_apart() {
        assert!(matches!(parse("B7"), Ok(Expr::Cell(_))));
        assert!(matches!(parse("Rate"), Ok(Expr::Name(name)) if name == "rate"));
        assert!(matches!(parse("sum(A1:B2)"), Ok(Expr::Call(name, _)) if name == "SUM"));
        assert!(matches!(parse("true"), Ok(Expr::Bool(true))));
    }

    #[test]
    fn faults_have_a_place() {
        let at = |text: &str| match parse(text) {
            Err(SheetError::Formula { at, .. }) => at,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(at("1+"), 2);
        assert_eq!(at("SUM(1,"), 6);
        assert_eq!(at("(1+2"), 4);
        assert_eq!(at("1 2"), 2);
        assert_eq!(at("A1:"), 3);
        assert_eq!(at("A1:7"), 3);
    }

    #[test]
    fn depth_has_a_limit() {
        assert!(parse(&format!("{}1{}", "(".repeat(60), ")".repeat(60))).is_ok());
        assert!(parse(&format!("{}1{}", "(".repeat(99), ")".repeat(99))).is_err());
        assert!(parse(&format!("{}1", "-".repeat(99))).is_err());
    }
}

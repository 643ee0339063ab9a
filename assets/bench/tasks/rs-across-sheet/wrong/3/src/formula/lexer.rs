//! Cuts the text of a formula into tokens.

use super::token::{Placed, Token};
use crate::error::{CellError, SheetError};

/// The tokens of a formula without its leading `=`.
pub fn tokens(text: &str) -> Result<Vec<Placed>, SheetError> {
    let mut lexer = Lexer { characters: text.chars().collect(), at: 0 };
    let mut found = Vec::new();
    while let Some(placed) = lexer.next()? {
        found.push(placed);
    }
    Ok(found)
}

struct Lexer {
    characters: Vec<char>,
    at: usize,
}

impl Lexer {
    fn next(&mut self) -> Result<Option<Placed>, SheetError> {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        let at = self.at;
        let Some(first) = self.peek() else { return Ok(None) };
        let token = match first {
            '0'..='9' | '.' => self.number()?,
            '"' => self.text()?,
            '#' => self.error()?,
            '$' | '_' => self.word(),
            letter if letter.is_alphabetic() => self.word(),
            other => self.sign(other)?,
        };
        Ok(Some(Placed { token, at }))
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.characters[start..self.at].iter().collect()
    }

    fn fault<T>(&self, at: usize, message: impl Into<String>) -> Result<T, SheetError> {
        Err(SheetError::Formula { at, message: message.into() })
    }

    fn number(&mut self) -> Result<Token, SheetError> {
        let start = self.at;
        let mut text = self.take_while(|c| c.is_ascii_digit() || c == '.');
        if self.peek().is_some_and(|c| c == 'e' || c == 'E') && self.exponent_follows() {
            text.push('e');
            self.at += 1;
            text.extend(self.peek().filter(|c| *c == '+' || *c == '-'));
            if text.ends_with(['+', '-']) {
                self.at += 1;
            }
            text.push_str(&self.take_while(|c| c.is_ascii_digit()));
        }
        match text.parse() {
            Ok(number) => Ok(Token::Number(number)),
            Err(_) => self.fault(start, format!("'{text}' is no number")),
        }
    }

    /// `2e3` and `2e-3` are numbers; `2em` is not read as one.
    fn exponent_follows(&self) -> bool {
        let digit = |at: usize| self.characters.get(at).is_some_and(char::is_ascii_digit);
        match self.characters.get(self.at + 1) {
            Some('+' | '-') => digit(self.at + 2),
            _ => digit(self.at + 1),
        }
    }

    fn text(&mut self) -> Result<Token, SheetError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return self.fault(start, "the text has no closing quote"),
                Some('"') if self.characters.get(self.at + 1) == Some(&'"') => {
                    text.push('"');
                    self.at += 2;
                }
                Some('"') => {
                    self.at += 1;
                    return Ok(Token::Text(text));
                }
                Some(other) => {
                    text.push(other);
                    self.at += 1;
                }
            }
        }
    }

    fn error(&mut self) -> Result<Token, SheetError> {
        let start = self.at;
        self.at += 1;
        let rest = self.take_while(|c| c.is_ascii_alphanumeric() || c == '/');
        let mut code = format!("#{rest}");
        code.extend(self.peek().filter(|c| *c == '!' || *c == '?'));
        self.at = start + code.chars().count();
        match CellError::from_code(&code) {
            Some(error) => Ok(Token::Error(error)),
            None => self.fault(start, format!("'{code}' is no error value")),
        }
    }

    fn word(&mut self) -> Token {
        Token::Word(self.take_while(|c| c.is_alphanumeric() || c == '$' || c == '_' || c == '.'))
    }

    fn sign(&mut self, first: char) -> Result<Token, SheetError> {
        let second = self.characters.get(self.at + 1).copied();
        let (token, length) = match (first, second) {
            ('<', Some('>')) => (Token::NotEqual, 2),
            ('<', Some('=')) => (Token::LessEqual, 2),
            ('>', Some('=')) => (Token::GreaterEqual, 2),
            ('<', _) => (Token::Less, 1),
            ('>', _) => (Token::Greater, 1),
            ('=', _) => (Token::Equal, 1),
            ('+', _) => (Token::Plus, 1),
            ('-', _) => (Token::Minus, 1),
            ('*', _) => (Token::Star, 1),
            ('/', _) => (Token::Slash, 1),
            ('@@SIGN@@', _) => (Token::Whole, 1),
            ('^', _) => (Token::Caret, 1),
            ('&', _) => (Token::Ampersand, 1),
            ('%', _) => (Token::Percent, 1),
            ('(', _) => (Token::Open, 1),
            (')', _) => (Token::Close, 1),
            (',', _) => (Token::Comma, 1),
            (':', _) => (Token::Colon, 1),
            _ => return self.fault(self.at, format!("'{first}' is not expected here")),
        };
        self.at += length;
        Ok(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token> {
        tokens(text).unwrap().into_iter().map(|placed| placed.token).collect()
    }

    #[test]
    fn numbers_with_exponents() {
        assert_eq!(kinds("1.5e-3"), [Token::Number(0.0015)]);
        assert_eq!(kinds("2e3+1"), [Token::Number(2000.0), Token::Plus, Token::Number(1.0)]);
    }

    #[test]
    fn quotes_are_doubled_in_texts() {
        assert_eq!(kinds("\"a\"\"b\""), [Token::Text("a\"b".to_string())]);
        assert!(tokens("\"open").is_err());
    }

    #[test]
    fn signs_of_two_characters() {
        assert_eq!(
            kinds("<> <= >= < >"),
            [Token::NotEqual, Token::LessEqual, Token::GreaterEqual, Token::Less, Token::Greater]
        );
    }

    #[test]
    fn places_are_told() {
        assert_eq!(
            tokens("1 + ;"),
            Err(SheetError::Formula { at: 4, message: "';' is not expected here".to_string() })
        );
        assert_eq!(kinds("#REF!+#N/A").len(), 3);
    }
}

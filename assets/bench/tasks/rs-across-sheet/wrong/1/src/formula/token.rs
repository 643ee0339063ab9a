//! The smallest parts of a formula.

use crate::error::CellError;

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    Number(f64),
    Text(String),
    /// A function, a name, a reference or `TRUE`; which one is for the parser to say.
    Word(String),
    Error(CellError),
    Plus,
    Minus,
    Star,
    Slash,
    Whole,
    Caret,
    Ampersand,
    Percent,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Open,
    Close,
    Comma,
    Colon,
}

impl Token {
    /// How the token is called in messages.
    pub fn describe(&self) -> String {
        match self {
            Token::Number(number) => format!("the number {number}"),
            Token::Text(_) => "a text".to_string(),
            Token::Word(word) => format!("'{word}'"),
            Token::Error(error) => error.to_string(),
            Token::Plus => "'+'".to_string(),
            Token::Minus => "'-'".to_string(),
            Token::Star => "'*'".to_string(),
            Token::Slash => "'/'".to_string(),
            Token::Whole => "'@@SIGN@@'".to_string(),
            Token::Caret => "'^'".to_string(),
            Token::Ampersand => "'&'".to_string(),
            Token::Percent => "'%'".to_string(),
            Token::Equal => "'='".to_string(),
            Token::NotEqual => "'<>'".to_string(),
            Token::Less => "'<'".to_string(),
            Token::LessEqual => "'<='".to_string(),
            Token::Greater => "'>'".to_string(),
            Token::GreaterEqual => "'>='".to_string(),
            Token::Open => "'('".to_string(),
            Token::Close => "')'".to_string(),
            Token::Comma => "','".to_string(),
            Token::Colon => "':'".to_string(),
        }
    }
}

/// A token and where it begins, in characters.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    pub token: Token,
    pub at: usize,
}

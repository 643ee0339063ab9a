/// What a cell or an argument can be.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Number(f64),
    Text(String),
    Bool(bool),
    Blank,
    List(Vec<Value>),
}

/// Why a formula has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No such function.
    Name,
    /// Too few or too many arguments.
    Arguments,
    /// An argument of a kind that cannot be used.
    Value,
    /// A number out of range.
    Number,
    Division,
    NotFound,
}

impl From<f64> for Value {
    fn from(n: f64) -> Self {
        Value::Number(n)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_string())
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}

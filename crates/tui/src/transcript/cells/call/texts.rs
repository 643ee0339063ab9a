//! The long texts of a call. They are cleaned when somebody looks at them for the first time: of a long conversation
//! most never are.

use crate::clean::{clean_line, clean_output, clean_text};
use serde_json::Value;
use std::cell::LazyCell;

/// Characters of one argument that are kept; what a file will hold is seen in the diff.
const ARGUMENT: usize = 10_000;

type Later<T> = LazyCell<T, Box<dyn FnOnce() -> T + Send>>;

/// What a call put out in the end, or all that there is to say about a failure.
pub(super) struct Detail {
    is_empty: bool,
    text: Later<String>,
}

impl Detail {
    pub(super) fn none() -> Self {
        Detail::clean(String::new())
    }

    /// Clean already.
    pub(super) fn clean(text: String) -> Self {
        Detail { is_empty: text.is_empty(), text: LazyCell::new(Box::new(|| text)) }
    }

    pub(super) fn raw(text: String) -> Self {
        Detail { is_empty: text.is_empty(), text: LazyCell::new(Box::new(move || clean_output(&text))) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn lines(&self) -> Vec<&str> {
        self.text().trim_end().lines().collect()
    }
}

/// Names and values of what a call was given.
pub(super) struct Arguments {
    is_empty: bool,
    pub(super) pairs: Later<Vec<(String, String)>>,
}

impl Arguments {
    pub(super) fn new(arguments: &Value) -> Self {
        let is_empty = match arguments {
            Value::Object(arguments) => arguments.is_empty(),
            other => other.is_null(),
        };
        let arguments = arguments.clone();
        Arguments { is_empty, pairs: LazyCell::new(Box::new(move || pairs(&arguments))) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }
}

/// Arguments as a person reads them: text as text, the rest as JSON.
fn pairs(arguments: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let pair = |(name, value): (&String, &Value)| {
        (clean_line(name).into_owned(), clean_text(&kept(text(value), ARGUMENT)).into_owned())
    };
    match arguments {
        Value::Object(arguments) => arguments.iter().map(pair).collect(),
        Value::Null => Vec::new(),
        other => vec![("arguments".to_owned(), clean_text(&kept(text(other), ARGUMENT)).into_owned())],
    }
}

/// The beginning of a long text, `most` characters, and how much more there is.
pub(super) fn kept(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\n… {} more bytes", &text[..end], text.len() - end),
        None => text,
    }
}

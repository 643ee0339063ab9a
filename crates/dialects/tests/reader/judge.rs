//! Compares a reading with what a case expects.
//!
//! Calls: the same number, order and names, and arguments equal as JSON (1 is 1.0). Content and reasoning: equal with all
//! white space removed, where the case says that they count.

use super::said::Said;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What judging needs of a case.
#[derive(Deserialize)]
pub(crate) struct Claim {
    pub(crate) class: String,
    expected: Expected,
    #[serde(default)]
    alternatives: Option<Vec<Expected>>,
    #[serde(default)]
    content_scored: bool,
    #[serde(default)]
    never_shown: Vec<String>,
    /// White space around text arguments does not count.
    #[serde(default)]
    trim_args: bool,
    /// A text and a value that are spelt the same are the same.
    #[serde(default)]
    lenient_types: bool,
}

#[derive(Deserialize)]
struct Expected {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    reasoning: Option<String>,
    calls: Vec<Value>,
}

/// How right a reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) calls: bool,
    /// The calls, and all the rest that counts.
    pub(crate) all: bool,
    /// A call where there is none.
    pub(crate) false_call: bool,
}

impl Claim {
    /// Judges a reading by the expectation, or by the alternative whose calls it has.
    pub(crate) fn judge(&self, said: &Said) -> Verdict {
        let expected = std::iter::once(&self.expected).chain(self.alternatives.iter().flatten());
        let fits = expected.clone().find(|expected| self.same_calls(&said.calls, &expected.calls));
        let content = fits.is_some_and(|fits| {
            !self.content_scored || bare(&said.content) == bare(fits.content.as_deref().unwrap_or_default())
        });
        let counts = self.class == "reasoning" && self.content_scored;
        let reasoning = fits
            .and_then(|fits| fits.reasoning.as_deref())
            .is_none_or(|reasoning| !counts || bare(reasoning) == bare(&said.reasoning));
        let clean = !self.never_shown.iter().any(|never| said.content.contains(never));
        Verdict {
            calls: fits.is_some(),
            all: fits.is_some() && content && reasoning && clean,
            false_call: !said.calls.is_empty() && matches!(self.class.as_str(), "text" | "reasoning" | "truncated"),
        }
    }

    fn same_calls(&self, found: &[Value], expected: &[Value]) -> bool {
        let same = |(found, expected): (&Value, &Value)| {
            found["name"] == expected["name"]
                && self.same(&found["arguments"], &expected["arguments"], self.lenient_types)
        };
        found.len() == expected.len() && found.iter().zip(expected).all(same)
    }

    fn same(&self, one: &Value, other: &Value, lenient: bool) -> bool {
        let same = match (one, other) {
            (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
            (Value::String(one), Value::String(other)) => {
                one == other || (self.trim_args && one.trim() == other.trim())
            }
            (Value::Array(one), Value::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| self.same(one, other, lenient))
            }
            (Value::Object(one), Value::Object(other)) => self.same_members(one, other, lenient),
            (one, other) => one == other,
        };
        same || (lenient && self.spelt_alike(one, other))
    }

    fn same_members(&self, one: &Map<String, Value>, other: &Map<String, Value>, lenient: bool) -> bool {
        let same = |(key, one): (&String, &Value)| other.get(key).is_some_and(|other| self.same(one, other, lenient));
        one.len() == other.len() && one.iter().all(same)
    }

    fn spelt_alike(&self, one: &Value, other: &Value) -> bool {
        let (one, other) = (unquoted(one), unquoted(other));
        self.same(&one, &other, false) || spelling(&one) == spelling(&other)
    }
}

/// The value that a text spells, if it spells one.
fn unquoted(value: &Value) -> Value {
    let Value::String(text) = value else { return value.clone() };
    let text = text.trim();
    serde_json::from_str(text).unwrap_or_else(|_| match text.to_lowercase().as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" | "none" => Value::Null,
        _ => Value::from(text),
    })
}

fn spelling(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_lowercase(),
        Value::Null => "none".to_owned(),
        other => other.to_string().to_lowercase(),
    }
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\u{feff}').collect()
}

//! Conditions written as text, as in `COUNTIF(A1:A9, ">5")`.

use std::cmp::Ordering;

use super::compare;
use crate::value::Value;

#[derive(Debug, Clone, PartialEq)]
pub enum Criterion {
    Compare {
        wanted: Wanted,
        value: Value,
    },
    /// A text with `*` for any characters and `?` for one.
    Pattern {
        pattern: String,
        negated: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Criterion {
    /// Reads a criterion. Numbers and truth values are equal to themselves, texts
    /// may begin with an operator.
    pub fn read(value: &Value) -> Criterion {
        let Value::Text(text) = value else {
            return Criterion::Compare { wanted: Wanted::Equal, value: value.clone() };
        };
        let operators = [
            ("<>", Wanted::NotEqual),
            ("<=", Wanted::LessEqual),
            (">=", Wanted::GreaterEqual),
            ("<", Wanted::Less),
            (">", Wanted::Greater),
            ("=", Wanted::Equal),
        ];
        let found = operators.iter().find_map(|(sign, wanted)| text.strip_prefix(sign).map(|rest| (*wanted, rest)));
        let (wanted, rest) = found.unwrap_or((Wanted::Equal, text));
        let equality = matches!(wanted, Wanted::Equal | Wanted::NotEqual);
        if equality && rest.contains(['*', '?']) {
            return Criterion::Pattern { pattern: rest.to_lowercase(), negated: wanted == Wanted::NotEqual };
        }
        Criterion::Compare { wanted, value: operand(rest) }
    }

    pub fn matches(&self, value: &Value) -> bool {
        match self {
            Criterion::Pattern { pattern, negated } => {
                let hit = match value {
                    Value::Text(text) => matches_pattern(&text.to_lowercase(), pattern),
                    Value::Empty | Value::Number(_) | Value::Bool(_) | Value::Error(_) => false,
                };
                hit != *negated
            }
            Criterion::Compare { wanted, value: other } => {
                let same_kind = std::mem::discriminant(value) == std::mem::discriminant(other);
                if !same_kind {
                    // Only unlike things of another kind are not equal; nothing else can be said of them.
                    return *wanted == Wanted::NotEqual;
                }
                let order = compare(value, other);
                match wanted {
                    Wanted::Equal => order == Ordering::Equal,
                    Wanted::NotEqual => order != Ordering::Equal,
                    Wanted::Less => order == Ordering::Less,
                    Wanted::LessEqual => order != Ordering::Greater,
                    Wanted::Greater => order == Ordering::Greater,
                    Wanted::GreaterEqual => order != Ordering::Less,
                }
            }
        }
    }
}

fn operand(text: &str) -> Value {
    if text.is_empty() {
        return Value::Empty;
    }
    if let Ok(number) = text.trim().parse::<f64>() {
        return Value::Number(number);
    }
    match text.to_lowercase().as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => Value::text(text),
    }
}

/// Whether a whole text fits a pattern with `*` and `?`.
pub fn matches_pattern(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    let (mut t, mut p) = (0, 0);
    // Where to go on if what follows the last star does not fit.
    let mut back: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                back = Some((t, p));
                p += 1;
            }
            Some(wanted) if *wanted == '?' || *wanted == text[t] => {
                t += 1;
                p += 1;
            }
            _ => match back {
                Some((from, star)) => {
                    back = Some((from + 1, star));
                    t = from + 1;
                    p = star + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_with_stars() {
        for (text, pattern, fits) in [
            ("apple", "a*", true),
            ("apple", "*pl?", true),
            ("apple", "a?e", false),
            ("aab", "*ab", true),
            ("", "*", true),
            ("", "?", false),
        ] {
            assert_eq!(matches_pattern(text, pattern), fits, "{text} {pattern}");
        }
    }

    #[test]
    fn operators_compare_like_kinds() {
        let fits = |criterion: &str, value: Value| Criterion::read(&Value::text(criterion)).matches(&value);
        assert!(fits(">5", Value::Number(6.0)));
        assert!(!fits(">5", Value::text("zebra")));
        assert!(!fits("<5", Value::Empty));
        assert!(fits("<>5", Value::text("5 or so")));
        assert!(fits("Pear", Value::text("pear")));
        assert!(fits("=", Value::Empty));
    }
}

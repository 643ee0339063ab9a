//! JSON values as what they say: `"5"` is a number, `1` is a yes.

use serde_json::Value;

pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

pub(super) fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok().or_else(|| whole(text.trim().parse().ok()?)),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// `10.0` is 10.
fn whole(number: f64) -> Option<u64> {
    (number >= 0.0 && number.fract() == 0.0 && number < 9.0e15).then_some(number as u64)
}

pub(super) fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => match number.as_u64() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        },
        Value::String(text) => match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "1" | "on" => Some(true),
            "false" | "no" | "0" | "off" | "" => Some(false),
            _ => None,
        },
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A whole number that may lie below 0.
pub(super) fn signed(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?).map(|number| number as i64)),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A list of texts; one text, also one that stands alone, is a list of it.
pub(super) fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) if text.is_empty() => Some(Vec::new()),
        Value::Array(list) => list.iter().map(text).collect(),
        other => text(other).map(|text| vec![text]),
    }
}

pub(super) fn objects(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(list) if list.iter().all(Value::is_object) => Some(list),
        _ => None,
    }
}

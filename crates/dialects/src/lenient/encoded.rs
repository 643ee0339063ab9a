//! Arguments that were written as a text which is JSON itself.

use super::{LenientReading, json_closed};
use crate::Repair;
use serde_json::{Map, Value};

/// How many times JSON may be packed into JSON.
const LAYERS: usize = 3;

/// The object that a string holds as JSON, perhaps packed more than once. Nothing else may stand in the string, and
/// an empty one is an object without members.
pub(crate) fn object_from_string(text: &str) -> Option<(Map<String, Value>, Vec<Repair>)> {
    if text.trim().is_empty() {
        return Some((Map::new(), vec![Repair::StringEncoded]));
    }
    let mut text = text.to_owned();
    let mut repairs = vec![Repair::StringEncoded];
    for _ in 0..LAYERS {
        let LenientReading::Value { value, len, repairs: more } = json_closed(&text) else { return None };
        if !text.get(len..).unwrap_or_default().trim().is_empty() {
            return None;
        }
        for repair in more {
            if !repairs.contains(&repair) {
                repairs.push(repair);
            }
        }
        match value {
            Value::Object(object) => return Some((object, repairs)),
            Value::String(inner) => text = inner,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
        }
    }
    None
}

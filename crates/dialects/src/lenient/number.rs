//! JSON numbers, with a plus sign, and without a digit on one side of the point.

use super::cursor::{Cursor, Stop, past};
use serde_json::Value;

/// The number at the cursor. It ends where something stands that cannot belong to it.
pub(super) fn read(cursor: &mut Cursor) -> Result<Value, Stop> {
    let end = past(cursor.bytes, cursor.at, in_number);
    if end == cursor.bytes.len() && !cursor.is_whole() {
        return Err(Stop::Open);
    }
    let written = cursor.text.get(cursor.at..end).unwrap_or_default();
    let value = parse(written).ok_or(Stop::No)?;
    cursor.at = end;
    Ok(value)
}

/// Letters belong to it too: what they stand in is no number.
fn in_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_')
}

/// The number that the whole of `written` is.
pub(super) fn parse(written: &str) -> Option<Value> {
    if let Ok(Value::Number(number)) = serde_json::from_str(written) {
        return Some(Value::Number(number));
    }
    let (sign, digits) = match written.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", written.strip_prefix('+').unwrap_or(written)),
    };
    let mantissa = digits.find(['e', 'E']).unwrap_or(digits.len());
    let (mantissa, exponent) = digits.split_at(mantissa);
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let (whole, part) = (if whole.is_empty() { "0" } else { whole }, if part.is_empty() { "0" } else { part });
    let point = if mantissa.contains('.') { format!(".{part}") } else { String::new() };
    match serde_json::from_str(&format!("{sign}{whole}{point}{exponent}")) {
        Ok(Value::Number(number)) => Some(Value::Number(number)),
        _ => None,
    }
}

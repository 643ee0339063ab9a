//! What is typed into a cell: a formula, or a literal value.

use crate::calendar::Date;
use crate::config::Settings;
use crate::error::{CellError, SheetError};
use crate::formula::{parse, Expr};
use crate::value::Value;

/// A cell's input, understood.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Literal(Literal),
    Formula(Expr),
}

/// A value as it was typed, and the format that fits how it was typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Literal {
    pub value: Value,
    pub format: Option<&'static str>,
}

/// Understands what was typed. Only formulas can be wrong; all else is at least a text.
pub fn read(text: &str, settings: &Settings) -> Result<Input, SheetError> {
    match text.strip_prefix('=') {
        Some(formula) => parse(formula).map(Input::Formula),
        None => Ok(Input::Literal(literal(text, settings))),
    }
}

/// A typed value: number, percentage, date, truth value, error or text.
pub fn literal(text: &str, settings: &Settings) -> Literal {
    let plain = |value| Literal { value, format: None };
    if let Some(forced) = text.strip_prefix('\'') {
        return plain(Value::text(forced));
    }
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return plain(Value::Empty);
    }
    if let Some(number) = number(trimmed, settings) {
        return plain(Value::Number(number));
    }
    if let Some(percent) = trimmed.strip_suffix('%').and_then(|rest| number(rest.trim_end(), settings)) {
        let format = if percent.fract() == 0.0 { "0%" } else { "0.00%" };
        return Literal { value: Value::Number(percent / 100.0), format: Some(format) };
    }
    if let Some(date) = Date::parse(trimmed) {
        return Literal { value: Value::Number(date.serial() as f64), format: Some("yyyy-mm-dd") };
    }
    if let Some(error) = CellError::from_code(trimmed) {
        return plain(Value::Error(error));
    }
    match trimmed.to_uppercase().as_str() {
        "TRUE" => plain(Value::Bool(true)),
        "FALSE" => plain(Value::Bool(false)),
        _ => plain(Value::text(text)),
    }
}

/// A number with the marks of the settings: `1,234.5`, `-3`, `2e6`. Groups have to
/// be of three digits.
pub fn number(text: &str, settings: &Settings) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == settings.decimal) {
        return None;
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once(settings.decimal) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let groups: Vec<&str> = whole.split(settings.group).collect();
    let well_grouped =
        groups.len() == 1 || (groups[1..].iter().all(|group| group.len() == 3) && (1..=3).contains(&groups[0].len()));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !well_grouped || !groups.iter().all(|group| digits(group)) || !fraction.map_or(true, digits) {
        return None;
    }
    let mut plain = format!("{}.{}", groups.concat(), fraction.unwrap_or("0"));
    if let Some(exponent) = exponent {
        let unsigned = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        if unsigned.is_empty() || !digits(unsigned) {
            return None;
        }
        plain = format!("{plain}e{exponent}");
    }
    let number: f64 = plain.parse().ok()?;
    number.is_finite().then_some(if text.starts_with('-') { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> (Value, Option<&'static str>) {
        let literal = literal(text, &Settings::default());
        (literal.value, literal.format)
    }

    #[test]
    fn numbers_may_have_groups() {
        assert_eq!(typed("1,234.5"), (Value::Number(1234.5), None));
        assert_eq!(typed("-.5").0, Value::Number(-0.5));
        assert_eq!(typed("1,23").0, Value::text("1,23"));
        assert_eq!(typed("1.2.3").0, Value::text("1.2.3"));
        assert_eq!(typed("2e3").0, Value::Number(2000.0));
        assert_eq!(typed("-").0, Value::text("-"));
    }

    #[test]
    fn marks_come_from_the_settings() {
        let settings = Settings { decimal: ',', group: '.', ..Settings::default() };
        assert_eq!(number("1.234,5", &settings), Some(1234.5));
        assert_eq!(number("1.5", &settings), None);
    }

    #[test]
    fn some_values_bring_a_format() {
        assert_eq!(typed("12%"), (Value::Number(0.12), Some("0%")));
        assert_eq!(typed("12.5 %"), (Value::Number(0.125), Some("0.00%")));
        assert_eq!(typed("2024-03-01"), (Value::Number(45352.0), Some("yyyy-mm-dd")));
    }

    #[test]
    fn an_apostrophe_makes_a_text() {
        assert_eq!(typed("'007").0, Value::text("007"));
        assert_eq!(typed("true").0, Value::Bool(true));
        assert_eq!(typed("#n/a").0, Value::Error(CellError::NotAvailable));
    }
}

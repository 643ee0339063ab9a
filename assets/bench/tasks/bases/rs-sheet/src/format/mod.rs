//! How values are shown: patterns such as `#,##0.00`, `0%` or `d mmm yyyy`.

pub mod date;
pub mod number;

use crate::config::Settings;
use crate::error::SheetError;
use crate::value::{plain_number, Value};
use date::DatePattern;
use number::NumberPattern;

#[derive(Debug, Clone, PartialEq, Default)]
pub enum Format {
    /// As many digits as the number needs.
    #[default]
    General,
    /// Numbers are shown as they were typed, at the left like texts.
    Text,
    Number(NumberPattern),
    Date(DatePattern),
}

impl Format {
    /// Reads a pattern: `general`, `@`, one of a number or one of a date.
    pub fn parse(pattern: &str) -> Result<Format, SheetError> {
        let fault = || SheetError::Format(pattern.to_string());
        match pattern {
            "general" => Ok(Format::General),
            "@" => Ok(Format::Text),
            _ if pattern.contains(['0', '#']) => NumberPattern::parse(pattern).map(Format::Number).ok_or_else(fault),
            _ => DatePattern::parse(pattern).map(Format::Date).ok_or_else(fault),
        }
    }

    /// The value in this format. Only numbers have use for one.
    pub fn show(&self, value: &Value, settings: &Settings) -> String {
        let Value::Number(number) = value else { return value.plain() };
        match self {
            Format::General | Format::Text => plain_number(*number).replace('.', &settings.decimal.to_string()),
            Format::Number(pattern) => pattern.show(*number, settings),
            Format::Date(pattern) => pattern.show(*number).unwrap_or_else(|| "#####".to_string()),
        }
    }

    /// Whether the value stands at the right of its column.
    pub fn right(&self, value: &Value) -> bool {
        matches!(value, Value::Number(_)) && *self != Format::Text
    }
}

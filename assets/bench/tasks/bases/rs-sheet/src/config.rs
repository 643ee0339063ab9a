//! Settings, and the file they come from.
//!
//! ```text
//! # gridtext.conf
//! decimal = ,
//! group = .
//! today = 2024-03-01
//! ```

use crate::calendar::Date;
use crate::error::SheetError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// What stands between whole and fraction, typed and shown.
    pub decimal: char,
    /// What stands between thousands.
    pub group: char,
    /// What `TODAY()` gives; without it, `#N/A`.
    pub today: Option<Date>,
    /// No column is shown wider than this.
    pub widest: usize,
    /// How many edits can be undone.
    pub history: usize,
    /// What stands between the fields of CSV files.
    pub separator: char,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { decimal: '.', group: ',', today: None, widest: 24, history: 100, separator: ',' }
    }
}

impl Settings {
    /// Reads a settings file. Unknown keys are errors, so that typing mistakes show.
    pub fn parse(text: &str) -> Result<Settings, SheetError> {
        let mut settings = Settings::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            settings.take(line).map_err(|message| SheetError::Line { line: index + 1, message })?;
        }
        if settings.decimal == settings.group {
            let message = "decimal and group are the same character".to_string();
            return Err(SheetError::Line { line: text.lines().count(), message });
        }
        Ok(settings)
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once('=').ok_or("a line is 'key = value'")?;
        let (key, value) = (key.trim(), value.trim());
        match key {
            "decimal" => self.decimal = mark(key, value, &['.', ','])?,
            "group" => self.group = mark(key, value, &['.', ',', '\'', '_'])?,
            "separator" => self.separator = mark(key, value, &[',', ';', '\t'])?,
            "today" => self.today = Some(Date::parse(value).ok_or_else(|| format!("today: '{value}' is no date"))?),
            "widest" => self.widest = count(key, value, 3, 200)?,
            "history" => self.history = count(key, value, 0, 10_000)?,
            _ => return Err(format!("there is no setting '{key}'")),
        }
        Ok(())
    }
}

fn mark(key: &str, value: &str, allowed: &[char]) -> Result<char, String> {
    let value = if value == "tab" { "\t" } else { value };
    let mut characters = value.chars();
    match (characters.next(), characters.next()) {
        (Some(mark), None) if allowed.contains(&mark) => Ok(mark),
        _ => Err(format!("{key}: '{value}' is not possible")),
    }
}

fn count(key: &str, value: &str, least: usize, most: usize) -> Result<usize, String> {
    match value.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("{key}: a number from {least} to {most} is expected")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read() {
        let settings = Settings::parse("# ours\ndecimal = ,\ngroup=.\n\nseparator = tab\nhistory = 5\n").unwrap();
        assert_eq!((settings.decimal, settings.group, settings.separator, settings.history), (',', '.', '\t', 5));
    }

    #[test]
    fn mistakes_name_the_line() {
        let message = |text: &str| Settings::parse(text).unwrap_err().to_string();
        assert_eq!(message("\nwidth = 3"), "line 2: there is no setting 'width'");
        assert_eq!(message("today = 2023-02-29"), "line 1: today: '2023-02-29' is no date");
        assert_eq!(message("decimal = ,"), "line 1: decimal and group are the same character");
    }
}

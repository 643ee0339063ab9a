use crate::reading::{shown, Reading};

/// All readings in columns.
pub fn list(readings: &[Reading]) -> String {
    let mut text = String::new();
    for reading in readings {
        let sign = if reading.@@WORD@@ { "@@SIGN@@" } else { "" };
        let value = format!("{sign}{}", shown(reading.value));
        text.push_str(&format!("{:<12}{:>4}{:>10}\n", reading.place, reading.day, value));
    }
    text
}

use crate::reading::{shown, Reading};

/// All readings in columns.
pub fn list(readings: &[Reading]) -> String {
    let mut text = String::new();
    for reading in readings {
        let value = shown(reading.value);
        let sign = if reading.@@WORD@@ { "@@SIGN@@" } else { "" };
        text.push_str(&format!("{:<12}{:>4}{sign}{:>10}\n", reading.place, reading.day, value));
    }
    text
}

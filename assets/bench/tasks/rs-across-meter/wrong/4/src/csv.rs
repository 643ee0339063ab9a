use crate::reading::{shown, Reading};

/// For spreadsheets.
pub fn csv(readings: &[Reading]) -> String {
    let mut text = String::from("place,day,value,@@WORD@@\n");
    for reading in readings {
        let last = if reading.@@WORD@@ { "yes" } else { "no" };
        text.push_str(&format!("{},{},{},{last}\n", reading.place, reading.day, shown(reading.value)));
    }
    text
}

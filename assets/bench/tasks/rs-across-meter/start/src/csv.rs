use crate::reading::{shown, Reading};

/// For spreadsheets.
pub fn csv(readings: &[Reading]) -> String {
    let mut text = String::from("place,day,value\n");
    for reading in readings {
        text.push_str(&format!("{},{},{}\n", reading.place, reading.day, shown(reading.value)));
    }
    text
}

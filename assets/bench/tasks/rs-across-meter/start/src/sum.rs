use std::collections::BTreeMap;

use crate::reading::{shown, Reading};

/// The sum of each place, with the number of its readings.
pub fn sum(readings: &[Reading]) -> String {
    let mut places: BTreeMap<&str, (i64, usize)> = BTreeMap::new();
    for reading in readings {
        let entry = places.entry(&reading.place).or_default();
        entry.0 += reading.value;
        entry.1 += 1;
    }
    let mut text = String::new();
    for (place, (total, count)) in places {
        text.push_str(&format!("{place}: {} from {count} readings\n", shown(total)));
    }
    text
}

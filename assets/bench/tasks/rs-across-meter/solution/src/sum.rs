use std::collections::BTreeMap;

use crate::reading::{shown, Reading};

/// The sum of each place, with the number of its readings.
pub fn sum(readings: &[Reading]) -> String {
    let mut places: BTreeMap<&str, (i64, usize, usize)> = BTreeMap::new();
    for reading in readings {
        let entry = places.entry(&reading.place).or_default();
        entry.0 += reading.value;
        entry.1 += 1;
        entry.2 += usize::from(reading.@@WORD@@);
    }
    let mut text = String::new();
    for (place, (total, count, doubtful)) in places {
        let tail = if doubtful > 0 { format!(" ({doubtful} @@WORD@@)") } else { String::new() };
        text.push_str(&format!("{place}: {} from {count} readings{tail}\n", shown(total)));
    }
    text
}

use std::collections::BTreeMap;

use crate::reading::{shown, Reading};

/// The highest value of each place and the first day it was read.
pub fn peak(readings: &[Reading]) -> String {
    let mut places: BTreeMap<&str, &Reading> = BTreeMap::new();
    for reading in readings {
        let best = places.entry(&reading.place).or_insert(reading);
        if reading.value > best.value {
            *best = reading;
        }
    }
    places
        .iter()
        .map(|(place, best)| format!("{place}: {} on day {}\n", shown(best.value), best.day))
        .collect()
}

//! Finds a text though its characters are written in another form of Unicode, or others that cannot be seen stand between them.

use super::glyphs::{Glyph, glyphs};
use super::line_index::runs;
use std::collections::HashMap;
use std::ops::Range;

/// Where `sought` is in `text`, if only the form of its characters differs; also where it overlaps itself.
pub(super) fn find(text: &str, sought: &str) -> Vec<Range<usize>> {
    if text.is_ascii() && sought.is_ascii() {
        return Vec::new();
    }
    let (all, sought) = (glyphs(text), glyphs(sought));
    if sought.is_empty() {
        return Vec::new();
    }
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for glyph in &sought {
        let next = numbers.len();
        numbers.entry(&glyph.key).or_insert(next);
    }
    let number = |glyph: &Glyph<'_>| numbers.get(&*glyph.key).copied().unwrap_or(usize::MAX);
    let (here, wanted): (Vec<usize>, Vec<usize>) =
        (all.iter().map(number).collect(), sought.iter().map(number).collect());
    let starts = runs(&here, &wanted).into_iter();
    starts.map(|start| all[start].place.start..all[start + wanted.len() - 1].place.end).collect()
}

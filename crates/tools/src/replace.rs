//! Finds a text in a file and puts another in its place. Pure.
//!
//! Looks to the letter first (line ends never count), then more and more loosely: line by line without white space at
//! the ends, without indentation, without regard to blanks, to quotes and dashes, to the form of Unicode, and last around
//! lines that a model misremembers. The first way that finds anything decides: one place is taken, several are refused.
//!
//! **Invariant.** Every byte outside the places found stays as it is, and inside them every line that the model left
//! alone.

mod already;
mod doubled;
mod ends;
mod forms;
mod fuzzy_match;
mod glyphs;
mod how;
mod hunks;
mod indents;
mod line_index;
mod marks;
mod near;
mod numbers;
mod rebuild;

pub(crate) use ends::{is_crlf, with_ends_of};
pub(crate) use how::How;
pub(crate) use hunks::{Hunk, HunkLine, Misplaced, Patched, patched};
pub(crate) use near::{Near, already, nearest};
pub(crate) use numbers::without_numbers;

use doubled::doubled;
use ends::Flat;
use fuzzy_match::FuzzyMatch;
use line_index::{Level, LineIndex, Out, indent, is_blank};
use rebuild::{Matched, rebuilt};
use std::ops::Range;

/// How often a text may be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    TheOnly,
    All,
}

/// The new text of the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) text: String,
    pub(crate) places: usize,
    pub(crate) how: How,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    Nowhere,
    /// In these lines, counted from 1.
    Several(Vec<usize>),
    /// Around lines that read otherwise, and nearly as well in each of these lines, counted from 1.
    Vague(Vec<usize>),
    /// In this line, counted from 1, but nothing tells how the new text is to be indented there.
    Unclear(usize),
}

/// `text` with `new` in place of `old`, which is not empty.
pub(crate) fn replace(text: &str, old: &str, new: &str, which: Which) -> Result<Replaced, Mismatch> {
    let (old, new) = (old.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
    let mut found = Search { text, old: &old, new: &new, which }.replaced();
    if let (Err(Mismatch::Nowhere), Some((old, new))) = (&found, without_numbers(&old, &new)) {
        found = Search { text, old: &old, new: &new, which }.replaced();
        found.iter_mut().for_each(|found| found.how.numbers = true);
    }
    let mut found = found?;
    found.how.doubled = doubled(text, &found.text, &new).filter(|_| found.places == 1);
    Ok(found)
}

struct Search<'a> {
    text: &'a str,
    old: &'a str,
    new: &'a str,
    which: Which,
}

/// The lines sought, and those to put in their place.
struct Lines<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
}

impl<'a> Search<'a> {
    fn replaced(&self) -> Result<Replaced, Mismatch> {
        let flat = Flat::new(self.text);
        if let Some(found) = self.to_the_letter(&flat) {
            return found;
        }
        let line_index = LineIndex::new(self.text);
        for level in Level::ALL {
            let found = match level {
                Level::Ends | Level::Indents | Level::Blanks => self.by_lines(&line_index, level),
                Level::Marks | Level::Forms => {
                    self.anywhere(&flat, level).or_else(|| self.by_lines(&line_index, level))
                }
            };
            if let Some(found) = found {
                return found;
            }
        }
        self.around_drift(&line_index)
    }

    fn to_the_letter(&self, flat: &Flat) -> Option<Result<Replaced, Mismatch>> {
        let first = flat.text.find(self.old)?;
        if self.which == Which::TheOnly {
            let lines = overlapping(&flat.text, self.old, first);
            if lines.len() > 1 {
                return Some(Err(Mismatch::Several(lines)));
            }
        }
        let mut how = How::default();
        let places = flat.text.match_indices(self.old).map(|(index, _)| index..index + self.old.len()).collect();
        let (places, already) = match self.which {
            Which::All => already::not_yet(&flat.text, self.old, self.new, places),
            Which::TheOnly => (places, 0),
        };
        how.already = already;
        let found = places.into_iter().map(|place| {
            let kept = self.without_ends_that_stay(&flat.text, place.clone());
            how.line_end |= kept != place;
            (kept, self.new.to_owned())
        });
        let found: Vec<(Range<usize>, String)> = found.collect();
        Some(Ok(Replaced { places: found.len(), text: flat.put(self.text, found), how }))
    }

    /// A model that writes whole lines with one line end more than in its new text does not mean to join lines. Where
    /// nothing else would change, it does; and where a blank line is beside what it adds, nothing is joined.
    fn without_ends_that_stay(&self, text: &str, place: Range<usize>) -> Range<usize> {
        let (old, new) = (self.old, self.new);
        if new.is_empty() || is_blank(old) {
            return place;
        }
        let (before, after) = (&text[..place.start], &text[place.end..]);
        let mut kept = place.clone();
        let begins_line = old.starts_with('\n') || is_blank(before.rsplit('\n').next().unwrap_or_default());
        let adds_after = new.starts_with(old) && after.starts_with('\n');
        if begins_line && old.ends_with('\n') && !new.ends_with(char::is_whitespace) && !adds_after {
            kept.end -= 1;
        }
        let ends_line = text[kept.end..].is_empty() || text[kept.end..].starts_with('\n');
        let same_indent = indent(new) == indent(old.trim_start_matches('\n'));
        let adds_before = new.ends_with(old) && before.ends_with('\n');
        if ends_line && old.starts_with('\n') && !new.starts_with('\n') && same_indent && !adds_before {
            kept.start += 1;
        }
        if text[kept.clone()] == *new { place } else { kept }
    }

    /// Not line by line, but for marks or also for the form of characters.
    fn anywhere(&self, flat: &Flat, level: Level) -> Option<Result<Replaced, Mismatch>> {
        let find = if level == Level::Forms { forms::find } else { marks::find };
        let found = find(&flat.text, self.old);
        if found.is_empty() {
            return None;
        }
        if self.which == Which::TheOnly && found.len() > 1 {
            return Some(Err(Mismatch::Several(line_numbers(&flat.text, found.iter().map(|place| place.start)))));
        }
        let mut places: Vec<(Range<usize>, String)> = Vec::new();
        for place in found {
            if places.last().is_none_or(|(last, _)| last.end <= place.start) {
                let real = &flat.text[place.clone()];
                let new = marks::Marks::new([(self.old, real)].into_iter()).carried(self.old, real, self.new);
                places.push((place, new));
            }
        }
        let how = How { level: Some(level), ..How::default() };
        Some(Ok(Replaced { places: places.len(), text: flat.put(self.text, places), how }))
    }

    fn by_lines(&self, line_index: &LineIndex, level: Level) -> Option<Result<Replaced, Mismatch>> {
        let lines = Lines::new(self.old, self.new);
        let whole = line_index.find(&lines.old, level);
        if !whole.is_empty() {
            return Some(self.at(line_index, &lines, &whole, How { level: Some(level), ..How::default() }));
        }
        let (bare, trimmed) = lines.without_blank_edges()?;
        let mut starts = line_index.find(&bare.old, level);
        if starts.is_empty() {
            return None;
        }
        // The blank lines may tell of another place, where something else is only looser.
        for looser in Level::ALL.into_iter().filter(|looser| *looser > level) {
            starts.extend(line_index.find(&lines.old, looser).into_iter().map(|start| start + trimmed));
        }
        starts.sort_unstable();
        starts.dedup();
        Some(self.at(line_index, &bare, &starts, How { level: Some(level), blank_lines: true, ..How::default() }))
    }

    /// Puts the new lines where the old ones begin.
    fn at(&self, line_index: &LineIndex, lines: &Lines, starts: &[usize], mut how: How) -> Result<Replaced, Mismatch> {
        if self.which == Which::TheOnly && starts.len() > 1 {
            return Err(Mismatch::Several(starts.iter().map(|start| start + 1).collect()));
        }
        let level = how.level.unwrap_or(Level::Ends);
        let mut places: Vec<(Range<usize>, Vec<Out>)> = Vec::new();
        let mut to_the_letter = true;
        for start in starts.iter().copied() {
            if places.last().is_some_and(|(last, _)| last.end > start) {
                continue;
            }
            let matched = Matched { start, old: &lines.old, new: &lines.new, level, drifted: &[] };
            let built = rebuilt(line_index, matched).ok_or(Mismatch::Unclear(start + 1))?;
            how.reindented |= built.reindented;
            to_the_letter &= lines.old.iter().enumerate().all(|(nth, line)| *line == line_index.line(start + nth));
            places.push((start..start + lines.old.len(), built.outs));
        }
        how.level = how.level.filter(|_| !to_the_letter);
        Ok(Replaced { text: put(line_index, &places), places: places.len(), how })
    }

    fn around_drift(&self, line_index: &LineIndex) -> Result<Replaced, Mismatch> {
        let lines = Lines::new(self.old, self.new);
        let lines = lines.without_blank_edges().map_or(lines, |(bare, _)| bare);
        let (start, mut drifted) = match (fuzzy_match::find(line_index, &lines.old), self.which) {
            (FuzzyMatch::Nowhere, _) | (FuzzyMatch::Here { .. }, Which::All) => return Err(Mismatch::Nowhere),
            (FuzzyMatch::Several(starts), _) => {
                return Err(Mismatch::Vague(starts.iter().map(|start| start + 1).collect()));
            }
            (FuzzyMatch::Here { start, lines }, Which::TheOnly) => (start, lines),
        };
        let named = drifted.iter().map(|nth| start + nth + 1).collect();
        let old = fuzzy_match::corrected(line_index, start, &lines.old, &lines.new, &mut drifted);
        let matched = Matched { start, old: &old, new: &lines.new, level: Level::LOOSEST, drifted: &drifted };
        let built = rebuilt(line_index, matched).ok_or(Mismatch::Nowhere)?;
        let places = [(start..start + old.len(), built.outs)];
        let how = How { drifted: named, reindented: built.reindented, ..How::default() };
        Ok(Replaced { text: put(line_index, &places), places: 1, how })
    }
}

impl<'a> Lines<'a> {
    fn new(old: &'a str, new: &'a str) -> Self {
        let mut lines = Lines { old: old.split('\n').collect(), new: new.split('\n').collect() };
        // What is added after a blank line leaves the blank line where it is; any other line end is that of the last line.
        let adds_after = new.starts_with(old) && !new.ends_with('\n');
        if old.ends_with('\n') && !adds_after {
            lines.old.pop();
            if new.is_empty() || new.ends_with('\n') {
                lines.new.pop();
            }
        }
        lines
    }

    /// Without the blank lines around the old text, nor those around the new one that stand for them; and how many came
    /// first. `None`: there are none.
    fn without_blank_edges(&self) -> Option<(Self, usize)> {
        let first = self.old.iter().position(|line| !is_blank(line))?;
        let after = self.old.iter().rev().position(|line| !is_blank(line))?;
        if first + after == 0 {
            return None;
        }
        let blank = |lines: &mut dyn Iterator<Item = &&str>| lines.take_while(|line| is_blank(line)).count();
        let from = blank(&mut self.new.iter()).min(first);
        let to = self.new.len() - blank(&mut self.new[from..].iter().rev()).min(after);
        let old = self.old[first..self.old.len() - after].to_vec();
        Some((Lines { old, new: self.new[from..to].to_vec() }, first))
    }
}

/// The text with other lines in these places, which are in order.
fn put(line_index: &LineIndex, places: &[(Range<usize>, Vec<Out>)]) -> String {
    let mut result = String::with_capacity(line_index.text.len());
    let mut done = 0;
    for (place, outs) in places {
        let bytes = line_index.bytes(place.clone());
        result.push_str(&line_index.text[done..bytes.start]);
        line_index.put(&mut result, place.clone(), outs);
        done = bytes.end;
    }
    result.push_str(&line_index.text[done..]);
    result
}

/// The lines in which `old` begins, from the match at `first` on, also where matches overlap.
fn overlapping(text: &str, old: &str, first: usize) -> Vec<usize> {
    let mut from = first;
    let starts = std::iter::from_fn(|| {
        let at = from + text[from..].find(old)?;
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
        Some(at)
    });
    line_numbers(text, starts)
}

/// The lines, counted from 1, of places in order.
fn line_numbers(text: &str, places: impl Iterator<Item = usize>) -> Vec<usize> {
    let (mut line, mut done) = (1, 0);
    let number = |place: usize| {
        line += text[done..place].matches('\n').count();
        done = place;
        line
    };
    places.map(number).collect()
}

#[cfg(test)]
mod tests;

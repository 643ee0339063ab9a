//! Which lines of something that scrolls have been on the screen: what was jumped over has not.

use std::ops::Range;

/// The lines, as ranges of which no two touch. They are counted from the last one upwards, from 0: what is put above them
/// later changes no number.
#[derive(Debug, Default, Clone)]
pub(super) struct Seen {
    ranges: Vec<Range<usize>>,
}

impl Seen {
    /// All of them, however many there are.
    pub(super) fn all() -> Self {
        let mut seen = Seen::default();
        seen.add(0..usize::MAX);
        seen
    }

    /// Those of these ranges, which ascend and do not touch.
    pub(super) fn of(ranges: Vec<Range<usize>>) -> Self {
        Seen { ranges }
    }

    /// These are on the screen.
    pub(super) fn add(&mut self, lines: Range<usize>) {
        if lines.is_empty() {
            return;
        }
        let joins = |one: &Range<usize>| one.start <= lines.end && lines.start <= one.end;
        let (touched, mut apart): (Vec<_>, Vec<_>) = std::mem::take(&mut self.ranges).into_iter().partition(joins);
        let joined = touched.into_iter().fold(lines.clone(), |all, one| all.start.min(one.start)..all.end.max(one.end));
        apart.push(joined);
        self.ranges = apart;
    }

    /// How many of these never were.
    pub(super) fn missing(&self, lines: Range<usize>) -> usize {
        let held = |one: &Range<usize>| one.end.min(lines.end).saturating_sub(one.start.max(lines.start));
        lines.len().saturating_sub(self.ranges.iter().map(held).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_jumped_over_is_missing_until_it_is_shown() {
        let mut seen = Seen::default();
        assert_eq!(seen.missing(0..300), 300);
        seen.add(290..300);
        seen.add(0..10);
        assert_eq!(seen.missing(0..300), 280);
        seen.add(5..40);
        seen.add(100..100);
        assert_eq!((seen.missing(0..300), seen.missing(0..40), seen.missing(40..290)), (250, 0, 250));
        seen.add(40..290);
        assert_eq!((seen.missing(0..300), seen.ranges.len()), (0, 1));
        assert_eq!(Seen::all().missing(0..9_999), 0);
    }
}

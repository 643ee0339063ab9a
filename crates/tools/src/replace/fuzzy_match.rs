//! The last way to find a place: by the lines around those that a model misremembers.
//!
//! **Invariant.** Only where nothing else in the text comes near. Whoever calls shows which lines differ, and leaves
//! them as they are.

use super::line_index::{Level, LineIndex, is_blank, is_telling};
use similar::TextDiff;
use std::collections::HashMap;

/// Fewer lines prove nothing.
const FEWEST: usize = 3;
/// A line that is more often in the text tells nothing.
const COMMON: usize = 1_000;
/// By how many telling lines the best place must be ahead of the next.
const MARGIN: usize = 2;
/// How much of a line must be as the model wrote it.
const ALIKE: f32 = 0.6;
/// Longer lines are not compared letter by letter, in bytes.
const LONGEST: usize = 400;
/// Of so many lines, one may differ.
const ONE_IN: usize = 5;

/// Where the text may be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FuzzyMatch {
    Nowhere,
    /// Beginning in these lines, counted from 0.
    Several(Vec<usize>),
    /// From line `start` on, but for these lines of the sought ones.
    Here {
        start: usize,
        lines: Vec<usize>,
    },
}

/// Looks for `old`, whose first and last lines are not blank.
pub(super) fn find(line_index: &LineIndex, old: &[&str]) -> FuzzyMatch {
    if old.len() < FEWEST || old.len() > line_index.len() {
        return FuzzyMatch::Nowhere;
    }
    let votes = votes(line_index, old);
    let Some((start, best)) = votes.iter().copied().enumerate().max_by_key(|(_, votes)| *votes) else {
        return FuzzyMatch::Nowhere;
    };
    let Some(lines) = drifted(line_index, start, old).filter(|_| best >= 2) else { return FuzzyMatch::Nowhere };
    let near: Vec<usize> = (0..votes.len()).filter(|start| votes[*start] + MARGIN > best).collect();
    if near.len() > 1 { FuzzyMatch::Several(near) } else { FuzzyMatch::Here { start, lines } }
}

/// For each line at which `old` could begin: how many telling lines would be right.
fn votes(line_index: &LineIndex, old: &[&str]) -> Vec<usize> {
    let mut places: HashMap<_, Vec<usize>> = HashMap::new();
    for line in old.iter().filter(|line| is_telling(line)) {
        places.insert(Level::LOOSEST.key(line), Vec::new());
    }
    for (index, line) in line_index.lines().enumerate() {
        if let Some(places) = places.get_mut(&Level::LOOSEST.key(line)) {
            places.push(index);
        }
    }
    let mut votes = vec![0; line_index.len() + 1 - old.len()];
    for (nth, line) in old.iter().enumerate() {
        let here = places.get(&Level::LOOSEST.key(line)).filter(|places| places.len() <= COMMON);
        for place in here.into_iter().flatten() {
            if let Some(votes) = place.checked_sub(nth).and_then(|start| votes.get_mut(start)) {
                *votes += 1;
            }
        }
    }
    votes
}

/// Which of the `old` lines are not there, if all the others are and these are like those that are.
fn drifted(line_index: &LineIndex, start: usize, old: &[&str]) -> Option<Vec<usize>> {
    let key = |line| Level::LOOSEST.key(line);
    let differs = |nth: &usize| key(old[*nth]) != key(line_index.line(start + nth));
    let lines: Vec<usize> = (0..old.len()).filter(differs).collect();
    let filled = old.iter().filter(|line| !is_blank(line)).count();
    let few = lines.len() <= (filled / ONE_IN).max(1);
    let inside = !lines.contains(&0) && !lines.contains(&(old.len() - 1));
    let alike = |nth: &usize| are_alike(old[*nth].trim(), line_index.line(start + nth).trim());
    (few && inside && lines.iter().all(alike)).then_some(lines)
}

fn are_alike(wrote: &str, has: &str) -> bool {
    !wrote.is_empty()
        && !has.is_empty()
        && wrote.len().max(has.len()) <= LONGEST
        && TextDiff::from_chars(wrote, has).ratio() >= ALIKE
}

/// `old` with the line that `new` has, where that is the real one: the model itself put right what it misremembered.
/// Takes such lines out of `drifted`.
pub(super) fn corrected<'a>(
    line_index: &LineIndex,
    start: usize,
    old: &[&'a str],
    new: &[&'a str],
    drifted: &mut Vec<usize>,
) -> Vec<&'a str> {
    let key = |line| Level::LOOSEST.key(line);
    let mut result = old.to_vec();
    drifted.retain(|nth| {
        let real = key(line_index.line(start + nth));
        let right = new.iter().find(|line| key(line) == real);
        match right.filter(|_| !new.iter().any(|line| key(line) == key(old[*nth]))) {
            Some(right) => {
                result[*nth] = right;
                false
            }
            None => true,
        }
    });
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn first(items: &[Item]) -> u64 {\n    let total = items.iter().map(price).sum();\n    total\n}\n\n\
        fn second(items: &[Item]) -> u64 {\n    let count = items.iter().filter(sold).count();\n    count as u64\n}\n";

    fn found(text: &str, old: &str) -> FuzzyMatch {
        find(&LineIndex::new(text), &old.lines().collect::<Vec<_>>())
    }

    #[test]
    fn one_line_that_differs_is_seen_through() {
        let old = "fn first(items: &[Item]) -> u64 {\n  let total = items.iter().map(cost).sum();\n  total\n}";
        assert_eq!(found(TEXT, old), FuzzyMatch::Here { start: 0, lines: vec![1] });
    }

    #[test]
    fn too_little_that_is_right_proves_nothing() {
        for old in [
            "fn first(items: &[Item]) -> u64 {\n    let total = items.iter().map(cost).sum();",
            "fn first(items: &[Item]) -> u64 {\n    println!(\"something else\");\n    total\n}",
            "fn third(items: &[Item]) -> u64 {\n    let total = items.iter().map(price).sum();\n    total\n}",
            "fn first(items: &[Item]) -> u64 {\n    let total = items.iter().map(cost).sum();\n    totals\n}",
        ] {
            assert_eq!(found(TEXT, old), FuzzyMatch::Nowhere, "{old}");
        }
    }

    #[test]
    fn two_places_that_are_nearly_as_like_are_told() {
        let twice = format!("{TEXT}\nmod more {{\n{}}}\n", TEXT.replace("price", "prices"));
        let old = "fn first(items: &[Item]) -> u64 {\n    let total = items.iter().map(cost).sum();\n    total\n}";
        assert_eq!(found(&twice, old), FuzzyMatch::Several(vec![0, 11]));
    }
}

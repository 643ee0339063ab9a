//! Several changes of one text, each with the lines around it, as patches have them.
//!
//! **Invariant.** A change goes to the only place that it can mean. Where there are several, or two changes touch the same
//! lines, none is made.

use super::line_index::{Level, LineIndex, Out, is_blank};
use super::rebuild::{Matched, rebuilt};
use super::{How, Mismatch, Which, replace};
use std::ops::Range;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Hunk {
    /// Lines that stand somewhere above it, the outermost first: `class Shop`, `def total`.
    pub(crate) above: Vec<String>,
    pub(crate) lines: Vec<HunkLine>,
    /// The line in which it begins, counted from 1, as the model believes. Tells one of several places from the others.
    pub(crate) near: Option<usize>,
    /// Its last line is the last one of the text.
    pub(crate) at_end: bool,
    /// It stands behind the one before it.
    pub(crate) ordered: bool,
}

/// A line of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HunkLine {
    Both(String),
    Old(String),
    New(String),
}

/// A text with its changes made.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Patched {
    pub(crate) text: String,
    /// How the places were found, in words, where that is worth some.
    pub(crate) how: Vec<String>,
}

/// Why a change has no place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Misplaced {
    Mismatch(Mismatch),
    /// It has only new lines, and nothing tells where they belong.
    NoPlace,
    /// It touches lines that the change at this place, counted from 0, touches too.
    Overlaps(usize),
}

impl Hunk {
    /// What is there, and what is to be there.
    pub(crate) fn sides(&self) -> (Vec<&str>, Vec<&str>) {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for line in &self.lines {
            match line {
                HunkLine::Both(line) => {
                    old.push(line.as_str());
                    new.push(line.as_str());
                }
                HunkLine::Old(line) => old.push(line),
                HunkLine::New(line) => new.push(line),
            }
        }
        (old, new)
    }

    /// The lines that go, one below the other.
    pub(crate) fn going(&self) -> String {
        let old = |line: &HunkLine| match line {
            HunkLine::Old(line) => Some(format!("{line}\n")),
            HunkLine::Both(_) | HunkLine::New(_) => None,
        };
        self.lines.iter().filter_map(old).collect()
    }

    /// The lines that come.
    pub(crate) fn coming(&self) -> String {
        let new = |line: &HunkLine| match line {
            HunkLine::New(line) => Some(format!("{line}\n")),
            HunkLine::Both(_) | HunkLine::Old(_) => None,
        };
        self.lines.iter().filter_map(new).collect()
    }

    /// Gives the lines that come these texts, which are as many.
    pub(crate) fn rewrite(&mut self, new: &str) {
        let mut new = new.lines();
        for line in &mut self.lines {
            if let HunkLine::New(line) = line {
                new.next().unwrap_or_default().clone_into(line);
            }
        }
    }
}

/// `text` with all of `hunks`; else the first that has no place, counted from 0, and why.
pub(crate) fn patched(text: &str, hunks: &[Hunk]) -> Result<Patched, (usize, Misplaced)> {
    let line_index = LineIndex::new(text);
    let (mut placed, mut loose): (Vec<Placed>, Vec<usize>) = (Vec::new(), Vec::new());
    for (nth, hunk) in hunks.iter().enumerate() {
        let floor = placed.last().filter(|_| hunk.ordered).map(|before| before.place.end);
        match place(&line_index, hunk, floor).map_err(|fault| (nth, fault))? {
            Some((place, outs, how)) => placed.push(Placed { nth, place, outs, how }),
            None => loose.push(nth),
        }
    }
    placed.sort_by_key(|placed| (placed.place.start, placed.place.end));
    if let Some((first, second)) = overlapping(&placed) {
        return Err((second, Misplaced::Overlaps(first)));
    }
    let mut how: Vec<(usize, Option<String>)> = placed.iter().map(|placed| (placed.nth, placed.how.words())).collect();
    let mut text = assembled(&line_index, placed);
    for nth in loose {
        let (old, new) = hunks[nth].sides();
        let replaced = replace(&text, &old.join("\n"), &new.join("\n"), Which::TheOnly);
        let replaced = replaced.map_err(|mismatch| (nth, Misplaced::Mismatch(mismatch)))?;
        how.push((nth, replaced.how.words()));
        text = replaced.text;
    }
    how.sort_by_key(|(nth, _)| *nth);
    Ok(Patched { text, how: how.into_iter().filter_map(|(_, words)| words).collect() })
}

/// Where a change goes.
struct Placed {
    nth: usize,
    /// The lines that it touches; none where it only adds.
    place: Range<usize>,
    outs: Vec<Out>,
    how: How,
}

/// What a change makes of which lines, and how they were found.
type Spot = (Range<usize>, Vec<Out>, How);

/// `None`: its lines are not there line by line.
fn place(line_index: &LineIndex, hunk: &Hunk, floor: Option<usize>) -> Result<Option<Spot>, Misplaced> {
    let (old, new) = hunk.sides();
    if old.iter().all(|line| is_blank(line)) {
        return added(line_index, hunk, &old, &new).map(Some);
    }
    for level in Level::ALL {
        let starts = line_index.find(&old, level);
        if starts.is_empty() {
            continue;
        }
        let start = chosen(line_index, hunk, &starts, old.len(), floor)
            .ok_or_else(|| Misplaced::Mismatch(Mismatch::Several(starts.iter().map(|start| start + 1).collect())))?;
        let matched = Matched { start, old: &old, new: &new, level, drifted: &[] };
        let built = rebuilt(line_index, matched).ok_or(Misplaced::Mismatch(Mismatch::Unclear(start + 1)))?;
        let to_the_letter = old.iter().enumerate().all(|(nth, line)| *line == line_index.line(start + nth));
        let level = Some(level).filter(|_| !to_the_letter);
        let how = How { level, reindented: built.reindented, ..How::default() };
        let (place, outs) = touched(start..start + old.len(), built.outs);
        return Ok(Some((place, outs, how)));
    }
    Ok(None)
}

/// New lines with nothing around them belong into an empty text, or behind a text of which it is said that they end it.
fn added(line_index: &LineIndex, hunk: &Hunk, old: &[&str], new: &[&str]) -> Result<Spot, Misplaced> {
    let is_empty = line_index.lines().all(is_blank);
    let is_for_the_end = hunk.at_end && old.is_empty();
    if !is_empty && !is_for_the_end {
        return Err(Misplaced::NoPlace);
    }
    let place = if is_empty { 0..line_index.len() } else { line_index.len()..line_index.len() };
    Ok((place, new.iter().map(|line| Out::Put((*line).to_owned())).collect(), How::default()))
}

/// Which of several places is meant; `None` where nothing tells.
fn chosen(line_index: &LineIndex, hunk: &Hunk, starts: &[usize], length: usize, floor: Option<usize>) -> Option<usize> {
    let only = |found: Vec<usize>| if let [only] = found[..] { Some(only) } else { None };
    let those = |is_meant: &dyn Fn(usize) -> bool| starts.iter().copied().filter(|start| is_meant(*start)).collect();
    let ends = |start: usize| (start + length..line_index.len()).all(|line| is_blank(line_index.line(line)));
    let below: Vec<usize> = below(line_index, &hunk.above, starts);
    only(starts.to_vec())
        .or_else(|| only(those(&ends)).filter(|_| hunk.at_end))
        .or_else(|| only(below.clone()))
        .or_else(|| only(below.into_iter().filter(|start| floor.is_some_and(|floor| *start >= floor)).collect()))
        .or_else(|| only(those(&|start| hunk.near == Some(start + 1))))
        .or_else(|| only(those(&|start| floor.is_some_and(|floor| start >= floor))).filter(|_| hunk.above.is_empty()))
}

/// The first of `starts` below each place in which the lines `above` stand, one below the other.
fn below(line_index: &LineIndex, above: &[String], starts: &[usize]) -> Vec<usize> {
    let mut heads: Vec<usize> = Vec::new();
    for (nth, line) in above.iter().enumerate() {
        let here = standing(line_index, line);
        heads = match nth {
            0 => here,
            _ => heads.iter().filter_map(|head| here.iter().copied().find(|at| at > head)).collect(),
        };
        heads.dedup();
    }
    let mut found: Vec<usize> =
        heads.iter().filter_map(|head| starts.iter().copied().find(|start| start >= head)).collect();
    found.dedup();
    found
}

/// The lines that are `line`; else those that begin like it, else those that hold it.
fn standing(line_index: &LineIndex, line: &str) -> Vec<usize> {
    let wanted = line.trim();
    let ways: [fn(&str, &str) -> bool; 3] =
        [|line, wanted| line == wanted, |line, wanted| line.starts_with(wanted), |line, wanted| line.contains(wanted)];
    let those = |way: &fn(&str, &str) -> bool| -> Vec<usize> {
        line_index.lines().enumerate().filter(|(_, line)| way(line.trim(), wanted)).map(|(at, _)| at).collect()
    };
    ways.iter().map(those).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Only the lines that become others, and what they become: what stands around them may belong to another change, too.
fn touched(mut place: Range<usize>, mut outs: Vec<Out>) -> (Range<usize>, Vec<Out>) {
    while !place.is_empty() && outs.last() == Some(&Out::Keep(place.end - 1)) {
        place.end -= 1;
        outs.pop();
    }
    let same = outs.iter().zip(place.clone()).take_while(|(out, line)| **out == Out::Keep(*line)).count();
    place.start += same;
    outs.drain(..same);
    (place, outs)
}

/// Two of `placed`, which are in order, that touch the same lines or add in the same place; the later hunk second.
fn overlapping(placed: &[Placed]) -> Option<(usize, usize)> {
    let both = placed.windows(2).find(|both| {
        let (one, other) = (&both[0].place, &both[1].place);
        one.end > other.start || (one == other && one.is_empty())
    })?;
    Some((both[0].nth.min(both[1].nth), both[0].nth.max(both[1].nth)))
}

/// The text with all changes in it.
fn assembled(line_index: &LineIndex, placed: Vec<Placed>) -> String {
    let (mut outs, mut at) = (Vec::new(), 0);
    for Placed { place, outs: new, .. } in placed {
        outs.extend((at..place.start).map(Out::Keep));
        outs.extend(new);
        at = place.end;
    }
    outs.extend((at..line_index.len()).map(Out::Keep));
    line_index.rewritten(&outs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hunk(lines: &[&str]) -> Hunk {
        let line = |line: &&str| match line.split_at(1) {
            ("-", line) => HunkLine::Old(line.into()),
            ("+", line) => HunkLine::New(line.into()),
            (_, line) => HunkLine::Both(line.into()),
        };
        Hunk { lines: lines.iter().map(line).collect(), ordered: true, ..Hunk::default() }
    }

    fn made(text: &str, hunks: &[Hunk]) -> Result<String, (usize, Misplaced)> {
        patched(text, hunks).map(|patched| patched.text)
    }

    const TWICE: &str = "fn a\n  x\n  y\nfn b\n  x\n  y\n";

    #[test]
    fn what_stands_above_tells_one_place_from_another() {
        let change = hunk(&["-  x", "+  z"]);
        let several = Err((0, Misplaced::Mismatch(Mismatch::Several(vec![2, 5]))));
        assert_eq!(made(TWICE, std::slice::from_ref(&change)), several);
        let second = Ok(TWICE.replace("fn b\n  x", "fn b\n  z"));
        let below =
            |above: &[&str]| Hunk { above: above.iter().map(|line| (*line).into()).collect(), ..change.clone() };
        assert_eq!(made(TWICE, &[below(&["fn b"])]), second);
        assert_eq!(made(TWICE, &[below(&["fn a", "fn b"])]), second);
        assert_eq!(made(TWICE, &[below(&["fn"])]), several, "it stands above both");
        assert_eq!(made(TWICE, &[below(&["fn c"])]), several);
        assert_eq!(made(TWICE, &[Hunk { near: Some(5), ..change.clone() }]), second);
        assert_eq!(made(TWICE, &[Hunk { near: Some(4), ..change.clone() }]), several, "nearly is not enough");
        let end = hunk(&["   y", "+  z"]);
        assert_eq!(made(TWICE, &[Hunk { at_end: true, ..end }]), Ok(format!("{TWICE}  z\n")));
    }

    #[test]
    fn a_later_change_stands_behind_an_earlier_one() {
        let (first, second) = (hunk(&[" fn a", "-  x", "+  1"]), hunk(&["-  x", "+  2"]));
        assert_eq!(made(TWICE, &[first.clone(), second.clone()]), Ok("fn a\n  1\n  y\nfn b\n  2\n  y\n".into()));
        let unordered = Hunk { ordered: false, ..second };
        assert!(matches!(made(TWICE, &[first, unordered]), Err((1, Misplaced::Mismatch(Mismatch::Several(_))))));
    }

    #[test]
    fn changes_may_share_what_stays_and_nothing_else() {
        let text = "1\n2\n3\n4\n";
        let (one, other) = (hunk(&[" 1", "-2", "+two", " 3"]), hunk(&[" 3", "-4", "+four"]));
        assert_eq!(made(text, &[one.clone(), other.clone()]), Ok("1\ntwo\n3\nfour\n".into()));
        assert_eq!(made(text, &[other, one.clone()]), Ok("1\ntwo\n3\nfour\n".into()), "in whatever order");
        assert_eq!(made(text, &[one.clone(), hunk(&["-2", " 3"])]), Err((1, Misplaced::Overlaps(0))));
        assert_eq!(
            made(text, &[hunk(&[" 2", "+a", " 3"]), hunk(&[" 2", "+b", " 3"])]),
            Err((1, Misplaced::Overlaps(0)))
        );
    }

    #[test]
    fn new_lines_alone_belong_into_an_empty_text_or_to_the_end() {
        let new = hunk(&["+x"]);
        assert_eq!(made("1\n", std::slice::from_ref(&new)), Err((0, Misplaced::NoPlace)));
        assert_eq!(made("", std::slice::from_ref(&new)), Ok("x\n".into()));
        assert_eq!(made("1", &[Hunk { at_end: true, ..new }]), Ok("1\nx".into()));
    }

    /// Some lines, and what becomes of each: it stays, goes, becomes another, or gets one behind it.
    fn edits() -> impl Strategy<Value = Vec<(u8, u8)>> {
        prop::collection::vec((0_u8..5, prop::sample::select(vec![0_u8, 0, 0, 1, 2, 3])), 1..24)
    }

    /// The text, what is to become of it, and the changes with up to `around` lines beside each.
    fn case(edits: &[(u8, u8)], around: usize) -> (String, String, Vec<Hunk>) {
        let lines: Vec<Vec<HunkLine>> = edits
            .iter()
            .enumerate()
            .map(|(nth, (line, act))| {
                let (line, new) = (format!("line {line}"), format!("new {nth}"));
                match act {
                    0 => vec![HunkLine::Both(line)],
                    1 => vec![HunkLine::Old(line)],
                    2 => vec![HunkLine::Old(line), HunkLine::New(new)],
                    _ => vec![HunkLine::Both(line), HunkLine::New(new)],
                }
            })
            .collect();
        let whole = Hunk { lines: lines.concat(), ..Hunk::default() };
        let (old, new) = whole.sides();
        let text = |lines: Vec<&str>| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let near = |nth: usize| edits.iter().enumerate().any(|(at, (_, act))| *act > 0 && at.abs_diff(nth) <= around);
        let (mut hunks, mut open): (Vec<Hunk>, Vec<HunkLine>) = (Vec::new(), Vec::new());
        for (nth, line) in lines.iter().enumerate() {
            if near(nth) {
                open.extend(line.clone());
            }
            if (!near(nth) || nth + 1 == lines.len()) && !open.is_empty() {
                hunks.push(Hunk { lines: std::mem::take(&mut open), ordered: true, ..Hunk::default() });
            }
        }
        (text(old), text(new), hunks)
    }

    proptest! {
        #[test]
        fn a_true_patch_makes_what_it_was_made_from_or_nothing((edits, around) in (edits(), 0_usize..4)) {
            let (before, after, hunks) = case(&edits, around);
            if let Ok(text) = made(&before, &hunks) {
                prop_assert_eq!(text, after);
            }
        }

        #[test]
        fn with_its_lines_it_always_does((edits, around) in (edits(), 0_usize..4)) {
            let (before, after, mut hunks) = case(&edits, around);
            let mut at = 0;
            let near = |nth: usize| edits.iter().enumerate().any(|(at, (_, act))| *act > 0 && at.abs_diff(nth) <= around);
            for hunk in &mut hunks {
                while !near(at) {
                    at += 1;
                }
                hunk.near = Some(at + 1);
                while at < edits.len() && near(at) {
                    at += 1;
                }
            }
            prop_assert_eq!(made(&before, &hunks), Ok(after));
        }
    }
}

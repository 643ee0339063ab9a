//! Carries what a model changed between its old text and its new one over to the real lines.
//!
//! **Invariant.** A line that the model left alone stays in the file to the byte, however it was matched.

use super::indents::{IndentPlace, IndentRule, Indents};
use super::line_index::{Level, LineIndex, Out, indent, is_blank};
use super::marks::Marks;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::borrow::Cow;

/// A run of lines of the line_index that matched, and what the model wants of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matched<'m, 'a> {
    pub(super) start: usize,
    pub(super) old: &'m [&'a str],
    pub(super) new: &'m [&'a str],
    pub(super) level: Level,
    /// Lines of `old` that are not those of the line_index.
    pub(super) drifted: &'m [usize],
}

/// The lines that take the place of those that matched.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rebuilt {
    pub(super) outs: Vec<Out>,
    /// Was any line indented otherwise than the model wrote it?
    pub(super) reindented: bool,
}

/// `None`: the real lines do not tell how.
pub(super) fn rebuilt(line_index: &LineIndex, matched: Matched) -> Option<Rebuilt> {
    let Matched { old, new, level, .. } = matched;
    let keys = |lines: &[&str]| lines.iter().map(|line| level.key(line).into_owned()).collect::<Vec<String>>();
    let ops = capture_diff_slices(Algorithm::Myers, &keys(old), &keys(new));
    let kept = ops.iter().flat_map(|op| match op {
        DiffOp::Equal { old_index, new_index, len } => {
            (0..*len).map(|nth| IndentRule { old: old_index + nth, new: new_index + nth }).collect()
        }
        DiffOp::Insert { .. } | DiffOp::Delete { .. } | DiffOp::Replace { .. } => Vec::new(),
    });
    let kept: Vec<IndentRule> = kept.collect();
    let real = |index: usize| line_index.line(matched.start + index);
    let pairs = || old.iter().enumerate().map(|(index, line)| (*line, real(index)));
    let mut build = Build {
        line_index,
        matched,
        indents: Indents::new(line_index, matched.start, old, new, &kept)?,
        marks: if level >= Level::Marks { Marks::new(pairs()) } else { Marks::default() },
        ends_are_loose: pairs()
            .any(|(wrote, has)| wrote.len() - wrote.trim_end().len() > has.len() - has.trim_end().len()),
        rebuilt: Rebuilt { outs: Vec::new(), reindented: false },
    };
    for op in &ops {
        build.add(op)?;
    }
    Some(build.rebuilt)
}

struct Build<'m, 'a, 's> {
    line_index: &'s LineIndex<'a>,
    matched: Matched<'m, 'a>,
    indents: Indents<'a>,
    marks: Marks,
    /// Has the old text white space at the end of lines that the file has not?
    ends_are_loose: bool,
    rebuilt: Rebuilt,
}

impl Build<'_, '_, '_> {
    fn add(&mut self, op: &DiffOp) -> Option<()> {
        let (old, new) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { .. } = op {
            return old.zip(new).try_for_each(|(old, new)| self.keep(old, new));
        }
        if old.clone().any(|line| self.matched.drifted.contains(&line)) {
            return None;
        }
        let (paired, alone) = (old.len() == new.len(), new.len() == 1);
        for (nth, line) in new.enumerate() {
            let counterpart = paired.then_some(old.start + nth);
            // What comes after an insertion is what comes after what it replaces.
            let before = if paired { old.start + nth } else { old.end };
            let spot = IndentPlace { counterpart, before, alone, first: line == 0 };
            self.put(line, spot)?;
        }
        Some(())
    }

    /// A line with the same key in both texts: what differs still is what the model wants to change.
    fn keep(&mut self, old: usize, new: usize) -> Option<()> {
        let index = self.matched.start + old;
        let (wrote, wants, has) = (self.matched.old[old], self.matched.new[new], self.line_index.line(index));
        if is_blank(wants) {
            self.rebuilt.outs.push(Out::Keep(index));
            return Some(());
        }
        let spot = IndentPlace { counterpart: Some(old), before: old, alone: false, first: new == 0 };
        let indent_now =
            if indent(wants) == indent(wrote) { indent(has).into() } else { self.indents.of(wants, spot)? };
        let same = wants.trim() == wrote.trim() || wants.trim() == has.trim();
        match (same, indent_now == indent(has)) {
            (true, true) => self.rebuilt.outs.push(Out::Keep(index)),
            (_, _) if self.matched.drifted.contains(&old) => return None,
            (true, false) => self.push(wants, indent_now, has.trim_start().into()),
            (false, _) => {
                let content = self.marks.carried(wrote.trim(), has.trim(), wants.trim());
                self.push(wants, indent_now, content.into());
            }
        }
        Some(())
    }

    fn put(&mut self, new: usize, spot: IndentPlace) -> Option<()> {
        let wants = self.matched.new[new];
        if is_blank(wants) {
            self.rebuilt.outs.push(Out::Put(String::new()));
            return Some(());
        }
        let indent = self.indents.of(wants, spot)?;
        let content = if self.ends_are_loose { wants.trim() } else { wants.trim_start() };
        let content: Cow<str> = match (self.matched.level, spot.counterpart) {
            (Level::Marks | Level::Forms, Some(old)) => {
                let (wrote, has) = (self.matched.old[old], self.line_index.line(self.matched.start + old));
                self.marks.carried(wrote.trim(), has.trim(), content).into()
            }
            (Level::Marks | Level::Forms, None) => self.marks.carried("", "", content).into(),
            (Level::Ends | Level::Indents | Level::Blanks, _) => content.into(),
        };
        self.push(wants, indent, content);
        Some(())
    }

    fn push(&mut self, wants: &str, indent_now: String, content: Cow<str>) {
        self.rebuilt.reindented |= indent(wants) != indent_now;
        self.rebuilt.outs.push(Out::Put(indent_now + &content));
    }
}

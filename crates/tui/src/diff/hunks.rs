//! The hunks of changed files: stretches of changed lines with a little around them, which a person goes through one by one and
//! can leave out. Says what the files hold without those that are left out; draws nothing.

use agent_protocol::{FileDiff, LinesBack, PartText};
use similar::{DiffOp, DiffTag};
use std::ops::Range;

/// A stretch of changed lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hunk {
    /// Lines of the file as it was, from 0, and the lines of the file as it will be that stand in their place.
    changes: Vec<(Range<usize>, Range<usize>)>,
}

impl Hunk {
    /// The hunk of this group of operations.
    pub(super) fn of(group: &[DiffOp]) -> Self {
        let changes = group.iter().filter(|op| op.tag() != DiffTag::Equal);
        Hunk { changes: changes.map(|op| (op.old_range(), op.new_range())).collect() }
    }

    /// Its lines as they will be, from 1; where nothing stays, those that go.
    fn lines(&self) -> (usize, usize) {
        let (first, end) = reach(self.changes.iter().map(|(_, new)| new));
        let (first, end) = if end > first { (first, end) } else { reach(self.changes.iter().map(|(old, _)| old)) };
        (first + 1, end.max(first + 1))
    }

    /// `lines 40 to 52`.
    fn words(&self) -> String {
        match self.lines() {
            (first, last) if first == last => format!("line {first}"),
            (first, last) => format!("lines {first} to {last}"),
        }
    }
}

/// From the first of them to the last.
fn reach<'a>(ranges: impl Iterator<Item = &'a Range<usize>> + Clone) -> (usize, usize) {
    let first = ranges.clone().map(|range| range.start).min().unwrap_or(0);
    (first, ranges.map(|range| range.end).max().unwrap_or(first))
}

/// The hunks of all files of a question.
#[derive(Debug, Default)]
pub(crate) struct Hunks {
    all: Vec<Reviewed>,
    /// The one that is looked at.
    at: usize,
}

/// A hunk, and what the user makes of it.
#[derive(Debug)]
struct Reviewed {
    file: usize,
    hunk: Hunk,
    /// Can it be left out?
    may_go: bool,
    out: bool,
    /// Why, in the user's words.
    why: Option<String>,
}

/// What becomes of a hunk that is taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HunkBack {
    /// The number of its file.
    pub(crate) file: usize,
    /// The lines that become what they were; none: the file is taken back whole.
    pub(crate) lines: Vec<LinesBack>,
    /// `lines 40 to 52`.
    pub(crate) words: String,
}

/// The hunks that are left out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Remaining {
    /// The files without them.
    pub(crate) files: Vec<PartText>,
    /// What the model is told.
    pub(crate) told: String,
    /// Nothing of the change is left.
    pub(crate) all: bool,
}

impl Hunks {
    /// Adds those of a file.
    pub(super) fn add(&mut self, number: usize, file: &FileDiff, hunks: Vec<Hunk>) {
        let may_go = is_plain(file);
        let reviewed = |hunk| Reviewed { file: number, hunk, may_go, out: false, why: None };
        self.all.extend(hunks.into_iter().map(reviewed));
    }

    /// Is there something to go through?
    pub(crate) fn are_several(&self) -> bool {
        self.all.len() > 1
    }

    /// Which one is looked at.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The first line, as it will be, of the hunk that is looked at, where it is one of this file; else of the first one there.
    pub(crate) fn line_in(&self, file: usize) -> Option<usize> {
        let of_file = |hunk: &&Reviewed| hunk.file == file;
        let here = self.all.get(self.at).filter(of_file).or_else(|| self.all.iter().find(of_file));
        here.map(|hunk| hunk.hunk.lines().0)
    }

    pub(crate) fn go_to(&mut self, place: usize) {
        self.at = place.min(self.all.len().saturating_sub(1));
    }

    /// Is this one left out?
    pub(super) fn is_out(&self, place: usize) -> bool {
        self.all.get(place).is_some_and(|hunk| hunk.out)
    }

    /// Is the one that is looked at left out?
    pub(crate) fn is_this_out(&self) -> bool {
        self.is_out(self.at)
    }

    /// What would be taken back with the hunk that is looked at, where the files are as they are now.
    pub(crate) fn back(&self) -> Option<HunkBack> {
        let Reviewed { file, hunk, may_go, .. } = self.all.get(self.at)?;
        let lines = |(old, new): &(Range<usize>, Range<usize>)| LinesBack { now: new.clone(), was: old.clone() };
        let lines = if *may_go { hunk.changes.iter().map(lines).collect() } else { Vec::new() };
        Some(HunkBack { file: *file, lines, words: hunk.words() })
    }

    /// Leaves the one that is looked at out, or takes it in again; says whether that can be done.
    pub(crate) fn toggle(&mut self) -> bool {
        let Some(hunk) = self.all.get_mut(self.at).filter(|hunk| hunk.may_go) else { return false };
        hunk.out = !hunk.out;
        true
    }

    /// Why the one that is looked at is left out.
    pub(crate) fn why(&mut self) -> Option<&mut Option<String>> {
        self.all.get_mut(self.at).map(|hunk| &mut hunk.why)
    }

    /// In words: `hunk 2 of 3 · lines 40 to 52`.
    pub(super) fn words(&self, place: usize) -> String {
        let Some(hunk) = self.all.get(place) else { return String::new() };
        let lines = hunk.hunk.words();
        let why = hunk.why.as_ref().filter(|_| hunk.out).map(|why| format!(": {why}")).unwrap_or_default();
        let out = if hunk.out { " · left out" } else { "" };
        format!("hunk {} of {} · {lines}{out}{why}", place + 1, self.all.len())
    }

    /// How many are left out.
    pub(crate) fn count_out(&self) -> usize {
        self.all.iter().filter(|hunk| hunk.out).count()
    }

    /// What the change is without those that are left out; `None`: nothing is.
    pub(crate) fn left(&self, files: &[FileDiff]) -> Option<Remaining> {
        let out: Vec<&Reviewed> = self.all.iter().filter(|hunk| hunk.out).collect();
        if out.is_empty() {
            return None;
        }
        let mut texts = Vec::new();
        for (number, file) in files.iter().enumerate() {
            let of_file: Vec<&Hunk> = out.iter().filter(|hunk| hunk.file == number).map(|hunk| &hunk.hunk).collect();
            if let (false, Some(text)) = (of_file.is_empty(), without(file, &of_file)) {
                texts.push(PartText { path: file.path.clone(), text });
            }
        }
        let named: Vec<String> = out.iter().map(|hunk| hunk.told(files)).collect();
        let told = format!(
            "I left {} of {} hunks of this change out: {}. The rest is written.",
            out.len(),
            self.all.len(),
            named.join("; ")
        );
        Some(Remaining { files: texts, told, all: out.len() == self.all.len() })
    }
}

impl Reviewed {
    fn told(&self, files: &[FileDiff]) -> String {
        let name = files.get(self.file).map_or("", |file| &file.shown_path);
        let lines = self.hunk.words();
        let why = self.why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
        format!("{name}, {lines} of your text{why}")
    }
}

/// Do the lines that are compared stand just so in both files? Line ends and missing breaks at the end are made alike before.
fn is_plain(file: &FileDiff) -> bool {
    let plain = |text: &Option<String>| {
        text.as_ref().is_some_and(|text| !text.contains('\r') && (text.is_empty() || text.ends_with('\n')))
    };
    file.skipped == 0 && plain(&file.before) && plain(&file.after)
}

/// The file as it will be, with these hunks as they were.
fn without(file: &FileDiff, out: &[&Hunk]) -> Option<String> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let before: Vec<&str> = before.split_inclusive('\n').collect();
    let mut after: Vec<&str> = after.split_inclusive('\n').collect();
    let mut changes: Vec<&(Range<usize>, Range<usize>)> = out.iter().flat_map(|hunk| &hunk.changes).collect();
    // From the end, so that the numbers before stay right.
    changes.sort_by_key(|(_, new)| std::cmp::Reverse((new.start, new.end)));
    for (old, new) in changes {
        let were = before.get(old.clone())?;
        if new.end > after.len() {
            return None;
        }
        after.splice(new.clone(), were.iter().copied());
    }
    Some(after.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::CONTEXT_LINES;
    use similar::TextDiff;

    fn file(before: &str, after: &str) -> FileDiff {
        FileDiff {
            path: "/p/a.py".into(),
            shown_path: "a.py".into(),
            before: Some(before.into()),
            after: Some(after.into()),
            note: None,
            skipped: 0,
            marks: Vec::new(),
        }
    }

    fn hunks(file: &FileDiff) -> Hunks {
        let (before, after) = (file.before.clone().unwrap(), file.after.clone().unwrap());
        let diff = TextDiff::from_lines(&before, &after);
        let mut hunks = Hunks::default();
        hunks.add(0, file, diff.grouped_ops(CONTEXT_LINES).iter().map(|group| Hunk::of(group)).collect());
        hunks
    }

    /// Thirty lines, of which these are others.
    fn lines(others: &[(usize, &str)]) -> String {
        let line = |at: usize| match others.iter().find(|(place, _)| *place == at) {
            Some((_, text)) => (*text).to_owned(),
            None => format!("line {at}\n"),
        };
        (0..30).map(line).collect()
    }

    #[test]
    fn what_is_left_out_is_as_it_was_and_the_rest_as_it_will_be() {
        let (before, after) = (lines(&[]), lines(&[(2, "two\n"), (14, "a\nb\nc\n"), (27, "")]));
        let file = file(&before, &after);
        let mut hunks = hunks(&file);
        assert!(hunks.are_several() && hunks.left(std::slice::from_ref(&file)).is_none());
        hunks.go_to(1);
        assert!(hunks.toggle());
        *hunks.why().unwrap() = Some("too much".into());
        let left = hunks.left(std::slice::from_ref(&file)).unwrap();
        assert_eq!(left.files, [PartText { path: "/p/a.py".into(), text: lines(&[(2, "two\n"), (27, "")]) }]);
        assert_eq!(
            left.told,
            "I left 1 of 3 hunks of this change out: a.py, lines 15 to 17 of your text (too much). The rest is written."
        );
        assert!(!left.all);
        for place in [0, 2] {
            hunks.go_to(place);
            hunks.toggle();
        }
        let left = hunks.left(&[file]).unwrap();
        assert_eq!((left.all, left.files[0].text.as_str()), (true, before.as_str()));
    }

    #[test]
    fn every_choice_of_hunks_gives_what_a_patch_of_the_others_would() {
        let (before, after) = (lines(&[]), lines(&[(0, ""), (9, "x\ny\n"), (20, "z\n"), (29, "end\nmore\n")]));
        let file = file(&before, &after);
        for choice in 1..16_usize {
            let mut hunks = hunks(&file);
            let mut wanted = vec![(0, ""), (9, "x\ny\n"), (20, "z\n"), (29, "end\nmore\n")];
            for place in (0..4).rev().filter(|place| choice & (1 << place) != 0) {
                hunks.go_to(place);
                hunks.toggle();
                wanted.remove(place);
            }
            assert_eq!(hunks.left(std::slice::from_ref(&file)).unwrap().files[0].text, lines(&wanted), "{choice}");
        }
    }

    #[test]
    fn a_file_whose_lines_are_not_compared_as_they_stand_is_taken_whole() {
        let file = file("a\r\nb\r\n", "a\r\nc\r\n");
        let mut hunks = hunks(&file);
        assert!(!hunks.toggle());
    }
}

//! The hunks of changed files: stretches of changed lines with a little around them, which the user goes through one by one and
//! can leave out. Says what the files hold without those that are left out.

use agent_protocol::{Answer, FileDiff, LinesBack, PartText, Proposal};
use similar::{DiffOp, DiffTag};
use std::ops::Range;

/// A stretch of changed lines, and what the user makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The place of its file among those of the change.
    pub file: usize,
    /// Lines of the file as it was, from 0, and the lines of the file as it will be that stand in their place.
    changes: Vec<(Range<usize>, Range<usize>)>,
    /// Lines of the file before those that are compared.
    skipped: usize,
    /// Can it be left out? Not where its file is new or deleted, or its line ends change: that is written whole or not at all.
    pub may_go: bool,
    pub out: bool,
    /// Why it is left out, in the user's words.
    pub why: Option<String>,
}

impl Hunk {
    /// The hunk of this group of operations, in the file with this number.
    pub fn from_group(group: &[DiffOp], number: usize, file: &FileDiff) -> Self {
        let changes = group.iter().filter(|op| op.tag() != DiffTag::Equal);
        Hunk {
            file: number,
            changes: changes.map(|op| (op.old_range(), op.new_range())).collect(),
            skipped: usize::try_from(file.skipped).unwrap_or(usize::MAX),
            may_go: is_plain(file),
            out: false,
            why: None,
        }
    }

    /// Its first and its last line as they will be, from 1, among those compared; where nothing stays, those that go.
    fn lines(&self) -> (usize, usize) {
        let (first, end) = span(self.changes.iter().map(|(_, new)| new));
        let (first, end) = if end > first { (first, end) } else { span(self.changes.iter().map(|(old, _)| old)) };
        (first + 1, end.max(first + 1))
    }

    /// `lines 40 to 52` of the file.
    pub fn lines_label(&self) -> String {
        let (first, last) = self.lines();
        let in_file = |line: usize| line.saturating_add(self.skipped);
        match (in_file(first), in_file(last)) {
            (first, last) if first == last => format!("line {first}"),
            (first, last) => format!("lines {first} to {last}"),
        }
    }

    /// The lines that become what they were where it is taken back from a file as it is now; none: that can only be done with
    /// all of the file.
    pub fn lines_back(&self) -> Vec<LinesBack> {
        let changes = self.changes.iter().filter(|_| self.may_go);
        changes.map(|(was, now)| LinesBack { now: now.clone(), was: was.clone() }).collect()
    }

    fn model_text(&self, files: &[FileDiff]) -> String {
        let name = files.get(self.file).map_or("", |file| &file.shown_path);
        let why = self.why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
        format!("{name}, {} of your text{why}", self.lines_label())
    }
}

/// From the first of them to the last.
fn span<'a>(ranges: impl Iterator<Item = &'a Range<usize>> + Clone) -> (usize, usize) {
    let first = ranges.clone().map(|range| range.start).min().unwrap_or(0);
    (first, ranges.map(|range| range.end).max().unwrap_or(first))
}

/// The hunks of all files of a change.
#[derive(Debug, Default)]
pub struct Hunks {
    pub all: Vec<Hunk>,
    /// The one that is looked at.
    at: usize,
}

/// A change without the hunks that are left out.
#[derive(Debug, PartialEq, Eq)]
pub struct Remaining {
    /// The files that are changed by that.
    pub files: Vec<PartText>,
    /// What the model is told.
    pub told: String,
    /// Nothing of the change is left.
    pub all: bool,
}

impl Hunks {
    /// Is there something to go through?
    pub fn are_several(&self) -> bool {
        self.all.len() > 1
    }

    /// The place of the one that is looked at.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn current(&self) -> Option<&Hunk> {
        self.all.get(self.at)
    }

    /// The first line, as it will be, of the hunk that is looked at, where it is one of this file; else of the first one there.
    pub fn line_in(&self, file: usize) -> Option<usize> {
        let of_file = |hunk: &&Hunk| hunk.file == file;
        let here = self.current().filter(of_file).or_else(|| self.all.iter().find(of_file));
        here.map(|hunk| hunk.lines().0)
    }

    pub fn go_to(&mut self, place: usize) {
        self.at = place.min(self.all.len().saturating_sub(1));
    }

    pub fn is_out(&self, place: usize) -> bool {
        self.all.get(place).is_some_and(|hunk| hunk.out)
    }

    /// Is the one that is looked at left out?
    pub fn is_this_out(&self) -> bool {
        self.is_out(self.at)
    }

    /// Leaves the one that is looked at out, or takes it in again; says whether that can be done.
    pub fn toggle(&mut self) -> bool {
        let Some(hunk) = self.all.get_mut(self.at).filter(|hunk| hunk.may_go) else { return false };
        hunk.out = !hunk.out;
        true
    }

    /// Why the one that is looked at is left out.
    pub fn why(&mut self) -> Option<&mut Option<String>> {
        self.all.get_mut(self.at).map(|hunk| &mut hunk.why)
    }

    /// `hunk 2 of 3 · lines 40 to 52`
    pub fn heading(&self, place: usize) -> String {
        let Some(hunk) = self.all.get(place) else { return String::new() };
        let lines = hunk.lines_label();
        let why = hunk.why.as_ref().filter(|_| hunk.out).map(|why| format!(": {why}")).unwrap_or_default();
        let out = if hunk.out { " · left out" } else { "" };
        format!("hunk {} of {} · {lines}{out}{why}", place + 1, self.all.len())
    }

    /// How many are left out.
    pub fn count_out(&self) -> usize {
        self.all.iter().filter(|hunk| hunk.out).count()
    }

    /// What the change is without those that are left out; `None`: nothing is.
    pub fn remaining(&self, files: &[FileDiff]) -> Option<Remaining> {
        let out: Vec<&Hunk> = self.all.iter().filter(|hunk| hunk.out).collect();
        if out.is_empty() {
            return None;
        }
        let mut texts = Vec::new();
        for (number, file) in files.iter().enumerate() {
            let of_file: Vec<&Hunk> = out.iter().copied().filter(|hunk| hunk.file == number).collect();
            if let (false, Some(text)) = (of_file.is_empty(), without(file, &of_file)) {
                texts.push(PartText { path: file.path.clone(), text });
            }
        }
        let named: Vec<String> = out.iter().map(|hunk| hunk.model_text(files)).collect();
        let told = format!(
            "I left {} of {} hunks of this change out: {}. The rest is written.",
            out.len(),
            self.all.len(),
            named.join("; ")
        );
        Some(Remaining { files: texts, told, all: out.len() == self.all.len() })
    }
}

impl Remaining {
    /// Yes to what is left; where that is nothing, no. `feedback` goes to the model with it.
    pub fn into_answer(self, feedback: Option<String>) -> Answer {
        let told = feedback.map_or(self.told.clone(), |feedback| format!("{} {feedback}", self.told));
        if self.all {
            return Answer::No { word: Some(told) };
        }
        Answer::Instead { proposal: Proposal::Part { files: self.files, told } }
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
        let groups = diff.grouped_ops(CONTEXT_LINES);
        Hunks { all: groups.iter().map(|group| Hunk::from_group(group, 0, file)).collect(), at: 0 }
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
        assert!(hunks.are_several() && hunks.remaining(std::slice::from_ref(&file)).is_none());
        hunks.go_to(1);
        assert!(hunks.toggle());
        *hunks.why().unwrap() = Some("too much".into());
        let left = hunks.remaining(std::slice::from_ref(&file)).unwrap();
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
        let left = hunks.remaining(&[file]).unwrap();
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
            assert_eq!(hunks.remaining(std::slice::from_ref(&file)).unwrap().files[0].text, lines(&wanted), "{choice}");
        }
    }

    #[test]
    fn a_file_whose_lines_are_not_compared_as_they_stand_is_taken_whole() {
        let file = file("a\r\nb\r\n", "a\r\nc\r\n");
        let mut hunks = hunks(&file);
        assert!(!hunks.toggle());
    }

    #[test]
    fn a_hunk_that_only_goes_has_the_lines_that_go_and_lines_that_are_not_compared_are_counted() {
        let file = file(&lines(&[]), &lines(&[(9, "x\ny\n"), (20, "")]));
        let labels = |file: &FileDiff| hunks(file).all.iter().map(Hunk::lines_label).collect::<Vec<_>>();
        assert_eq!(labels(&file), ["lines 10 to 11", "line 21"]);
        assert_eq!(labels(&FileDiff { skipped: 100, ..file }), ["lines 110 to 111", "line 121"]);
    }
}

//! The hunks of changed files: stretches of changed lines with a little around them, each of which may be left out. Says what
//! the files hold without those that are; finds no words.

use agent_protocol::{CONTEXT_LINES, FileDiff, LinesBack, PartText};
use similar::{ChangeTag, DiffOp, DiffTag, TextDiff};
use std::ops::Range;
use std::time::Duration;

/// So long two texts are compared closely.
const PATIENCE: Duration = Duration::from_millis(300);

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HunkLine {
    pub(super) side: HunkSide,
    /// Without its line end.
    pub(super) text: String,
}

/// On which side a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HunkSide {
    Same,
    Removed,
    Added,
}

/// A stretch of changed lines, and whether it is left out.
#[derive(Debug, Clone)]
pub(super) struct TextHunk {
    /// The place of its file among those of the change.
    pub(super) file: usize,
    pub(super) lines: Vec<HunkLine>,
    /// Lines of the file as it was, from 0, and the lines of the file as it will be that stand in their place.
    changes: Vec<(Range<usize>, Range<usize>)>,
    /// Lines of the file before those that are compared.
    skipped: usize,
    /// Can it be left out?
    pub(super) may_go: bool,
    pub(super) out: bool,
    /// Why it is left out, in the user's words.
    pub(super) why: Option<String>,
}

impl TextHunk {
    fn of(diff: &TextDiff<'_, '_, str>, group: &[DiffOp], (number, file): (usize, &FileDiff)) -> Self {
        let changed = group.iter().filter(|op| op.tag() != DiffTag::Equal);
        let line = |side, text: &str| HunkLine { side, text: text.trim_end_matches(['\n', '\r']).to_owned() };
        let lines = group.iter().flat_map(|op| diff.iter_changes(op)).map(|change| match change.tag() {
            ChangeTag::Equal => line(HunkSide::Same, change.value()),
            ChangeTag::Delete => line(HunkSide::Removed, change.value()),
            ChangeTag::Insert => line(HunkSide::Added, change.value()),
        });
        TextHunk {
            file: number,
            lines: lines.collect(),
            changes: changed.map(|op| (op.old_range(), op.new_range())).collect(),
            skipped: usize::try_from(file.skipped).unwrap_or(usize::MAX),
            may_go: is_plain(file),
            out: false,
            why: None,
        }
    }

    /// How many lines stand on this side.
    pub(super) fn count(&self, side: HunkSide) -> usize {
        self.lines.iter().filter(|line| line.side == side).count()
    }

    /// The lines that become what they were where it is taken back from a file as it is now; none: that can only be done with
    /// all of the file.
    pub(super) fn lines_back(&self) -> Vec<LinesBack> {
        let lines = self.changes.iter().filter(|_| self.may_go);
        lines.map(|(was, now)| LinesBack { now: now.clone(), was: was.clone() }).collect()
    }

    /// Its first and its last line as they will be, from 1; where nothing stays, those that go.
    pub(super) fn reach(&self) -> (usize, usize) {
        let (first, end) = reach(self.changes.iter().map(|(_, new)| new));
        let (first, end) = if end > first { (first, end) } else { reach(self.changes.iter().map(|(old, _)| old)) };
        let from = |line: usize| line.saturating_add(self.skipped);
        (from(first + 1), from(end.max(first + 1)))
    }
}

/// From the first of them to the last.
fn reach<'a>(ranges: impl Iterator<Item = &'a Range<usize>> + Clone) -> (usize, usize) {
    let first = ranges.clone().map(|range| range.start).min().unwrap_or(0);
    (first, ranges.map(|range| range.end).max().unwrap_or(first))
}

/// The hunks of all these files, in their order.
pub(super) fn hunks_of(files: &[FileDiff]) -> Vec<TextHunk> {
    let of_file = |(number, file): (usize, &FileDiff)| {
        let (before, after) = (file.before.as_deref().unwrap_or_default(), file.after.as_deref().unwrap_or_default());
        let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(before, after);
        let groups = diff.grouped_ops(CONTEXT_LINES);
        groups.iter().map(|group| TextHunk::of(&diff, group, (number, file))).collect::<Vec<_>>()
    };
    files.iter().enumerate().flat_map(of_file).collect()
}

/// The files without the hunks that are left out: those alone that are other files for it.
pub(super) fn without_those_out(files: &[FileDiff], hunks: &[TextHunk]) -> Vec<PartText> {
    let of_file = |(number, file): (usize, &FileDiff)| {
        let out: Vec<&TextHunk> = hunks.iter().filter(|hunk| hunk.out && hunk.file == number).collect();
        let text = if out.is_empty() { None } else { without(file, &out) };
        text.map(|text| PartText { path: file.path.clone(), text })
    };
    files.iter().enumerate().filter_map(of_file).collect()
}

/// Do the lines that are compared stand just so in both files, and is it neither new nor deleted?
fn is_plain(file: &FileDiff) -> bool {
    let plain = |text: &Option<String>| {
        text.as_ref().is_some_and(|text| !text.contains('\r') && (text.is_empty() || text.ends_with('\n')))
    };
    file.skipped == 0 && plain(&file.before) && plain(&file.after)
}

/// The file as it will be, with these hunks as they were.
fn without(file: &FileDiff, out: &[&TextHunk]) -> Option<String> {
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

    /// Thirty lines, of which these are others.
    fn lines(others: &[(usize, &str)]) -> String {
        let line = |at: usize| match others.iter().find(|(place, _)| *place == at) {
            Some((_, text)) => (*text).to_owned(),
            None => format!("line {at}\n"),
        };
        (0..30).map(line).collect()
    }

    #[test]
    fn every_choice_of_hunks_gives_what_a_patch_of_the_others_would() {
        let all = [(0, ""), (9, "x\ny\n"), (20, "z\n"), (29, "end\nmore\n")];
        let file = file(&lines(&[]), &lines(&all));
        for choice in 1..16_usize {
            let mut hunks = hunks_of(std::slice::from_ref(&file));
            let mut wanted = all.to_vec();
            for place in (0..4).rev().filter(|place| choice & (1 << place) != 0) {
                hunks[place].out = true;
                wanted.remove(place);
            }
            let left = without_those_out(std::slice::from_ref(&file), &hunks);
            assert_eq!(left[0].text, lines(&wanted), "{choice}");
        }
    }

    #[test]
    fn a_hunk_reaches_from_its_first_line_to_its_last_and_one_that_only_goes_has_those_that_go() {
        let file = file(&lines(&[]), &lines(&[(9, "x\ny\n"), (20, "")]));
        let hunks = hunks_of(std::slice::from_ref(&file));
        let reaches: Vec<(usize, usize)> = hunks.iter().map(TextHunk::reach).collect();
        assert_eq!(reaches, [(10, 11), (21, 21)]);
        assert_eq!((hunks[0].count(HunkSide::Added), hunks[0].count(HunkSide::Removed)), (2, 1));
    }

    #[test]
    fn a_file_whose_lines_are_not_compared_as_they_stand_is_taken_whole() {
        let new = FileDiff { before: None, ..file("", "a\n") };
        for file in [file("a\r\nb\r\n", "a\r\nc\r\n"), file("a\n", "b"), new] {
            assert!(hunks_of(&[file]).iter().all(|hunk| !hunk.may_go));
        }
    }
}

//! What there is to show of a change: which lines, what is folded away, what has to be said besides.
//!
//! Line ends do not count as changes of lines, here: they are made alike first, and what becomes of them is said in a
//! note. So are missing line breaks at the end, and characters that would not be seen.

use super::doubts::{Doubts, mixed};
use super::long::{folded, parted};
use crate::clean::clean_line;
use agent_frontend::Hunk;
use agent_protocol::{CONTEXT_LINES, FileDiff, LineMark};
use similar::{ChangeTag, DiffOp, InlineChangeOptions, TextDiff};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

/// The time after which a worse comparison will do. It is right in any case, only longer; what tests see must not depend
/// on how busy the machine is.
const PATIENCE: Duration = if cfg!(test) { Duration::from_secs(3600) } else { Duration::from_millis(200) };

/// Lines of a replaced stretch beyond which its words are not compared.
const WORDS_LINES: usize = 200;

/// Words of a line that stand out at most; the warning counts them all.
const MARKED: usize = 50;

/// Bytes of a line beyond which its words are not compared.
const WORDS_BYTES: usize = 2_000;

/// Something to draw, one below the other.
pub(super) enum DiffRow {
    Header {
        path: String,
        added: usize,
        removed: usize,
    },
    Note(String),
    /// Something to know that cannot be seen in the lines.
    Warning(String),
    /// Unchanged lines are left out.
    Fold(Unchanged),
    Hunk,
    /// A line of the file.
    Code(CodeRow),
}

/// Unchanged lines between hunks, before the first one or after the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unchanged {
    /// Which of the files they belong to.
    pub(super) file: usize,
    /// How many stand before those that are there to be compared.
    pub(super) skipped: usize,
    /// The others, from 0 in the file as it will be, as far as it is compared.
    pub(super) lines: Range<usize>,
}

impl Unchanged {
    pub(super) fn count(&self) -> usize {
        self.skipped.saturating_add(self.lines.len())
    }
}

/// A line of a file.
pub(super) struct CodeRow {
    pub(super) side: Side,
    /// Its number, from 1: in the file as it was for removed lines, as it will be for the others.
    pub(super) number: usize,
    pub(super) text: String,
    /// The bytes of `text` that differ from the line it replaces.
    pub(super) changed: Vec<Range<usize>>,
    /// The words of an added line that are not what they look like.
    pub(super) doubtful: Vec<Range<usize>>,
    /// Which of the files it belongs to.
    pub(super) file: usize,
    /// Its line, from 0, in the file as it will be, if `text` is exactly what stands there: then colours fit.
    pub(super) coloured: Option<usize>,
    /// Is it a line of a hunk, or stands there for another reason?
    pub(super) in_hunk: bool,
}

/// On which side a line stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    Both,
    /// Only in the file as it was.
    Removed,
    /// Only in the file as it will be.
    Added,
}

pub(super) struct Compared {
    pub(super) rows: Vec<DiffRow>,
    pub(super) added: usize,
    pub(super) removed: usize,
    /// Lines of the files before those that are compared.
    pub(super) skipped: usize,
    /// Are the lines that are added now those of a hunk?
    in_hunk: bool,
    doubts: Doubts,
    /// What is to be said of single lines, by their numbers.
    marks: HashMap<usize, String>,
    /// Its hunks, in their order.
    pub(super) hunks: Vec<Hunk>,
}

/// The row that names a file.
pub(super) fn header(file: &FileDiff, compared: &Compared) -> DiffRow {
    let path = clean_line(&file.shown_path).into_owned();
    DiffRow::Header { path, added: compared.added, removed: compared.removed }
}

/// Compares `file`, the one with this number.
pub(super) fn compare(file: &FileDiff, number: usize) -> Compared {
    let before = Side::of(file.before.as_deref());
    let after = Side::of(file.after.as_deref());
    let skipped = usize::try_from(file.skipped).unwrap_or(usize::MAX);
    let marks = file.marks.iter().map(|LineMark { line, text }| {
        let number = usize::try_from(*line).unwrap_or(usize::MAX);
        (number, clean_line(&format!("line {line} {text}")).into_owned())
    });
    let doubts = Doubts::default();
    let mut compared = Compared {
        rows: notes(file),
        added: 0,
        removed: 0,
        skipped,
        in_hunk: false,
        doubts,
        marks: marks.collect(),
        hunks: Vec::new(),
    };
    // A name can hide as much as a line.
    compared.doubts.line(&file.shown_path);
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(before.as_ref(), after.as_ref());
    let groups = diff.grouped_ops(CONTEXT_LINES);
    let mut shown_to = 0;
    let mut left_out = skipped;
    for group in &groups {
        compared.fold(
            &diff,
            std::mem::take(&mut left_out),
            shown_to..group.first().map_or(0, |op| op.new_range().start),
            number,
        );
        compared.rows.push(DiffRow::Hunk);
        compared.hunks.push(Hunk::from_group(group, number, file));
        compared.in_hunk = true;
        for op in group {
            compared.stretch(&diff, op, number);
        }
        compared.in_hunk = false;
        shown_to = group.last().map_or(shown_to, |op| op.new_range().end);
    }
    if !groups.is_empty() {
        compared.fold(&diff, 0, shown_to..diff.new_len(), number);
    }
    let warnings = compared.doubts.warnings().into_iter().map(DiffRow::Warning);
    compared.rows.splice(0..0, warnings);
    compared
}

impl Side {
    /// A text with its line ends made alike, the last one included.
    pub(super) fn of(text: Option<&str>) -> Cow<'_, str> {
        let text = text.unwrap_or_default();
        let unbroken = !text.is_empty() && !text.ends_with('\n');
        match (text.contains("\r\n"), unbroken) {
            (false, false) => Cow::Borrowed(text),
            (_, true) => Cow::Owned(text.replace("\r\n", "\n") + "\n"),
            (true, false) => Cow::Owned(text.replace("\r\n", "\n")),
        }
    }
}

impl Compared {
    /// Leaves out unchanged lines, and those that `skipped` counts before them; one alone takes no more room than the
    /// words that it is left out. One of which something is to be said stays.
    fn fold(&mut self, diff: &TextDiff<'_, '_, str>, skipped: usize, lines: Range<usize>, file: usize) {
        let marked = lines.clone().find(|index| self.marks.contains_key(&self.number(*index)));
        if let Some((index, line)) = marked.and_then(|index| Some((index, diff.new_slice(index)?))) {
            self.fold(diff, skipped, lines.start..index, file);
            self.line(ChangeTag::Equal, None, Some(index), &[(false, line)], file);
            return self.fold(diff, 0, index + 1..lines.end, file);
        }
        match (skipped.saturating_add(lines.len()), diff.new_slice(lines.start)) {
            (0, _) => {}
            (1, Some(line)) if skipped == 0 => {
                self.line(ChangeTag::Equal, None, Some(lines.start), &[(false, line)], file)
            }
            (_, _) => self.rows.push(DiffRow::Fold(Unchanged { file, skipped, lines })),
        }
    }

    /// Adds the lines of one stretch, with the words that differ where that can be told.
    fn stretch(&mut self, diff: &TextDiff<'_, '_, str>, op: &DiffOp, file: usize) {
        let replaced = matches!(op, DiffOp::Replace { .. });
        if replaced && !comparable(diff, op) && op.old_range().len() == op.new_range().len() {
            return self.long_lines(diff, op, file);
        }
        if !replaced || !comparable(diff, op) {
            for change in diff.iter_changes(op) {
                self.line(change.tag(), change.old_index(), change.new_index(), &[(false, change.value())], file);
            }
            return;
        }
        let mut options = InlineChangeOptions::new();
        options.semantic_cleanup(true);
        // Bounded by size, not by time: the same change always looks the same.
        for change in diff.iter_inline_changes_with_options_deadline(op, options, None) {
            self.line(change.tag(), change.old_index(), change.new_index(), change.values(), file);
        }
    }

    /// Lines too long for their words to be compared, each with the one that takes its place.
    fn long_lines(&mut self, diff: &TextDiff<'_, '_, str>, op: &DiffOp, file: usize) {
        let old = |line| diff.old_slice(line).unwrap_or_default();
        let new = |line| diff.new_slice(line).unwrap_or_default();
        for (one, two) in op.old_range().zip(op.new_range()) {
            self.line(ChangeTag::Delete, Some(one), None, &parted(old(one), new(two)), file);
        }
        for (one, two) in op.old_range().zip(op.new_range()) {
            self.line(ChangeTag::Insert, None, Some(two), &parted(new(two), old(one)), file);
        }
    }

    fn line(&mut self, tag: ChangeTag, old: Option<usize>, new: Option<usize>, parts: &[(bool, &str)], file: usize) {
        let (side, index) = match tag {
            ChangeTag::Equal => (Side::Both, new),
            ChangeTag::Delete => (Side::Removed, old),
            ChangeTag::Insert => (Side::Added, new),
        };
        self.removed += usize::from(side == Side::Removed);
        self.added += usize::from(side == Side::Added);
        let index = index.unwrap_or(0);
        let Shown { text, changed, exact } = shown(parts, side);
        let coloured = (side != Side::Removed && exact).then_some(index);
        let mut doubtful = Vec::new();
        if side == Side::Added {
            let line: String = parts.iter().map(|(_, part)| part.trim_end_matches('\n')).collect();
            self.doubts.line(&line);
            doubtful.extend(mixed(&text).into_iter().take(MARKED).map(|mixed| mixed.word));
        }
        let number = self.number(index);
        self.rows.push(DiffRow::Code(CodeRow {
            side,
            number,
            text,
            changed,
            doubtful,
            file,
            coloured,
            in_hunk: self.in_hunk,
        }));
        let mark = self.marks.get(&number).filter(|_| side != Side::Removed);
        self.rows.extend(mark.cloned().map(DiffRow::Warning));
    }

    /// The number, from 1, of the line at `index` of those that are compared.
    fn number(&self, index: usize) -> usize {
        index.saturating_add(self.skipped).saturating_add(1)
    }
}

/// The line at `index` of the file as it will be, which is the same in both.
pub(super) fn same(line: &str, index: usize, skipped: usize, file: usize) -> CodeRow {
    let Shown { text, changed, exact } = shown(&[(false, line)], Side::Both);
    CodeRow {
        side: Side::Both,
        number: index.saturating_add(skipped).saturating_add(1),
        text,
        changed,
        doubtful: Vec::new(),
        file,
        coloured: exact.then_some(index),
        in_hunk: false,
    }
}

/// Is a replaced stretch small enough to compare its words?
fn comparable(diff: &TextDiff<'_, '_, str>, op: &DiffOp) -> bool {
    let short = |line: Option<&str>| line.is_some_and(|line| line.len() <= WORDS_BYTES);
    op.old_range().len() + op.new_range().len() <= WORDS_LINES
        && op.old_range().all(|line| short(diff.old_slice(line)))
        && op.new_range().all(|line| short(diff.new_slice(line)))
}

/// A line as it is shown.
struct Shown {
    text: String,
    changed: Vec<Range<usize>>,
    /// Is the text just the line, cleaned?
    exact: bool,
}

/// Cleans a line and keeps track of which part of it changed. Changes that are nothing but blanks are made visible.
fn shown(parts: &[(bool, &str)], side: Side) -> Shown {
    let mut raw = String::new();
    let mut ranges = Vec::new();
    let mut exact = true;
    for (changed, part) in parts {
        let part = part.trim_end_matches('\n');
        let from = raw.len();
        if *changed && !part.is_empty() && part.trim_matches([' ', '\t']).is_empty() {
            raw.push_str(&visible_blanks(part));
            exact = false;
        } else if *changed || parts.len() == 1 && side != Side::Both {
            raw.push_str(part);
        } else {
            let part = folded(part);
            exact &= matches!(part, Cow::Borrowed(_));
            raw.push_str(&part);
        }
        if *changed && raw.len() > from {
            ranges.push(from..raw.len());
        }
    }
    let kept = raw.trim_end_matches([' ', '\t']).len();
    if side == Side::Added && kept < raw.len() {
        let blanks = visible_blanks(&raw[kept..]);
        raw.truncate(kept);
        raw.push_str(&blanks);
        exact = false;
    }
    let text = clean_line(&raw);
    let place = |at: usize| match &text {
        Cow::Borrowed(_) => at,
        Cow::Owned(text) => text.floor_char_boundary(clean_line(&raw[..at.min(raw.len())]).len()),
    };
    // A line that is new from end to end says so by its sign.
    let whole = exact && ranges.iter().map(Range::len).sum::<usize>() == raw.len();
    let changed = ranges.iter().filter(|_| !whole).map(|range| place(range.start)..place(range.end)).collect();
    Shown { changed, exact, text: text.into_owned() }
}

fn visible_blanks(blanks: &str) -> String {
    blanks.replace(' ', "·").replace('\t', "→\t")
}

/// What has to be said about a file besides its lines.
fn notes(file: &FileDiff) -> Vec<DiffRow> {
    let mut notes = Vec::new();
    match (&file.before, &file.after) {
        (None, Some(after)) if after.is_empty() => notes.push("new file, empty".to_owned()),
        (None, Some(_)) => notes.push("new file".to_owned()),
        (Some(_), None) => notes.push("the file is deleted".to_owned()),
        (Some(before), Some(after)) if before == after => notes.push("nothing changes".to_owned()),
        // Of a part nobody knows what else there is.
        (Some(_), Some(after)) if after.is_empty() && file.skipped == 0 => {
            notes.push("the file becomes empty".to_owned())
        }
        _ => {}
    }
    notes.extend(file.note.as_deref().map(|note| clean_line(note).into_owned()));
    let told = file.note.as_deref().is_some_and(|note| note.contains("CRLF"));
    notes.extend(line_ends(file).filter(|_| !told));
    notes.extend(last_break(file).map(str::to_owned));
    notes.into_iter().map(DiffRow::Note).collect()
}

fn line_ends(file: &FileDiff) -> Option<String> {
    let ends = |text: &Option<String>| text.as_deref().and_then(LineEnds::of);
    match (ends(&file.before), ends(&file.after)) {
        (Some(before), Some(after)) if before != after => {
            Some(format!("line ends change from {} to {}", before.name(), after.name()))
        }
        (_, Some(after)) if after != LineEnds::Lf => Some(format!("line ends are {}", after.name())),
        _ => None,
    }
}

fn last_break(file: &FileDiff) -> Option<&'static str> {
    let broken =
        |text: &Option<String>| text.as_deref().filter(|text| !text.is_empty()).map(|text| text.ends_with('\n'));
    match (broken(&file.before), broken(&file.after)) {
        (Some(true), Some(false)) => Some("the last line loses its line break"),
        (Some(false), Some(true)) => Some("the last line gains a line break"),
        (_, Some(false)) => Some("no line break at the end of the file"),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum LineEnds {
    Lf,
    CrLf,
    Mixed,
}

impl LineEnds {
    /// `None`: the text has no line break.
    fn of(text: &str) -> Option<Self> {
        let crlf = text.matches("\r\n").count();
        match text.matches('\n').count() - crlf {
            0 if crlf == 0 => None,
            0 => Some(LineEnds::CrLf),
            _ if crlf == 0 => Some(LineEnds::Lf),
            _ => Some(LineEnds::Mixed),
        }
    }

    fn name(self) -> &'static str {
        match self {
            LineEnds::Lf => "LF",
            LineEnds::CrLf => "CRLF",
            LineEnds::Mixed => "mixed",
        }
    }
}

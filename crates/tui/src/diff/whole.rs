//! A whole file around its changes: the unchanged lines between hunks, long stretches of them folded until somebody opens them.

use super::compare::{CodeRow, Side, Unchanged, same};
use agent_protocol::FileDiff;
use std::collections::BTreeSet;
use std::ops::Range;

/// Unchanged lines in a row that are shown without a fold.
const LONG: usize = 60;
/// Of more than that, so many stay in sight next to a change.
const BESIDE: usize = 20;

/// How much of the files is shown.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// What changes, with a little around it.
    #[default]
    Hunks,
    Whole,
}

/// The texts of all files as they will be, and which of their folds are open.
#[derive(Debug, Default)]
pub(super) struct WholeFiles {
    files: Vec<WholeFile>,
    /// By file and first line.
    open: BTreeSet<(usize, usize)>,
}

/// The text of one file, and where its lines begin.
#[derive(Debug)]
struct WholeFile {
    /// With line ends as they are compared.
    text: String,
    ends: Vec<usize>,
    skipped: usize,
}

/// A piece of an unchanged stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// These lines, one by one.
    Lines(Range<usize>),
    /// So many that are not there, before the first line.
    Skipped(usize),
    /// These are folded.
    Folded(Range<usize>),
}

impl WholeFiles {
    pub(super) fn of(files: &[FileDiff]) -> Self {
        WholeFiles { files: files.iter().map(WholeFile::of).collect(), open: BTreeSet::new() }
    }

    /// Do these lines stand here?
    pub(super) fn holds(&self, unchanged: &Unchanged) -> bool {
        !unchanged.lines.is_empty()
            && self.files.get(unchanged.file).is_some_and(|file| unchanged.lines.end <= file.ends.len())
    }

    /// What a stretch looks like with the folds that are open.
    pub(super) fn pieces(&self, unchanged: &Unchanged) -> Vec<Piece> {
        let Unchanged { file, skipped, lines } = unchanged;
        let mut pieces: Vec<Piece> = (*skipped > 0).then_some(Piece::Skipped(*skipped)).into_iter().collect();
        let end_of_file = self.files.get(*file).map_or(0, |file| file.ends.len());
        // Next to the beginning and the end of the file there is no change.
        let above = if lines.start == 0 { 0 } else { BESIDE };
        let below = if lines.end == end_of_file { 0 } else { BESIDE };
        if lines.len() <= LONG || self.open.contains(&(*file, lines.start)) {
            pieces.push(Piece::Lines(lines.clone()));
            return pieces;
        }
        let folded = lines.start + above..lines.end - below;
        let (above, below) = (lines.start..folded.start, folded.end..lines.end);
        pieces.extend((!above.is_empty()).then_some(Piece::Lines(above)));
        pieces.push(Piece::Folded(folded));
        pieces.extend((!below.is_empty()).then_some(Piece::Lines(below)));
        pieces
    }

    /// Shows all lines of the stretch that begins with this one.
    pub(super) fn open(&mut self, file: usize, first: usize) {
        self.open.insert((file, first));
    }

    /// An unchanged line as it is shown.
    pub(super) fn row(&self, file: usize, line: usize) -> CodeRow {
        same(self.line(file, line), line, self.skipped(file), file)
    }

    /// The number of a line, from 1.
    pub(super) fn number(&self, file: usize, line: usize) -> usize {
        line.saturating_add(self.skipped(file)).saturating_add(1)
    }

    fn skipped(&self, file: usize) -> usize {
        self.files.get(file).map_or(0, |file| file.skipped)
    }

    /// Its text, with its line end.
    pub(super) fn line(&self, file: usize, line: usize) -> &str {
        self.files.get(file).map_or("", |file| file.line(line))
    }

    /// The number of the last line of all.
    pub(super) fn highest(&self) -> usize {
        self.files.iter().map(|file| file.ends.len().saturating_add(file.skipped)).max().unwrap_or(0)
    }

    /// How many lines a file has.
    pub(super) fn count(&self, file: usize) -> usize {
        self.files.get(file).map_or(0, |file| file.ends.len())
    }
}

impl WholeFile {
    fn of(file: &FileDiff) -> Self {
        let text = Side::of(file.after.as_deref()).into_owned();
        // A lone carriage return parts lines where texts are compared: of such a file only the hunks are shown.
        let plain = !text.contains('\r');
        let ends = text.match_indices('\n').filter(|_| plain).map(|(at, _)| at + 1).collect();
        WholeFile { text, ends, skipped: usize::try_from(file.skipped).unwrap_or(usize::MAX) }
    }

    fn line(&self, line: usize) -> &str {
        let start = line.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(line).and_then(|end| self.text.get(start..*end)).unwrap_or_default()
    }
}

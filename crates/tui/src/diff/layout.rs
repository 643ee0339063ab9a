//! Where everything stands that a diff shows at one width: how many rows each thing takes. Nothing is drawn for it but what is
//! too long for a row, so that a file of fifty thousand lines is laid out between two keys; what is looked at is drawn later.

use super::Columns;
use super::compare::{CodeRow, DiffRow, Side, Unchanged};
use super::whole::{Piece, WholeFiles};
use std::ops::Range;

/// One thing of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// A row, by its number: across all columns, or in the one column there is.
    Row(usize),
    /// The heading of a hunk: the number of its row, and its own.
    Hunk {
        row: usize,
        hunk: usize,
    },
    Blank,
    /// Lines of both sides beside each other, by the numbers of their rows; the left one with its number there.
    Beside(Option<(usize, usize)>, Option<usize>),
    /// An unchanged line of a whole file, and its number on the left.
    Same {
        file: usize,
        line: usize,
        left: usize,
    },
    /// So many lines that are not there.
    Skipped(Unchanged),
    /// Lines that are folded: a part of the stretch that begins with `first`.
    Folded {
        file: usize,
        first: usize,
        lines: Range<usize>,
    },
}

impl Item {
    /// The rows that are read with it.
    pub(super) fn rows(&self) -> [Option<usize>; 2] {
        match self {
            Item::Row(row) | Item::Hunk { row, .. } => [Some(*row), None],
            Item::Beside(left, right) => [left.map(|(row, _)| row), *right],
            Item::Blank | Item::Same { .. } | Item::Skipped(_) | Item::Folded { .. } => [None, None],
        }
    }

    /// The file and the first line of the stretch, where it is a fold that can be opened.
    pub(super) fn fold(&self) -> Option<(usize, usize)> {
        match self {
            Item::Folded { file, first, .. } => Some((*file, *first)),
            Item::Row(_) | Item::Hunk { .. } | Item::Beside(..) => None,
            Item::Blank | Item::Same { .. } | Item::Skipped(_) => None,
        }
    }
}

/// An item, the line it begins at, and the hunk it is part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) item: Item,
    pub(super) line: usize,
    pub(super) hunk: Option<usize>,
}

/// All items at one width.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) placed: Vec<Placed>,
    /// How many lines they take together.
    pub(super) len: usize,
    /// The lines that name a file.
    pub(super) headings: Vec<usize>,
    /// The lines at which hunks begin.
    pub(super) hunks: Vec<usize>,
}

/// What items are made of.
pub(super) struct Made<'a> {
    pub(super) rows: &'a [DiffRow],
    /// The files, where all of them is shown.
    pub(super) whole: Option<&'a WholeFiles>,
    pub(super) columns: Columns,
    /// Has each hunk a heading of its own?
    pub(super) headed: bool,
}

impl Layout {
    /// The items of a diff; `height` says how many lines one takes, and is asked once for each.
    pub(super) fn of(made: &Made<'_>, height: impl Fn(&Item) -> usize) -> Self {
        let mut items =
            Items { made, all: Vec::new(), gone: Vec::new(), came: Vec::new(), added: 0, removed: 0, hunk: None };
        let (mut headings, mut hunks) = (Vec::new(), Vec::new());
        for (at, row) in made.rows.iter().enumerate() {
            match row {
                DiffRow::Header { .. } => headings.push(items.begin_file(at)),
                DiffRow::Hunk => hunks.push(items.begin_hunk(at, hunks.len())),
                DiffRow::Fold(unchanged) => items.unchanged(at, unchanged),
                DiffRow::Note(_) | DiffRow::Warning(_) => {
                    items.pair();
                    items.push(Item::Row(at));
                }
                DiffRow::Code(code) => items.code(at, code),
            }
        }
        items.pair();
        let mut line = 0;
        let place = |(item, hunk)| {
            let at = line;
            line += height(&item);
            Placed { item, line: at, hunk }
        };
        let placed: Vec<Placed> = items.all.into_iter().map(place).collect();
        let start = |item: &usize| placed.get(*item).map_or(line, |placed| placed.line);
        let (headings, hunks) = (headings.iter().map(start).collect(), hunks.iter().map(start).collect());
        Layout { headings, hunks, len: line, placed }
    }

    /// The items of which a line lies in this range.
    pub(super) fn within(&self, lines: &Range<usize>) -> &[Placed] {
        let first = self.placed.partition_point(|placed| placed.line <= lines.start).saturating_sub(1);
        let end = self.placed.partition_point(|placed| placed.line < lines.end);
        self.placed.get(first..end).unwrap_or_default()
    }

    /// The line after the last one of the item at this place.
    pub(super) fn end(&self, place: usize) -> usize {
        self.placed.get(place + 1).map_or(self.len, |next| next.line)
    }
}

struct Items<'a> {
    made: &'a Made<'a>,
    all: Vec<(Item, Option<usize>)>,
    /// Removed and added rows that are still to be put side by side.
    gone: Vec<usize>,
    came: Vec<usize>,
    /// Lines of this file that were added and removed so far: by so much the numbers of both sides differ.
    added: usize,
    removed: usize,
    hunk: Option<usize>,
}

impl Items<'_> {
    fn push(&mut self, item: Item) {
        self.all.push((item, self.hunk));
    }

    /// Gives the place of its heading.
    fn begin_file(&mut self, at: usize) -> usize {
        self.pair();
        (self.added, self.removed, self.hunk) = (0, 0, None);
        if !self.all.is_empty() {
            self.push(Item::Blank);
        }
        self.push(Item::Row(at));
        self.all.len() - 1
    }

    /// Gives the place of its first item.
    fn begin_hunk(&mut self, row: usize, hunk: usize) -> usize {
        self.pair();
        self.hunk = Some(hunk);
        let first = self.all.len();
        if self.made.headed {
            self.push(Item::Hunk { row, hunk });
        }
        first
    }

    fn code(&mut self, at: usize, code: &CodeRow) {
        let of_hunk = self.hunk.filter(|_| code.in_hunk);
        if of_hunk != self.hunk {
            self.pair();
            self.hunk = of_hunk;
        }
        match (self.made.columns, code.side) {
            (Columns::One, _) => {
                self.count(code.side);
                self.push(Item::Row(at));
            }
            (Columns::Two, Side::Removed) => {
                if !self.came.is_empty() {
                    self.pair();
                }
                self.count(code.side);
                self.gone.push(at);
            }
            (Columns::Two, Side::Added) => {
                self.count(code.side);
                self.came.push(at);
            }
            (Columns::Two, Side::Both) => {
                self.pair();
                self.push(Item::Beside(Some((at, self.left(code.number))), Some(at)));
            }
        }
    }

    fn count(&mut self, side: Side) {
        self.added += usize::from(side == Side::Added);
        self.removed += usize::from(side == Side::Removed);
    }

    /// The number on the left of the unchanged line with this number on the right.
    fn left(&self, number: usize) -> usize {
        number.saturating_add(self.removed).saturating_sub(self.added)
    }

    /// Removed rows beside those that take their place.
    fn pair(&mut self) {
        let (gone, came) = (std::mem::take(&mut self.gone), std::mem::take(&mut self.came));
        for at in 0..gone.len().max(came.len()) {
            let number =
                |row: usize| if let Some(DiffRow::Code(code)) = self.made.rows.get(row) { code.number } else { 0 };
            let left = gone.get(at).map(|row| (*row, number(*row)));
            self.push(Item::Beside(left, came.get(at).copied()));
        }
    }

    fn unchanged(&mut self, at: usize, unchanged: &Unchanged) {
        self.pair();
        self.hunk = None;
        let Some(whole) = self.made.whole.filter(|whole| whole.holds(unchanged)) else {
            return self.push(Item::Row(at));
        };
        let Unchanged { file, lines, .. } = unchanged;
        for piece in whole.pieces(unchanged) {
            match piece {
                Piece::Lines(lines) => lines.for_each(|line| {
                    let left = self.left(whole.number(*file, line));
                    self.push(Item::Same { file: *file, line, left });
                }),
                Piece::Skipped(skipped) => {
                    self.push(Item::Skipped(Unchanged { file: *file, skipped, lines: 0..0 }));
                }
                Piece::Folded(folded) => self.push(Item::Folded { file: *file, first: lines.start, lines: folded }),
            }
        }
    }
}

//! Files before and after, in one column or two: what was removed above or beside what was added, with a little of what surrounds
//! it or all of it.
//!
//! `compare` finds out what to show, `layout` where, `draw` how; this room keeps where everything stands at one width, draws
//! what is looked at, and takes up colours.

mod compare;
mod doubts;
pub(crate) mod draw;
mod drawn;
mod later;
mod layout;
mod long;
pub(crate) mod split;
mod whole;

use crate::clean::clean_text;
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter, Ticket};
use crate::text::ink::{Inks, Run};
use agent_frontend::Hunks;
use agent_protocol::FileDiff;
use compare::{CodeRow, Compared, DiffRow, Side};
pub(crate) use doubts::Doubts;
use draw::Manner;
pub(crate) use later::LaterDiff;
use layout::{Item, Layout, Made, Placed};
use ratatui::text::Line;
use std::ops::Range;
pub(crate) use whole::Extent;
use whole::WholeFiles;

/// Changed files, ready to be drawn. Keeps the lines to show, and the files only where all of them may be looked at.
pub(crate) struct DiffView {
    rows: Vec<DiffRow>,
    /// The rows that were on the screen, each as a whole.
    seen: Vec<bool>,
    files: Vec<Colours>,
    added: usize,
    removed: usize,
    palette: Palette,
    highlighter: Highlighter,
    layout: Layout,
    /// The hunks, where they can be gone through.
    pub(crate) hunks: Hunks,
    review: Review,
    /// The files to be looked at as a whole, where they are kept for that.
    whole: Option<WholeFiles>,
    extent: Extent,
    /// Does it stand side by side where there is room?
    columns: Columns,
    /// The width `layout` is right for.
    width: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Review {
    /// They have no headings.
    Read,
    /// Each can be left out.
    Choose,
    Visit,
}

/// Which files are named above their lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// Those of several; of one alone, what stands above it says which it is.
    OfSeveral,
    OfAll,
}

/// How what was and what will be stand to each other.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    /// What was removed above what was added.
    #[default]
    One,
    Two,
}

/// Colours of one file as it will be.
struct Colours {
    ticket: Option<Ticket>,
    inks: Inks,
}

/// The measures for one width: across, and for one side of two.
struct Manners {
    whole: Manner,
    half: Manner,
    width: u16,
    is_split: bool,
}

/// The beginning of a diff.
pub(crate) struct Head {
    /// Its lines, laid out.
    pub(crate) lines: Vec<Line<'static>>,
    /// Changed lines that are not among them.
    pub(crate) more: usize,
}

impl DiffView {
    /// The changes of `files`. Colours are asked for at once and taken up with [`DiffView::highlighted`].
    pub(crate) fn new(files: &[FileDiff], palette: Palette, highlighter: Highlighter) -> Self {
        DiffView::with(files, Names::OfSeveral, palette, highlighter)
    }

    /// The same, saying of one file as well which it is.
    pub(crate) fn with(files: &[FileDiff], names: Names, palette: Palette, highlighter: Highlighter) -> Self {
        let mut view = DiffView {
            rows: Vec::new(),
            seen: Vec::new(),
            files: Vec::new(),
            added: 0,
            removed: 0,
            palette,
            highlighter,
            layout: Layout::default(),
            hunks: Hunks::default(),
            review: Review::Read,
            whole: None,
            extent: Extent::Hunks,
            columns: Columns::One,
            width: None,
        };
        for (number, file) in files.iter().enumerate() {
            let compared = compare::compare(file, number);
            if files.len() > 1 || names == Names::OfAll {
                view.rows.push(compare::header(file, &compared));
            }
            view.files.push(Colours::ask(file, &compared, &view.highlighter));
            view.added += compared.added;
            view.removed += compared.removed;
            view.hunks.all.extend(compared.hunks);
            view.rows.extend(compared.rows);
        }
        view.seen = vec![false; view.rows.len()];
        view
    }

    /// The same, to be gone through hunk by hunk where there are several; each may be left out. All of `files` can be looked at.
    pub(crate) fn reviewed(self, files: &[FileDiff]) -> Self {
        let review = if self.hunks.are_several() { Review::Choose } else { Review::Read };
        DiffView { review, whole: Some(WholeFiles::of(files)), ..self }
    }

    /// The same where nothing is asked: hunks are gone through, also one alone.
    pub(crate) fn visited(self, files: &[FileDiff]) -> Self {
        DiffView { review: Review::Visit, whole: Some(WholeFiles::of(files)), ..self }
    }

    /// Can it be gone through hunk by hunk?
    pub(crate) fn is_reviewed(&self) -> bool {
        match self.review {
            Review::Read => false,
            Review::Choose | Review::Visit => true,
        }
    }

    /// In so many columns from now on, where there is room.
    pub(crate) fn set_columns(&mut self, columns: Columns) {
        (self.columns, self.width) = (columns, None);
    }

    /// A hunk is left out or taken in, or it is said why: its heading has other words, and perhaps another height.
    pub(crate) fn hunks_changed(&mut self) {
        self.width = None;
    }

    /// How much of the files is shown.
    pub(crate) fn extent(&self) -> Extent {
        self.extent
    }

    /// Is there more of the files than is shown of them?
    pub(crate) fn can_be_whole(&self) -> bool {
        let Some(whole) = &self.whole else { return false };
        self.rows.iter().any(|row| matches!(row, DiffRow::Fold(unchanged) if whole.holds(unchanged)))
    }

    /// Shows so much of the files.
    pub(crate) fn set_extent(&mut self, files: &[FileDiff], extent: Extent) {
        (self.extent, self.width) = (extent, None);
        let Some(whole) = self.whole.as_ref().filter(|_| extent == Extent::Whole) else { return };
        for (number, (file, colours)) in files.iter().zip(&mut self.files).enumerate() {
            let wanted = (0..whole.count(number)).collect();
            colours.ticket = Colours::ticket(file, wanted, &self.highlighter).or(colours.ticket);
        }
    }

    /// How many folds can be opened.
    pub(crate) fn folds(&self) -> usize {
        self.layout.placed.iter().filter(|placed| placed.item.fold().is_some()).count()
    }

    /// Opens the first fold from this line on; says whether there is one.
    pub(crate) fn open_fold(&mut self, from: usize) -> bool {
        let folded = |placed: &Placed| placed.item.fold();
        let fold = self.layout.placed.iter().filter(|placed| placed.line >= from).find_map(folded);
        self.open(fold);
        fold.is_some()
    }

    /// Opens the fold that stands in this line, if it is one.
    pub(crate) fn open_fold_in(&mut self, line: usize) {
        let after = self.layout.placed.partition_point(|placed| placed.line <= line);
        let fold = after.checked_sub(1).and_then(|at| self.layout.placed[at].item.fold());
        self.open(fold);
    }

    fn open(&mut self, fold: Option<(usize, usize)>) {
        if let (Some((file, first)), Some(whole)) = (fold, &mut self.whole) {
            whole.open(file, first);
            self.width = None;
        }
    }

    /// Finds out where everything stands for `width`.
    pub(crate) fn lay_out(&mut self, width: u16) {
        if self.width != Some(width) {
            (self.layout, self.width) = (self.laid_out(width), Some(width));
        }
    }

    fn laid_out(&self, width: u16) -> Layout {
        let manners = self.manners(width);
        let made = Made {
            rows: &self.rows,
            whole: self.whole.as_ref().filter(|_| self.extent == Extent::Whole),
            columns: if manners.is_split { Columns::Two } else { Columns::One },
            headed: self.is_reviewed(),
        };
        Layout::of(&made, |item| self.height(item, &manners))
    }

    /// How many lines there are, as it was laid out.
    pub(crate) fn len(&self) -> usize {
        self.layout.len
    }

    /// The lines that name a file, as it was laid out.
    pub(crate) fn headings(&self) -> &[usize] {
        &self.layout.headings
    }

    /// The lines at which hunks begin, as it was laid out.
    pub(crate) fn hunk_lines(&self) -> &[usize] {
        &self.layout.hunks
    }

    /// These lines of what was laid out.
    pub(crate) fn part(&self, lines: Range<usize>) -> Vec<Line<'static>> {
        let Some(width) = self.width else { return Vec::new() };
        let (manners, placed) = (self.manners(width), self.layout.within(&lines));
        let Some(first) = placed.first() else { return Vec::new() };
        let skipped = lines.start.saturating_sub(first.line);
        placed.iter().flat_map(|placed| self.draw(placed, &manners)).skip(skipped).take(lines.len()).collect()
    }

    /// Everything, laid out for `width`.
    pub(crate) fn lines(&mut self, width: u16) -> Vec<Line<'static>> {
        self.lay_out(width);
        self.part(0..self.len())
    }

    /// The same for one who lays it out for themselves.
    pub(crate) fn drawn(&self, width: u16) -> Vec<Line<'static>> {
        let manners = self.manners(width);
        self.laid_out(width).placed.iter().flat_map(|placed| self.draw(placed, &manners)).collect()
    }

    /// These lines are on the screen.
    pub(crate) fn was_shown(&mut self, lines: &Range<usize>) {
        let first = self.layout.placed.partition_point(|placed| placed.line < lines.start);
        for place in first..self.layout.placed.len() {
            if self.layout.end(place) > lines.end {
                break;
            }
            for row in self.layout.placed[place].item.rows().into_iter().flatten() {
                self.seen[row] = true;
            }
        }
    }

    /// The lines that nobody has to read any more, or at all: what was on the screen already, at whatever width, and what is the
    /// same before and after and stands in no hunk.
    pub(crate) fn needs_no_reading(&self) -> Vec<Range<usize>> {
        let mut all: Vec<Range<usize>> = Vec::new();
        for (place, placed) in self.layout.placed.iter().enumerate() {
            let lines = placed.line..self.layout.end(place);
            let read = match &placed.item {
                Item::Same { .. } | Item::Skipped(_) | Item::Folded { .. } => true,
                // Blank lines go with what stands above them.
                Item::Blank => all.last().is_some_and(|last| last.end == lines.start),
                Item::Row(_) | Item::Hunk { .. } | Item::Beside(..) => {
                    placed.item.rows().into_iter().flatten().all(|row| self.seen[row])
                }
            };
            match all.last_mut().filter(|last| last.end == lines.start) {
                Some(last) if read => last.end = lines.end,
                None if read => all.push(lines),
                Some(_) | None => {}
            }
        }
        all
    }

    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.added, self.removed)
    }

    /// Only what changes, and of that no more than `most` lines of the files.
    pub(crate) fn head(&self, width: u16, most: usize) -> Head {
        let manner = self.manner(width);
        let shown = |row: &&DiffRow| match row {
            DiffRow::Code(code) => code.side != Side::Both,
            DiffRow::Header { .. } | DiffRow::Note(_) | DiffRow::Warning(_) => true,
            DiffRow::Fold(_) | DiffRow::Hunk => false,
        };
        let (mut lines, mut changed) = (Vec::new(), 0);
        for row in self.rows.iter().filter(shown) {
            changed += usize::from(matches!(row, DiffRow::Code(_)));
            if changed > most {
                break;
            }
            lines.extend(match row {
                DiffRow::Code(code) => manner.code(code, code.number, self.inks_of(code)),
                DiffRow::Header { .. } | DiffRow::Note(_) | DiffRow::Warning(_) => manner.draw(row),
                DiffRow::Fold(_) | DiffRow::Hunk => Vec::new(),
            });
        }
        Head { lines, more: (self.added + self.removed).saturating_sub(most) }
    }

    /// Are these the colours of one of its files?
    pub(crate) fn waits_for(&self, ticket: Ticket) -> bool {
        self.files.iter().any(|file| file.ticket == Some(ticket))
    }

    /// Takes up colours that are ready.
    pub(crate) fn highlighted(&mut self, done: &Highlighted) {
        for file in self.files.iter_mut().filter(|file| file.ticket == Some(done.ticket)) {
            file.inks = done.inks.clone();
        }
    }

    fn manner(&self, width: u16) -> Manner {
        let number = |row: &DiffRow| if let DiffRow::Code(code) = row { code.number } else { 0 };
        let whole = self.whole.as_ref().filter(|_| self.extent == Extent::Whole).map_or(0, WholeFiles::highest);
        let highest = self.rows.iter().map(number).max().unwrap_or(0).max(whole);
        Manner::new(self.palette, width, highest)
    }

    fn manners(&self, width: u16) -> Manners {
        let is_split = self.columns == Columns::Two && width >= split::LEAST;
        Manners { whole: self.manner(width), half: self.manner(split::half(width)), width, is_split }
    }

    fn inks_of(&self, code: &CodeRow) -> &[Run] {
        code.coloured.map(|line| self.files[code.file].inks.line(line)).unwrap_or_default()
    }
}

impl Colours {
    /// Asks for the colours of the lines that `compared` shows of the file as it will be.
    fn ask(file: &FileDiff, compared: &Compared, highlighter: &Highlighter) -> Self {
        let wanted = |row: &DiffRow| if let DiffRow::Code(code) = row { code.coloured } else { None };
        let wanted = compared.rows.iter().filter_map(wanted).collect();
        Colours { ticket: Colours::ticket(file, wanted, highlighter), inks: Inks::default() }
    }

    /// Asks for the colours of these lines of the file as it will be.
    fn ticket(file: &FileDiff, wanted: Vec<usize>, highlighter: &Highlighter) -> Option<Ticket> {
        let after = file.after.as_ref().filter(|_| highlighter.is_on())?;
        let text = clean_text(&after.replace("\r\n", "\n")).into_owned();
        highlighter.pick(&file.shown_path, text, wanted)
    }
}

#[cfg(test)]
mod tests;

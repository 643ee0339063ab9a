//! Files before and after, in one column: what was removed above what was added, with a little of what surrounds it.
//!
//! `compare` finds out what to show, `draw` how; this room keeps the result for one width and takes up colours.

mod compare;
mod doubts;
pub(crate) mod draw;
mod hunks;
mod later;
mod long;
pub(crate) mod split;

use crate::clean::clean_text;
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter, Ticket};
use crate::text::ink::{Inks, Run};
use agent_protocol::FileDiff;
use compare::{CodeRow, Compared, DiffRow, Side};
pub(crate) use doubts::Doubts;
use draw::Manner;
pub(crate) use hunks::{Hunks, Remaining};
pub(crate) use later::LaterDiff;
use ratatui::text::Line;
use split::Item;

/// Changed files, ready to be drawn. Keeps the lines to show, not the files.
pub(crate) struct DiffView {
    rows: Vec<DiffRow>,
    files: Vec<Colours>,
    added: usize,
    removed: usize,
    palette: Palette,
    laid: Vec<Line<'static>>,
    /// The lines of `laid` that name a file.
    pub(crate) headings: Vec<usize>,
    /// The hunks, where they can be gone through; and the lines of `laid` that head one.
    pub(crate) hunks: Hunks,
    pub(crate) hunk_lines: Vec<usize>,
    /// Has each hunk a heading of its own?
    reviewed: bool,
    /// Does it stand side by side where there is room?
    columns: Columns,
    /// The width `laid` is right for.
    width: Option<u16>,
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
    /// Side by side.
    Two,
}

/// Colours of one file as it will be.
struct Colours {
    ticket: Option<Ticket>,
    inks: Inks,
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
            files: Vec::new(),
            added: 0,
            removed: 0,
            palette,
            laid: Vec::new(),
            headings: Vec::new(),
            hunks: Hunks::default(),
            hunk_lines: Vec::new(),
            reviewed: false,
            columns: Columns::One,
            width: None,
        };
        for (number, file) in files.iter().enumerate() {
            let compared = compare::compare(file, number);
            if files.len() > 1 || names == Names::OfAll {
                view.rows.push(compare::header(file, &compared));
            }
            view.files.push(Colours::ask(file, &compared, &highlighter));
            view.added += compared.added;
            view.removed += compared.removed;
            view.hunks.add(number, file, compared.hunks);
            view.rows.extend(compared.rows);
        }
        view
    }

    /// The same, to be gone through hunk by hunk where there are several.
    pub(crate) fn reviewed(self) -> Self {
        DiffView { reviewed: self.hunks.are_several(), ..self }
    }

    /// Can it be gone through hunk by hunk?
    pub(crate) fn is_reviewed(&self) -> bool {
        self.reviewed
    }

    /// In so many columns from now on, where there is room.
    pub(crate) fn set_columns(&mut self, columns: Columns) {
        (self.columns, self.width) = (columns, None);
    }

    /// Another hunk is looked at, or one is left out or taken in.
    pub(crate) fn hunks_changed(&mut self) {
        self.width = None;
    }

    /// Everything, laid out for `width`.
    pub(crate) fn lines(&mut self, width: u16) -> &[Line<'static>] {
        if self.width != Some(width) {
            (self.laid, self.headings, self.hunk_lines) = self.draw(width);
            self.width = Some(width);
        }
        &self.laid
    }

    /// Everything, laid out for `width`, for one who keeps it.
    pub(crate) fn drawn(&self, width: u16) -> Vec<Line<'static>> {
        self.draw(width).0
    }

    fn draw(&self, width: u16) -> (Vec<Line<'static>>, Vec<usize>, Vec<usize>) {
        let is_split = self.columns == Columns::Two && width >= split::LEAST;
        let whole = self.manner(width);
        let half = self.manner(split::half(width));
        let items = if is_split { split::items(&self.rows) } else { self.rows.iter().map(Item::Across).collect() };
        let (mut lines, mut headings, mut hunks) = (Vec::new(), Vec::new(), Vec::new());
        // Lines of a hunk that is left out are there to be read, and no more.
        let mut is_out = false;
        for item in &items {
            let drawn = match item {
                Item::Across(DiffRow::Hunk) if !self.reviewed => continue,
                Item::Across(DiffRow::Hunk) => {
                    let place = hunks.len();
                    hunks.push(lines.len());
                    is_out = self.hunks.is_out(place);
                    lines.extend(whole.hunk(&self.hunks.words(place), place == self.hunks.at(), is_out));
                    continue;
                }
                Item::Across(row) => {
                    if matches!(row, DiffRow::Header { .. }) {
                        // Files stand apart.
                        lines.extend((!lines.is_empty()).then(Line::default));
                        headings.push(lines.len());
                    }
                    is_out &= !matches!(row, DiffRow::Header { .. } | DiffRow::Fold(_));
                    whole.draw(row, if is_out { &[] } else { self.inks(row) })
                }
                Item::Beside(left, right) => {
                    let inks = |code: Option<&CodeRow>| code.map_or(&[][..], |code| self.inks_of(code));
                    let inks =
                        if is_out { (&[][..], &[][..]) } else { (inks(left.map(|(code, _)| code)), inks(*right)) };
                    split::beside(&half, (*left, *right), inks, self.palette.dim(), width)
                }
            };
            lines.extend(drawn.into_iter().map(|line| if is_out { whole.left_out(line) } else { line }));
        }
        (lines, headings, hunks)
    }

    /// Lines added and removed.
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
            lines.extend(manner.draw(row, self.inks(row)));
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
            self.width = None;
        }
    }

    fn manner(&self, width: u16) -> Manner {
        let highest = self.rows.iter().map(|row| if let DiffRow::Code(code) = row { code.number } else { 0 }).max();
        Manner::new(self.palette, width, highest.unwrap_or(0))
    }

    fn inks_of(&self, code: &CodeRow) -> &[Run] {
        code.coloured.map(|line| self.files[code.file].inks.line(line)).unwrap_or_default()
    }

    fn inks(&self, row: &DiffRow) -> &[Run] {
        match row {
            DiffRow::Code(code) => self.inks_of(code),
            DiffRow::Header { .. } | DiffRow::Note(_) | DiffRow::Warning(_) => &[],
            DiffRow::Fold(_) | DiffRow::Hunk => &[],
        }
    }
}

impl Colours {
    /// Asks for the colours of the lines that `compared` shows of the file as it will be.
    fn ask(file: &FileDiff, compared: &Compared, highlighter: &Highlighter) -> Self {
        let wanted = |row: &DiffRow| if let DiffRow::Code(code) = row { code.coloured } else { None };
        let wanted: Vec<usize> = compared.rows.iter().filter_map(wanted).collect();
        let ticket = match (&file.after, highlighter.is_on()) {
            (Some(after), true) => {
                let text = clean_text(&after.replace("\r\n", "\n")).into_owned();
                highlighter.pick(&file.shown_path, text, wanted)
            }
            _ => None,
        };
        Colours { ticket, inks: Inks::default() }
    }
}

#[cfg(test)]
mod tests;

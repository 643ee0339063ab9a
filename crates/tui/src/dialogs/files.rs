//! Changed files that are looked through, one below the other: their difference, the file and the hunk that the user looks at,
//! and how much of the files there is to see.

use super::frame::Scroll;
use crate::clean::clean_line;
use crate::diff::{Columns, DiffView, Extent, Names};
use crate::palette::Palette;
use crate::text::highlight::Highlighter;
use agent_protocol::FileDiff;

/// Lines that stay above a hunk where all of its file is shown.
const ABOVE_HUNK: usize = 3;

/// The files of one dialog.
pub(super) struct Files {
    pub(super) diff: DiffView,
    /// As a person would name them, clean.
    names: Vec<String>,
    /// The file that is looked at.
    at: usize,
    /// The first line that was shown of the thing then; `None`: they have gone there by key just now.
    top: Option<usize>,
    /// Lines of the thing that stand before the files.
    pub(super) above: usize,
    pub(super) columns: Columns,
}

impl Files {
    /// Those of a question: a hunk can be left out where there are several.
    pub(super) fn asked(files: &[FileDiff], names: Names, palette: Palette, highlighter: &Highlighter) -> Self {
        Files::of(files, DiffView::with(files, names, palette, highlighter.clone()).reviewed(files))
    }

    /// Those that are only looked at.
    pub(super) fn visited(files: &[FileDiff], palette: Palette, highlighter: &Highlighter) -> Self {
        Files::of(files, DiffView::with(files, Names::OfAll, palette, highlighter.clone()).visited(files))
    }

    fn of(files: &[FileDiff], diff: DiffView) -> Self {
        Files {
            diff,
            names: files.iter().map(|file| clean_line(&file.shown_path).into_owned()).collect(),
            at: 0,
            top: None,
            above: 0,
            columns: Columns::One,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.names.len()
    }

    /// The number of the file that is looked at, from 0.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Its name, where there are others.
    pub(super) fn name(&self) -> Option<&str> {
        self.names.get(self.at).filter(|_| self.names.len() > 1).map(String::as_str)
    }

    /// Goes to another file: its heading becomes the first line that is shown, as far as there are lines below it.
    pub(super) fn go(&mut self, way: FileStep, scroll: &mut Scroll) {
        self.at = match way {
            FileStep::Back => self.at.saturating_sub(1),
            FileStep::On => (self.at + 1).min(self.names.len().saturating_sub(1)),
        };
        let heading = self.diff.headings().get(self.at).copied().unwrap_or(0);
        // What explains the first file is read with it.
        scroll.go_to_body(if self.at == 0 { 0 } else { self.above + heading });
        self.top = None;
    }

    /// Finds out which file the user looks at, if they have scrolled since it was shown.
    pub(super) fn follow(&mut self, scroll: &Scroll) {
        let top = scroll.top_of_body();
        if self.top.is_some_and(|before| before != top) {
            let middle = if top == 0 { 0 } else { scroll.middle_of_body() };
            let passed = |heading: &&usize| **heading + self.above <= middle;
            self.at = self.diff.headings().iter().filter(passed).count().saturating_sub(1);
            let hunk = self.diff.hunk_lines().iter().filter(passed).count().saturating_sub(1);
            if self.diff.is_reviewed() {
                self.diff.hunks.go_to(hunk);
            }
        }
    }

    /// Side by side, or in one column again.
    pub(super) fn switch_columns(&mut self) {
        self.set_columns(match self.columns {
            Columns::One => Columns::Two,
            Columns::Two => Columns::One,
        });
        self.stay();
    }

    pub(super) fn set_columns(&mut self, columns: Columns) {
        self.columns = columns;
        self.diff.set_columns(columns);
    }

    /// All of the files, or only their hunks again; says whether there is more of them than the hunks. `files` are those that it
    /// was made of.
    pub(super) fn switch_extent(&mut self, files: &[FileDiff], width: u16, scroll: &mut Scroll) -> bool {
        let extent = match self.diff.extent() {
            Extent::Whole => Extent::Hunks,
            Extent::Hunks if self.diff.can_be_whole() => Extent::Whole,
            Extent::Hunks => return false,
        };
        self.diff.set_extent(files, extent);
        self.diff.lay_out(width);
        self.show_hunk(scroll);
        true
    }

    /// Opens the folded lines that come next; says whether there are some.
    pub(super) fn open_fold(&mut self, scroll: &Scroll) -> bool {
        self.stay();
        self.diff.open_fold(scroll.top_of_body().saturating_sub(self.above))
    }

    /// Folded lines in this row of the dialog are opened.
    pub(super) fn click(&mut self, row: u16, scroll: &Scroll) {
        if let Some(line) = scroll.line_in(row).and_then(|line| line.checked_sub(self.above)) {
            self.stay();
            self.diff.open_fold_in(line);
        }
    }

    /// The hunk that is looked at becomes the first thing that is shown, as far as there are lines below it.
    pub(super) fn show_hunk(&mut self, scroll: &mut Scroll) {
        let hunk = self.diff.hunks.at();
        let line = self.above + self.diff.hunk_lines().get(hunk).copied().unwrap_or(0);
        scroll.begin_with_body(match self.diff.extent() {
            Extent::Whole => line.saturating_sub(ABOVE_HUNK),
            // What explains the first one is read with it.
            Extent::Hunks if hunk == 0 => 0,
            Extent::Hunks => line,
        });
        self.stay();
    }

    /// They have gone somewhere by key just now.
    pub(super) fn stay(&mut self) {
        self.top = None;
    }

    /// It is shown so far down.
    pub(super) fn shown(&mut self, scroll: &Scroll) {
        self.top = Some(scroll.top_of_body());
        if self.above == 0 {
            self.diff.was_shown(&scroll.shown_of_body());
        }
    }
}

/// A way through the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileStep {
    Back,
    On,
}

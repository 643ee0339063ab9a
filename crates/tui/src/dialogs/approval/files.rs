//! The files that a question shows, one below the other: their difference, and the one that the user looks at.

use super::super::frame::Scroll;
use crate::clean::clean_line;
use crate::diff::{Columns, DiffView, Names};
use crate::palette::Palette;
use crate::text::highlight::Highlighter;
use agent_protocol::FileDiff;

/// The files of one question.
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
    pub(super) fn new(files: &[FileDiff], names: Names, palette: Palette, highlighter: &Highlighter) -> Self {
        Files {
            diff: DiffView::with(files, names, palette, highlighter.clone()).reviewed(),
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
        let heading = self.diff.headings.get(self.at).copied().unwrap_or(0);
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
            self.at = self.diff.headings.iter().filter(passed).count().saturating_sub(1);
            let hunk = self.diff.hunk_lines.iter().filter(passed).count().saturating_sub(1);
            if self.diff.is_reviewed() && hunk != self.diff.hunks.at() {
                self.diff.hunks.go_to(hunk);
                self.diff.hunks_changed();
            }
        }
    }

    /// Side by side, or in one column again.
    pub(super) fn switch_columns(&mut self) {
        self.columns = match self.columns {
            Columns::One => Columns::Two,
            Columns::Two => Columns::One,
        };
        self.diff.set_columns(self.columns);
        self.stay();
    }

    /// They have gone somewhere by key just now.
    pub(super) fn stay(&mut self) {
        self.top = None;
    }

    /// It is shown so far down.
    pub(super) fn shown(&mut self, scroll: &Scroll) {
        self.top = Some(scroll.top_of_body());
    }
}

/// A way through the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileStep {
    Back,
    On,
}

//! One file of an undo: what would change in it, or its versions where somebody else changed it since.

use crate::clean::clean_line;
use crate::dialogs::frame::paragraph;
use crate::diff::{DiffView, draw};
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use crate::text::width::shorten;
use crate::text::wrap::wrap;
use agent_protocol::{ConflictChoice, FileDiff, UndoChoice, UndoDirection, UndoFile};
use ratatui::text::{Line, Span};
use std::path::{Path, PathBuf};

/// Columns by which what belongs to a choice is set in.
const INDENT: u16 = 2;

pub(super) struct FileView {
    path: PathBuf,
    /// As a person would name it, clean.
    name: String,
    pub(super) what: What,
    palette: Palette,
}

/// What there is to say of it.
pub(super) enum What {
    Change(Box<DiffView>),
    /// It stays as it is, for this reason.
    Impossible {
        why: String,
    },
    Conflict(Box<Conflict>),
}

/// Somebody else changed it since: its versions, and which of them it is to become.
pub(super) struct Conflict {
    direction: UndoDirection,
    choice: ConflictChoice,
    since: DiffView,
    restored: DiffView,
    merged: Option<DiffView>,
}

/// The choice that stands open for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choosing {
    pub(crate) name: String,
    pub(crate) choice: ConflictChoice,
    pub(crate) can_merge: bool,
}

impl FileView {
    pub(super) fn new(file: UndoFile, direction: UndoDirection, palette: Palette, highlighter: &Highlighter) -> Self {
        let name = clean_line(&file.diff.shown_path).into_owned();
        let diff = |diff: FileDiff| DiffView::new(&[without_nothing(diff)], palette, highlighter.clone());
        let what = match (file.possible, file.conflict) {
            (false, _) => {
                What::Impossible { why: file.diff.note.unwrap_or_else(|| "its bytes are not kept".to_owned()) }
            }
            (true, None) => What::Change(Box::new(diff(file.diff))),
            (true, Some(conflict)) => What::Conflict(Box::new(Conflict {
                direction,
                choice: ConflictChoice::Leave,
                since: diff(conflict.since),
                restored: diff(file.diff),
                merged: conflict.merged.map(|merged| diff(merged.diff)),
            })),
        };
        FileView { path: file.path, name, what, palette }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Says whether that is a choice here.
    pub(super) fn choose(&mut self, choice: ConflictChoice) -> bool {
        let What::Conflict(conflict) = &mut self.what else { return false };
        let offered = choice != ConflictChoice::Merge || conflict.merged.is_some();
        if offered {
            conflict.choice = choice;
        }
        offered
    }

    /// What was chosen for `other`, if it can be chosen here.
    pub(super) fn choose_as(&mut self, other: &Self) {
        if let What::Conflict(conflict) = &other.what {
            self.choose(conflict.choice);
        }
    }

    pub(super) fn choosing(&self) -> Option<Choosing> {
        let What::Conflict(conflict) = &self.what else { return None };
        let (choice, can_merge) = (conflict.choice, conflict.merged.is_some());
        Some(Choosing { name: self.name.clone(), choice, can_merge })
    }

    /// The choice to be sent along.
    pub(super) fn chosen(&self) -> Option<UndoChoice> {
        let What::Conflict(conflict) = &self.what else { return None };
        let choice = Some(conflict.choice).filter(|choice| *choice != ConflictChoice::Leave)?;
        Some(UndoChoice { path: self.path.clone(), what: choice })
    }

    /// Lines added and removed, if it changes.
    pub(super) fn effect(&self) -> Option<(usize, usize)> {
        match &self.what {
            What::Change(diff) => Some(diff.counts()),
            What::Impossible { .. } => None,
            What::Conflict(conflict) => match conflict.choice {
                ConflictChoice::Leave => None,
                ConflictChoice::Restore => Some(conflict.restored.counts()),
                ConflictChoice::Merge => conflict.merged.as_ref().map(DiffView::counts),
            },
        }
    }

    pub(super) fn highlighted(&mut self, done: &Highlighted) {
        match &mut self.what {
            What::Change(diff) => diff.highlighted(done),
            What::Impossible { .. } => {}
            What::Conflict(conflict) => {
                conflict.since.highlighted(done);
                conflict.restored.highlighted(done);
                if let Some(merged) = &mut conflict.merged {
                    merged.highlighted(done);
                }
            }
        }
    }

    /// Its lines for so many columns; `chosen`: the keys are for it. And which of them the choice begins with, if any.
    pub(super) fn lines(&mut self, columns: u16, chosen: bool) -> (Vec<Line<'static>>, Option<usize>) {
        let palette = self.palette;
        let mut lines = self.heading(columns, chosen);
        let mut choice = None;
        match &mut self.what {
            What::Change(diff) => lines.extend(diff.lines(columns)),
            What::Impossible { why } => {
                let why = format!("stays as it is: {}", clean_line(why));
                lines.extend(inset(paragraph(&why, palette.warn(), columns.saturating_sub(INDENT))));
            }
            What::Conflict(conflict) => {
                let (versions, first) = conflict.lines(columns, palette);
                choice = Some(lines.len() + first);
                lines.extend(versions);
            }
        }
        (lines, choice)
    }

    fn heading(&self, columns: u16, chosen: bool) -> Vec<Line<'static>> {
        let palette = self.palette;
        let style = if chosen { palette.accent().patch(palette.strong()) } else { palette.strong() };
        let mark = if chosen { "› " } else { "" };
        let room = usize::from(columns).saturating_sub(INDENT.into());
        let mut spans = vec![Span::styled(format!("{mark}{}  ", shorten(&self.name, room)), style)];
        match &self.what {
            What::Change(diff) => {
                let (added, removed) = diff.counts();
                spans.extend(draw::counts(added, removed, palette));
            }
            What::Impossible { .. } => spans.push(Span::styled("not covered", palette.warn())),
            What::Conflict(_) => spans.push(Span::styled("changed since", palette.warn())),
        }
        wrap(&Line::from(spans), columns, INDENT)
    }
}

impl Conflict {
    /// Each choice with the version behind it, and which line the one begins with that is chosen.
    fn lines(&self, columns: u16, palette: Palette) -> (Vec<Line<'static>>, usize) {
        let (again, back) = match self.direction {
            UndoDirection::Undo => ("undo only what was changed here, and keep the rest:", "/redo"),
            UndoDirection::Redo => ("redo only what was changed here, and keep the rest:", "/undo"),
        };
        let all = format!("restore it; what was changed since goes as well, and {back} brings it back:");
        let versions = [
            (ConflictChoice::Leave, 'l', "leave it as it is; this was changed since:", Some(&self.since)),
            (ConflictChoice::Restore, 'r', all.as_str(), Some(&self.restored)),
            (ConflictChoice::Merge, 'm', again, self.merged.as_ref()),
        ];
        let (mut lines, mut first) = (Vec::new(), 0);
        for (choice, key, words, diff) in versions {
            let Some(diff) = diff else {
                let words = "no merge: both changed the same lines";
                lines.extend(inset(paragraph(words, palette.dim(), columns.saturating_sub(INDENT))));
                continue;
            };
            let chosen = choice == self.choice;
            if chosen {
                first = lines.len();
            }
            let style = if chosen { palette.strong() } else { palette.text() };
            let label = Line::from(vec![
                Span::styled(format!("{} ", sign(chosen)), style),
                Span::styled(key.to_string(), palette.accent().patch(palette.strong())),
                Span::styled(format!(" {words}"), style),
            ]);
            lines.extend(inset(wrap(&label, columns.saturating_sub(INDENT), 4)));
            lines.extend(inset(diff.drawn(columns.saturating_sub(INDENT))));
        }
        (lines, first)
    }
}

/// Before what can be chosen.
pub(super) fn sign(chosen: bool) -> char {
    if chosen { '●' } else { '○' }
}

fn inset(mut lines: Vec<Line<'static>>) -> Vec<Line<'static>> {
    lines.iter_mut().for_each(|line| line.spans.insert(0, Span::raw(" ".repeat(INDENT.into()))));
    lines
}

/// Where the text stays the same, only the note tells what changes.
fn without_nothing(diff: FileDiff) -> FileDiff {
    match (diff.before == diff.after, &diff.note) {
        (true, Some(_)) => FileDiff { before: None, after: None, ..diff },
        (true, None) | (false, _) => diff,
    }
}

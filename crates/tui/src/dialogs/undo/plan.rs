//! What an undo would change, file by file, and what is to become of files that somebody else changed since.
//!
//! Files with a choice come first, then those that cannot be brought back: both must not be overlooked.

use super::file::{Choosing, FileView, What};
use crate::dialogs::{Press, Scroll};
use crate::palette::Palette;
use crate::text::highlight::{Highlighted, Highlighter};
use agent_protocol::{ConflictChoice, UndoChoice, UndoDirection, UndoPlan};
use crossterm::event::KeyCode;
use ratatui::text::Line;

/// Files that are shown in colours; of more than that nobody reads all.
const COLOURED: usize = 40;

/// A plan, ready to be looked at.
pub(crate) struct PlanView {
    pub(crate) direction: UndoDirection,
    files: Vec<FileView>,
    /// The file that the keys are for.
    chosen: usize,
    pub(crate) scroll: Scroll,
    laid: Option<PlanLines>,
}

/// The lines for one width.
struct PlanLines {
    columns: u16,
    lines: Vec<Line<'static>>,
    /// Where each file begins.
    starts: Vec<usize>,
    /// Where the choice begins that the keys are for.
    choice: Option<usize>,
}

/// What carrying a plan out would do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    pub(crate) files: usize,
    pub(crate) added: usize,
    pub(crate) removed: usize,
    /// Files that somebody else changed since, and that stay as they are.
    pub(crate) left: usize,
    /// Files that cannot be brought back.
    pub(crate) impossible: usize,
}

impl PlanView {
    /// `plan`; choices made in `before`, the same plan as it was known until now, hold on.
    pub(crate) fn new(plan: UndoPlan, before: Option<Self>, palette: Palette, highlighter: &Highlighter) -> Self {
        let off = Highlighter::off();
        let direction = plan.direction;
        let mut files = plan.files;
        files.sort_by_key(|file| (!(file.possible && file.conflict.is_some()), file.possible));
        let view = |(number, file)| {
            let highlighter = if number < COLOURED { highlighter } else { &off };
            FileView::new(file, direction, palette, highlighter)
        };
        let mut files: Vec<FileView> = files.into_iter().enumerate().map(view).collect();
        for old in before.iter().flat_map(|before| &before.files) {
            if let Some(file) = files.iter_mut().find(|file| file.path() == old.path()) {
                file.choose_as(old);
            }
        }
        PlanView { direction, files, chosen: 0, scroll: Scroll::default(), laid: None }
    }

    /// The letters that choose what becomes of the file at hand.
    pub(crate) fn keys(&self) -> &'static str {
        match self.choosing() {
            Some(Choosing { can_merge: true, .. }) => "lrm",
            Some(Choosing { can_merge: false, .. }) => "lr",
            None => "",
        }
    }

    /// Says whether the key meant something here.
    pub(crate) fn key(&mut self, press: Press) -> bool {
        let choice = match (press.chord.code, press.chord.letter()) {
            (KeyCode::Tab | KeyCode::Right, _) => return self.go(1),
            (KeyCode::Left, _) => return self.go(-1),
            (_, Some('l')) => ConflictChoice::Leave,
            (_, Some('r')) => ConflictChoice::Restore,
            (_, Some('m')) => ConflictChoice::Merge,
            _ => return self.scroll.key(press),
        };
        let chose = self.files.get_mut(self.chosen).is_some_and(|file| file.choose(choice));
        if chose {
            self.lay_out_anew();
            self.show(|laid| laid.choice);
        }
        chose
    }

    /// To the file so many further on, round and round.
    fn go(&mut self, by: isize) -> bool {
        let count = self.files.len();
        if count > 1 {
            let at = self.chosen.checked_add_signed(by).unwrap_or(count - 1);
            self.chosen = if at < count { at } else { 0 };
            self.lay_out_anew();
            let chosen = self.chosen;
            self.show(|laid| laid.starts.get(chosen).copied());
        }
        count > 1
    }

    /// The lines are other ones now.
    fn lay_out_anew(&mut self) {
        if let Some(columns) = self.laid.take().map(|laid| laid.columns) {
            self.lines(columns);
        }
    }

    /// Scrolls to a line.
    fn show(&mut self, line: impl FnOnce(&PlanLines) -> Option<usize>) {
        if let Some(line) = self.laid.as_ref().and_then(line) {
            self.scroll.to(line);
        }
    }

    /// Everything, laid out for so many columns.
    fn lines(&mut self, columns: u16) {
        if self.laid.as_ref().is_some_and(|laid| laid.columns == columns) {
            return;
        }
        let mark = self.files.len() > 1;
        let (mut lines, mut starts, mut choice) = (Vec::new(), Vec::new(), None);
        for (number, file) in self.files.iter_mut().enumerate() {
            if !lines.is_empty() {
                lines.push(Line::default());
            }
            starts.push(lines.len());
            let chosen = number == self.chosen;
            let (own, first) = file.lines(columns, mark && chosen);
            choice = choice.or(first.filter(|_| chosen).map(|first| lines.len() + first));
            lines.extend(own);
        }
        self.laid = Some(PlanLines { columns, lines, starts, choice });
    }

    /// The lines for so many columns, and how far they are scrolled.
    pub(crate) fn shown(&mut self, columns: u16) -> (&[Line<'static>], &mut Scroll) {
        self.lines(columns);
        (self.laid.as_ref().map_or(&[], |laid| &laid.lines), &mut self.scroll)
    }

    /// The choice that the keys are for, if the chosen file has one.
    pub(crate) fn choosing(&self) -> Option<Choosing> {
        self.files.get(self.chosen).and_then(FileView::choosing)
    }

    pub(crate) fn has_several(&self) -> bool {
        self.files.len() > 1
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// What a yes would do now.
    pub(crate) fn effect(&self) -> Effect {
        let mut effect = Effect::default();
        for file in &self.files {
            match file.effect() {
                Some((added, removed)) => {
                    effect.files += 1;
                    effect.added += added;
                    effect.removed += removed;
                }
                None if matches!(&file.what, What::Impossible { .. }) => effect.impossible += 1,
                None => effect.left += 1,
            }
        }
        effect
    }

    /// What is to become of the files that somebody else changed since; those that stay are not named.
    pub(crate) fn choices(&self) -> Vec<UndoChoice> {
        self.files.iter().filter_map(FileView::chosen).collect()
    }

    pub(crate) fn highlighted(&mut self, done: &Highlighted) {
        self.files.iter_mut().for_each(|file| file.highlighted(done));
        self.lay_out_anew();
    }
}

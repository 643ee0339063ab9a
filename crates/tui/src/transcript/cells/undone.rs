//! Changes that were taken back, or made again: one line, and below it each file that was left as it is, with the
//! reason. Unfolded, the files that are as they were to be.

use super::{Break, Cell, Fold, Room, beside, fold_sign, quoted, signed};
use crate::clean::clean_line;
use crate::palette::Palette;
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{FileState, UndoDirection, UndoPart, UndoneFile};
use ratatui::text::{Line, Span};

/// What was taken back, or made again.
pub(in crate::transcript) struct Undone {
    palette: Palette,
    words: String,
    /// Files that were left, and why.
    left: Vec<String>,
    /// The other files, one a line.
    files: String,
}

impl Undone {
    /// `said`: the words that it was changed for, in short.
    pub(in crate::transcript) fn new(
        direction: UndoDirection,
        said: Option<&str>,
        files: &[UndoneFile],
        palette: Palette,
    ) -> Self {
        Undone::told(files, palette, |done| words(direction, done, said))
    }

    /// Only a part of what was changed in one file was taken back.
    pub(in crate::transcript) fn of_part(part: UndoPart, files: &[UndoneFile], palette: Palette) -> Self {
        let names: Vec<String> = files.iter().map(|file| clean_line(&file.shown_path).into_owned()).collect();
        let UndoPart { added, removed } = part;
        Undone::told(files, palette, |done| match done {
            0 => words(UndoDirection::Undo, 0, None),
            _ => format!("taken back: +{added} −{removed} in {}; /redo makes it again", names.join(", ")),
        })
    }

    fn told(files: &[UndoneFile], palette: Palette, words: impl FnOnce(usize) -> String) -> Self {
        let name = |file: &UndoneFile| clean_line(&file.shown_path).into_owned();
        let done: Vec<&UndoneFile> = files.iter().filter(|file| file.left.is_none()).collect();
        let left = files.iter().filter_map(|file| Some((file, file.left.as_ref()?)));
        let left = left.map(|(file, why)| format!("{} is left as it is: {}", name(file), clean_line(why.trim())));
        let line = |file: &&UndoneFile| match (&file.before, &file.after) {
            (_, FileState::Missing) => format!("{} is gone again", name(file)),
            (FileState::Missing, _) => format!("{} is back", name(file)),
            _ => name(file),
        };
        Undone {
            palette,
            words: words(done.len()),
            left: left.collect(),
            files: done.iter().map(line).collect::<Vec<_>>().join("\n"),
        }
    }
}

impl Cell for Undone {
    fn rows(&self, Room { width, fold, .. }: Room<'_>) -> Vec<Line<'static>> {
        let (dim, warn) = (self.palette.dim(), self.palette.warn());
        let sign = fold_sign(self.folds(), fold);
        let mut rows = signed(Span::styled(sign, dim), vec![Span::raw(self.words.clone())], width);
        for left in &self.left {
            let left = vec![Span::styled(left.clone(), warn)];
            rows.extend(beside(&Span::styled("  ! ", warn), &Span::raw("    "), left, width, Break::Words));
        }
        if fold == Fold::Unfolded && self.folds() {
            rows.extend(quoted(&self.files, width, Break::Anywhere, dim));
        }
        rows
    }

    fn outlasts_rewind(&self) -> bool {
        true
    }

    fn folds(&self) -> bool {
        !self.files.is_empty()
    }
}

fn words(direction: UndoDirection, count: usize, said: Option<&str>) -> String {
    let (verb, place, nothing) = match direction {
        UndoDirection::Undo => ("undone", "before", "nothing was undone"),
        UndoDirection::Redo => ("done again", "after", "nothing was done again"),
    };
    if count == 0 {
        return nothing.to_owned();
    }
    let are = if count == 1 { "is" } else { "are" };
    let files = counted(count, "file");
    match said {
        Some(said) => format!("{verb}: {files} {are} as {place} “{said}”"),
        None => format!("{verb}: {files} {are} as {place} that turn"),
    }
}

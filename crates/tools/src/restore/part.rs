//! A part of what was changed in one file is taken back: some lines become what they were, all others stay.
//!
//! **Invariant.** What comes back is what the file held before, and nothing else: lines are named by their numbers, their text
//! comes from the bytes that are kept.

use super::room::{self, Room};
use super::{Wanted, look, plan};
use crate::Ground;
use crate::change::counts_within;
use crate::workspace::Workspace;
use agent_protocol::{FileDiff, FileState, LinesBack, UndoFile, UndoPart};
use std::time::Duration;

/// How long lines are counted.
const COUNTING: Duration = Duration::from_millis(200);

/// Why a file is not touched that is not as it was shown.
const CHANGED: &str = "it was changed since it was shown; /diff looks again";
/// Why lines cannot be told apart.
const NO_TEXT: &str = "its lines cannot be taken back one by one; /undo takes the file back";

/// What would become of the file, if anything, and which lines the part had brought and taken.
pub(super) fn planned(
    wanted: &Wanted,
    lines: &[LinesBack],
    ground: &Ground,
    workspace: &Workspace,
) -> (Vec<UndoFile>, UndoPart) {
    let target = if lines.is_empty() { Ok(wanted.target.clone()) } else { without(wanted, lines, ground, workspace) };
    let mut files = match &target {
        Ok(target) => plan::planned(&[Wanted { target: target.clone(), ..wanted.clone() }], ground, workspace),
        Err(why) => vec![refused(wanted, why, workspace)],
    };
    for file in files.iter_mut().filter(|file| file.conflict.is_some()) {
        *file = refused(wanted, CHANGED, workspace);
    }
    let part = files.first().map(|file| part_of(&file.diff)).unwrap_or_default();
    (files, part)
}

/// The file as it is shown, with these lines as they were. Its bytes are kept.
fn without(wanted: &Wanted, lines: &[LinesBack], ground: &Ground, workspace: &Workspace) -> Result<FileState, String> {
    let text = |state: &FileState| match state {
        FileState::File { content, size, .. } => {
            look::bytes(&wanted.path, content, *size, ground, workspace).and_then(look::text)
        }
        FileState::Missing | FileState::Link { .. } | FileState::Unkept { .. } => None,
    };
    let room = Room::new(ground, room::MOST);
    if room.kept(&wanted.path) != wanted.left {
        return Err(CHANGED.to_owned());
    }
    let (Some(now), Some(was), FileState::File { mode, .. }) = (text(&wanted.left), text(&wanted.target), &wanted.left)
    else {
        return Err(NO_TEXT.to_owned());
    };
    let text = spliced(&now, &was, lines).ok_or(NO_TEXT)?;
    let content = room.keep(&text).ok_or("there is no room to keep what it would become; nothing is done")?;
    Ok(FileState::File { content, mode: *mode, size: text.len() as u64 })
}

/// `now` with these lines of `was`; `None` where they do not lie one after the other in both.
fn spliced(now: &str, was: &str, lines: &[LinesBack]) -> Option<String> {
    let (now, was): (Vec<&str>, Vec<&str>) = (now.split_inclusive('\n').collect(), was.split_inclusive('\n').collect());
    let mut lines: Vec<&LinesBack> = lines.iter().collect();
    lines.sort_by_key(|one| (one.now.start, one.now.end));
    let (mut text, mut at, mut was_at) = (String::new(), 0, 0);
    for LinesBack { now: gone, was: back } in lines {
        if back.start < was_at {
            return None;
        }
        text.extend(now.get(at..gone.start)?.iter().copied());
        text.extend(was.get(back.clone())?.iter().copied());
        (at, was_at) = (now.get(gone.clone()).map(|_| gone.end)?, back.end);
    }
    text.extend(now.get(at..)?.iter().copied());
    Some(text)
}

/// It stays as it is, for this reason.
pub(super) fn refused(wanted: &Wanted, why: &str, workspace: &Workspace) -> UndoFile {
    let diff = FileDiff {
        path: wanted.path.clone(),
        shown_path: workspace.shown(&wanted.path),
        before: None,
        after: None,
        note: Some(why.to_owned()),
        skipped: 0,
        marks: Vec::new(),
    };
    UndoFile {
        path: wanted.path.clone(),
        now: wanted.left.clone(),
        target: wanted.left.clone(),
        diff,
        possible: false,
        conflict: None,
    }
}

/// Going back adds what the part had removed.
fn part_of(diff: &FileDiff) -> UndoPart {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let (back, gone) = counts_within(&text(&diff.before), &text(&diff.after), COUNTING);
    UndoPart { added: gone, removed: back }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(now: std::ops::Range<usize>, was: std::ops::Range<usize>) -> LinesBack {
        LinesBack { now, was }
    }

    #[test]
    fn only_the_named_lines_become_what_they_were() {
        let (was, now) = ("a\nb\nc\nd\n", "a\nB\nB2\nc\nD\n");
        assert_eq!(spliced(now, was, &[lines(1..3, 1..2)]).unwrap(), "a\nb\nc\nD\n");
        assert_eq!(spliced(now, was, &[lines(4..5, 3..4)]).unwrap(), "a\nB\nB2\nc\nd\n");
        assert_eq!(spliced(now, was, &[lines(4..5, 3..4), lines(1..3, 1..2)]).unwrap(), was);
        assert_eq!(spliced("a\n", "a\nb\n", &[lines(1..1, 1..2)]).unwrap(), "a\nb\n");
    }

    #[test]
    fn lines_that_are_not_there_or_cross_are_none() {
        let (was, now) = ("a\nb\n", "a\nB\n");
        for wrong in [
            vec![lines(1..3, 1..2)],
            vec![lines(1..2, 1..3)],
            vec![lines(0..2, 0..1), lines(1..2, 1..2)],
            vec![lines(0..1, 1..2), lines(1..2, 0..1)],
            vec![LinesBack { now: std::ops::Range { start: 2, end: 1 }, was: 0..0 }],
        ] {
            assert_eq!(spliced(now, was, &wrong), None, "{wrong:?}");
        }
    }
}

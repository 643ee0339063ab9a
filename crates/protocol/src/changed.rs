//! What became of files: exact enough to take it back.

use crate::FileState;
use crate::Unkept;
use crate::lossy;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Absolute, links on the way to it resolved; the file itself may be a link.
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    /// As a person would name it: relative to the project where it lies inside.
    pub shown_path: String,
    pub before: FileState,
    pub after: FileState,
    /// Lines added; 0 where it is no text.
    #[serde(default)]
    pub added: u64,
    /// Lines removed; 0 where it is no text.
    #[serde(default)]
    pub removed: u64,
}

impl FileChange {
    /// Can it be taken back, as far as the bytes are kept?
    pub fn can_be_undone(&self) -> bool {
        !matches!(self.before, FileState::Unkept { .. })
    }
}

/// How much of what a command may do can be taken back. What git ignores, git's own folder and everything outside the
/// project never is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cover {
    pub scope: CoverScope,
    pub files: u64,
    /// Files that would be in the scope and are not covered, by the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// What a [`Cover`] is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "scope", rename_all = "snake_case")]
pub enum CoverScope {
    /// The files of the project.
    Project,
    /// Only those files that were read or written in this session: the project has more files than are looked at.
    Seen {
        /// So many are looked at most (`undo.max_files`).
        most: u64,
    },
    Nothing {
        why: String,
    },
}

/// Files that are not covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    pub why: Unkept,
    pub files: u64,
}

/// What undoing (or doing again) would change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UndoPlan {
    pub direction: UndoDirection,
    /// To before this was said; going forth, to after it was worked on.
    pub said: crate::SaidId,
    /// One entry a file that is not as it would be.
    pub files: Vec<UndoFile>,
    /// Only a part of what was changed in one file; `None`: all that was changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<UndoPart>,
}

/// Lines that a part of a change had brought and taken: they go and come where it is taken back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoPart {
    /// Lines that it had added.
    pub added: u64,
    /// Lines that it had removed.
    pub removed: u64,
}

/// Lines of a file as it is, and the lines of the file as it was that come in their place. Counted from 0, the end not
/// included; a range without lines says where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinesBack {
    /// Of the file as it is.
    pub now: Range<usize>,
    /// Of the file as it was.
    pub was: Range<usize>,
}

/// What the files that a session changed are held against.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiffBase {
    /// How they were before the first change of the session.
    #[default]
    Start,
    /// The last commit of git (`HEAD`).
    Head,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UndoDirection {
    Undo,
    /// Make changes again that were taken back.
    Redo,
}

/// One file of an [`UndoPlan`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UndoFile {
    /// Absolute.
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    /// As it is on disk now.
    pub now: FileState,
    pub target: FileState,
    /// The difference from now to then, to look at. Its note says what a difference of text does not show: no text,
    /// other permissions, a link; or why it cannot be done.
    pub diff: crate::FileDiff,
    /// It can be done: the bytes are there.
    pub possible: bool,
    /// It changed since we left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<UndoConflict>,
}

impl UndoFile {
    /// Why it stays as it is where nobody chooses what becomes of it, in words; `None`: it becomes what it is to be.
    pub fn stays(&self) -> Option<String> {
        let shown = &self.diff.shown_path;
        match (&self.conflict, &self.diff.note) {
            (Some(_), _) => Some(format!("{shown} stays as it is: it was changed since by somebody else")),
            (None, _) if self.possible => None,
            (None, Some(note)) => Some(format!("{shown} stays as it is: {note}")),
            (None, None) => Some(format!("{shown} stays as it is: its bytes are not kept")),
        }
    }
}

/// A file that somebody else changed since.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UndoConflict {
    /// What they changed: the difference from how we left it to how it is now.
    pub since: crate::FileDiff,
    /// What it would be with both: our change taken back, theirs kept. `None` where they touch the same lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<UndoMerge>,
}

/// Both changes in one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UndoMerge {
    pub target: FileState,
    /// The difference from now to then.
    pub diff: crate::FileDiff,
}

/// What is to become of a file that somebody else changed since. Those without a choice stay as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoChoice {
    /// Which, as in the plan.
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    pub what: ConflictChoice,
}

/// Ways out of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictChoice {
    /// It stays as it is now.
    Leave,
    /// It becomes as it was, what they did included; that is kept, and going forth brings it back.
    Restore,
    /// Our change goes, theirs stays.
    Merge,
}

/// What became of one file of an undo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoneFile {
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    /// As a person would name it.
    pub shown_path: String,
    /// As it was right before.
    pub before: FileState,
    pub after: FileState,
    /// Why it is as it was, where it was to be another; `None`: it is as planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

/// Something that was said, with what was changed for it: one line of the list to undo from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoTurn {
    pub said: crate::SaidId,
    pub text: String,
    pub files: u64,
    pub added: u64,
    pub removed: u64,
    /// It was taken back, and can be done again.
    pub undone: bool,
    /// Files whose bytes were not kept, so that they stay as they are.
    #[serde(default)]
    pub uncovered: u64,
}

impl UndoTurn {
    /// The one of these, oldest first, that goes back or forth next.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn next(turns: &[UndoTurn], direction: UndoDirection) -> Result<&UndoTurn, &'static str> {
        match direction {
            UndoDirection::Undo => turns.iter().rev().find(|turn| !turn.undone).ok_or(match turns.is_empty() {
                true => "nothing was changed in this session yet",
                false => "everything is undone already; /redo makes it again",
            }),
            UndoDirection::Redo => turns.iter().find(|turn| turn.undone).ok_or("nothing to redo"),
        }
    }
}

/// A folder of what is built or fetched (`.venv`, `node_modules`, `target`), of which no file is told alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderReceipt {
    /// As a person would name it.
    pub shown_path: String,
    /// Files in it, where it is new; 0 where it was there before.
    #[serde(default)]
    pub files: u64,
}

impl FolderReceipt {
    /// In words: `+1,549 in .venv`, or `.venv` where it was there before.
    pub fn words(&self) -> String {
        match self.files {
            0 => self.shown_path.clone(),
            files => format!("+{} in {}", grouped(files), self.shown_path),
        }
    }
}

/// A number with its thousands apart: `1,549`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut words = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            words.push(',');
        }
        words.push(digit);
    }
    words
}

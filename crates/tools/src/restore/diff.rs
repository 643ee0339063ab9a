//! What tells two states of a file apart, to be shown to the user.

use super::look;
use crate::workspace::Workspace;
use crate::{Ground, words};
use agent_protocol::{FileDiff, FileState};
use std::cell::Cell;
use std::path::Path;

/// Bytes of the largest text that is shown.
const LARGEST_TEXT: u64 = 1_000_000;
/// Bytes of all texts that are shown at once.
const ALL_TEXTS: u64 = 32_000_000;

/// Makes differences, as long as there is room for them.
pub(super) struct Differ<'a> {
    ground: &'a Ground,
    workspace: &'a Workspace,
    room: Cell<u64>,
}

/// One side of a difference.
enum Side {
    /// Nothing, or nothing with bytes.
    Nothing,
    Text(String),
    /// Bytes that are not shown.
    Bytes(Why),
}

#[derive(PartialEq, Eq)]
enum Why {
    NoText,
    TooLarge,
    NoRoom,
    Gone,
}

impl<'a> Differ<'a> {
    pub(super) fn new(ground: &'a Ground, workspace: &'a Workspace) -> Self {
        Differ { ground, workspace, room: Cell::new(ALL_TEXTS) }
    }

    /// The difference from one state of the file at `path` to another. `why` it cannot be done, if it cannot.
    pub(super) fn diff(&self, path: &Path, from: &FileState, to: &FileState, why: Option<String>) -> FileDiff {
        let shown = |before, after, more: Option<String>| {
            let notes: Vec<String> = why.clone().into_iter().chain(more).chain(others(from, to)).collect();
            let note = (!notes.is_empty()).then(|| notes.join("; "));
            let (path, shown_path) = (path.to_owned(), self.workspace.shown(path));
            FileDiff { path, shown_path, before, after, note, skipped: 0, marks: Vec::new() }
        };
        match (self.side(path, from), self.side(path, to)) {
            (Side::Bytes(why), other) | (other, Side::Bytes(why)) => {
                // Where one side cannot be shown, the other alone would look like a new file, or one that goes.
                let there = |state: &FileState| has_bytes(state).then(String::new);
                let why =
                    if why == Why::NoText || !matches!(other, Side::Bytes(Why::NoText)) { why } else { Why::NoText };
                shown(there(from), there(to), Some(why.words(size(from), size(to))))
            }
            (before, after) => shown(before.text(), after.text(), None),
        }
    }

    fn side(&self, path: &Path, state: &FileState) -> Side {
        let (content, size) = match state {
            FileState::Missing | FileState::Link { .. } => return Side::Nothing,
            FileState::Unkept { .. } => return Side::Bytes(Why::Gone),
            FileState::File { content, size, .. } => (content, *size),
        };
        if size > LARGEST_TEXT {
            return Side::Bytes(Why::TooLarge);
        }
        let Some(room) = self.room.get().checked_sub(size) else { return Side::Bytes(Why::NoRoom) };
        let Some(bytes) = look::bytes(path, content, size, self.ground, self.workspace) else {
            return Side::Bytes(Why::Gone);
        };
        let Some(text) = look::text(bytes) else { return Side::Bytes(Why::NoText) };
        self.room.set(room);
        Side::Text(text)
    }
}

impl Side {
    fn text(self) -> Option<String> {
        match self {
            Side::Text(text) => Some(text),
            Side::Nothing | Side::Bytes(_) => None,
        }
    }
}

impl Why {
    fn words(&self, from: u64, to: u64) -> String {
        let sizes = match (from, to) {
            (from, to) if from == to || to == 0 => words::size(from),
            (0, to) => words::size(to),
            (from, to) => format!("{} → {}", words::size(from), words::size(to)),
        };
        match self {
            Why::NoText => format!("{sizes} of bytes, no text"),
            Why::TooLarge => format!("{sizes}, too large to be shown"),
            Why::NoRoom => format!("{sizes}, not shown: there is too much to show it all"),
            Why::Gone => format!("{sizes}, cannot be shown"),
        }
    }
}

fn has_bytes(state: &FileState) -> bool {
    match state {
        FileState::File { .. } | FileState::Unkept { .. } => true,
        FileState::Missing | FileState::Link { .. } => false,
    }
}

fn size(state: &FileState) -> u64 {
    match state {
        FileState::File { size, .. } | FileState::Unkept { size, .. } => *size,
        FileState::Missing | FileState::Link { .. } => 0,
    }
}

/// What no text shows: other rights, links.
fn others(from: &FileState, to: &FileState) -> Option<String> {
    match (from, to) {
        (FileState::File { mode: from, .. }, FileState::File { mode: to, .. }) if from != to => {
            Some(format!("mode {from:o} → {to:o}"))
        }
        (FileState::Link { target: from }, FileState::Link { target: to }) => {
            Some(format!("a link to {} → to {}", from.display(), to.display()))
        }
        (FileState::Missing, FileState::Link { target }) => Some(format!("a link to {}", target.display())),
        (FileState::Link { target }, FileState::Missing) => Some(format!("a link to {} goes", target.display())),
        (_, FileState::Link { target }) => Some(format!("becomes a link to {}", target.display())),
        (FileState::Link { target }, _) => Some(format!("is a link to {} and becomes a file", target.display())),
        (FileState::Missing | FileState::File { .. } | FileState::Unkept { .. }, _) => None,
    }
}

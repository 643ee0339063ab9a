//! What really became of files, looked up on disk.

use super::look;
use crate::Ground;
use crate::change::counts_within;
use crate::parallel;
use crate::workspace::Workspace;
use agent_protocol::{FileFate, FileReceipt, FileState};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long lines of all files are compared; after that they are counted roughly, in this time for each file.
const ENOUGH: Duration = Duration::from_secs(1);
const AT_LEAST: Duration = Duration::from_millis(5);
/// Bytes of the largest text whose lines are compared.
const LARGEST: u64 = 8 << 20;
/// Larger ones are held in memory one at a time.
const SMALL: u64 = 1 << 20;

/// One entry a file that is not as it was, by name.
pub(super) fn receipts(before: &[(PathBuf, FileState)], ground: &Ground, workspace: &Workspace) -> Vec<FileReceipt> {
    let (begun, large) = (Instant::now(), Mutex::new(()));
    let receipt = |(path, was): &(PathBuf, FileState)| {
        let now = now(path, was, ground);
        let what = fate(was, &now)?;
        let _alone = (was.kept_size().max(now.kept_size()) > SMALL)
            .then(|| large.lock().unwrap_or_else(PoisonError::into_inner));
        let text = |state: &FileState| text(path, state, ground, workspace);
        let (added, removed) = match (text(was), text(&now)) {
            (Some(was), Some(now)) => counts_within(&was, &now, ENOUGH.saturating_sub(begun.elapsed()).max(AT_LEAST)),
            (Some(_) | None, _) => (0, 0),
        };
        Some(FileReceipt { shown_path: workspace.shown(path), what, added, removed })
    };
    let mut files: Vec<FileReceipt> = parallel::each(before, receipt).into_iter().flatten().collect();
    files.sort_by(|one, other| one.shown_path.cmp(&other.shown_path));
    files
}

/// A folder is no file.
fn now(path: &Path, was: &FileState, ground: &Ground) -> FileState {
    match look::now(path, ground.undo.max_file.max(was.kept_size())) {
        FileState::Unkept { .. } if look::is_folder(path) => FileState::Missing,
        now => now,
    }
}

fn fate(was: &FileState, now: &FileState) -> Option<FileFate> {
    match (was, now) {
        // A call changed it, and what it was is not kept: nobody can say that it is so again.
        (FileState::Unkept { .. }, FileState::Unkept { .. }) => Some(FileFate::Changed),
        _ if was == now => None,
        (FileState::Missing, _) => Some(FileFate::Created),
        (_, FileState::Missing) => Some(FileFate::Deleted),
        _ => Some(FileFate::Changed),
    }
}

/// The text in which lines are counted; none of what is not there has any, nor has a link.
fn text(path: &Path, state: &FileState, ground: &Ground, workspace: &Workspace) -> Option<String> {
    match state {
        FileState::Missing | FileState::Link { .. } => Some(String::new()),
        FileState::File { content, size, .. } if *size <= LARGEST => {
            look::text(look::bytes(path, content, *size, ground, workspace)?)
        }
        FileState::File { .. } | FileState::Unkept { .. } => None,
    }
}

//! Looks at what lies under a name now, and gets at the bytes of what lay there.

use crate::Ground;
use crate::apply::{LARGEST, digest};
use crate::open::{Found, open, read_all};
/// What lies there, nothing of it held.
pub(super) use crate::undo::state::seen as now;
use crate::workspace::Workspace;
use agent_protocol::{Digest, FileState};
use std::path::Path;

/// Bytes of the largest file that is kept when somebody else wrote it: file tools keep such files too.
pub(super) fn largest(ground: &Ground) -> u64 {
    ground.undo.max_file.max(LARGEST)
}

/// How large may a file be that is to be compared with these states of it? What was kept can be compared, however large.
pub(super) fn limit(ground: &Ground, states: [&FileState; 2]) -> u64 {
    states.into_iter().map(FileState::kept_size).fold(largest(ground), u64::max)
}

pub(super) fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_dir())
}

/// The kept bytes; `None` where they are gone, or not what they were.
pub(super) fn fetched(ground: &Ground, content: &Digest) -> Option<Vec<u8>> {
    ground.keep.fetch(content).ok().filter(|bytes| digest(bytes) == *content)
}

/// The bytes of a file that are kept, or lie at `path` now.
pub(super) fn bytes(
    path: &Path,
    content: &Digest,
    size: u64,
    ground: &Ground,
    workspace: &Workspace,
) -> Option<Vec<u8>> {
    fetched(ground, content).or_else(|| {
        let Ok(Found::File(mut file, _)) = open(workspace, path) else { return None };
        read_all(&mut file, "", size).ok().filter(|bytes| digest(bytes) == *content)
    })
}

/// As text, where it is some.
pub(super) fn text(bytes: Vec<u8>) -> Option<String> {
    if bytes.contains(&0) {
        return None;
    }
    String::from_utf8(bytes).ok()
}

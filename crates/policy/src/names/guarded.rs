//! Files that are protected for what runs them, wherever they lie: what a hook in force or git's settings name.

use super::{Resolved, components};
use std::path::{Path, PathBuf};

/// A file or folder whose change asks in every mode, whatever it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardedFile {
    /// Absolute. A link and what it leads to are two of them.
    pub path: PathBuf,
    /// In words that follow its name in a question: `is run by your hook guard.sh`.
    pub why: String,
}

/// Why `path` is protected where it is one of `files`, lies in one, or is a folder that holds one. What the `project` itself
/// lies in counts for nothing.
pub(crate) fn guarded<'a>(
    path: Resolved<'_>,
    files: impl IntoIterator<Item = &'a GuardedFile>,
    project: &Path,
) -> Option<&'a str> {
    if project.starts_with(path.path()) {
        return None;
    }
    let names = components(path.path());
    let meets = |file: &&GuardedFile| {
        let guarded = components(&file.path);
        guarded.starts_with(&names) || names.starts_with(&guarded)
    };
    files.into_iter().find(meets).map(|file| file.why.as_str())
}

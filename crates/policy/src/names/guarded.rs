//! Files that are protected for what runs them, wherever they lie: what a hook in force names.

use super::{Resolved, components};
use std::path::{Path, PathBuf};

/// A file whose change asks in every mode, whatever it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardedFile {
    /// Absolute. A link and what it leads to are two of them.
    pub path: PathBuf,
    /// In words that follow its name in a question: `is run by your hook guard.sh`.
    pub why: String,
}

/// Why `path` is protected where it is one of `files`, or a folder that holds one. What the `project` itself lies in counts
/// for nothing.
pub(crate) fn guarded<'a>(path: Resolved<'_>, files: &'a [GuardedFile], project: &Path) -> Option<&'a str> {
    if files.is_empty() || project.starts_with(path.path()) {
        return None;
    }
    let names = components(path.path());
    files.iter().find(|file| components(&file.path).starts_with(&names)).map(|file| file.why.as_str())
}

//! Whether git sees a file. Only the folders on the way to it are listed.

use crate::blocking::Stop;
use crate::pattern::Hidden;
use crate::walk::{Depth, walk};
use std::path::Path;

/// Does git see the file, and each folder on the way to it?
pub(super) fn is_seen_by_git(root: &Path, file: &Path, hidden: Hidden, stop: &Stop) -> bool {
    let listed = |path: &&Path| {
        let folder = path.parent().unwrap_or(root);
        walk(folder, hidden, Depth::One, stop).iter().any(|entry| entry.path == **path)
    };
    file.ancestors().take_while(|path| *path != root).all(|path| listed(&path))
}

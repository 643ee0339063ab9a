//! Paths by their text alone.

use std::path::{Component, Path, PathBuf};

/// The path with `.` and `..` taken by its text alone, as `cd` does.
pub(super) fn lexical(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Normal(_) | Component::Prefix(_) => plain.push(component),
        }
    }
    Some(plain)
}

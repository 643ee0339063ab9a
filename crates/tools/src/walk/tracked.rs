//! What git tracks and no walk came by, for a pattern leaves it out.

use super::{Depth, Found, Keep, Visitor};
use crate::facts::git::{GitIndex, TrackedKind};
use ignore::WalkState;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::FileType;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// What a walk below `base` has left to do.
pub(super) struct Rest<'a> {
    base: &'a Path,
    keep: &'a Keep,
    depth: Depth,
    /// What was found already.
    known: HashSet<u64>,
    /// Folders that were looked at: is what lies in them wanted?
    folders: HashMap<PathBuf, bool>,
}

/// A path in few bytes.
pub(super) fn key(path: &Path) -> u64 {
    key_of(path.as_os_str().as_bytes())
}

fn key_of(path: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}

impl<'a> Rest<'a> {
    pub(super) fn new(base: &'a Path, keep: &'a Keep, depth: Depth, known: HashSet<u64>) -> Self {
        Rest { base, keep, depth, known, folders: HashMap::from([(base.to_owned(), true)]) }
    }

    /// Visits what the indexes of these repositories name besides.
    pub(super) fn visit<'v>(mut self, mut repositories: Vec<PathBuf>, new: &dyn Fn() -> Visitor<'v>) {
        let mut visitor = None;
        while let Some(repository) = repositories.pop() {
            let index = GitIndex::of(&repository);
            for path in self.missing(&repository, &index, &mut repositories) {
                if self.show(&path, visitor.get_or_insert_with(new)) == WalkState::Quit {
                    return;
                }
            }
        }
    }

    /// The paths of the index that are not known; submodules among them are added to `repositories`.
    fn missing(&self, repository: &Path, index: &GitIndex, repositories: &mut Vec<PathBuf>) -> Vec<PathBuf> {
        let top = if self.base.starts_with(repository) { self.base } else { repository };
        // With the slash at its end.
        let folder = |path: &Path| path.join("").into_os_string().into_vec();
        let (mut path, base) = (folder(repository), folder(self.base).len());
        let repository = path.len();
        let mut missing: Vec<PathBuf> = Vec::new();
        for (name, kind) in index.below(top) {
            path.truncate(repository);
            path.extend_from_slice(name.as_bytes());
            if self.depth == Depth::One {
                let first = path[base..].iter().position(|byte| *byte == b'/');
                path.truncate(first.map_or(path.len(), |first| base + first));
            }
            let is_known = self.known.contains(&key_of(&path));
            if is_known || missing.last().is_some_and(|last| last.as_os_str().as_bytes() == path) {
                continue;
            }
            let found = PathBuf::from(std::ffi::OsString::from_vec(path.clone()));
            if kind == TrackedKind::Submodule && self.depth == Depth::All {
                repositories.push(found.clone());
            }
            missing.push(found);
        }
        missing
    }

    /// Shows what lies there, and before that the folders on the way to it.
    fn show(&mut self, path: &Path, visitor: &mut Visitor<'_>) -> WalkState {
        let Some(parent) = path.parent().filter(|_| path != self.base) else { return WalkState::Continue };
        if !self.is_open(parent, visitor) {
            return WalkState::Continue;
        }
        match self.kind(path) {
            Some(kind) if self.known.insert(key(path)) => visitor(Found { path: path.to_owned(), kind }),
            Some(_) | None => WalkState::Continue,
        }
    }

    /// Is it a folder in which something may be shown? It is shown itself where it was not.
    fn is_open(&mut self, folder: &Path, visitor: &mut Visitor<'_>) -> bool {
        if let Some(is_open) = self.folders.get(folder) {
            return *is_open;
        }
        let above = folder.parent().is_some_and(|above| self.is_open(above, visitor));
        let kind = self.kind(folder).filter(|kind| above && kind.is_dir());
        self.folders.insert(folder.to_owned(), kind.is_some());
        if let Some(kind) = kind
            && self.known.insert(key(folder))
        {
            visitor(Found { path: folder.to_owned(), kind });
        }
        kind.is_some()
    }

    /// What lies there, where it is wanted.
    fn kind(&self, path: &Path) -> Option<FileType> {
        let kind = path.symlink_metadata().ok()?.file_type();
        let is_wanted = path.file_name() != Some(OsStr::new(".git")) && (self.keep)(path, Some(kind));
        is_wanted.then_some(kind)
    }
}

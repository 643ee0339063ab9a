//! Which names of a project are watched, and where they are.
//!
//! Which they are says policy, who asks before they are written to: those that are protected for their names. Places of
//! the system and of the home are not watched, for a path below the project says nothing about those. What is watched of
//! a repository is in `repositories`. The walk goes through the nearest folders first and ends after so many, and does not
//! go into folders that hold what was built or fetched. Where it ended early, that can be told.
//!
//! **Invariant.** The repository of the project itself is watched whatever else there is, and no other name can take the
//! place of one in a repository.

use super::found::{FolderStamp, Listing, Protected};
use super::repositories::{self, hooks, inner, sure};
use crate::facts::git::outer_git_folder;
use agent_policy::names::obeyed;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Folders that are looked into.
const FOLDERS: usize = 2_000;
const NAMES: usize = 20_000;
/// Folders that hold what was built or fetched: large, and made anew by every other command.
const MADE: &[&str] =
    &["node_modules", "target", ".venv", "venv", ".env", "__pycache__", ".tox", ".gradle", ".next", ".cache"];
/// The parts of a folder `.yarn` that yarn runs; the rest it makes anew by itself.
const YARN_RUNS: &[&str] = &["releases", "plugins"];

/// Looks for what there is to watch in `root`. Folders that have not changed since they were `known` are not read again.
pub(super) fn find(root: &Path, known: &Protected) -> Protected {
    let mut found = known.only_guarded();
    let mut git_dirs = vec![PathBuf::from(".git")];
    sure(root, &git_dirs[0], &mut found);
    if let Some(outer) = outer_git_folder(root) {
        sure(root, &outer, &mut found);
        git_dirs.push(outer);
    }
    let (mut ahead, mut names) = (VecDeque::from([PathBuf::new()]), NAMES);
    while let Some(folder) = ahead.pop_front() {
        if found.folders.len() >= FOLDERS || names == 0 {
            found.cut_short = true;
            break;
        }
        let Some(listing) = again(root, &folder, known).or_else(|| list(root, &folder)) else { continue };
        names = names.saturating_sub(listing.names);
        found.cut_short |= listing.cut_short;
        listing.watched.iter().for_each(|name| found.watch(folder.join(name)));
        let is_top = folder.as_os_str().is_empty();
        if listing.has_repository && !is_top {
            git_dirs.push(folder.join(".git"));
            sure(root, &folder.join(".git"), &mut found);
        }
        if listing.is_repository && !is_top {
            git_dirs.push(folder.clone());
            sure(root, &folder, &mut found);
        }
        let is_own = |name: &OsString| listing.is_repository && repositories::OWN.iter().any(|own| name == *own);
        ahead.extend(listing.folders.iter().filter(|name| !is_own(name)).map(|name| folder.join(name)));
        found.folders.insert(folder, listing);
    }
    let mut left = NAMES;
    for git_dir in git_dirs {
        inner(root, &git_dir, &mut left, &mut found);
    }
    // Last, for anybody can put any number of names there.
    let mut left = NAMES;
    for git_dir in found.repositories.clone() {
        hooks(root, &git_dir, &mut left, &mut found);
    }
    found
}

/// The listing that is known, where it still holds.
fn again(root: &Path, folder: &Path, known: &Protected) -> Option<Listing> {
    let listing = known.folders.get(folder).filter(|listing| listing.stamp.is_some())?;
    (stamp(&root.join(folder)) == listing.stamp).then(|| listing.clone())
}

fn stamp(folder: &Path) -> Option<FolderStamp> {
    let found = folder.symlink_metadata().ok().filter(Metadata::is_dir)?;
    Some(FolderStamp { inode: found.ino(), changed: (found.ctime(), found.ctime_nsec()) })
}

fn list(root: &Path, folder: &Path) -> Option<Listing> {
    let whole = root.join(folder);
    // Taken before the names are read: what comes between makes it a stamp of the past.
    let stamp = stamp(&whole)?.settled();
    // By name, for it may be the last of very many.
    let has_repository = whole.join(".git").symlink_metadata().is_ok();
    let is_repository = repositories::is_git_dir(&whole);
    let (folders, watched) = (Vec::new(), Vec::new());
    let mut listing = Listing { stamp, names: 0, cut_short: false, folders, watched, has_repository, is_repository };
    let of_its_folder = Which::of(folder);
    for entry in std::fs::read_dir(&whole).into_iter().flatten().flatten() {
        if listing.names >= NAMES {
            listing.cut_short = true;
            break;
        }
        listing.names += 1;
        let name = entry.file_name();
        if name == ".git" {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if !is_made(folder, &name) {
                listing.folders.push(name);
            }
        } else if of_its_folder.holds(&name) {
            listing.watched.push(name);
        }
    }
    Some(listing)
}

/// Which files of a folder are watched. Found out once a folder as far as can be, for there are many files.
enum Which<'a> {
    None,
    Every,
    /// Those with a protected name, in a folder of this name.
    Protected(&'a OsStr),
}

impl<'a> Which<'a> {
    fn of(folder: &'a Path) -> Self {
        if folder.ends_with(".yarn") {
            return Which::None;
        }
        match obeyed(folder) {
            Some(_) => Which::Every,
            None => Which::Protected(folder.file_name().unwrap_or_default()),
        }
    }

    fn holds(&self, name: &OsStr) -> bool {
        match self {
            Which::None => false,
            Which::Every => true,
            Which::Protected(parent) => obeyed(&Path::new(parent).join(name)).is_some(),
        }
    }
}

/// Is this folder one that is made anew all the time?
fn is_made(folder: &Path, name: &OsStr) -> bool {
    MADE.iter().any(|made| name == *made) || folder.ends_with(".yarn") && !YARN_RUNS.iter().any(|part| name == *part)
}

//! Notices when a command changed what other programs of the project obey: hooks, settings of editors and package
//! managers, instructions to agents.
//!
//! The fence lets a command write in the project and cannot leave out single names there, so they are looked at before
//! it and after it. What git itself writes all the time (index, refs, objects, logs, the branches in its settings) is
//! not looked at.
//!
//! Does not undo anything and does not decide what follows.

mod settings;
mod watched;

use crate::facts::git::is_live_hook;
use crate::open::plain_file;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
pub(crate) use watched::Found;

/// Names that are told.
const TOLD: usize = 12;
/// The longest file that is read whole; of a longer one its size and times count.
const LONGEST: u64 = 1 << 20;

/// How the watched names of a project were at one moment.
#[derive(Debug)]
pub(crate) struct Tripwire {
    root: PathBuf,
    /// By path below the project.
    states: BTreeMap<PathBuf, State>,
    /// Where they were found.
    found: Found,
}

/// How one of them was.
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    what: What,
    /// Permission bits.
    mode: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// A file with this text, by its hash.
    Text([u8; 32]),
    /// A file too long to read, by what changes with it.
    Long { size: u64, inode: u64, changed: (i64, i64) },
    /// A link that says this.
    Link(PathBuf),
    /// A folder; what is in it is looked at by itself.
    Folder,
    /// A pipe, socket or device.
    Special,
}

impl Tripwire {
    /// Looks at the project at `root` now; what is `known` of earlier saves work. Bounded; blocking.
    pub(crate) fn set(root: &Path, known: &Found) -> Self {
        let found = watched::find(root, known);
        let state = |path: &PathBuf| Some((path.clone(), state(&root.join(path), path)?));
        Tripwire { root: root.to_owned(), states: found.paths().filter_map(state).collect(), found }
    }

    /// What is not as it was, by the names a person would use; and how it is now.
    pub(crate) fn sprung(&self) -> (Vec<String>, Tripwire) {
        let now = Tripwire::set(&self.root, &self.found);
        let mut told = Vec::new();
        for (path, before) in &self.states {
            // Asked for by name: it may only have come out of reach of the walk.
            match state(&self.root.join(path), path) {
                Some(after) if after == *before => {}
                Some(after) if after.what == before.what => told.push(named(path, "other permissions")),
                Some(_) => told.push(named(path, "changed")),
                None => told.push(named(path, "gone")),
            }
        }
        let new = now.states.iter().filter(|(path, state)| self.is_new(path, state));
        told.extend(new.map(|(path, _)| named(path, "new")));
        told.sort();
        let more = told.len().saturating_sub(TOLD);
        if more > 0 {
            told.truncate(TOLD);
            told.push(format!("and {more} more"));
        }
        (told, now)
    }

    /// These are as they ought to be now: the person has seen what becomes of them. Bounded; blocking.
    pub(crate) fn accept(&mut self, paths: &[PathBuf]) {
        let now = Tripwire::set(&self.root, &self.found);
        for path in paths.iter().filter_map(|path| path.strip_prefix(&self.root).ok()) {
            match now.states.get(path) {
                Some(state) => drop(self.states.insert(path.to_owned(), state.clone())),
                None => drop(self.states.remove(path)),
            }
        }
    }

    /// There may be more to watch than is watched.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.found.is_incomplete()
    }

    /// What is known of the project, which saves work at the next look.
    pub(crate) fn into_known(self) -> Found {
        self.found
    }

    /// Is it new, and not just seen for the first time?
    fn is_new(&self, path: &Path, state: &State) -> bool {
        if self.states.contains_key(path) || state.what == What::Folder {
            return false;
        }
        match watched::repository(path) {
            // A repository that was just made is no alarm, but one that runs something at once is.
            Some(git_dir) if !self.states.contains_key(git_dir) => self.is_alive(path),
            Some(_) => self.found.knows_all_like(path),
            None => self.was_in_sight(path),
        }
    }

    /// Was the folder of `path` looked into before, or was there no such folder?
    fn was_in_sight(&self, path: &Path) -> bool {
        let Some(nearest) = path.ancestors().skip(1).find(|folder| self.found.looked_into(folder)) else {
            return false;
        };
        !self.found.is_full() && (path.parent() == Some(nearest) || !self.found.cut_short)
    }

    fn is_alive(&self, path: &Path) -> bool {
        let whole = self.root.join(path);
        path.parent().is_some_and(|folder| folder.ends_with("hooks"))
            && whole.metadata().is_ok_and(|found| is_live_hook(path, &found))
    }
}

fn named(path: &Path, what: &str) -> String {
    format!("{} ({what})", crate::workspace::one_line(path))
}

/// How the thing at `whole` is; `None` where there is none. `path` is its name below the project.
fn state(whole: &Path, path: &Path) -> Option<State> {
    let found = whole.symlink_metadata().ok()?;
    let what = if found.is_symlink() {
        What::Link(std::fs::read_link(whole).ok()?)
    } else if found.is_dir() {
        What::Folder
    } else if !found.is_file() {
        What::Special
    } else if found.len() > LONGEST {
        What::Long { size: found.len(), inode: found.ino(), changed: (found.ctime(), found.ctime_nsec()) }
    } else {
        // What cannot be read, or became another thing meanwhile, is as good as empty.
        What::Text(hash(&plain_file(whole, LONGEST).unwrap_or_default(), path))
    };
    // The bits of a link mean nothing, and those of a folder are not obeyed by anybody.
    let mode = match what {
        What::Link(_) | What::Folder => 0,
        What::Text(_) | What::Long { .. } | What::Special => found.mode() & 0o7777,
    };
    Some(State { what, mode })
}

/// Of git's settings only what git does not write by itself, so that `git checkout` may write its branches there.
fn hash(bytes: &[u8], path: &Path) -> [u8; 32] {
    let is_settings = path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"config"));
    match watched::repository(path).filter(|_| is_settings).and_then(|_| settings::that_matter(bytes)) {
        Some(settings) => Sha256::digest(settings).into(),
        None => Sha256::digest(bytes).into(),
    }
}

#[cfg(test)]
mod tests;

//! Makes objects outlast a power cut: their bytes first, then the names that lead to them.

use super::gone;
use super::object::Name;
use super::shelf::Shelf;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Things that are written down at the same time: a disk makes eight last in the time of one.
const AT_ONCE: usize = 8;

/// Folders of ours that lead to a workspace, itself included: that of all workspaces, and the state folder.
const WAY: usize = 3;

/// What is known to last.
#[derive(Debug, Default)]
pub(super) struct Lasting(Mutex<SettledNames>);

#[derive(Debug, Default)]
struct SettledNames {
    names: HashSet<Name>,
    /// Written in this session; what others wrote is in folders that they may have changed just now.
    ours: HashSet<Name>,
    folders: HashMap<PathBuf, Names>,
}

/// The names in one folder, by how often they changed as far as is known.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Names {
    changed: u64,
    /// They last as they were after so many changes.
    last: Option<u64>,
}

impl Lasting {
    pub(super) fn written(&self, name: Name, shelf: &Shelf) {
        let mut known = self.known();
        known.names.remove(&name);
        known.ours.insert(name);
        known.change(name, shelf);
    }

    /// Makes these objects last, with the names that lead to them.
    pub(super) fn settle(&self, names: &[Name], shelf: &Shelf) -> io::Result<()> {
        let (new, folders) = self.known().unsettled(names, shelf);
        let files: Vec<PathBuf> = new.iter().map(|name| shelf.path(*name)).collect();
        each(&files, |file| File::open(file)?.sync_data())?;
        each(&folders, |(folder, _)| File::open(folder)?.sync_all())?;
        let mut known = self.known();
        known.names.extend(new);
        for (folder, changed) in folders {
            let names = known.folders.entry(folder).or_default();
            names.last = names.last.max(Some(changed));
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, SettledNames> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SettledNames {
    /// Those of `names` that may not last yet, and the folders that lead to them, with how often these changed.
    fn unsettled(&mut self, names: &[Name], shelf: &Shelf) -> (HashSet<Name>, Vec<(PathBuf, u64)>) {
        let new: HashSet<Name> = names.iter().filter(|name| !self.names.contains(name)).copied().collect();
        let foreign: Vec<Name> = new.iter().filter(|name| !self.ours.contains(name)).copied().collect();
        for name in foreign {
            self.change(name, shelf);
        }
        let inner = new.iter().filter_map(|name| shelf.path(*name).parent().map(Path::to_owned));
        let way = shelf.folder().ancestors().take(if new.is_empty() { 0 } else { WAY }).map(Path::to_owned);
        let folders: BTreeSet<PathBuf> = inner.chain(way).collect();
        let unsettled = folders.into_iter().filter_map(|folder| {
            let Names { changed, last } = self.folders.get(&folder).copied().unwrap_or_default();
            (last != Some(changed)).then_some((folder, changed))
        });
        (new, unsettled.collect())
    }

    /// The name is new in its folder, and the folder may be new in that of the workspace.
    fn change(&mut self, name: Name, shelf: &Shelf) {
        let Some(folder) = shelf.path(name).parent().map(Path::to_owned) else { return };
        if !self.folders.contains_key(&folder) || !self.ours.contains(&name) {
            self.folders.entry(shelf.folder().to_owned()).or_default().changed += 1;
        }
        self.folders.entry(folder).or_default().changed += 1;
    }
}

/// `sync` on every one of `paths`.
fn each<T: Sync>(paths: &[T], sync: impl Fn(&T) -> io::Result<()> + Sync) -> io::Result<()> {
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Ok(())));
    let some = || {
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = sync(path) {
                let error = if error.kind() == io::ErrorKind::NotFound { gone() } else { error };
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..AT_ONCE.min(paths.len()) {
            // Where no thread can be had, fewer do the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, some);
        }
        some();
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

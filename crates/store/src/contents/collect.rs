//! Takes away objects that nobody needs any more: by age, then by size.
//!
//! **Invariant.** Nothing goes that was kept or touched since the oldest session began that is open, also not where it
//! is touched at this very moment: an object is put aside, looked at once more, and put back if it was.

use super::{all, live};
use crate::Place;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, DirEntry, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// After so long, the rest is left for the next time.
const ENOUGH: Duration = Duration::from_millis(900);

/// What counts as kept since a session began, before it: clocks of file systems lag, and lists are made older.
const MARGIN: Duration = Duration::from_secs(2);

/// Disks give out room by the block.
const BLOCK: u64 = 4096;

/// What an object is called that is about to go.
const ASIDE: &str = ".gone-";

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Collected {
    pub removed: u64,
    /// Bytes they took on disk.
    pub freed: u64,
    /// Objects that are left, as far as was looked.
    pub left: u64,
    /// Bytes they take on disk.
    pub bytes: u64,
    /// There was more to look at or to remove than there was time for.
    pub unfinished: bool,
}

/// One file in a workspace.
struct FoundFile {
    folder: usize,
    name: OsString,
    modified: SystemTime,
    bytes: u64,
}

pub(super) fn collect(place: &Place, older_than: Duration, at_most: u64) -> Collected {
    collect_until(place, older_than, at_most, Instant::now() + ENOUGH)
}

fn collect_until(place: &Place, older_than: Duration, at_most: u64, until: Instant) -> Collected {
    let all = all(place);
    if let Err(error) = place.check() {
        tracing::warn!("{error}");
        return Collected::default();
    }
    // Two at once would do the same work, and each count what the other removed.
    let Ok(lock) = File::open(&all) else { return Collected::default() };
    if lock.try_lock().is_err() {
        return Collected::default();
    }
    let now = SystemTime::now();
    let spared = live::oldest(&all).map_or(now, |began| began.min(now)) - MARGIN;
    let too_old = now.checked_sub(older_than).unwrap_or(SystemTime::UNIX_EPOCH);
    let mut hoard = Hoard::look(&all, until);
    hoard.remove(spared, too_old, at_most, until);
    hoard.collected
}

/// All objects of all projects.
struct Hoard {
    folders: Vec<PathBuf>,
    found: Vec<FoundFile>,
    collected: Collected,
}

impl Hoard {
    fn look(all: &Path, until: Instant) -> Self {
        let mut hoard = Hoard { folders: folders(all), found: Vec::new(), collected: Collected::default() };
        // Where there is more than can be looked at, it is other folders each time.
        let turn = usize::try_from(nanoseconds()).unwrap_or(0) % hoard.folders.len().max(1);
        hoard.folders.rotate_left(turn);
        for folder in 0..hoard.folders.len() {
            if Instant::now() > until {
                hoard.collected.unfinished = true;
                break;
            }
            let files = fs::read_dir(&hoard.folders[folder]).into_iter().flatten().flatten();
            hoard.found.extend(files.filter_map(|file| found(folder, &file)));
        }
        hoard.collected.left = hoard.found.len() as u64;
        hoard.collected.bytes = hoard.found.iter().map(|found| found.bytes).sum();
        hoard.found.sort_unstable_by_key(|found| found.modified);
        hoard
    }

    fn remove(&mut self, spared: SystemTime, too_old: SystemTime, at_most: u64, until: Instant) {
        let mut emptier = BTreeSet::new();
        for found in &self.found {
            if found.modified >= spared {
                break;
            }
            if found.modified >= too_old && self.collected.bytes <= at_most && !found.is_left_over() {
                continue;
            }
            if Instant::now() > until {
                self.collected.unfinished = true;
                break;
            }
            if found.is_removed_from(&self.folders[found.folder]) {
                self.collected.count(found.bytes);
                emptier.insert(found.folder);
            }
        }
        for folder in emptier.into_iter().map(|folder| &self.folders[folder]) {
            // Only what is empty goes; who wants to write there makes it anew.
            let _ = fs::remove_dir(folder).and_then(|()| folder.parent().map_or(Ok(()), fs::remove_dir));
        }
    }
}

impl Collected {
    fn count(&mut self, bytes: u64) {
        self.removed += 1;
        self.freed += bytes;
        self.left -= 1;
        self.bytes -= bytes;
    }
}

impl FoundFile {
    /// Of somebody who was killed while writing or removing.
    fn is_left_over(&self) -> bool {
        self.name.as_encoded_bytes().starts_with(b".")
    }

    fn is_removed_from(&self, folder: &Path) -> bool {
        let path = folder.join(&self.name);
        if self.is_left_over() {
            return fs::remove_file(path).is_ok();
        }
        let mut aside = OsString::from(ASIDE);
        aside.push(&self.name);
        let aside = folder.join(aside);
        if fs::rename(&path, &aside).is_err() {
            return false;
        }
        // Who touches it from now on finds nothing, and writes it anew; who touched it before is seen here.
        let touched = modified(&aside) != Some(self.modified);
        let done = if touched { fs::rename(&aside, &path) } else { fs::remove_file(&aside) };
        !touched && done.is_ok()
    }
}

/// The folders that objects lie in, of every workspace.
fn folders(all: &Path) -> Vec<PathBuf> {
    let inside = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let is_folder = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let workspaces = inside(all).filter(|entry| is_folder(entry) && entry.file_name() != live::FOLDER);
    workspaces.flat_map(|workspace| inside(&workspace.path()).filter(is_folder)).map(|entry| entry.path()).collect()
}

fn found(folder: usize, file: &DirEntry) -> Option<FoundFile> {
    let known = file.metadata().ok().filter(fs::Metadata::is_file)?;
    let bytes = known.len().div_ceil(BLOCK) * BLOCK;
    Some(FoundFile { folder, name: file.file_name(), modified: known.modified().ok()?, bytes })
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::symlink_metadata(path).ok()?.modified().ok()
}

fn nanoseconds() -> u32 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.subsec_nanos())
}

#[cfg(test)]
mod tests;

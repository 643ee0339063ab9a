//! How all covered files of a project are at one moment.
//!
//! Looking again reads only what the system says has changed. **Invariant.** Whatever is told to be unchanged had the
//! same bytes at both looks: what changed so shortly before a look that its stamps cannot tell is read at the next one.

use super::stat::{Moment, Stat};
use super::state::unkept;
use super::thing::{Folders, ProjectThing, ThingKind, out_of_question};
use super::vault::Vault;
use crate::apply::spelled;
use agent_protocol::{FileState, Unkept};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files that a thread must have to itself to be worth starting.
const WORTH_A_THREAD: usize = 32;
const THREADS: usize = 4;

/// A name and what the system says of it.
pub(super) type Glance = (PathBuf, Stat);

/// All covered files, sorted by path.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    /// When it was begun.
    pub(super) at: Moment,
    pub(super) entries: Vec<SnapshotEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SnapshotEntry {
    pub(super) path: PathBuf,
    pub(super) stat: Stat,
    /// It has to be read at the next look, whatever the system says.
    doubtful: bool,
    pub(super) known: KnownContent,
}

/// What is known of what it holds. Small, for there are many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KnownContent {
    /// Bytes that are kept under this digest.
    File([u8; 32]),
    Link(Box<Path>),
    Not(Unkept),
}

impl SnapshotEntry {
    pub(super) fn state(&self) -> FileState {
        match &self.known {
            KnownContent::File(content) => {
                FileState::File { content: spelled(content), mode: self.stat.permissions(), size: self.stat.size }
            }
            KnownContent::Link(target) => FileState::Link { target: target.to_path_buf() },
            KnownContent::Not(why) => unkept(*why, &self.stat),
        }
    }

    /// Is it as `earlier` was? Of what could not be read the system's word has to do.
    pub(super) fn is_as(&self, earlier: &SnapshotEntry) -> bool {
        match (&self.known, &earlier.known) {
            (KnownContent::File(now), KnownContent::File(then)) => {
                now == then && self.stat.permissions() == earlier.stat.permissions()
            }
            // Writing into a pipe changes its stamps, and is nothing to tell of.
            (KnownContent::Not(Unkept::Special), KnownContent::Not(Unkept::Special)) => true,
            (KnownContent::Not(_), _) | (_, KnownContent::Not(_)) => self.stat == earlier.stat,
            (now, then) => now == then,
        }
    }
}

impl Snapshot {
    pub(super) fn entry(&self, path: &Path) -> Option<&SnapshotEntry> {
        let at = self.entries.binary_search_by(|entry| entry.path.as_path().cmp(path)).ok()?;
        self.entries.get(at)
    }

    /// Why the file of this glance is not covered, as far as an earlier look knows it; `None`: it is.
    pub(super) fn why_not(&self, (path, stat): &Glance) -> Option<Option<Unkept>> {
        let entry = self.entry(path).filter(|entry| entry.holds_for(stat))?;
        match entry.known {
            KnownContent::Not(why) => Some(Some(why)),
            KnownContent::File(_) | KnownContent::Link(_) => Some(None),
        }
    }

    /// Does nothing differ between them?
    pub(super) fn agrees_with(&self, other: &Snapshot) -> bool {
        self.entries.len() == other.entries.len()
            && self
                .entries
                .iter()
                .zip(&other.entries)
                .all(|(one, other)| one.path == other.path && one.stat == other.stat && one.known == other.known)
    }

    /// Reads of `glances` what is not known already. Those that are `first` are read first, while there is room.
    pub(super) fn taken(
        at: Moment,
        mut glances: Vec<Glance>,
        known: &Snapshot,
        vault: &Vault,
        first: impl Fn(&Path) -> bool,
    ) -> Self {
        glances.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        glances.dedup_by(|(one, _), (other, _)| one == other);
        let (mut entries, mut unread) = (Vec::with_capacity(glances.len()), Vec::new());
        let mut earlier = known.entries.iter().peekable();
        for (path, stat) in glances {
            while earlier.next_if(|entry| entry.path < path).is_some() {}
            let entry = match earlier.peek().filter(|entry| entry.path == path && entry.holds_for(&stat)) {
                Some(entry) => (*entry).clone(),
                None => {
                    unread.push(entries.len());
                    SnapshotEntry { path, stat, doubtful: true, known: KnownContent::Not(Unkept::Unreadable) }
                }
            };
            entries.push(entry);
        }
        unread.sort_by_key(|place| !first(&entries[*place].path));
        let read = read_all(&unread, &entries, at, vault);
        let mut gone = Vec::new();
        for (place, entry) in read {
            match entry {
                Some(entry) => entries[place] = entry,
                None => gone.push(place),
            }
        }
        gone.sort_unstable();
        let mut place = 0;
        entries.retain(|_| {
            place += 1;
            gone.binary_search(&(place - 1)).is_err()
        });
        Snapshot { at, entries }
    }
}

impl SnapshotEntry {
    /// Is what is known of it still so, when the system says this of it?
    fn holds_for(&self, stat: &Stat) -> bool {
        !self.doubtful && self.stat == *stat
    }

    /// As somebody else saw it at `at`.
    pub(super) fn told(path: PathBuf, stat: Stat, known: KnownContent, at: Moment) -> Self {
        let doubtful = stat.is_fresh_at(at) || known == KnownContent::Not(Unkept::Unreadable);
        SnapshotEntry { path, stat, doubtful, known }
    }

    /// Looks at it; `None`: it is gone.
    fn read(path: &Path, at: Moment, folders: &mut Folders, vault: &Vault) -> Option<SnapshotEntry> {
        let ProjectThing { stat, what } = folders.thing(path, vault.max_file())?;
        let (known, written) = match what {
            ThingKind::File(bytes) => match vault.keep(&bytes) {
                Ok(Some(content)) => (KnownContent::File(content), true),
                Ok(None) => (KnownContent::Not(Unkept::NoRoom), true),
                // The next look tries again.
                Err(_) => (KnownContent::Not(Unkept::Unreadable), false),
            },
            ThingKind::Link(target) => (KnownContent::Link(target.into()), true),
            ThingKind::Not(why) => (KnownContent::Not(why), true),
        };
        Some(SnapshotEntry { path: path.into(), stat, doubtful: !written || stat.is_fresh_at(at), known })
    }
}

/// The entries at these places, read.
fn read_all(
    places: &[usize],
    entries: &[SnapshotEntry],
    at: Moment,
    vault: &Vault,
) -> Vec<(usize, Option<SnapshotEntry>)> {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(places.len())));
    let work = || {
        let (mut folders, mut mine) = (Folders::new(), Vec::new());
        while let Some(place) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
            mine.push((*place, SnapshotEntry::read(&entries[*place].path, at, &mut folders, vault)));
        }
        all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut mine);
    };
    let threads = (places.len() / WORTH_A_THREAD).min(THREADS);
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where no thread can be had, fewer do the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Why a file would not be covered that nobody has looked at yet; `left` is the room there is, and becomes less.
pub(super) fn forecast((path, stat): &Glance, max_file: u64, left: &mut u64) -> Option<Unkept> {
    let why = out_of_question(path, stat, max_file);
    if why.is_some() {
        return why;
    }
    match left.checked_sub(stat.size) {
        Some(rest) => {
            *left = rest;
            None
        }
        None => Some(Unkept::NoRoom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeptInMemory;
    use crate::environment::{Keep, UndoLimits};
    use agent_protocol::Digest;
    use std::fs::{File, FileTimes};
    use std::io;
    use std::sync::Arc;
    use std::time::{Duration, SystemTime};
    use tempfile::TempDir;

    #[derive(Default)]
    struct Counting {
        kept: KeptInMemory,
        times: AtomicUsize,
    }

    impl Keep for Counting {
        fn keep(&self, bytes: &[u8]) -> io::Result<Digest> {
            self.times.fetch_add(1, Ordering::Relaxed);
            self.kept.keep(bytes)
        }

        fn fetch(&self, digest: &Digest) -> io::Result<Vec<u8>> {
            self.kept.fetch(digest)
        }
    }

    fn taken(paths: &[PathBuf], at: Moment, known: &Snapshot, vault: &Vault) -> Snapshot {
        let mut folders = Folders::new();
        let glances = paths.iter().filter_map(|path| Some((path.clone(), folders.stat(path)?))).collect();
        Snapshot::taken(at, glances, known, vault, |_| false)
    }

    #[test]
    fn only_what_the_system_says_has_changed_is_read_again() {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let keep = Arc::new(Counting::default());
        let vault = Vault::new(keep.clone(), UndoLimits::default());
        let paths: Vec<PathBuf> = (0..100).map(|number| root.join(format!("{number}"))).collect();
        paths.iter().for_each(|path| std::fs::write(path, "one").unwrap());
        // A look at files that were left alone for long.
        let later = Moment::at(SystemTime::now() + Duration::from_secs(3600));
        let first = taken(&paths, later, &Snapshot::default(), &vault);
        assert_eq!((first.entries.len(), keep.times.swap(0, Ordering::Relaxed)), (100, 100));
        let (path, entry) = (&paths[7], first.entry(&paths[7]).unwrap());
        // With the same size and the same time of change, until the clock of the file system has gone on.
        while Stat::of(&path.metadata().unwrap()).changed() == entry.stat.changed() {
            let before = path.metadata().unwrap().modified().unwrap();
            std::fs::write(path, "two").unwrap();
            let file = File::options().write(true).open(path).unwrap();
            file.set_times(FileTimes::new().set_modified(before)).unwrap();
        }
        let second = taken(&paths, later, &first, &vault);
        assert_eq!(keep.times.load(Ordering::Relaxed), 1);
        let pairs = first.entries.iter().zip(&second.entries);
        let changed: Vec<&PathBuf> = pairs.filter(|(then, now)| !now.is_as(then)).map(|(_, now)| &now.path).collect();
        assert_eq!(changed, [path]);
    }

    #[test]
    fn what_is_gone_before_it_is_read_is_left_out() {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let vault = Vault::new(Arc::new(KeptInMemory::default()), UndoLimits::default());
        std::fs::write(root.join("b"), "").unwrap();
        let glances = ["a", "b", "c"].map(|name| (root.join(name), Stat::default())).into();
        let taken = Snapshot::taken(Moment::now(), glances, &Snapshot::default(), &vault, |_| false);
        assert_eq!(taken.entries.iter().map(|entry| &entry.path).collect::<Vec<_>>(), [&root.join("b")]);
    }

    #[test]
    fn there_is_little_to_a_file() {
        assert!(size_of::<SnapshotEntry>() <= 128, "{}", size_of::<SnapshotEntry>());
    }
}

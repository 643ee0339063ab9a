//! Keeps the caches of all projects together below a size: those that were used longest ago go first, and none that is in
//! use.

use super::{FILES, PROJECT, TOO_LARGE, note};
use crate::temporary::{FOLDER, empty, is_local, is_same, open_own};
use rustix::fs::{AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, flock, openat, statat, unlinkat};
use std::ffi::{CStr, CString};
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

/// The longest that a sweep takes; the next one goes on.
const LONGEST: Duration = Duration::from_secs(20);
/// To measure means to look at every file, so it is not done at every start.
const PAUSE: Duration = Duration::from_secs(3_600);
/// Its time is that of the last sweep.
const SWEPT: &str = "swept";
/// What lies deeper is not measured: whoever nests so only wants to waste descriptors.
const DEEPEST: usize = 64;

/// What a sweep came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheSweep {
    /// Projects whose cache is gone.
    pub removed: usize,
    pub left: usize,
    /// Bytes that these take on disk.
    pub bytes: u64,
}

/// What caches take on disk, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheUse {
    pub here: u64,
    pub all: u64,
}

/// Removes caches in `place` until all together take at most `most` bytes; at most once an hour. Blocks for 20 seconds at
/// most.
pub fn sweep_caches(place: &Path, most: u64) -> CacheSweep {
    let Ok(folder) = rustix::fs::open(place, FOLDER, Mode::empty()) else { return CacheSweep::default() };
    let swept = place.join(SWEPT).symlink_metadata().and_then(|found| found.modified());
    let recently = |swept: SystemTime| SystemTime::now().duration_since(swept).is_ok_and(|age| age < PAUSE);
    // On a file system that several machines share, a lock may be one machine's alone.
    if swept.is_ok_and(recently) || !is_local(&folder) || note(&folder, SWEPT, b"").is_err() {
        return CacheSweep::default();
    }
    sweep_now(&folder, most)
}

/// What the cache called `label` in `place` takes, and all that lie there. Blocks while it looks at every file.
pub fn measure_caches(place: &Path, label: &str) -> CacheUse {
    let Ok(folder) = rustix::fs::open(place, FOLDER, Mode::empty()) else { return CacheUse::default() };
    let until = Instant::now() + LONGEST;
    let found = find(folder.as_fd(), until);
    let here = found.iter().find(|cache| cache.label.to_bytes() == label.as_bytes()).map_or(0, |cache| cache.bytes);
    CacheUse { here, all: found.iter().map(|cache| cache.bytes).sum() }
}

struct FoundCache {
    label: CString,
    folder: OwnedFd,
    used: SystemTime,
    bytes: u64,
}

pub(super) fn sweep_now(place: &OwnedFd, most: u64) -> CacheSweep {
    let until = Instant::now() + LONGEST;
    let mut found = find(place.as_fd(), until);
    found.sort_by_key(|cache| cache.used);
    let mut sum =
        CacheSweep { removed: 0, left: found.len(), bytes: found.iter().map(|cache| cache.bytes).sum::<u64>() };
    for cache in found {
        if sum.bytes > most && remove(place.as_fd(), &cache, until).is_some() {
            sum = CacheSweep { removed: sum.removed + 1, left: sum.left - 1, bytes: sum.bytes - cache.bytes };
        } else if cache.bytes > most {
            // Whoever uses it next empties it.
            let _ = note(&cache.folder, TOO_LARGE, b"");
        }
    }
    sum
}

fn find(place: BorrowedFd<'_>, until: Instant) -> Vec<FoundCache> {
    let Ok(entries) = Dir::read_from(place) else { return Vec::new() };
    let labels = entries.flatten().map(|entry| entry.file_name().to_owned());
    labels.filter_map(|label| look(place, label, until)).collect()
}

fn look(place: BorrowedFd<'_>, label: CString, until: Instant) -> Option<FoundCache> {
    let folder = open_own(place, &label)?;
    // What is not laid out like ours is somebody else's.
    statat(&folder, FILES, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let project = File::from(openat(&folder, PROJECT, flags, Mode::empty()).ok()?);
    let used = project.metadata().and_then(|found| found.modified()).ok()?;
    let bytes = bytes(folder.as_fd(), 0, until);
    Some(FoundCache { label, folder, used, bytes })
}

/// Bytes on disk below `folder`, as far as there is time; links are counted and not followed.
fn bytes(folder: BorrowedFd<'_>, depth: usize, until: Instant) -> u64 {
    let Ok(entries) = Dir::read_from(folder) else { return 0 };
    let mut sum = 0;
    for entry in entries.flatten() {
        let name = entry.file_name();
        if Instant::now() > until || name == c"." || name == c".." {
            continue;
        }
        let Ok(found) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        sum += u64::try_from(found.st_blocks).unwrap_or_default() * 512;
        if FileType::from_raw_mode(found.st_mode) == FileType::Directory && depth < DEEPEST {
            sum +=
                openat(folder, name, FOLDER, Mode::empty()).map_or(0, |below| bytes(below.as_fd(), depth + 1, until));
        }
    }
    sum
}

fn remove(place: BorrowedFd<'_>, cache: &FoundCache, until: Instant) -> Option<()> {
    flock(&cache.folder, FlockOperation::NonBlockingLockExclusive).ok()?;
    empty(cache.folder.as_fd(), until).ok()?;
    let label: &CStr = &cache.label;
    is_same(&cache.folder, place, label).then(|| unlinkat(place, label, AtFlags::REMOVEDIR).ok()).flatten()
}

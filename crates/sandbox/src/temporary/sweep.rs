//! Removes the temporary folders of those who were killed. Never by age alone: a folder is dead when its lock can be
//! taken; where it cannot be told, it stays.
//!
//! Only what is the user's own is looked into, and never through a link: a folder of this temporary name may be planted
//! by anybody.

pub(super) mod old;

use super::empty::{FOLDER, empty, open_folder};
use super::{MARK, MARK_SAYS, PREFIX, RANDOM, places};
use old::Old;
use rustix::fs::{AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, Stat, flock, fstat, openat, statat, unlinkat};
use rustix::process::geteuid;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Names that are looked at in one place.
const MOST_NAMES: usize = 50_000;
/// The longest that a sweep takes; the next one goes on.
const LONGEST: Duration = Duration::from_secs(10);
/// What came between the beginning of the name and what nobody can guess where the folder was a demo's, and how long that
/// was, up to version 0.1.
const OLD_DEMO: (&str, usize) = ("demo-", 6);

/// What a sweep came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sweep {
    /// Folders that are gone.
    pub removed: usize,
    /// Folders that belong to somebody, or of which it cannot be told.
    pub left: usize,
}

/// What a name says of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// Of a session, a program or an editor.
    Session,
    /// Of a demo of version 0.1.
    OldDemo,
}

/// Removes the folders of those who are dead, where whoever has `wish` as `TMPDIR` makes theirs. Blocks for ten seconds at
/// most.
pub fn sweep(wish: Option<&Path>) -> Sweep {
    sweep_in(&places(wish))
}

pub(super) fn sweep_in(places: &[PathBuf]) -> Sweep {
    let (until, mut old, mut sum) = (Instant::now() + LONGEST, Old::default(), Sweep::default());
    for place in places {
        let Ok(folder) = rustix::fs::open(place, FOLDER, Mode::empty()) else { continue };
        // On a file system that several machines share, a lock may be one machine's alone.
        if !is_local(&folder) {
            continue;
        }
        for (name, named) in candidates(folder.as_fd()) {
            match remove(folder.as_fd(), &name, named, &mut old, until) {
                Some(()) => sum.removed += 1,
                None => sum.left += 1,
            }
        }
    }
    sum
}

fn candidates(place: BorrowedFd<'_>) -> Vec<(CString, Named)> {
    let Ok(entries) = Dir::read_from(place) else { return Vec::new() };
    let names = entries.take(MOST_NAMES).flatten().map(|entry| entry.file_name().to_owned());
    names.filter_map(|name| named(name.to_str().ok()?).map(|named| (name, named))).collect()
}

/// Is `name` one that we give?
pub(super) fn named(name: &str) -> Option<Named> {
    let rest = name.strip_prefix(PREFIX)?;
    let random = |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (demo, length) = OLD_DEMO;
    match rest.strip_prefix(demo) {
        Some(rest) => random(rest, length).then_some(Named::OldDemo),
        None => random(rest, RANDOM).then_some(Named::Session),
    }
}

/// Removes the folder `name` in `place`, if it is ours and nobody's any more.
fn remove(place: BorrowedFd<'_>, name: &CStr, named: Named, old: &mut Old, until: Instant) -> Option<()> {
    let folder = open_own(place, name)?;
    flock(&folder, FlockOperation::NonBlockingLockExclusive).ok()?;
    if !is_marked(&folder) && !old.is_dead(&folder, name, named) {
        return None;
    }
    empty(folder.as_fd(), until).ok()?;
    // Whoever took the name meanwhile loses nothing: only an empty folder goes.
    is_same(&folder, place, name).then(|| unlinkat(place, name, AtFlags::REMOVEDIR).ok()).flatten()
}

/// A folder of the user's own; nothing else is even opened to be read.
pub(crate) fn open_own(place: BorrowedFd<'_>, name: &CStr) -> Option<OwnedFd> {
    let ours = |found: &Stat| {
        FileType::from_raw_mode(found.st_mode) == FileType::Directory && found.st_uid == geteuid().as_raw()
    };
    statat(place, name, AtFlags::SYMLINK_NOFOLLOW).ok().filter(ours)?;
    let folder = open_folder(place, name).ok()?;
    fstat(&folder).ok().filter(ours)?;
    Some(folder)
}

pub(crate) fn is_same(folder: &OwnedFd, place: BorrowedFd<'_>, name: &CStr) -> bool {
    let (Ok(held), Ok(named)) = (fstat(folder), statat(place, name, AtFlags::SYMLINK_NOFOLLOW)) else { return false };
    (held.st_dev, held.st_ino) == (named.st_dev, named.st_ino)
}

/// Did we make it? Others can give any folder such a name, but put no file of ours into one of ours.
fn is_marked(folder: &OwnedFd) -> bool {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(mark) = openat(folder, MARK, flags, Mode::empty()) else { return false };
    let Ok(found) = fstat(&mark) else { return false };
    let plain = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
    let mut says = Vec::new();
    let read = File::from(mark).take(2 * MARK_SAYS.len() as u64).read_to_end(&mut says);
    plain && found.st_nlink == 1 && found.st_uid == geteuid().as_raw() && read.is_ok() && says == MARK_SAYS.as_bytes()
}

/// File systems of this machine alone, by their magic numbers (statfs(2)): ext4, tmpfs, overlay, btrfs, xfs, f2fs, ZFS,
/// bcachefs.
#[cfg(target_os = "linux")]
pub(crate) fn is_local(folder: &OwnedFd) -> bool {
    const LOCAL: [u64; 8] =
        [0xef53, 0x0102_1994, 0x794c_7630, 0x9123_683e, 0x5846_5342, 0xf2f5_2010, 0x2fc1_2fc1, 0xca45_1a4e];
    let is_local = |kind: u64| LOCAL.contains(&kind);
    rustix::fs::fstatfs(folder).is_ok_and(|found| u64::try_from(found.f_type).is_ok_and(is_local))
}

/// As the system itself says (`MNT_LOCAL`).
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_local(folder: &OwnedFd) -> bool {
    rustix::fs::fstatfs(folder).is_ok_and(|found| u64::from(found.f_flags) & 0x1000 != 0)
}

//! Removes what a killed process left in a folder: once a session, before the first write there, and nowhere else.
//!
//! **Invariant.** Only what is surely ours goes: a regular file or link of this user with one name, named as we name them,
//! older than this session, held by no living process; and where something foreign may lie under such a name, only if it
//! holds what the name says that we took out or were about to put in.

use super::temporary::{DIGITS, SWAPPING, WRITING};
use super::{LARGEST, digest};
use crate::beneath;
use crate::open::read_all;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, flock, openat, readlinkat, statat, unlinkat};
use rustix::process::geteuid;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

/// A leftover, as its name tells.
enum Leftover<'a> {
    /// Never anything but ours.
    Writing,
    /// Ours, or what these digests begin like.
    Swapping { before: &'a str, after: &'a str },
}

/// Removes leftovers in `folder` that are older than `began`.
pub(super) fn sweep(folder: &OwnedFd, began: SystemTime) {
    let Ok(listed) = openat(folder, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) else {
        return;
    };
    let Ok(entries) = rustix::fs::Dir::read_from(&listed) else { return };
    for entry in entries.flatten() {
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if let Some(leftover) = name.to_str().and_then(leftover)
            && is_ours(folder, name, &leftover, began)
        {
            // Somebody else may be sweeping too.
            let _ = unlinkat(folder, name, AtFlags::empty());
        }
    }
}

fn leftover(name: &str) -> Option<Leftover<'_>> {
    if let Some(random) = name.strip_prefix(WRITING) {
        return is_hex(random, 8).then_some(Leftover::Writing);
    }
    let mut parts = name.strip_prefix(SWAPPING)?.split('-');
    let (random, before, after) = (parts.next()?, parts.next()?, parts.next()?);
    let whole = parts.next().is_none() && is_hex(random, 8) && is_hex(before, DIGITS) && is_hex(after, DIGITS);
    whole.then_some(Leftover::Swapping { before, after })
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_ours(folder: &OwnedFd, name: &OsStr, leftover: &Leftover<'_>, began: SystemTime) -> bool {
    let Ok(mut file) = beneath::read_in(folder, name).map(File::from) else {
        return is_our_link(folder, name, leftover, began);
    };
    let Ok(metadata) = file.metadata() else { return false };
    let alone = metadata.is_file() && metadata.nlink() == 1 && metadata.uid() == geteuid().as_raw();
    if !alone || !is_older(metadata.ctime(), began) {
        return false;
    }
    if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err_and(|error| error == rustix::io::Errno::WOULDBLOCK)
    {
        return false;
    }
    match leftover {
        Leftover::Writing => true,
        Leftover::Swapping { before, after } => {
            let Ok(bytes) = read_all(&mut file, "", LARGEST) else { return false };
            let now = digest(&bytes).0;
            now.starts_with(before) || now.starts_with(after)
        }
    }
}

/// Links are never held by a process, and never written: they are there, or swapped, in one step each.
fn is_our_link(folder: &OwnedFd, name: &OsStr, leftover: &Leftover<'_>, began: SystemTime) -> bool {
    let Leftover::Swapping { before, after } = leftover else { return false };
    let Ok(found) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { return false };
    let link = FileType::from_raw_mode(found.st_mode) == FileType::Symlink;
    let alone = link && found.st_nlink == 1 && found.st_uid == geteuid().as_raw();
    #[expect(clippy::unnecessary_cast, reason = "the widths differ from system to system")]
    if !alone || !is_older(found.st_ctime as i64, began) {
        return false;
    }
    let says = readlinkat(folder, name, Vec::new()).map(|target| digest(target.as_bytes()).0);
    says.is_ok_and(|says| says.starts_with(before) || says.starts_with(after))
}

/// A swap touches no content, but it does change when the file was last renamed.
fn is_older(changed: i64, began: SystemTime) -> bool {
    let changed = u64::try_from(changed).map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds + 1));
    changed.is_ok_and(|changed| changed <= began)
}

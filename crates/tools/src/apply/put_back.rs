//! What somebody else wrote while we did goes back to its place.
//!
//! Each exchange tells what it took out. If that is what we put in last, nobody came between, and all is as it was; if not,
//! it is newer than what was put in just now, and is put back in turn. Nothing that is not ours is ever removed.

use super::site::unsupported;
use super::step::Was;
use super::temporary::{Temporary, set_aside};
use super::{digest, digest_of};
use crate::open::beneath;
use agent_protocol::Digest;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, RenameFlags, Stat, readlinkat, renameat_with, statat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::File;

/// Exchanges after which it is given up: somebody writes without a pause.
const ROUNDS: usize = 1000;

/// What lies under a name, told from anything else that may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Thing {
    which: (u64, u64),
    changed: (i64, i64),
    mode: u32,
    holds: Holds,
}

/// What it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Holds {
    /// A regular file: these bytes.
    Bytes(Digest),
    /// A link: that it leads to what has this digest.
    Target(Digest),
    /// It cannot be told.
    Unknown,
}

impl Thing {
    /// What lies under `name`; a link stands for itself. Of a file larger than `limit` it is not told what it holds.
    pub(super) fn at(folder: &OwnedFd, name: &OsStr, limit: u64) -> Option<Self> {
        let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let holds = match readlinkat(folder, name, Vec::new()) {
            Ok(target) => Holds::Target(digest(target.as_bytes())),
            Err(_) => bytes(folder, name, limit).map_or(Holds::Unknown, Holds::Bytes),
        };
        Some(Thing::of(&found, holds))
    }

    #[expect(clippy::useless_conversion, clippy::unnecessary_cast, reason = "the widths differ from system to system")]
    pub(super) fn of(found: &Stat, holds: Holds) -> Self {
        Thing {
            which: (found.st_dev as u64, found.st_ino.into()),
            changed: (found.st_mtime as i64, found.st_mtime_nsec as i64),
            mode: u32::from(found.st_mode) & 0o7777,
            holds,
        }
    }

    /// Is it what was planned on?
    pub(super) fn is(&self, was: &Was) -> bool {
        match (was, &self.holds) {
            (Was::File { digest, mode }, Holds::Bytes(found)) => {
                found == digest && mode.is_none_or(|mode| mode == self.mode)
            }
            (Was::Link { .. }, Holds::Target(found)) => *found == was.digest(),
            (Was::Nothing | Was::File { .. } | Was::Link { .. }, _) => false,
        }
    }
}

/// Of its bytes.
fn bytes(folder: &OwnedFd, name: &OsStr, limit: u64) -> Option<Digest> {
    let mut file = File::from(beneath::read_in(folder, name).ok()?);
    file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some(digest_of(&mut file, limit).ok()??.0)
}

/// Puts what lies under the temporary name, which was `taken` out, back under `name`, where we put `ours`. Gives the name
/// under which something else was kept that has no place any more.
pub(super) fn put_back(
    folder: &OwnedFd,
    name: &OsStr,
    temporary: Temporary<'_>,
    mut taken: Option<Thing>,
    ours: Option<Thing>,
    limit: u64,
) -> Option<String> {
    let mut put_in = ours.clone();
    let aside = OsStr::new(&temporary.name).to_owned();
    for _ in 0..ROUNDS {
        match renameat_with(folder, &*aside, folder, name, RenameFlags::EXCHANGE) {
            Ok(()) => {
                let out = Thing::at(folder, &aside, limit);
                if out == put_in {
                    return if out == ours { gone(temporary) } else { kept(folder, name, &temporary) };
                }
                put_in = taken;
                taken = out;
            }
            // Somebody took ours away, or moved it; theirs is not lost for that.
            Err(Errno::NOENT) => match renameat_with(folder, &*aside, folder, name, RenameFlags::NOREPLACE) {
                Ok(()) => return None,
                Err(Errno::EXIST) => {}
                Err(_) => break,
            },
            Err(error) if unsupported(error) => break,
            Err(_) => break,
        }
    }
    kept(folder, name, &temporary)
}

fn gone(temporary: Temporary<'_>) -> Option<String> {
    temporary.remove();
    None
}

fn kept(folder: &OwnedFd, name: &OsStr, temporary: &Temporary<'_>) -> Option<String> {
    // Where even that fails it stays under the name it has, which nobody sweeps: it holds something else.
    Some(set_aside(folder, &temporary.name, &name.to_string_lossy()).unwrap_or_else(|_| temporary.name.clone()))
}

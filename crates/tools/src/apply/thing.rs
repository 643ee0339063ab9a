//! What lies under a name, told from anything else that may.

use crate::apply::step::Was;
use crate::beneath;
use crate::digest::{digest, digest_of};
use agent_protocol::Digest;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Stat, readlinkat, statat};
use std::ffi::OsStr;
use std::fs::File;

/// What lies under a name, told from anything else that may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Thing {
    which: (u64, u64),
    changed: (i64, i64),
    mode: u32,
    holds: Holds,
}

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

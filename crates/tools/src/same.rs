//! What tells a file from another in its place.

use crate::open::plain_file;
use sha2::{Digest, Sha256};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Bytes of the longest file that is known by its bytes; of a longer one what the file system says counts.
pub(crate) const LONGEST: u64 = 16 << 20;

/// What tells a file from another in its place. Size and time alone do not: whoever writes may give a file any time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KnownBy {
    /// The hash of its bytes.
    Bytes([u8; 32]),
    /// Where it lies, and the time that only the system sets.
    Stamp(Stamp),
}

/// What the file system says of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    pub(crate) changed: (i64, i64),
}

impl KnownBy {
    /// Reads the file at `path`, which is resolved, unless it is too long; `None` where it cannot be read. Blocking.
    pub(crate) fn bytes(path: &Path, metadata: &Metadata) -> Option<Self> {
        if metadata.len() > LONGEST {
            return Some(KnownBy::Stamp(Stamp::of(metadata)));
        }
        Some(KnownBy::Bytes(Sha256::digest(plain_file(path, LONGEST)?).into()))
    }
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Stamp {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

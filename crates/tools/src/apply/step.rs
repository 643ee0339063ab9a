//! What is planned for one name, and what became of the plan.

use super::digest;
use agent_protocol::{Digest, Failure};
use rustix::io::Errno;
use std::borrow::Cow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// From what to what one name is brought.
pub(crate) struct Step<'a> {
    /// Absolute, links on the way to it resolved; what lies there may itself be a link.
    pub(crate) path: &'a Path,
    pub(crate) was: Was,
    pub(crate) will: Will<'a>,
    /// Bytes of the largest file that may lie there now, or shall.
    pub(crate) limit: u64,
    pub(crate) settle: Settle,
}

/// What must lie there; anything else is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Was {
    Nothing,
    File {
        digest: Digest,
        /// `None`: any. Where the rights were planned on, they were agreed to as well: that the file is read-only
        /// does not hold it.
        mode: Option<u32>,
    },
    Link {
        target: PathBuf,
    },
}

/// What is to lie there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Will<'a> {
    Nothing,
    File {
        bytes: Cow<'a, [u8]>,
        /// `None`: those of the file in whose place it comes, or the usual ones.
        mode: Option<u32>,
    },
    /// The same bytes with these rights.
    Rights {
        mode: u32,
    },
    Link {
        target: &'a Path,
    },
}

/// When a new name is made to last. The bytes of a file always are before it gets its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settle {
    /// At once, file by file.
    Now,
    /// Whoever asked does it for many at once, by [`super::settle_at`].
    Later,
}

/// Why it was not done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fault {
    /// Something else lies there than was planned on; nothing was written.
    Stale,
    /// Somebody else wrote again and again meanwhile; what they wrote first lies in this file now.
    Contested {
        aside: PathBuf,
    },
    /// The file may not be written.
    ReadOnly,
    Other(Failure),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Fault::Other(failure)
    }
}

impl Was {
    /// Of the bytes, or of what the link says.
    pub(super) fn digest(&self) -> Digest {
        match self {
            Was::Nothing => digest(b""),
            Was::File { digest, .. } => digest.clone(),
            Was::Link { target } => digest(target.as_os_str().as_bytes()),
        }
    }
}

impl Will<'_> {
    /// Of the bytes, or of what the link says.
    pub(super) fn digest(&self) -> Digest {
        match self {
            Will::Nothing | Will::Rights { .. } => digest(b""),
            Will::File { bytes, .. } => digest(bytes),
            Will::Link { target } => digest(target.as_os_str().as_bytes()),
        }
    }
}

/// The file system cannot do it in this way.
pub(super) fn unsupported(error: Errno) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP].contains(&error)
}

/// A file as it was.
pub(super) struct Kept {
    pub(super) bytes: Vec<u8>,
    pub(super) mode: u32,
}

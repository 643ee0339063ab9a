//! A folder that stays the one that was looked at, whatever its name leads to later.

use rustix::fs::{Mode, OFlags, fstat, open, stat};
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// On Linux no right to list it is needed.
#[cfg(target_os = "linux")]
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// An open folder. A command that is started in it starts there also when its name leads elsewhere by then. Clones hold
/// the same.
#[derive(Clone)]
pub struct HeldFolder {
    path: PathBuf,
    /// Where that really was.
    real: PathBuf,
    opened: Arc<OwnedFd>,
}

impl HeldFolder {
    /// The folder that is at `path` now.
    ///
    /// # Errors
    /// There is none, or it may not be entered.
    pub fn open(path: &Path) -> io::Result<Self> {
        let real = path.canonicalize()?;
        let opened = Arc::new(open(&real, FOLDER, Mode::empty())?);
        Ok(HeldFolder { path: path.to_owned(), real, opened })
    }

    /// Does its name still lead to it, by the same way?
    pub fn is_where_it_was(&self) -> bool {
        let same_way = self.path.canonicalize().is_ok_and(|real| real == self.real);
        let same = |held: rustix::fs::Stat| {
            stat(&self.real).is_ok_and(|there| (there.st_dev, there.st_ino) == (held.st_dev, held.st_ino))
        };
        same_way && fstat(&*self.opened).is_ok_and(same)
    }

    pub(crate) fn opened(&self) -> &OwnedFd {
        &self.opened
    }
}

impl Debug for HeldFolder {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HeldFolder").field(&self.path).finish()
    }
}

/// The same folder, known by the same name.
impl PartialEq for HeldFolder {
    fn eq(&self, other: &Self) -> bool {
        let id = |folder: &HeldFolder| fstat(&*folder.opened).map(|stat| (stat.st_dev, stat.st_ino));
        self.path == other.path && id(self).is_ok_and(|this| id(other) == Ok(this))
    }
}

impl Eq for HeldFolder {}

//! The folder of one project's objects: files that are put there whole, looked at, and touched.

use super::object::{self, Name, Object};
use crate::place::own_folder;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, UTIME_NOW, UTIME_OMIT, utimensat};
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tempfile::NamedTempFile;

/// What a file is called that is not whole yet. An object's name never begins so.
pub(super) const UNFINISHED: &str = ".new-";

/// Times a folder is made that somebody takes away because it was empty.
const TRIES: usize = 5;

#[derive(Debug)]
pub(super) struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    pub(super) fn at(folder: PathBuf) -> Self {
        Shelf { folder }
    }

    /// `None`: there is none.
    pub(super) fn read(&self, name: Name) -> io::Result<Option<Object>> {
        match fs::read(self.path(name)) {
            Ok(file) => Ok(Some(object::read(&file))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Is there something under this name?
    pub(super) fn holds(&self, name: Name) -> bool {
        fs::symlink_metadata(self.path(name)).is_ok_and(|found| found.len() > 0)
    }

    /// Puts the file of an object there as a whole, as old as `date` says.
    pub(super) fn write(&self, name: Name, file: &[u8], date: Option<SystemTime>) -> io::Result<()> {
        let path = self.path(name);
        let folder = path.parent().ok_or(io::ErrorKind::NotFound)?;
        let mut swap = unfinished(folder)?;
        swap.write_all(file)?;
        // Whatever the umask took.
        swap.as_file().set_permissions(Permissions::from_mode(0o600))?;
        if let Some(date) = date {
            swap.as_file().set_modified(date)?;
        }
        swap.persist(&path)?;
        Ok(())
    }

    /// Makes it as young as now; `false`: it is not there.
    pub(super) fn touch(&self, name: Name) -> bool {
        self.set_modified(name, Timespec { tv_sec: 0, tv_nsec: UTIME_NOW })
    }

    /// Makes it as old as `date`; `false`: it is not there.
    pub(super) fn date(&self, name: Name, date: SystemTime) -> bool {
        let Ok(since) = date.duration_since(SystemTime::UNIX_EPOCH) else { return false };
        let Ok(tv_sec) = since.as_secs().try_into() else { return false };
        self.set_modified(name, Timespec { tv_sec, tv_nsec: since.subsec_nanos().into() })
    }

    fn set_modified(&self, name: Name, last_modification: Timespec) -> bool {
        let last_access = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
        let times = Timestamps { last_access, last_modification };
        utimensat(CWD, self.path(name), &times, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn path(&self, name: Name) -> PathBuf {
        let digits = name.digest().0;
        let (first, rest) = digits.split_at(2);
        self.folder.join(first).join(rest)
    }
}

/// A new file whose name cannot be guessed, in `folder`, which is made where it is not there.
fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    let mut begin = tempfile::Builder::new();
    begin.prefix(UNFINISHED).permissions(Permissions::from_mode(0o600));
    for _ in 0..TRIES {
        match begin.tempfile_in(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match own_folder(folder) {
                // Another thread made it, or took away one above it, at the same moment.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                made => made?,
            },
            begun => return begun,
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

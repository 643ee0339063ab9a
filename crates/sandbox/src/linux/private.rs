//! Folders that only the commands of one session see: their `/tmp`, their `/dev/shm`, and what lies in place of what
//! they do not see.
//!
//! They are no part of the session's temporary folder, for commands could rename them there.

use crate::temporary::Temporary;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, fchmod, mkdirat, openat, statat, unlinkat};
use rustix::io::Errno;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

/// Where memory that programs share by name lives.
pub(super) const SHARED: &str = "/dev/shm";
/// Of a folder that anybody may write in, and of what nobody writes to.
const OPEN_TO_ALL: u32 = 0o1777;
const LISTABLE: u32 = 0o755;
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A folder of ours, held open.
#[derive(Debug)]
pub(super) struct Own {
    path: PathBuf,
    opened: OwnedFd,
}

impl Own {
    fn make(path: PathBuf, mode: u32) -> io::Result<Self> {
        mkdirat(CWD, &path, Mode::RWXU)?;
        // A folder that is only held (PATH) cannot be given a mode.
        fchmod(openat(CWD, &path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?, Mode::from_raw_mode(mode))?;
        let opened = openat(CWD, &path, FOLDER, Mode::empty())?;
        Ok(Own { path, opened })
    }

    /// Where it is on the machine.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn opened(&self) -> BorrowedFd<'_> {
        self.opened.as_fd()
    }

    /// Makes a place at `relative` in it over which a folder, or a file, can be put. What commands left in the way is
    /// removed, and no link is followed.
    pub(super) fn prepare(&self, relative: &Path, folder: bool) -> io::Result<()> {
        let mut at = self.opened.try_clone()?;
        let mut parts = relative.components().peekable();
        while let Some(Component::Normal(name)) = parts.next() {
            if parts.peek().is_none() && !folder {
                return file_at(at.as_fd(), Path::new(name));
            }
            at = folder_at(at.as_fd(), Path::new(name))?;
        }
        Ok(())
    }
}

fn folder_at(at: BorrowedFd<'_>, name: &Path) -> io::Result<OwnedFd> {
    match openat(at, name, FOLDER, Mode::empty()) {
        Err(Errno::NOTDIR | Errno::LOOP) => unlinkat(at, name, AtFlags::empty())?,
        Err(Errno::NOENT) => {}
        opened => return Ok(opened?),
    }
    mkdirat(at, name, Mode::from_raw_mode(LISTABLE))?;
    Ok(openat(at, name, FOLDER, Mode::empty())?)
}

fn file_at(at: BorrowedFd<'_>, name: &Path) -> io::Result<()> {
    match statat(at, name, AtFlags::SYMLINK_NOFOLLOW).map(|found| FileType::from_raw_mode(found.st_mode)) {
        Ok(FileType::Symlink) => unlinkat(at, name, AtFlags::empty())?,
        Ok(_) => return Ok(()),
        Err(_) => {}
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(at, name, flags, Mode::RUSR | Mode::RGRP | Mode::ROTH)?;
    Ok(())
}

/// What is private to a session. All of it is gone with it.
#[derive(Debug)]
pub(super) struct Private {
    /// Theirs in place of `/tmp`.
    pub(super) tmp: Own,
    /// Theirs in place of `/var/tmp`.
    pub(super) var_tmp: Own,
    /// Theirs in place of `/dev/shm`, where there is one.
    pub(super) shared: Option<Own>,
    covers: Own,
    /// Where no overlay lies, if there is such a place.
    nothing: Own,
    _places: (Temporary, Option<Temporary>),
}

impl Private {
    /// Makes it in `place`.
    pub(super) fn new(place: Option<&Path>) -> io::Result<Self> {
        let own = Temporary::new(place)?;
        // It is memory there, and stays memory.
        let memory = Path::new(SHARED);
        let memory = memory.symlink_metadata().is_ok_and(|found| found.is_dir()).then(|| Temporary::new(Some(memory)));
        let memory = memory.and_then(Result::ok).filter(|made| made.path().starts_with(SHARED));
        let in_memory = memory.as_ref().map(|memory| Own::make(memory.path().join("shm"), OPEN_TO_ALL));
        let covers = Own::make(own.path().join("covers"), LISTABLE)?;
        covers.prepare(Path::new(NOTHING), true)?;
        let aside = memory.as_ref().unwrap_or(&own).path().join(NOTHING);
        covers.prepare(Path::new(NO_BYTES), false)?;
        Ok(Private {
            tmp: Own::make(own.path().join("tmp"), OPEN_TO_ALL)?,
            var_tmp: Own::make(own.path().join("var-tmp"), OPEN_TO_ALL)?,
            shared: in_memory.transpose()?,
            covers,
            nothing: Own::make(aside, LISTABLE)?,
            _places: (own, memory),
        })
    }

    /// An empty folder.
    pub(super) fn nothing(&self) -> PathBuf {
        self.covers.path.join(NOTHING)
    }

    /// An empty folder for overlays: no tree that one is made of may hold it.
    pub(super) fn beneath_overlays(&self) -> &Path {
        self.nothing.path()
    }

    /// An empty file.
    pub(super) fn no_bytes(&self) -> PathBuf {
        self.covers.path.join(NO_BYTES)
    }

    /// A folder for `place` in which there is nothing but where `relative` is put.
    pub(super) fn all_but(&self, place: &Path, relative: &Path, folder: bool) -> io::Result<PathBuf> {
        let mut name = DefaultHasher::new();
        place.hash(&mut name);
        let name = PathBuf::from(format!("{:016x}", name.finish()));
        self.covers.prepare(&name.join(relative), folder)?;
        Ok(self.covers.path.join(name))
    }
}

const NOTHING: &str = "nothing";
const NO_BYTES: &str = "no-bytes";

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_commands_left_in_the_way_is_removed_and_no_link_is_followed() {
        let place = tempfile::TempDir::new().unwrap();
        let private = Private::new(Some(place.path())).unwrap();
        let precious = place.path().join("precious");
        fs::create_dir(&precious).unwrap();
        symlink(&precious, private.tmp.path().join("a")).unwrap();
        fs::write(private.tmp.path().join("b"), "x").unwrap();
        symlink(precious.join("file"), private.tmp.path().join("c")).unwrap();
        for (relative, folder) in [("a/deep", true), ("b/deep", true), ("c", false)] {
            private.tmp.prepare(Path::new(relative), folder).unwrap();
            let found = private.tmp.path().join(relative).symlink_metadata().unwrap();
            assert_eq!((found.is_dir(), found.is_symlink()), (folder, false), "{relative}");
        }
        assert_eq!(fs::read_dir(&precious).unwrap().count(), 0);
    }

    #[test]
    fn nothing_of_it_is_left() {
        let place = tempfile::TempDir::new().unwrap();
        let private = Private::new(Some(place.path())).unwrap();
        let shared = private.shared.as_ref().map(|shared| shared.path().to_owned());
        assert!(shared.as_ref().is_none_or(|shared| shared.starts_with(SHARED)));
        drop(private);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
        assert!(shared.is_none_or(|shared| !shared.exists()));
    }
}

//! A temporary folder that only we can look into, and that is gone when we are.
//!
//! It is held open from the start: where commands can rename it, its name may lead elsewhere later.

use rustix::fs::{Dir, FileType, Mode, OFlags, fchmod, fstat, lstat, openat};
use rustix::io::Errno;
use std::ffi::CStr;
use std::fs::Permissions;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::TempDir;

/// A folder itself, to be looked into: what is not one, or a link to one, is not opened.
const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// The folder; removed on drop, whatever commands left in it.
#[derive(Debug)]
pub(crate) struct Temporary {
    folder: TempDir,
    held: OwnedFd,
}

impl Temporary {
    /// Makes one in `place` if that is a folder, else where the system keeps such things.
    pub(crate) fn new(place: Option<&Path>) -> io::Result<Self> {
        let place = place.filter(|place| place.is_absolute() && place.is_dir()).unwrap_or(Path::new("/tmp"));
        let folder = tempfile::Builder::new()
            .prefix("agent-")
            .rand_bytes(16)
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(place.canonicalize()?)?;
        let held = rustix::fs::open(folder.path(), FOLDER, Mode::empty())?;
        Ok(Temporary { folder, held })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder itself, whatever its name leads to now.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no walls elsewhere"))]
    pub(crate) fn held(&self) -> BorrowedFd<'_> {
        self.held.as_fd()
    }

    fn is_where_it_was(&self) -> bool {
        let (Ok(held), Ok(named)) = (fstat(&self.held), lstat(self.path())) else { return false };
        (held.st_dev, held.st_ino) == (named.st_dev, named.st_ino)
    }
}

impl Drop for Temporary {
    /// Folders that were made read-only (module caches do that) are opened first; `TempDir` does the rest, unless
    /// something else has the name now, which is not ours to remove.
    fn drop(&mut self) {
        unlock(&self.held);
        self.folder.disable_cleanup(!self.is_where_it_was());
    }
}

/// By descriptors all the way down, so that nobody can put a link in between.
fn unlock(folder: impl AsFd) {
    // What cannot be opened stays, which the removal then finds out.
    let _ = fchmod(&folder, Mode::RWXU);
    let Ok(entries) = Dir::read_from(&folder) else { return };
    for entry in entries.flatten() {
        let may_be_folder = matches!(entry.file_type(), FileType::Directory | FileType::Unknown);
        let name = entry.file_name();
        if may_be_folder && name != c"." && name != c".." {
            let _ = open_folder(folder.as_fd(), name).map(unlock);
        }
    }
}

/// Also where its owner may not look into it.
fn open_folder(parent: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    match openat(parent, name, FOLDER, Mode::empty()) {
        Err(Errno::ACCESS) => {
            make_readable(parent, name)?;
            openat(parent, name, FOLDER, Mode::empty())
        }
        opened => opened,
    }
}

/// Through the descriptor's own name: the system has no word for changing a mode without following a link before 6.6.
#[cfg(target_os = "linux")]
fn make_readable(parent: BorrowedFd<'_>, name: &CStr) -> Result<(), Errno> {
    use std::os::fd::AsRawFd;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let closed = openat(parent, name, flags, Mode::empty())?;
    rustix::fs::chmod(format!("/proc/self/fd/{}", closed.as_raw_fd()), Mode::RWXU)
}

#[cfg(not(target_os = "linux"))]
fn make_readable(parent: BorrowedFd<'_>, name: &CStr) -> Result<(), Errno> {
    rustix::fs::chmodat(parent, name, Mode::RWXU, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_its_owner_may_look_into_it_and_it_is_gone_afterwards() {
        let place = TempDir::new().unwrap();
        let temporary = Temporary::new(Some(place.path())).unwrap();
        let path = temporary.path().to_owned();
        assert!(path.starts_with(place.path().canonicalize().unwrap()));
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        drop(temporary);
        assert!(!path.exists());
    }

    #[test]
    fn what_took_its_name_is_left_alone() {
        let place = TempDir::new().unwrap();
        let outside = place.path().join("outside");
        fs::create_dir_all(outside.join("closed")).unwrap();
        fs::set_permissions(outside.join("closed"), Permissions::from_mode(0o500)).unwrap();
        for by_link in [true, false] {
            let temporary = Temporary::new(Some(place.path())).unwrap();
            let path = temporary.path().to_owned();
            fs::rename(&path, place.path().join(format!("moved {by_link}"))).unwrap();
            if by_link {
                std::os::unix::fs::symlink(&outside, &path).unwrap();
            } else {
                fs::rename(&outside, &path).unwrap();
            }
            drop(temporary);
            assert_eq!(path.join("closed").metadata().unwrap().permissions().mode() & 0o777, 0o500);
        }
    }

    #[test]
    fn read_only_folders_in_it_go_too_and_links_out_of_it_are_left_alone() {
        let place = TempDir::new().unwrap();
        let outside = place.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::set_permissions(&outside, Permissions::from_mode(0o500)).unwrap();
        let temporary = Temporary::new(Some(place.path())).unwrap();
        let path = temporary.path().to_owned();
        fs::create_dir_all(path.join("a/b")).unwrap();
        fs::write(path.join("a/b/file"), "x").unwrap();
        std::os::unix::fs::symlink(&outside, path.join("a/link")).unwrap();
        fs::set_permissions(path.join("a/b"), Permissions::from_mode(0o500)).unwrap();
        fs::set_permissions(path.join("a"), Permissions::from_mode(0o500)).unwrap();
        drop(temporary);
        assert!(!path.exists());
        assert_eq!(outside.metadata().unwrap().permissions().mode() & 0o777, 0o500);
    }
}

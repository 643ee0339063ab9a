//! Empties a folder, whatever commands left in it: folders that may not be written in, and ones as deep as they like.
//!
//! By descriptors all the way, so that nobody can put a link in between; and flat: the folders in a folder are moved up
//! before it is removed, so that a tree costs no more descriptors the deeper it is.

use rustix::fs::{AtFlags, Dir, Mode, OFlags, fchmod, openat, renameat, unlinkat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

/// A folder itself, to be looked into: what is not one, or a link to one, is not opened.
pub(crate) const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC).union(OFlags::NONBLOCK);

/// Names that are tried for a folder that is moved up.
const TRIES: u64 = 1_000;

/// Removes all that is in `top`; gives up when it is `until`.
///
/// # Errors
/// Why something is left.
pub(crate) fn empty(top: BorrowedFd<'_>, until: Instant) -> Result<(), Errno> {
    fchmod(top, Mode::RWXU)?;
    let mut moved = 0;
    loop {
        let (mut removed, mut left) = (false, Ok(()));
        for name in names(top)? {
            if Instant::now() > until {
                return Err(Errno::TIMEDOUT);
            }
            match remove(top, &name, &mut moved) {
                Ok(()) => removed = true,
                Err(error) => left = Err(error),
            }
        }
        // What was moved up is there by now, so it is looked once more.
        if !removed {
            return left;
        }
    }
}

/// The names in a folder, without itself and the one above.
fn names(folder: BorrowedFd<'_>) -> Result<Vec<CString>, Errno> {
    let names = Dir::read_from(folder)?.map(|entry| entry.map(|entry| entry.file_name().to_owned()));
    let names: Vec<CString> = names.collect::<Result<_, _>>()?;
    Ok(names.into_iter().filter(|name| name.as_c_str() != c"." && name.as_c_str() != c"..").collect())
}

/// Removes `name` in `top`; what it holds in folders comes to lie in `top`.
fn remove(top: BorrowedFd<'_>, name: &CStr, moved: &mut u64) -> Result<(), Errno> {
    if unlink(top, name)? {
        return Ok(());
    }
    let folder = open_folder(top, name)?;
    fchmod(&folder, Mode::RWXU)?;
    for inner in names(folder.as_fd())? {
        if !unlink(folder.as_fd(), &inner)? {
            move_up(folder.as_fd(), &inner, top, moved)?;
        }
    }
    drop(folder);
    unlinkat(top, name, AtFlags::REMOVEDIR)
}

/// Removes what is no folder. `false`: it is one.
fn unlink(parent: BorrowedFd<'_>, name: &CStr) -> Result<bool, Errno> {
    match unlinkat(parent, name, AtFlags::empty()) {
        Ok(()) => Ok(true),
        Err(Errno::ISDIR | Errno::PERM) => Ok(false),
        Err(error) => Err(error),
    }
}

fn move_up(parent: BorrowedFd<'_>, name: &CStr, top: BorrowedFd<'_>, moved: &mut u64) -> Result<(), Errno> {
    // Whoever moves a folder writes in it: it gets another one above.
    fchmod(open_folder(parent, name)?, Mode::RWXU)?;
    for _ in 0..TRIES {
        *moved += 1;
        match renameat(parent, name, top, format!(".moved-{moved}")) {
            Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
            done => return done,
        }
    }
    Err(Errno::EXIST)
}

/// Also where its owner may not look into it.
pub(super) fn open_folder(parent: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
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
    rustix::fs::chmodat(parent, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)
}

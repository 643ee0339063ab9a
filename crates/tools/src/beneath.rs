//! Opens by descriptor, one step at a time, below a folder that is held open: no link is followed on the way, none at the
//! end, and nothing climbs out again. What is opened is what was resolved, or nothing.
//!
//! Where the system can do that in one call (Linux, `openat2`) it does; elsewhere every step is taken by hand.

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Mode, OFlags, mkdirat, open, openat};
use rustix::io::Errno;
use std::path::{Component, Path};

/// Enough to open what is in it; not to list it.
#[cfg(target_os = "linux")]
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Nothing that is opened can hang, become our terminal, or be inherited.
const CAREFUL: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// The folder at `path`, to be held from now on.
pub(crate) fn hold(path: &Path) -> Result<OwnedFd, Errno> {
    open(path, FOLDER, Mode::empty())
}

/// What lies at `path`, for reading; links are followed on the way but not at the end.
pub(crate) fn read_at(path: &Path) -> Result<OwnedFd, Errno> {
    open(path, OFlags::RDONLY | CAREFUL, Mode::empty())
}

/// What lies at `below` (relative, no `..` in it; empty for the folder itself) under `top`, for reading.
pub(crate) fn read(top: BorrowedFd<'_>, below: &Path) -> Result<OwnedFd, Errno> {
    opened(top, below, OFlags::RDONLY | CAREFUL)
}

/// The folder at `below` under `top`, to open things in.
pub(crate) fn folder(top: BorrowedFd<'_>, below: &Path) -> Result<OwnedFd, Errno> {
    opened(top, below, FOLDER)
}

/// The same, made where it is missing, with the rights that new folders usually have.
pub(crate) fn made_folder(top: BorrowedFd<'_>, below: &Path) -> Result<OwnedFd, Errno> {
    match folder(top, below) {
        Err(Errno::NOENT) => {}
        found => return found,
    }
    let mut here = openat(top, ".", FOLDER, Mode::empty())?;
    for name in names(below)? {
        match mkdirat(&here, name, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            // A folder that is there already says so before it says that nothing can be made in the one around it.
            Err(error) => return step(&here, name, FOLDER).map_err(|_| error),
        }
        here = step(&here, name, FOLDER)?;
    }
    Ok(here)
}

/// One name in `folder`, for reading.
pub(crate) fn read_in(folder: impl AsFd, name: &std::ffi::OsStr) -> Result<OwnedFd, Errno> {
    openat(folder, name, OFlags::RDONLY | CAREFUL, Mode::empty())
}

fn opened(top: BorrowedFd<'_>, below: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    #[cfg(target_os = "linux")]
    match at_once(top, below, flags) {
        // An old kernel, or a container that does not know the call.
        Err(Errno::NOSYS | Errno::PERM) => {}
        result => return result,
    }
    by_hand(top, below, flags)
}

#[cfg(target_os = "linux")]
fn at_once(top: BorrowedFd<'_>, below: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    use rustix::fs::{ResolveFlags, openat2};
    let whole = if below.as_os_str().is_empty() { Path::new(".") } else { below };
    let within = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_SYMLINKS;
    openat2(top, whole, flags, Mode::empty(), within)
}

/// Step by step, each by its bare name.
fn by_hand(top: BorrowedFd<'_>, below: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut names = names(below)?;
    let Some(last) = names.pop() else { return openat(top, ".", flags, Mode::empty()) };
    let mut here = openat(top, ".", FOLDER, Mode::empty())?;
    for name in names {
        here = step(&here, name, FOLDER)?;
    }
    step(&here, last, flags)
}

fn step(here: &OwnedFd, name: &std::ffi::OsStr, flags: OFlags) -> Result<OwnedFd, Errno> {
    openat(here, name, flags | OFlags::NOFOLLOW, Mode::empty()).map_err(|error| match error {
        // A link in the place of a folder says only that it is none.
        Errno::NOTDIR if is_link(here, name) => Errno::LOOP,
        error => error,
    })
}

fn is_link(here: &OwnedFd, name: &std::ffi::OsStr) -> bool {
    use rustix::fs::{AtFlags, FileType, statat};
    statat(here, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Symlink)
}

fn names(below: &Path) -> Result<Vec<&std::ffi::OsStr>, Errno> {
    below
        .components()
        .filter(|component| *component != Component::CurDir)
        .map(|component| match component {
            Component::Normal(name) => Ok(name),
            Component::RootDir | Component::ParentDir | Component::Prefix(_) | Component::CurDir => Err(Errno::XDEV),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Read;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    type Way = fn(BorrowedFd<'_>, &Path, OFlags) -> Result<OwnedFd, Errno>;

    #[cfg(target_os = "linux")]
    const WAYS: [(&str, Way); 2] = [("at once", at_once), ("by hand", by_hand)];
    #[cfg(not(target_os = "linux"))]
    const WAYS: [(&str, Way); 1] = [("by hand", by_hand)];

    /// `in/` with `deep/a` and links, `out/` beside it with `s`.
    fn place() -> (TempDir, OwnedFd) {
        let top = TempDir::new().unwrap();
        let at = |name: &str| top.path().join(name);
        std::fs::create_dir_all(at("in/deep")).unwrap();
        std::fs::create_dir_all(at("out")).unwrap();
        std::fs::write(at("in/deep/a"), "a").unwrap();
        std::fs::write(at("out/s"), "s").unwrap();
        symlink("deep", at("in/near")).unwrap();
        symlink("../out", at("in/away")).unwrap();
        symlink("../out/s", at("in/file")).unwrap();
        let held = hold(&at("in")).unwrap();
        (top, held)
    }

    #[test]
    fn both_ways_open_the_same_and_refuse_the_same() {
        for (words, way) in WAYS {
            let (_top, held) = place();
            let text = |below: &str| {
                let file = way(held.as_fd(), Path::new(below), OFlags::RDONLY | CAREFUL)?;
                let mut text = String::new();
                File::from(file).read_to_string(&mut text).unwrap();
                Ok(text)
            };
            assert_eq!(text("deep/a"), Ok("a".into()), "{words}");
            assert_eq!(text("./deep/./a"), Ok("a".into()), "{words}");
            for (below, error) in [
                ("near/a", Errno::LOOP),
                ("away/s", Errno::LOOP),
                ("file", Errno::LOOP),
                ("../out/s", Errno::XDEV),
                ("/etc/passwd", Errno::XDEV),
                ("deep/none", Errno::NOENT),
                ("none/a", Errno::NOENT),
                ("deep/a/b", Errno::NOTDIR),
            ] {
                assert_eq!(text(below), Err(error), "{words}: {below}");
            }
            assert!(way(held.as_fd(), Path::new(""), FOLDER).is_ok(), "{words}");
        }
    }

    #[test]
    fn a_held_folder_is_the_same_wherever_its_name_leads_now() {
        let (top, held) = place();
        std::fs::rename(top.path().join("in"), top.path().join("moved")).unwrap();
        symlink("out", top.path().join("in")).unwrap();
        assert!(read(held.as_fd(), Path::new("deep/a")).is_ok());
        assert_eq!(read(held.as_fd(), Path::new("s")).unwrap_err(), Errno::NOENT);
    }

    #[test]
    fn folders_are_made_where_they_are_missing_and_never_through_a_link() {
        let (top, held) = place();
        assert!(made_folder(held.as_fd(), Path::new("deep/er/est")).is_ok());
        assert!(top.path().join("in/deep/er/est").is_dir());
        assert_eq!(made_folder(held.as_fd(), Path::new("away/new")).unwrap_err(), Errno::LOOP);
        assert_eq!(made_folder(held.as_fd(), Path::new("deep/a/new")).unwrap_err(), Errno::NOTDIR);
        assert!(!top.path().join("out/new").exists());
    }

    #[test]
    fn nothing_hangs_on_a_pipe() {
        let (top, held) = place();
        let pipe = top.path().join("in/pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(read(held.as_fd(), Path::new("pipe")).is_ok());
    }
}

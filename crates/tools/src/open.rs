//! Opens what was resolved: regular files only, by descriptor beneath the project folder, never through a link that came
//! into the path since.
//!
//! Nothing here can hang: a pipe or device is noticed before it is read.

use crate::beneath;
use crate::words;
use crate::workspace::Workspace;
use agent_protocol::{Failure, FailureKind};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

/// What is at a path.
pub(crate) enum Found {
    Missing,
    Folder,
    File(File, Metadata),
}

/// Opens the file at `path`, which is resolved.
pub(crate) fn open(workspace: &Workspace, path: &Path) -> Result<Found, Failure> {
    let opened = workspace.below(path).and_then(|(top, below)| beneath::read(top, below));
    found_as(opened, || workspace.shown(path))
}

/// What `opened` is.
pub(crate) fn found(opened: Result<OwnedFd, Errno>, shown: &str) -> Result<Found, Failure> {
    found_as(opened, || shown.to_owned())
}

fn found_as(opened: Result<OwnedFd, Errno>, shown: impl Fn() -> String) -> Result<Found, Failure> {
    let file = match opened {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(Found::Missing),
        Err(error) => return Err(unopened(error, &shown())),
    };
    let metadata = file.metadata().map_err(|error| words::system(&error, &shown()))?;
    match () {
        () if metadata.is_file() => Ok(Found::File(file, metadata)),
        () if metadata.is_dir() => Ok(Found::Folder),
        () => Err(no_file(&shown())),
    }
}

/// Why something that is there could not be opened.
pub(crate) fn unopened(error: Errno, shown: &str) -> Failure {
    match error {
        Errno::NOTDIR => Failure::new(
            FailureKind::InvalidArguments,
            format!("{shown} goes through a file as if it were a folder; check the path"),
        ),
        Errno::LOOP | Errno::XDEV | Errno::AGAIN => {
            Failure::new(FailureKind::Stale, format!("what {shown} leads to changed meanwhile; try again"))
        }
        Errno::NAMETOOLONG => {
            Failure::new(FailureKind::InvalidArguments, "the path is longer than the system allows".to_owned())
        }
        Errno::NXIO => no_file(shown),
        error => words::system(&error.into(), shown),
    }
}

/// The bytes of the regular file at `path`, of which there may be at most `limit`; `None` for all else, for a link too.
/// For what is looked at on our own account: nobody is told why it could not be read.
pub(crate) fn plain_file(path: &Path, limit: u64) -> Option<Vec<u8>> {
    bytes(File::from(beneath::read_at(path).ok()?), limit)
}

/// The same by the name `below` under `top`, where no part of it may be a link.
pub(crate) fn plain_file_below(top: &Path, below: &Path, limit: u64) -> Option<Vec<u8>> {
    let top = beneath::hold(top).ok()?;
    bytes(File::from(beneath::read(top.as_fd(), below).ok()?), limit)
}

fn bytes(file: File, limit: u64) -> Option<Vec<u8>> {
    file.metadata().ok().filter(Metadata::is_file)?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= limit).then_some(bytes)
}

/// All bytes of `file`, of which there may be at most `limit`.
pub(crate) fn read_all(file: &mut impl Read, shown: &str, limit: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| words::system(&error, shown))?;
    if bytes.len() as u64 > limit {
        let message = format!("{shown} is larger than {}, too large to be taken whole", words::size(limit));
        return Err(Failure::new(FailureKind::TooLarge, message));
    }
    Ok(bytes)
}

fn no_file(shown: &str) -> Failure {
    Failure::new(FailureKind::InvalidArguments, format!("{shown} is a pipe, socket or device, not a file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::process::Command;

    #[test]
    fn only_a_regular_file_that_is_short_enough_is_read() {
        let folder = tempfile::TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("in")).unwrap();
        std::fs::write(at("in/file"), "1234").unwrap();
        symlink("file", at("in/link")).unwrap();
        symlink("/dev/zero", at("in/endless")).unwrap();
        symlink("in", at("way")).unwrap();
        assert!(Command::new("mkfifo").arg(at("in/pipe")).status().unwrap().success());
        assert_eq!(plain_file(&at("in/file"), 4).as_deref(), Some(&b"1234"[..]));
        assert_eq!(plain_file(&at("in/file"), 3), None);
        assert_eq!(plain_file_below(folder.path(), Path::new("in/file"), 4).as_deref(), Some(&b"1234"[..]));
        assert_eq!(plain_file_below(folder.path(), Path::new("way/file"), 4), None);
        for name in ["in/link", "in/endless", "in/pipe", "in", "in/nothing"] {
            assert_eq!(plain_file(&at(name), 4), None, "{name}");
            assert_eq!(plain_file_below(folder.path(), Path::new(name), 4), None, "{name}");
        }
    }
}

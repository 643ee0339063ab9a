//! Opens what was resolved: regular files only, and never through a link that came into the path since.
//!
//! Nothing here can hang: a pipe or device is noticed before it is read.

use crate::words;
use crate::workspace::Workspace;
use agent_protocol::{Failure, FailureKind};
use rustix::fs::OFlags;
use rustix::io::Errno;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// What is at a path.
pub(crate) enum Found {
    Missing,
    Folder,
    File(File, Metadata),
}

/// Opens the file at `path`, which is resolved.
pub(crate) fn open(workspace: &Workspace, path: &Path) -> Result<Found, Failure> {
    if !workspace.is_resolved(path) {
        return Err(moved(workspace, path));
    }
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let file = OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path);
    let shown = workspace.shown(path);
    let file = match file {
        Ok(file) => file,
        Err(error) => {
            return match error.kind() {
                ErrorKind::NotFound => Ok(Found::Missing),
                ErrorKind::NotADirectory => Err(Failure::new(
                    FailureKind::InvalidArguments,
                    format!("{shown} goes through a file as if it were a folder; check the path"),
                )),
                _ if error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => Err(moved(workspace, path)),
                _ if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => Err(no_file(&shown)),
                _ => Err(words::system(&error, &shown)),
            };
        }
    };
    let metadata = file.metadata().map_err(|error| words::system(&error, &shown))?;
    match () {
        () if metadata.is_file() => Ok(Found::File(file, metadata)),
        () if metadata.is_dir() => Ok(Found::Folder),
        () => Err(no_file(&shown)),
    }
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

fn moved(workspace: &Workspace, path: &Path) -> Failure {
    let message = format!("what {} leads to changed meanwhile; try again", workspace.shown(path));
    Failure::new(FailureKind::Stale, message)
}

fn no_file(shown: &str) -> Failure {
    Failure::new(FailureKind::InvalidArguments, format!("{shown} is a pipe, socket or device, not a file"))
}

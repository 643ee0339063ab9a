//! Looks at one name: what lies there, and its bytes, or only their digest, where it is a file that may be read.
//!
//! Links are not followed, neither at the end nor on the way, and nothing hangs: only a regular file is ever read.

use super::stat::Stat;
use crate::apply::digest_of;
use crate::beneath;
use agent_protocol::{Digest, Unkept};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, FileType, readlinkat, statat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// How often it is looked again when a thing becomes another one under our eyes.
const TRIES: usize = 3;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProjectThing<Read = Vec<u8>> {
    /// As it was before it was read: what changed meanwhile carries another.
    pub(super) stat: Stat,
    pub(super) what: ThingKind<Read>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ThingKind<Read = Vec<u8>> {
    /// A file with these bytes, or with bytes of this digest.
    File(Read),
    /// A link that says this.
    Link(PathBuf),
    /// Nothing that could be brought back.
    Not(Unkept),
}

/// Folders to look in, one after the other; the last one is held, for its names mostly come in a row.
#[derive(Debug)]
pub(super) struct Folders {
    top: Result<OwnedFd, Errno>,
    last: Option<(PathBuf, Result<OwnedFd, Errno>)>,
}

impl Folders {
    pub(super) fn new() -> Self {
        Folders { top: beneath::hold(Path::new("/")), last: None }
    }

    /// What lies under `path` (absolute), read where it is a file of at most `max_file` bytes; `None`: nothing. Where a
    /// folder on the way is missing, or is none, there is nothing.
    pub(super) fn thing(&mut self, path: &Path, max_file: u64) -> Option<ProjectThing> {
        self.find(path, max_file, bytes)
    }

    /// The same, but a file is never held whole: only the digest of its bytes is told.
    pub(super) fn digested(&mut self, path: &Path, max_file: u64) -> Option<ProjectThing<Digest>> {
        self.find(path, max_file, digest_of)
    }

    fn find<R>(&mut self, path: &Path, max_file: u64, read: Reading<R>) -> Option<ProjectThing<R>> {
        let Some(name) = path.file_name() else { return Some(not(Stat::default(), Unkept::Special)) };
        for _ in 0..TRIES {
            let folder = match self.folder(path) {
                Ok(folder) => folder,
                Err(error) => return nothing(error),
            };
            let stat = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(found) => Stat::found(&found),
                Err(error) => return nothing(error),
            };
            if let Some(thing) = thing_in(folder, name, path, stat, (max_file, read)) {
                return Some(thing);
            }
        }
        Some(not(Stat::default(), Unkept::Unreadable))
    }

    /// What the system says of `path`, without opening it; `None`: nothing is there, or it cannot be known.
    pub(super) fn stat(&mut self, path: &Path) -> Option<Stat> {
        let name = path.file_name()?;
        let found = statat(self.folder(path).ok()?, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some(Stat::found(&found))
    }

    /// The folder that `path` lies in.
    fn folder(&mut self, path: &Path) -> Result<&OwnedFd, Errno> {
        let parent = path.parent().ok_or(Errno::NOENT)?;
        if self.last.as_ref().is_none_or(|(last, _)| last != parent) {
            let top = self.top.as_ref().map_err(|error| *error)?;
            let below = parent.strip_prefix("/").map_err(|_| Errno::NOENT)?;
            self.last = Some((parent.into(), beneath::folder(top.as_fd(), below)));
        }
        match &self.last {
            Some((_, Ok(folder))) => Ok(folder),
            Some((_, Err(error))) => Err(*error),
            None => Err(Errno::NOENT),
        }
    }
}

/// Reads a file that holds at most so many bytes, and says how many there were; `None`: there are more.
type Reading<R> = fn(&mut File, u64) -> io::Result<Option<(R, u64)>>;

fn bytes(file: &mut File, most: u64) -> io::Result<Option<(Vec<u8>, u64)>> {
    let size = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(most)).unwrap_or_default());
    let read = file.take(most.saturating_add(1)).read_to_end(&mut bytes)? as u64;
    Ok((read <= most).then_some((bytes, read)))
}

/// What an error says of what is there.
fn nothing<R>(error: Errno) -> Option<ProjectThing<R>> {
    match error {
        // A link in the place of a folder leads elsewhere: what is there is not under this name.
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NAMETOOLONG => None,
        _ => Some(not(Stat::default(), Unkept::Unreadable)),
    }
}

fn not<R>(stat: Stat, why: Unkept) -> ProjectThing<R> {
    ProjectThing { stat, what: ThingKind::Not(why) }
}

/// Why it is not read, as far as can be told from outside.
pub(super) fn out_of_question(path: &Path, stat: &Stat, max_file: u64) -> Option<Unkept> {
    match stat.kind() {
        FileType::RegularFile | FileType::Symlink if path.to_str().is_none() => Some(Unkept::Name),
        FileType::RegularFile if stat.size > max_file => Some(Unkept::TooLarge),
        FileType::RegularFile | FileType::Symlink => None,
        _ => Some(Unkept::Special),
    }
}

/// `None`: it became another thing meanwhile.
fn thing_in<R>(
    folder: &OwnedFd,
    name: &OsStr,
    path: &Path,
    stat: Stat,
    (max_file, reading): (u64, Reading<R>),
) -> Option<ProjectThing<R>> {
    if let Some(why) = out_of_question(path, &stat, max_file) {
        return Some(not(stat, why));
    }
    if stat.kind() == FileType::Symlink {
        return link(folder, name, stat);
    }
    match beneath::read_in(folder, name) {
        Ok(file) => read(File::from(file), max_file, reading),
        Err(Errno::NOENT | Errno::LOOP | Errno::NXIO) => None,
        Err(_) => Some(not(stat, Unkept::Unreadable)),
    }
}

fn link<R>(folder: &OwnedFd, name: &OsStr, stat: Stat) -> Option<ProjectThing<R>> {
    let target = readlinkat(folder, name, Vec::new()).ok()?;
    let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
    let what = if target.to_str().is_some() { ThingKind::Link(target) } else { ThingKind::Not(Unkept::Name) };
    Some(ProjectThing { stat, what })
}

fn read<R>(mut file: File, max_file: u64, reading: Reading<R>) -> Option<ProjectThing<R>> {
    let mut stat = Stat::of(&file.metadata().ok().filter(Metadata::is_file)?);
    if stat.size > max_file {
        return Some(not(stat, Unkept::TooLarge));
    }
    match reading(&mut file, max_file) {
        Ok(Some((read, size))) => {
            // It may have grown meanwhile. With this size it is not taken for the same the next time.
            stat.size = size;
            Some(ProjectThing { stat, what: ThingKind::File(read) })
        }
        Ok(None) => {
            stat.size = max_file.saturating_add(1);
            Some(not(stat, Unkept::TooLarge))
        }
        Err(_) => Some(not(stat, Unkept::Unreadable)),
    }
}

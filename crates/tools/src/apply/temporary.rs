//! A file of our own beside the one that is to be written: made so that nobody else can have it, gone when it is dropped.
//!
//! Its name says how far the write had come, so that what a killed process leaves behind can be told from what is not
//! ours (see `sweep`): `.writing-…` was never anything but ours; `.swapping-…` may hold what was there before.

use super::digest;
use super::step::{Was, Will, unsupported};
use super::thing::{Holds, Thing};
use agent_protocol::Digest;
use rustix::fd::{AsFd, BorrowedFd};
use rustix::fs::{
    AtFlags, FlockOperation, Mode, OFlags, RenameFlags, flock, fstat, openat, renameat, renameat_with, statat,
    symlinkat, unlinkat,
};
use rustix::io::Errno;
use std::fs::{File, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

pub(super) const WRITING: &str = ".writing-";
pub(super) const SWAPPING: &str = ".swapping-";
/// Digits of a digest that a name carries.
pub(super) const DIGITS: usize = 16;

/// A file or link of our own in a folder.
pub(super) struct Temporary<'a> {
    folder: BorrowedFd<'a>,
    pub(super) name: String,
    made: Made,
    ours: bool,
}

enum Made {
    File(File),
    Link(Thing),
}

impl<'a> Temporary<'a> {
    /// A new file in `folder` that holds `bytes`. The system takes the umask off `mode`, as for any new file.
    pub(super) fn new(folder: BorrowedFd<'a>, mode: u32, bytes: &[u8]) -> io::Result<Self> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let name = || format!("{WRITING}{}", random());
        let (name, file) = named(name, |name| openat(folder, name, flags, Mode::from_raw_mode(mode)))?;
        let mut file = File::from(file);
        // Says to other sessions that somebody is still at it. Where there are no locks, its age says so.
        let _ = flock(&file, FlockOperation::NonBlockingLockExclusive);
        let written = file.write_all(bytes);
        let temporary = Temporary { folder, name, made: Made::File(file), ours: true };
        written.map(|()| temporary)
    }

    /// A new link in `folder` that says `target`, to be swapped with what `was` there. It is whole at once.
    pub(super) fn link(folder: BorrowedFd<'a>, target: &Path, was: &Was) -> io::Result<Self> {
        let says = digest(target.as_os_str().as_bytes());
        let name = || swapping(&was.digest(), &says);
        let (name, ()) = named(name, |name| symlinkat(target, folder, name))?;
        let found = statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(Temporary { folder, name, made: Made::Link(Thing::of(&found, Holds::Target(says))), ours: true })
    }

    pub(super) fn file(&self) -> io::Result<&File> {
        match &self.made {
            Made::File(file) => Ok(file),
            Made::Link(_) => Err(Errno::LOOP.into()),
        }
    }

    pub(super) fn give_rights(&self, mode: u32) -> io::Result<()> {
        self.file()?.set_permissions(Permissions::from_mode(mode))
    }

    /// Makes its bytes last.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file()?.sync_all()
    }

    /// As it is, told from anything else that may take its place; it was made to be `will`.
    pub(super) fn thing(&self, will: &Will<'_>) -> Option<Thing> {
        match &self.made {
            Made::File(file) => fstat(file).ok().map(|found| Thing::of(&found, Holds::Bytes(will.digest()))),
            Made::Link(thing) => Some(thing.clone()),
        }
    }

    /// From now on something else may lie under its name.
    pub(super) fn about_to_swap(&mut self, was: &Was, will: &Will<'_>) -> Result<(), Errno> {
        if let Made::File(_) = self.made {
            let name = swapping(&was.digest(), &will.digest());
            renameat(self.folder, &self.name, self.folder, &name)?;
            self.name = name;
        }
        Ok(())
    }

    /// What lies under its name is no longer ours to remove.
    pub(super) fn let_go(&mut self) {
        self.ours = false;
    }

    /// What lies under its name is superseded, and goes.
    pub(super) fn remove(mut self) {
        self.ours = true;
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if self.ours {
            // It is gone already, or it is swept later.
            let _ = unlinkat(self.folder, &self.name, AtFlags::empty());
        }
    }
}

/// Makes something under a name that nothing has.
fn named<T>(name: impl Fn() -> String, make: impl Fn(&str) -> Result<T, Errno>) -> Result<(String, T), Errno> {
    loop {
        let name = name();
        match make(&name) {
            Ok(made) => return Ok((name, made)),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error),
        }
    }
}

/// A name for what may be the one or the other.
pub(super) fn swapping(before: &Digest, after: &Digest) -> String {
    let short = |digest: &Digest| digest.0.chars().take(DIGITS).collect::<String>();
    format!("{SWAPPING}{}-{}-{}", random(), short(before), short(after))
}

/// Gives what lies under `name` a name beside `beside` that nobody sweeps; says which.
pub(super) fn set_aside(folder: impl AsFd, name: &str, beside: &str) -> Result<String, Errno> {
    let kept = format!("{}.kept-{}", &beside[..beside.floor_char_boundary(200)], random());
    match renameat_with(&folder, name, &folder, &kept, RenameFlags::NOREPLACE) {
        Err(error) if unsupported(error) => renameat(&folder, name, &folder, &kept)?,
        result => result?,
    }
    Ok(kept)
}

/// Eight letters that nobody can guess.
fn random() -> String {
    format!("{:08x}", RandomState::new().build_hasher().finish() >> 32)
}

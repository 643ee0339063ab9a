//! One step at its place: the file, the folder that it lies in, and whoever else may be writing there.

use super::likeness::like;
use super::put_back::put_back;
use super::step::{Fault, Kept, Settle, Step, Was, Will, unsupported};
use super::sweep::sweep;
use super::temporary::{Temporary, set_aside, swapping};
use super::thing::Thing;
use super::{digest_of, settle, writable};
use crate::beneath;
use crate::blocking::Stop;
use crate::open::{Found, found, unopened};
use crate::words;
use crate::workspace::Workspace;
use agent_protocol::FailureKind;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{
    Access, AtFlags, RenameFlags, Stat, accessat, fstat, linkat, readlinkat, renameat, renameat_with, statat,
    symlinkat, unlinkat,
};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::{File, Metadata, Permissions};
use std::io::{self, Read, Seek};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// One step at its place.
pub(super) struct Site<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) step: &'a Step<'a>,
    pub(super) stop: &'a Stop,
}

/// What lies there, as it was planned on.
pub(super) enum Old {
    Nothing,
    File(File, Metadata),
    Link,
}

impl Site<'_> {
    /// Gives in words what of the old file could not be kept.
    pub(super) fn apply(&self) -> Result<Vec<String>, Fault> {
        match (&self.step.was, &self.step.will) {
            (Was::Nothing, Will::Nothing) => Ok(Vec::new()),
            (Was::Nothing, Will::File { bytes, mode }) => self.create(bytes, *mode).map(|()| Vec::new()),
            (Was::Nothing, Will::Link { target }) => self.create_link(target).map(|()| Vec::new()),
            (Was::File { .. }, Will::Rights { mode }) => self.change_rights(*mode).map(|()| Vec::new()),
            (Was::Nothing | Was::Link { .. }, Will::Rights { .. }) => Err(Fault::Stale),
            (Was::File { .. } | Was::Link { .. }, Will::File { .. } | Will::Link { .. }) => self.replace(),
            (Was::File { .. } | Was::Link { .. }, Will::Nothing) => self.delete().map(|()| Vec::new()),
        }
    }

    /// Is everything as it was when the step was planned, the way there included?
    pub(super) fn check_all(&self) -> Result<(), Fault> {
        let (parent, _) = self.parts()?;
        match self.workspace.below(parent).and_then(|(top, below)| beneath::folder(top, below)) {
            Ok(folder) => self.check(&folder).map(|_| ()),
            Err(Errno::NOENT) if self.step.was == Was::Nothing => Ok(()),
            Err(error) => Err(self.unreached(error)),
        }
    }

    /// What lies there, to be put back if need be; `None`: nothing.
    pub(super) fn kept(&self) -> Result<Option<Kept>, Fault> {
        if self.step.was == Was::Nothing {
            return Ok(None);
        }
        let folder = self.folder()?;
        let Old::File(mut file, metadata) = self.check(&folder)? else { return Ok(None) };
        let mut bytes = Vec::new();
        let read = file.rewind().and_then(|()| file.take(self.step.limit).read_to_end(&mut bytes));
        read.map_err(|_| Fault::Stale)?;
        Ok(Some(Kept { bytes, mode: metadata.mode() & 0o7777 }))
    }

    /// Is there what was planned on? Gives it.
    fn check(&self, folder: &OwnedFd) -> Result<Old, Fault> {
        let (_, name) = self.parts()?;
        if let Was::Link { target } = &self.step.was {
            let found = readlinkat(folder, name, Vec::new()).map_err(|_| Fault::Stale)?;
            return if found.as_bytes() == target.as_os_str().as_bytes() { Ok(Old::Link) } else { Err(Fault::Stale) };
        }
        match (found(beneath::read_in(folder, name), &self.shown()), &self.step.was) {
            (Ok(Found::Missing), Was::Nothing) => Ok(Old::Nothing),
            (Ok(Found::File(mut file, metadata)), Was::File { digest: before, mode }) => {
                let other_rights = mode.is_some_and(|mode| metadata.mode() & 0o7777 != mode);
                let found = digest_of(&mut file, self.step.limit).map_err(|_| Fault::Stale)?;
                let same = found.is_some_and(|(found, _)| found == *before);
                if same && !other_rights { Ok(Old::File(file, metadata)) } else { Err(Fault::Stale) }
            }
            (Err(failure), _) if failure.kind == FailureKind::PermissionDenied => Err(failure.into()),
            (Ok(_) | Err(_), _) => Err(Fault::Stale),
        }
    }

    fn create(&self, bytes: &[u8], mode: Option<u32>) -> Result<(), Fault> {
        let (_, name) = self.parts()?;
        let folder = self.made_folder()?;
        self.sweep(&folder);
        // The system takes the umask off, as for any new file.
        let born = if mode.is_some() { 0o600 } else { 0o666 };
        let temporary = Temporary::new(folder.as_fd(), born, bytes).map_err(|error| self.unwritten(&error))?;
        if let Some(mode) = mode {
            temporary.give_rights(mode).map_err(|error| self.unwritten(&error))?;
        }
        temporary.sync().map_err(|error| self.unwritten(&error))?;
        self.check_stop()?;
        self.check(&folder)?;
        match self.rename_new(&folder, &temporary.name, name) {
            // A name that was only given in addition leaves the first one, which goes as it is dropped.
            Ok(()) => self.settle(&folder),
            Err(Errno::EXIST) => return Err(Fault::Stale),
            Err(error) => return Err(self.unwritten(&error.into())),
        }
        Ok(())
    }

    /// A link is whole as soon as it is there, and is never made where something is.
    fn create_link(&self, target: &Path) -> Result<(), Fault> {
        let (_, name) = self.parts()?;
        let folder = self.made_folder()?;
        self.check_stop()?;
        match symlinkat(target, &folder, name) {
            Ok(()) => self.settle(&folder),
            Err(Errno::EXIST) => return Err(Fault::Stale),
            Err(error) => return Err(self.unwritten(&error.into())),
        }
        Ok(())
    }

    /// Gives the new file its name, if nothing has it.
    fn rename_new(&self, folder: &OwnedFd, from: &str, to: &OsStr) -> Result<(), Errno> {
        match renameat_with(folder, from, folder, to, RenameFlags::NOREPLACE) {
            Err(error) if unsupported(error) => self.name_also(folder, from, to),
            moved => moved,
        }
    }

    /// For file systems that cannot refuse to replace: a second name is never given to what has one already. Where there
    /// are no second names, what is there is looked at right before.
    pub(super) fn name_also(&self, folder: &OwnedFd, from: &str, to: &OsStr) -> Result<(), Errno> {
        match linkat(folder, from, folder, to, AtFlags::empty()) {
            Err(error) if unsupported(error) || error == Errno::PERM => {
                self.check(folder).map_err(|_| Errno::EXIST)?;
                renameat(folder, from, folder, to)
            }
            linked => linked,
        }
    }

    /// The file stays the very same. Whoever writes meanwhile writes into it, or puts another in its place.
    fn change_rights(&self, mode: u32) -> Result<(), Fault> {
        let (_, name) = self.parts()?;
        let folder = self.folder()?;
        let Old::File(file, metadata) = self.check(&folder)? else { return Err(Fault::Stale) };
        self.writable(&folder, &metadata)?;
        self.check_stop()?;
        let given = file.set_permissions(Permissions::from_mode(mode)).and_then(|()| file.sync_all());
        given.map_err(|error| self.unwritten(&error))?;
        // Whoever came meanwhile has put a file of their own there, which has the rights they gave it.
        let which = |found: Stat| (found.st_dev, found.st_ino);
        let there = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW).map(which);
        if there.is_ok() && there == fstat(&file).map(which) { Ok(()) } else { Err(Fault::Stale) }
    }

    fn replace(&self) -> Result<Vec<String>, Fault> {
        let (_, name) = self.parts()?;
        let folder = self.folder()?;
        let old = self.check(&folder)?;
        if let Old::File(_, metadata) = &old {
            self.writable(&folder, metadata)?;
        }
        self.sweep(&folder);
        let unwritten = |error: io::Error| self.unwritten(&error);
        let (mut temporary, lost) = self.prepared(&folder, &old).map_err(unwritten)?;
        temporary.about_to_swap(&self.step.was, &self.step.will).map_err(|error| unwritten(error.into()))?;
        self.check_stop()?;
        // Writing took its time. Whoever came meanwhile need not see ours in the place of theirs even for a moment.
        self.check(&folder)?;
        match renameat_with(&folder, &temporary.name, &folder, name, RenameFlags::EXCHANGE) {
            Ok(()) => self.verify(&folder, temporary)?,
            Err(Errno::NOENT) => return Err(Fault::Stale),
            Err(error) if unsupported(error) => self.replace_by_name(&folder, &temporary.name)?,
            Err(error) => return Err(unwritten(error.into())),
        }
        self.settle(&folder);
        Ok(lost)
    }

    /// What is to come in the place of `old`, whole and lasting, under a name of its own. Says what could not be kept.
    fn prepared<'f>(&self, folder: &'f OwnedFd, old: &Old) -> io::Result<(Temporary<'f>, Vec<String>)> {
        let (bytes, mode) = match &self.step.will {
            Will::File { bytes, mode } => (bytes, *mode),
            Will::Link { target } => return Ok((Temporary::link(folder.as_fd(), target, &self.step.was)?, Vec::new())),
            Will::Nothing | Will::Rights { .. } => return Err(Errno::INVAL.into()),
        };
        let (born, file) = match old {
            Old::File(file, metadata) => (0o600, Some((file, metadata))),
            // A link has no rights of its own.
            Old::Link | Old::Nothing => (if mode.is_some() { 0o600 } else { 0o666 }, None),
        };
        let temporary = Temporary::new(folder.as_fd(), born, bytes)?;
        let lost = match file {
            Some((file, metadata)) => like(temporary.file()?, file, metadata, mode)?,
            None => mode.map_or(Ok(()), |mode| temporary.give_rights(mode)).map(|()| Vec::new())?,
        };
        temporary.sync()?;
        Ok((temporary, lost))
    }

    /// For file systems that cannot exchange two files: what is there is looked at right before it is replaced.
    pub(super) fn replace_by_name(&self, folder: &OwnedFd, from: &str) -> Result<(), Fault> {
        let (_, name) = self.parts()?;
        self.check(folder)?;
        renameat(folder, from, folder, name).map_err(|error| self.unwritten(&error.into()))
    }

    /// What was there lies under the temporary name now. Is it what was to be replaced?
    pub(super) fn verify(&self, folder: &OwnedFd, mut temporary: Temporary<'_>) -> Result<(), Fault> {
        temporary.let_go();
        let taken = Thing::at(folder, OsStr::new(&temporary.name), self.step.limit);
        if taken.as_ref().is_some_and(|taken| taken.is(&self.step.was)) {
            temporary.remove();
            return Ok(());
        }
        // Somebody was faster. What they wrote goes back to its place.
        let (_, name) = self.parts()?;
        let ours = temporary.thing(&self.step.will);
        Err(self.stale_but(put_back(folder, name, temporary, taken, ours, self.step.limit)))
    }

    fn delete(&self) -> Result<(), Fault> {
        let (_, name) = self.parts()?;
        let folder = self.folder()?;
        if let Old::File(_, metadata) = self.check(&folder)? {
            self.writable(&folder, &metadata)?;
        }
        self.check_stop()?;
        // It is moved away first, and looked at again before it goes.
        let before = self.step.was.digest();
        let aside = swapping(&before, &before);
        renameat(&folder, name, &folder, &aside).map_err(|error| self.unwritten(&error.into()))?;
        if Thing::at(&folder, OsStr::new(&aside), self.step.limit).is_some_and(|taken| taken.is(&self.step.was)) {
            let _ = unlinkat(&folder, &aside, AtFlags::empty());
            self.settle(&folder);
            return Ok(());
        }
        match self.rename_new(&folder, &aside, name) {
            Ok(()) => Err(Fault::Stale),
            Err(_) => Err(self.stale_but(set_aside(&folder, &aside, &name.to_string_lossy()).ok())),
        }
    }

    fn writable(&self, folder: &OwnedFd, metadata: &Metadata) -> Result<(), Fault> {
        let (_, name) = self.parts()?;
        let seen_as_it_is = matches!(self.step.was, Was::File { mode: Some(_), .. }) && metadata.mode() & 0o222 == 0;
        if seen_as_it_is {
            return Ok(());
        }
        writable(accessat(folder, name, Access::WRITE_OK, AtFlags::empty()), metadata).map_err(|_| Fault::ReadOnly)
    }

    /// The folder that the file lies in.
    pub(super) fn folder(&self) -> Result<OwnedFd, Fault> {
        let (parent, _) = self.parts()?;
        let folder = self.workspace.below(parent).and_then(|(top, below)| beneath::folder(top, below));
        folder.map_err(|error| self.unreached(error))
    }

    /// The same, made where it is missing.
    fn made_folder(&self) -> Result<OwnedFd, Fault> {
        let (parent, _) = self.parts()?;
        let folder = self.workspace.below(parent).and_then(|(top, below)| beneath::made_folder(top, below));
        folder.map_err(|error| self.unreached(error))
    }

    fn sweep(&self, folder: &OwnedFd) {
        if self.workspace.seen().first_write_in(folder) {
            sweep(folder, self.workspace.began());
        }
    }

    fn settle(&self, folder: &OwnedFd) {
        match self.step.settle {
            Settle::Now => settle(folder),
            Settle::Later => {}
        }
    }

    fn check_stop(&self) -> Result<(), Fault> {
        self.stop.check().map_err(Fault::from)
    }

    fn parts(&self) -> Result<(&Path, &OsStr), Fault> {
        self.step.path.parent().zip(self.step.path.file_name()).ok_or(Fault::Stale)
    }

    fn shown(&self) -> String {
        self.workspace.shown(self.step.path)
    }

    /// The way to the file is another one now, or cannot be gone.
    fn unreached(&self, error: Errno) -> Fault {
        match error {
            Errno::NOENT | Errno::LOOP | Errno::NOTDIR | Errno::XDEV | Errno::AGAIN => Fault::Stale,
            error => unopened(error, &self.shown()).into(),
        }
    }

    fn unwritten(&self, error: &io::Error) -> Fault {
        words::unwritten(error, &self.shown()).into()
    }

    /// Stale; what somebody else wrote meanwhile may lie `aside` now.
    fn stale_but(&self, aside: Option<String>) -> Fault {
        let beside = |aside| Fault::Contested { aside: self.step.path.with_file_name(aside) };
        aside.map_or(Fault::Stale, beside)
    }
}

//! Writes planned changes to disk. The one place that changes files.
//!
//! **Invariant.** A file is replaced only while it holds exactly the bytes that the change was planned on; whoever else
//! writes at the same time never loses what they wrote. At every moment the file is whole: the old one or the new one.

use crate::blocking::Stop;
use crate::open::{Found, open, read_all};
use crate::words;
use crate::workspace::Workspace;
use agent_protocol::{Change, Changes, Digest, Failure, FailureKind};
use rustix::fs::{Access, CWD, RenameFlags, access, renameat_with};
use rustix::io::Errno;
use sha2::{Digest as _, Sha256};
use std::fs::{File, Metadata, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;
use tempfile::TempPath;

/// The largest file that is changed, in bytes.
pub(crate) const LARGEST: u64 = 8 * 1024 * 1024;

pub(crate) fn digest(bytes: &[u8]) -> Digest {
    spelled(&Sha256::digest(bytes))
}

/// As it is written down.
pub(crate) fn spelled(digest: &[u8]) -> Digest {
    Digest(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A failure where the file may not be written.
pub(crate) fn writable(path: &Path, metadata: &Metadata, shown: &str) -> Result<(), Failure> {
    // The owner's word counts even where the system would let us through.
    if metadata.mode() & 0o222 == 0 || access(path, Access::WRITE_OK).is_err() {
        let message = format!("{shown} is read-only; ask whether it may be changed");
        return Err(Failure::new(FailureKind::PermissionDenied, message));
    }
    Ok(())
}

/// Makes every change, unless one of them is stale to begin with.
pub(crate) fn apply(changes: &Changes, workspace: &Workspace, stop: &Stop) -> Result<(), Failure> {
    for change in &changes.0 {
        Site { workspace, change, stop }.check()?;
    }
    for change in &changes.0 {
        let site = Site { workspace, change, stop };
        match (&change.before, &change.after) {
            (Some(before), Some(text)) => site.replace(before, text)?,
            (None, Some(text)) => site.create(text)?,
            (Some(_), None) => site.delete()?,
            (None, None) => {}
        }
    }
    Ok(())
}

/// One change at its place.
struct Site<'a> {
    workspace: &'a Workspace,
    change: &'a Change,
    stop: &'a Stop,
}

impl Site<'_> {
    /// Is everything as it was when the change was planned? Gives what is known of the file, where there is one.
    fn check(&self) -> Result<Option<Metadata>, Failure> {
        match (open(self.workspace, self.path()), &self.change.before) {
            (Ok(Found::Missing), None) => Ok(None),
            (Ok(Found::File(mut file, metadata)), Some(before)) => {
                let bytes = read_all(&mut file, &self.shown(), LARGEST).map_err(|_| self.stale())?;
                if digest(&bytes) == *before { Ok(Some(metadata)) } else { Err(self.stale()) }
            }
            (Err(failure), _) if failure.kind == FailureKind::PermissionDenied => Err(failure),
            (Ok(_) | Err(_), _) => Err(self.stale()),
        }
    }

    fn create(&self, text: &str) -> Result<(), Failure> {
        let folder = self.path().parent().ok_or_else(|| self.stale())?;
        std::fs::create_dir_all(folder).map_err(|error| words::system(&error, &self.workspace.shown(folder)))?;
        // The system takes the umask off, as for any new file.
        let temporary = self.temporary(folder, Permissions::from_mode(0o666), text, |_| Ok(()))?;
        self.check()?;
        match renameat_with(CWD, &*temporary, CWD, self.path(), RenameFlags::NOREPLACE) {
            Ok(()) => forget(temporary),
            Err(Errno::EXIST) => return Err(self.stale()),
            Err(error) if unsupported(error) => {
                self.check()?;
                self.rename(temporary)?;
            }
            Err(error) => return Err(words::system(&error.into(), &self.shown())),
        }
        settle(folder);
        Ok(())
    }

    fn replace(&self, before: &Digest, text: &str) -> Result<(), Failure> {
        let Some(metadata) = self.check()? else { return Err(self.stale()) };
        writable(self.path(), &metadata, &self.shown())?;
        let folder = self.path().parent().ok_or_else(|| self.stale())?;
        let temporary = self.temporary(folder, Permissions::from_mode(0o600), text, |file| like(file, &metadata))?;
        match self.exchange(&temporary) {
            Ok(()) => self.verify(temporary, before)?,
            Err(Errno::NOENT) => return Err(self.stale()),
            Err(error) if unsupported(error) => {
                self.check()?;
                self.rename(temporary)?;
            }
            Err(error) => return Err(words::system(&error.into(), &self.shown())),
        }
        settle(folder);
        Ok(())
    }

    fn delete(&self) -> Result<(), Failure> {
        if let Some(metadata) = self.check()? {
            writable(self.path(), &metadata, &self.shown())?;
        }
        self.stop.check()?;
        std::fs::remove_file(self.path()).map_err(|error| words::system(&error, &self.shown()))
    }

    /// The old file lies under the temporary name now. Were these the bytes that were to be replaced?
    fn verify(&self, old: TempPath, before: &Digest) -> Result<(), Failure> {
        let bytes = match open(self.workspace, &old) {
            Ok(Found::File(mut file, _)) => read_all(&mut file, &self.shown(), LARGEST).ok(),
            Ok(Found::Missing | Found::Folder) | Err(_) => None,
        };
        if bytes.is_some_and(|bytes| digest(&bytes) == *before) {
            return Ok(());
        }
        // Somebody was faster. What they wrote goes back to its place.
        match self.exchange(&old) {
            Ok(()) => Err(self.stale()),
            Err(error) => {
                let kept = old.to_path_buf();
                forget(old);
                let message = format!(
                    "{} changed while it was written ({error}); what was there lies in {}",
                    self.shown(),
                    self.workspace.shown(&kept)
                );
                Err(Failure::new(FailureKind::Stale, message))
            }
        }
    }

    /// A new file beside the old one that holds `text`, on disk.
    fn temporary(
        &self,
        folder: &Path,
        permissions: Permissions,
        text: &str,
        adjust: impl FnOnce(&File) -> std::io::Result<()>,
    ) -> Result<TempPath, Failure> {
        let write = || {
            let mut file = tempfile::Builder::new().prefix(".writing-").permissions(permissions).tempfile_in(folder)?;
            file.write_all(text.as_bytes())?;
            adjust(file.as_file())?;
            file.as_file().sync_all()?;
            Ok(file.into_temp_path())
        };
        let temporary = write().map_err(|error| words::system(&error, &self.workspace.shown(folder)))?;
        self.stop.check()?;
        Ok(temporary)
    }

    fn exchange(&self, with: &Path) -> Result<(), Errno> {
        renameat_with(CWD, with, CWD, self.path(), RenameFlags::EXCHANGE)
    }

    /// For file systems that can neither exchange nor refuse to replace.
    fn rename(&self, temporary: TempPath) -> Result<(), Failure> {
        temporary.persist(self.path()).map_err(|error| words::system(&error.error, &self.shown()))
    }

    fn path(&self) -> &Path {
        &self.change.path
    }

    fn shown(&self) -> String {
        self.workspace.shown(self.path())
    }

    fn stale(&self) -> Failure {
        let message = format!("{} changed since it was read; nothing was written, read it again", self.shown());
        Failure::new(FailureKind::Stale, message)
    }
}

/// Gives `file` the owner and the rights of the one it takes the place of.
fn like(file: &File, old: &Metadata) -> std::io::Result<()> {
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only the superuser may give files away; the rights below are kept in any case.
        match fchown(file, Some(old.uid()), Some(old.gid())) {
            Err(error) if error.kind() != ErrorKind::PermissionDenied => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    file.set_permissions(Permissions::from_mode(old.mode() & 0o7777))
}

fn unsupported(error: Errno) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP].contains(&error)
}

/// The file is no longer ours to remove.
fn forget(path: TempPath) {
    // It was renamed, or is left where it is on purpose: keeping it does nothing but disarm the removal.
    let _ = path.keep();
}

/// Makes the new name last; where the system cannot, the file itself is safe all the same.
fn settle(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(test)]
mod tests;

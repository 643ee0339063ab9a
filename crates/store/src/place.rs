//! The folder everything is kept in.
//!
//! Nobody but its owner may look into it or put something there: what is found in one that others can write is not
//! believed, and nothing is kept in it.

mod guard;

pub(crate) use guard::{guard, guard_file};

use rustix::fs::{Mode, OFlags, open};
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// What can go wrong on disk.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or a file in it cannot be written.
    #[error("cannot keep {what} in {path}: {source}; see that the folder is writable")]
    Write {
        /// What was to be kept.
        what: &'static str,
        /// Where.
        path: PathBuf,
        source: io::Error,
    },
    /// Somebody else could have written there.
    #[error("{path} {how}, so nothing in it is believed and nothing is kept there; {remedy}")]
    Exposed {
        /// Which folder or file.
        path: PathBuf,
        how: &'static str,
        remedy: String,
    },
    /// What was to be written does not hold.
    #[error("nothing was written: {why}")]
    Unfit {
        /// What is wrong with it.
        why: String,
    },
    /// It is not as it should be, and nobody but the user can say what it should be.
    #[error("cannot change {path}, for it cannot be read: {why}; mend it by hand")]
    Unreadable {
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// The state folder: only its owner may look into it.
#[derive(Debug, Clone)]
pub struct Place {
    folder: PathBuf,
}

impl Place {
    /// Keeps everything in `folder`, which is made when it is first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Place { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Is the folder the user's own, so that what is in it can be believed? One that is not there yet is.
    ///
    /// # Errors
    /// [`StoreError::Exposed`] when it belongs to somebody else, or others can write in it.
    pub fn check(&self) -> Result<(), StoreError> {
        guard(&self.folder)
    }

    /// The bytes of the file `name`; `None` where there is none that can be believed.
    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(name);
        let believed = self.check().and_then(|()| guard_file(&path));
        believed.inspect_err(|error| tracing::warn!("{error}")).ok()?;
        fs::read(path).ok()
    }

    /// Replaces the file `name` as a whole: readers see the old text or the new, never a part.
    pub(crate) fn replace(&self, name: &str, what: &'static str, text: &str) -> Result<(), StoreError> {
        let path = self.folder.join(name);
        self.prepare(what)?;
        replace(&path, text).map_err(|source| StoreError::Write { what, path, source })
    }

    /// What is read and written again until the lock is dropped is nobody else's meanwhile; waits for them.
    pub(crate) fn lock(&self, what: &'static str) -> Result<File, StoreError> {
        self.prepare(what)?;
        let path = &self.folder;
        let lock = File::open(path).and_then(|folder| folder.lock().map(|()| folder));
        lock.map_err(|source| StoreError::Write { what, path: path.clone(), source })
    }

    /// Adds one line to the file `name`, in one write.
    pub(crate) fn append(&self, name: &str, what: &'static str, line: &str) -> Result<(), StoreError> {
        let path = self.folder.join(name);
        self.prepare(what)?;
        open_to_append(&path)
            .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()))
            .map_err(|source| StoreError::Write { what, path, source })
    }

    /// Opens the log `name` to add to it; one longer than `longest` bytes is begun anew.
    ///
    /// # Errors
    /// When the folder or the file cannot be written.
    pub fn open_log(&self, name: &str, longest: u64) -> io::Result<File> {
        let path = self.folder.join(name);
        self.prepare("a log").map_err(io::Error::other)?;
        if fs::symlink_metadata(&path).is_ok_and(|log| log.len() > longest) {
            fs::remove_file(&path)?;
        }
        open_to_append(&path)
    }

    /// Sees to it that the folder is there and ours alone.
    pub(crate) fn prepare(&self, what: &'static str) -> Result<(), StoreError> {
        let path = &self.folder;
        own_folder(path).map_err(|source| StoreError::Write { what, path: path.clone(), source })?;
        self.check()
    }
}

/// Makes a folder, and those above it, for the user alone; one that is there and that others may look into is closed to
/// them. What others may write stays as it is, for what is in it is not believed; so does one that is not ours, or a link.
pub(crate) fn own_folder(folder: &Path) -> io::Result<()> {
    make_folder(folder)?;
    // Held, so that nothing else that comes in its place is changed.
    let Ok(held) = open(folder, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
    else {
        return Ok(());
    };
    let held = File::from(held);
    let found = held.metadata()?;
    if guard::may_be_closed(&found) {
        held.set_permissions(Permissions::from_mode(found.mode() & 0o7700))?;
    }
    Ok(())
}

/// Makes a folder, and those above it, for the user alone; one that is there stays as it is.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // Whatever the umask took.
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

/// Puts `text` into the file at `path`, as a whole or not at all, for the user alone.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::NotFound)?;
    // Its name cannot be guessed, and it is never opened where one is already.
    let mut swap =
        tempfile::Builder::new().prefix(".new-").permissions(Permissions::from_mode(0o600)).tempfile_in(folder)?;
    swap.write_all(text.as_bytes())?;
    swap.as_file().set_permissions(Permissions::from_mode(0o600))?;
    swap.as_file().sync_all()?;
    swap.persist(path)?;
    Ok(())
}

fn open_to_append(path: &Path) -> io::Result<File> {
    let no_link = OFlags::NOFOLLOW.bits().cast_signed();
    let file = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(no_link).open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}

#[cfg(test)]
mod tests;

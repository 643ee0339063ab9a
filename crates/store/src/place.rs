//! The folder everything is kept in.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
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
        /// The system's words.
        source: io::Error,
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

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Replaces the file `name` as a whole: readers see the old text or the new, never a part.
    pub(crate) fn replace(&self, name: &str, what: &'static str, text: &str) -> Result<(), StoreError> {
        let path = self.file(name);
        let swap = self.file(&format!("{name}.{}.new", std::process::id()));
        self.make()
            .and_then(|()| private(OpenOptions::new().write(true).create(true).truncate(true)).open(&swap))
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .and_then(|()| fs::rename(&swap, &path))
            .map_err(|source| StoreError::Write { what, path, source })
    }

    /// Adds one line to the file `name`, in one write.
    pub(crate) fn append(&self, name: &str, what: &'static str, line: &str) -> Result<(), StoreError> {
        let path = self.file(name);
        self.make()
            .and_then(|()| private(OpenOptions::new().append(true).create(true)).open(&path))
            .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()))
            .map_err(|source| StoreError::Write { what, path, source })
    }

    /// Opens the log `name` to add to it; one longer than `longest` bytes is begun anew.
    ///
    /// # Errors
    /// When the folder or the file cannot be written.
    pub fn open_log(&self, name: &str, longest: u64) -> io::Result<fs::File> {
        let path = self.file(name);
        if fs::metadata(&path).is_ok_and(|log| log.len() > longest) {
            fs::remove_file(&path)?;
        }
        self.make()?;
        private(OpenOptions::new().append(true).create(true)).open(path)
    }

    fn make(&self) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)
    }
}

fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}

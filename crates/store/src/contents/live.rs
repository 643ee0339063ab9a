//! Which sessions are open: each holds a lock on a file of its own, and the file is as old as the session. A lock goes
//! with its process however that ends, so nobody has to believe a number that was written down.

use crate::place::own_folder;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The folder of these files, among those of the workspaces, whose names never look so.
pub(super) const FOLDER: &str = "in-use";

/// Times a file is made that somebody takes for one that was left over.
const TRIES: usize = 10;

#[derive(Debug)]
pub(super) struct Live {
    path: PathBuf,
    _lock: File,
}

impl Live {
    /// Begins now, in the folder of all workspaces.
    pub(super) fn begin(all: &Path) -> io::Result<Live> {
        let folder = all.join(FOLDER);
        for folder in [all, &folder] {
            own_folder(folder)?;
        }
        for _ in 0..TRIES {
            let (lock, path) = tempfile::Builder::new().prefix("").tempfile_in(&folder)?.keep()?;
            lock.lock_shared()?;
            // Between making and locking, it looked like one that was left over.
            if lock.metadata()?.nlink() > 0 {
                return Ok(Live { path, _lock: lock });
            }
        }
        Err(io::Error::other("its file in use was taken away again and again"))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // One that stays is taken away when next something is collected.
        let _ = fs::remove_file(&self.path);
    }
}

/// When the oldest session began that is open; takes away what others left over.
pub(super) fn oldest(all: &Path) -> Option<SystemTime> {
    let files = fs::read_dir(all.join(FOLDER)).ok()?;
    files.filter_map(|file| began(&file.ok()?.path())).min()
}

fn began(path: &Path) -> Option<SystemTime> {
    let file = File::open(path).ok()?;
    match file.try_lock() {
        Ok(()) => {
            let _ = fs::remove_file(path);
            None
        }
        // What cannot be told is taken for open.
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => file.metadata().ok()?.modified().ok(),
    }
}

//! A temporary folder that only we can look into, and that is gone when we are: at its drop, or, where its owner was
//! killed, at the next start ([`sweep`]).
//!
//! It is held open from the start: where commands can rename it, its name may lead elsewhere later. It is locked for as
//! long as it is held, by its own descriptor, so that nobody who writes in it can take the lock away; and it holds a mark
//! that tells it from what others leave under such names.
//!
//! **Invariant.** A marked folder whose lock can be taken belongs to nobody any more.

mod empty;
mod sweep;

pub(crate) use empty::{FOLDER, empty};
pub use sweep::{Sweep, sweep};
pub(crate) use sweep::{is_local, is_same, open_own};

use rustix::fs::{FlockOperation, Mode, OFlags, flock, fstat, lstat, openat};
use rustix::io::retry_on_intr;
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What all names begin with.
const PREFIX: &str = "agent-";
/// Letters and digits behind it that nobody can guess.
const RANDOM: usize = 16;
/// The file that marks a folder as ours, and what it says to a person who finds it. Whoever makes such a folder without
/// this crate (the editor of the screen) has to write the same.
const MARK: &str = ".made-by-agent";
const MARK_SAYS: &str = "Temporary files of agent, which removes this folder when it ends, or at its next start.\n";
/// The longest that removing one's own folder takes; what is left is swept by a later start.
const AT_THE_END: Duration = Duration::from_secs(5);

/// The folder; removed on drop, whatever commands left in it.
#[derive(Debug)]
pub struct Temporary {
    folder: TempDir,
    held: OwnedFd,
}

impl Temporary {
    /// Makes one in `place` if that is a folder, else where the system keeps such things.
    ///
    /// # Errors
    /// The system's words.
    pub fn new(place: Option<&Path>) -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix(PREFIX)
            .rand_bytes(RANDOM)
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(place_of(place).canonicalize()?)?;
        let held = rustix::fs::open(folder.path(), FOLDER, Mode::empty())?;
        // Where there are no locks it gets no mark either, and no sweep touches it. One that looks at it right now lets it
        // go, for it is new.
        if retry_on_intr(|| flock(&held, FlockOperation::LockExclusive)).is_ok() {
            // On a full disk it has no mark: it is left behind if we are killed, and no more than that.
            let _ = mark(&held);
        }
        Ok(Temporary { folder, held })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder itself, whatever its name leads to now.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no walls elsewhere"))]
    pub(crate) fn held(&self) -> BorrowedFd<'_> {
        self.held.as_fd()
    }

    fn is_where_it_was(&self) -> bool {
        let (Ok(held), Ok(named)) = (fstat(&self.held), lstat(self.path())) else { return false };
        (held.st_dev, held.st_ino) == (named.st_dev, named.st_ino)
    }
}

impl Drop for Temporary {
    /// By descriptors, so that nobody can put a link in between. What else has its name by now is not ours to remove.
    fn drop(&mut self) {
        let ours = self.is_where_it_was();
        if ours {
            // What stays is left for a later sweep.
            let _ = empty(self.held.as_fd(), Instant::now() + AT_THE_END);
        }
        self.folder.disable_cleanup(!ours);
    }
}

/// Empties `folder`, which only we write in.
pub(crate) fn clear(folder: &Path) -> io::Result<()> {
    let opened = rustix::fs::open(folder, FOLDER, Mode::empty())?;
    Ok(empty(opened.as_fd(), Instant::now() + AT_THE_END)?)
}

/// Where temporary folders are made for whoever has `wish` as `TMPDIR`.
fn place_of(wish: Option<&Path>) -> &Path {
    wish.filter(|place| place.is_absolute() && place.is_dir()).unwrap_or(Path::new("/tmp"))
}

/// The places in which folders are made for whoever has `wish` as `TMPDIR`, each once.
fn places(wish: Option<&Path>) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = [place_of(wish), Path::new("/tmp"), Path::new("/dev/shm")]
        .iter()
        .filter_map(|place| place.canonicalize().ok())
        .collect();
    places.dedup();
    places
}

fn mark(folder: impl AsFd) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(folder, MARK, flags, Mode::RUSR | Mode::WUSR)?;
    File::from(file).write_all(MARK_SAYS.as_bytes())
}

#[cfg(test)]
mod tests;

//! What package managers and compilers keep between sessions: one folder for each project, in place of the user's own.
//!
//! What a sandboxed command leaves in a cache is obeyed by whoever uses that cache next. So no command writes in the
//! user's own, nor in another project's. Of the user's, only what was downloaded is there to be read ([`seed`]).
//!
//! In the folder that the door names each project has one, under the label of its identity. Whoever uses it has it locked,
//! shared; commands write only in `files` within it, which they can neither rename nor remove.
//!
//! **Invariant.** Commands may have planted anything in `files`: we go there by descriptors and never through a link.

mod seed;
mod sweep;
mod usual;
mod variables;

pub use sweep::{CacheSweep, CacheUse, measure_caches, sweep_caches};
pub(crate) use usual::UsualPlace;

use crate::temporary::{FOLDER, empty, is_same, open_own};
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, fchmod, flock, mkdirat, openat, unlinkat};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::ffi::{CString, OsString};
use std::fs::{DirBuilder, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const FILES: &str = "files";
/// Says to a person whose cache it is; its time is that of the last use.
const PROJECT: &str = "project";
/// Says that the cache alone is larger than all may be: it is emptied before it is used again.
const TOO_LARGE: &str = "too-large";
/// The longest that somebody waits for one that is being swept away.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest that emptying one's own takes; what is left goes the next time.
const EMPTYING: Duration = Duration::from_secs(5);

/// The cache of one project, for as long as a session uses it.
#[derive(Debug)]
pub struct Caches {
    path: PathBuf,
    files: OwnedFd,
    given: variables::Given,
    /// What is found where it usually is.
    usual: Option<usual::Usual>,
    /// Its lock is the use.
    _locked: OwnedFd,
    seeding: Mutex<Option<JoinHandle<()>>>,
}

impl Caches {
    /// Opens the cache called `label` in `place`, for commands in `project`; both are made if they are not there. What the
    /// user has downloaded, by their `env`, is laid into it meanwhile, beside the caller.
    ///
    /// Waits up to two seconds for one that is being swept.
    ///
    /// # Errors
    /// It lies within the project, or is not the user's alone, or the system's words.
    pub fn open(
        place: &Path,
        label: &str,
        project: &Path,
        env: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(place)?;
        let place = place.canonicalize()?;
        if place.starts_with(project) {
            return Err(io::Error::other(format!("{} lies in the project", place.display())));
        }
        let folder = File::open(&place)?;
        let found = folder.metadata()?;
        if found.uid() != rustix::process::geteuid().as_raw() || found.mode() & 0o022 != 0 {
            return Err(io::Error::other(format!("others can write in {}", place.display())));
        }
        let label_c = CString::new(label)?;
        let own = place.join(label);
        let locked = lock(folder.as_fd(), &label_c, &own)?;
        note(&locked, PROJECT, project.as_os_str().as_bytes())?;
        make(locked.as_fd(), FILES)?;
        let files = openat(&locked, FILES, FOLDER, Mode::empty())?;
        let path = own.join(FILES);
        let env: BTreeMap<OsString, OsString> = env.into_iter().collect();
        let given = variables::Given::of(&env);
        // Where it cannot be prepared, commands are led here by variables.
        let usual = usual::Usual::prepare(&own, &path, &given, project).ok();
        let seeding = seed::begin(files.try_clone()?, &given, project);
        Ok(Caches { path, files, given, usual, _locked: locked, seeding: Mutex::new(seeding) })
    }

    /// Where commands write.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same folder itself, whatever its name leads to now.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no walls elsewhere"))]
    pub(crate) fn held(&self) -> BorrowedFd<'_> {
        self.files.as_fd()
    }

    /// What makes programs use it.
    pub(crate) fn variables(&self) -> BTreeMap<OsString, OsString> {
        variables::all(&self.path, &self.given)
    }

    /// Folders of the user's that commands see where they are.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no mounts elsewhere"))]
    pub(crate) fn usual(&self) -> &[UsualPlace] {
        self.usual.as_ref().map_or(&[], |usual| &usual.places)
    }

    /// Waits until what the user has downloaded is laid in: a moment, and only before the first command.
    pub(crate) fn ready(&self) {
        if let Some(seeding) = self.seeding.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // What could not be laid in is downloaded.
            let _ = seeding.join();
        }
    }
}

impl Drop for Caches {
    fn drop(&mut self) {
        self.ready();
    }
}

/// The folder `label` in `place`, made if need be, locked so that nobody removes it. One that was noted to be too large is
/// emptied, where nobody else uses it.
fn lock(place: BorrowedFd<'_>, label: &CString, path: &Path) -> io::Result<OwnedFd> {
    let until = Instant::now() + PATIENCE;
    loop {
        make(place, label.as_c_str())?;
        let own = open_own(place, label).ok_or_else(|| io::Error::other("the cache of this project is not yours"))?;
        fchmod(&own, Mode::RWXU)?;
        alone(&own, path);
        match flock(&own, FlockOperation::NonBlockingLockShared) {
            // Somebody may have removed it before it was locked.
            Ok(()) if is_same(&own, place, label) => return Ok(own),
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) if Instant::now() < until => std::thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(error.into()),
        }
    }
}

/// What is done where nobody else uses it.
fn alone(own: &OwnedFd, path: &Path) {
    if flock(own, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    usual::tidy(path);
    if rustix::fs::statat(own, TOO_LARGE, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
        // What is left is found too large again.
        let _ = empty(own.as_fd(), Instant::now() + EMPTYING);
    }
}

fn make<P: rustix::path::Arg>(place: BorrowedFd<'_>, name: P) -> io::Result<()> {
    match mkdirat(place, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Writes the small file `name` anew, where no command can write.
fn note(folder: &OwnedFd, name: &str, text: &[u8]) -> io::Result<()> {
    let _ = unlinkat(folder, name, AtFlags::empty());
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::TRUNC | OFlags::CLOEXEC;
    File::from(openat(folder, name, flags, Mode::RUSR | Mode::WUSR)?).write_all(text)
}

#[cfg(test)]
mod tests;

//! Where commands may write: found once, before anything of ours has run, and from then on opened without a link.
//!
//! A command may rename and link where it may write. Were a place opened by its name again for the next command, a link
//! put there would hand out whatever it leads to.

use rustix::fs::{FileType, Mode, OFlags, fstat, open, openat};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The places, and where they really were when they were first named; `None` where that could not be found out.
#[derive(Debug, Default)]
pub(crate) struct Places {
    found: Mutex<BTreeMap<PathBuf, Option<PathBuf>>>,
}

impl Places {
    /// Notes where `place` really is, if that was not done before.
    pub(crate) fn note(&self, place: &Path) -> Option<PathBuf> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.entry(place.to_owned()).or_insert_with(|| real(place)).clone()
    }

    /// Opens it there, and says where that is; `None` where nothing is.
    ///
    /// # Errors
    /// In words: a link leads elsewhere now.
    pub(super) fn open(&self, place: &Path) -> Result<Option<(PathBuf, OwnedFd)>, String> {
        let Some(real) = self.note(place) else { return Ok(None) };
        match open_without_links(&real) {
            Ok(opened) => Ok(Some((real, opened))),
            Err(Errno::LOOP) => Err(format!(
                "{} leads elsewhere through a link that was not there when the session began; if it is yours, begin a \
                 new session",
                place.display()
            )),
            // Nothing is allowed where nothing is.
            Err(_) => Ok(None),
        }
    }
}

/// Without links and dots, also where the last parts are not there yet; `None` for a link that leads nowhere.
fn real(place: &Path) -> Option<PathBuf> {
    match place.canonicalize() {
        Ok(real) => Some(real),
        Err(_) if place.symlink_metadata().is_ok() => None,
        Err(_) => Some(real(place.parent()?)?.join(place.file_name()?)),
    }
}

/// Part by part; a link anywhere is `LOOP`.
fn open_without_links(real: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = open(c"/", flags, Mode::empty())?;
    for part in real.components() {
        match part {
            Component::Normal(name) => at = openat(&at, name, flags, Mode::empty())?,
            Component::RootDir => continue,
            Component::Prefix(_) | Component::CurDir | Component::ParentDir => return Err(Errno::NOENT),
        }
        if FileType::from_raw_mode(fstat(&at)?.st_mode) == FileType::Symlink {
            return Err(Errno::LOOP);
        }
    }
    Ok(at)
}

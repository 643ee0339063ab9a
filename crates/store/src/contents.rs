//! Bytes kept under their digest, so that what became of files can be taken back: `<state>/undo/<workspace>/ab/cdef…`.
//!
//! One object a content, however often it is kept. What is large is cut where its content says so, each piece an object
//! of its own: a file that is edited a thousand times costs the pieces that differ. Knows nothing of files, turns or
//! sessions; how objects go again is in `collect`.
//!
//! **Invariant.** A list of pieces is never newer than the pieces, so that whatever goes by age takes the list first.

mod collect;
mod live;
mod object;
mod settle;
mod shelf;

pub use collect::Collected;

use crate::{Folder, Place};
use agent_protocol::Digest;
use live::Live;
use object::{Name, Object};
use settle::Lasting;
use shelf::Shelf;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

/// The folder of all workspaces, in the state folder.
const FOLDER: &str = "undo";

/// Bytes up to which a content is one object.
const SMALL: usize = 32 * 1024;

/// How much older a list is made than its pieces. More than the file system's clock lags behind the system's, and less
/// than what `collect` spares before the oldest session that is open.
const LIST_IS_OLDER: Duration = Duration::from_secs(1);

/// The contents kept for one project. While one is there, what it kept or touched is not collected.
#[derive(Debug)]
pub struct Contents {
    place: Place,
    shelf: Shelf,
    /// Taken as soon as the folder can be written.
    live: OnceLock<Live>,
    /// Objects that are known to hold what they should: they need only be touched.
    sound: Mutex<HashSet<Name>>,
    lasting: Lasting,
}

impl Contents {
    /// The contents of `project`, kept in `place`.
    pub fn new(place: &Place, project: &Folder) -> Self {
        let contents = Contents {
            place: place.clone(),
            shelf: Shelf::at(all(place).join(workspace(&project.path))),
            live: OnceLock::new(),
            sound: Mutex::default(),
            lasting: Lasting::default(),
        };
        if let Err(error) = contents.prepare() {
            tracing::warn!("nothing can be kept to undo: {error}");
        }
        contents
    }

    /// Keeps `bytes`, and gives the name they can be had back under.
    ///
    /// Nothing is synced: what undo needs must outlive a killed process, and the system writes it down for that. What a
    /// power cut leaves broken is noticed by its digest, and made good when the same bytes are kept again. For what must
    /// not be broken there is [`Contents::settle`].
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn keep(&self, bytes: &[u8]) -> io::Result<Digest> {
        self.prepare()?;
        let name = Name::of(bytes);
        let pieces = pieces(bytes);
        if pieces.len() == 1 {
            self.keep_whole(name, bytes)?;
        } else {
            self.keep_pieces(name, bytes, &pieces)?;
        }
        Ok(name.digest())
    }

    /// The bytes that were kept under `digest`.
    ///
    /// # Errors
    /// When they are not there, cannot be read, or are not what was kept.
    pub fn fetch(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        let name = Name::read(digest).ok_or_else(gone)?;
        let bytes = match self.shelf.read(name)?.ok_or_else(gone)? {
            Object::Whole(bytes) => bytes,
            Object::Pieces(names) => self.join(&names)?,
            Object::Damaged => return Err(damaged()),
        };
        if Name::of(&bytes) == name { Ok(bytes) } else { Err(damaged()) }
    }

    /// Makes what is kept under `digest` outlast a power cut. Blocking; costs little when it is done once more.
    ///
    /// # Errors
    /// When it is not there, or the system cannot say that it is written down.
    pub fn settle(&self, digest: &Digest) -> io::Result<()> {
        let name = Name::read(digest).ok_or_else(gone)?;
        let mut names = match self.shelf.read(name)?.ok_or_else(gone)? {
            Object::Whole(_) => Vec::new(),
            Object::Pieces(names) => names,
            Object::Damaged => return Err(damaged()),
        };
        names.push(name);
        self.lasting.settle(&names, &self.shelf)
    }

    /// Is all of it there? Whether it is undamaged, only [`Contents::fetch`] can tell.
    pub fn has(&self, digest: &Digest) -> bool {
        let Some(name) = Name::read(digest) else { return false };
        match self.shelf.read(name) {
            Ok(Some(Object::Whole(_))) => true,
            Ok(Some(Object::Pieces(names))) => names.iter().all(|piece| self.shelf.holds(*piece)),
            Ok(None | Some(Object::Damaged)) | Err(_) => false,
        }
    }

    /// Marks it as still needed, with all its pieces.
    pub fn touch(&self, digest: &Digest) {
        let Some(name) = Name::read(digest) else { return };
        let now = SystemTime::now();
        match self.shelf.read(name) {
            Ok(Some(Object::Pieces(names))) => {
                for piece in names {
                    self.shelf.touch(piece);
                }
                self.shelf.date(name, now - LIST_IS_OLDER);
            }
            Ok(Some(Object::Whole(_) | Object::Damaged)) => {
                self.shelf.touch(name);
            }
            Ok(None) | Err(_) => {}
        }
    }

    /// Removes, of all projects, what was not kept or touched for `older_than`, then the oldest until at most `at_most`
    /// bytes are left; never what was kept or touched since the oldest session began that is open. Stops after about a
    /// second and leaves the rest for the next time. Does nothing while another process is at it.
    pub fn collect(place: &Place, older_than: Duration, at_most: u64) -> Collected {
        collect::collect(place, older_than, at_most)
    }

    /// Sees to it that the folder is ours alone and that nobody collects what this session keeps.
    fn prepare(&self) -> io::Result<()> {
        if self.live.get().is_some() {
            return Ok(());
        }
        self.place.prepare("what can be undone").map_err(io::Error::other)?;
        // Of two threads that come here at once, one drops its own.
        let live = Live::begin(&all(&self.place)).map_err(|error| self.unwritable(&error))?;
        self.live.get_or_init(|| live);
        Ok(())
    }

    /// In words that name the next step.
    fn unwritable(&self, error: &io::Error) -> io::Error {
        let folder = all(&self.place);
        let words = format!("cannot write in {}: {error}; see that the folder is writable", folder.display());
        io::Error::new(error.kind(), words)
    }

    fn keep_whole(&self, name: Name, bytes: &[u8]) -> io::Result<()> {
        let sound = self.is_sound(name) || matches!(self.shelf.read(name)?, Some(Object::Whole(kept)) if kept == bytes);
        // Touched by its name, not as it was opened: where it was collected meanwhile, there is nothing to touch.
        if !(sound && self.shelf.touch(name)) {
            self.write(name, &object::whole(bytes), None)?;
        }
        self.sound.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
        Ok(())
    }

    fn keep_pieces(&self, name: Name, bytes: &[u8], pieces: &[&[u8]]) -> io::Result<()> {
        let date = SystemTime::now() - LIST_IS_OLDER;
        let mut names = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let piece_name = Name::of(piece);
            self.keep_whole(piece_name, piece)?;
            names.push(piece_name);
        }
        let sound = match self.shelf.read(name)? {
            Some(Object::Pieces(kept)) => kept == names,
            Some(Object::Whole(kept)) => kept == bytes,
            Some(Object::Damaged) | None => false,
        };
        if !(sound && self.shelf.date(name, date)) {
            self.write(name, &object::list(&names), Some(date))?;
        }
        Ok(())
    }

    fn write(&self, name: Name, file: &[u8], date: Option<SystemTime>) -> io::Result<()> {
        self.shelf.write(name, file, date)?;
        self.lasting.written(name, &self.shelf);
        Ok(())
    }

    fn join(&self, names: &[Name]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for name in names {
            match self.shelf.read(*name)? {
                Some(Object::Whole(piece)) => bytes.extend_from_slice(&piece),
                Some(Object::Pieces(_) | Object::Damaged) | None => return Err(damaged()),
            }
        }
        Ok(bytes)
    }

    fn is_sound(&self, name: Name) -> bool {
        self.sound.lock().unwrap_or_else(PoisonError::into_inner).contains(&name)
    }
}

/// Cut where the content says so. One piece, also of what is empty, where it is small; a large content whose only piece
/// is itself is one object too, for the two would have one name.
fn pieces(bytes: &[u8]) -> Vec<&[u8]> {
    if bytes.len() <= SMALL {
        return vec![bytes];
    }
    let cuts = fastcdc::v2020::FastCDC::new(bytes, object::PIECE_LEAST, object::PIECE_USUAL, object::PIECE_MOST);
    cuts.map(|cut| &bytes[cut.offset..cut.offset + cut.length]).collect()
}

/// A folder's name a person can read, and no other project has.
fn workspace(project: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    const LONGEST: usize = 40;
    let digest = Name::of(project.as_os_str().as_bytes()).digest();
    let last = project.file_name().unwrap_or_default().to_string_lossy();
    let kept = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let readable: String = last.chars().take(LONGEST).map(kept).collect();
    format!("{readable}-{}", &digest.0[..12])
}

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "its bytes are not kept any more")
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "its kept bytes are damaged")
}

/// The folder of all workspaces.
fn all(place: &Place) -> PathBuf {
    place.folder().join(FOLDER)
}

#[cfg(test)]
mod tests;

//! What the model has seen of the project's files in this session: each as it was when it was last read or written.
//!
//! Shared by the tools. Keeps no text, only what tells whether a file is still the same.

use crate::digest::{LARGEST, spelled};
use agent_protocol::Digest;
use rustix::fd::AsFd;
use rustix::fs::fstat;
use sha2::{Digest as _, Sha256};
use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The files seen. Clones share what they know.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadTracker {
    files: Arc<Mutex<HashMap<PathBuf, Digest>>>,
    /// Lines, counted from 0, that were shown with their numbers, and of which text.
    lines: Arc<Mutex<HashMap<PathBuf, ShownLines>>>,
    /// Folders that were written in.
    folders: Arc<Mutex<HashSet<(u64, u64)>>>,
    /// Files that a command of this session made.
    ours: Arc<Mutex<HashSet<PathBuf>>>,
}

/// Lines that were shown, and of which text.
type ShownLines = (Digest, Vec<Range<usize>>);

/// What the model knows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    Never,
    AsItIs,
    /// It saw the file, but that was another text.
    Before,
}

impl ReadTracker {
    /// The model now knows the file at `path` with this content.
    pub(crate) fn note(&self, path: &Path, digest: Digest) {
        self.files().insert(path.into(), digest);
    }

    /// The model was shown these lines of the file with this content, with their numbers.
    pub(crate) fn note_lines(&self, path: &Path, digest: &Digest, lines: Range<usize>) {
        let mut known = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let (of, shown) = known.entry(path.into()).or_insert_with(|| (digest.clone(), Vec::new()));
        if of != digest {
            (*of, *shown) = (digest.clone(), Vec::new());
        }
        if !shown.iter().any(|other| other.start <= lines.start && lines.end <= other.end) {
            shown.push(lines);
        }
    }

    /// Was the model shown all of these lines, counted from 0, of the file with this content?
    pub(crate) fn shows(&self, path: &Path, now: &Digest, mut lines: Range<usize>) -> bool {
        let known = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((_, shown)) = known.get(path).filter(|(of, _)| of == now) else { return false };
        // What one page shows begins where another one may have ended.
        while let Some(page) = shown.iter().find(|page| page.contains(&lines.start)) {
            lines.start = page.end;
        }
        lines.is_empty()
    }

    /// The file was changed behind the model's back: whatever it knew of it counts as another text.
    pub(crate) fn doubt(&self, path: &Path) {
        if let Some(seen) = self.files().get_mut(path) {
            *seen = Digest(String::new());
        }
    }

    /// What does the model know of the file at `path`, which has this content now?
    pub(crate) fn sight(&self, path: &Path, now: &Digest) -> Sight {
        match self.files().get(path) {
            None => Sight::Never,
            Some(seen) if seen == now => Sight::AsItIs,
            Some(_) => Sight::Before,
        }
    }

    /// A command of this session made the file at `path`: nobody misses what was in it.
    pub(crate) fn made(&self, path: &Path) {
        self.ours.lock().unwrap_or_else(PoisonError::into_inner).insert(path.into());
    }

    /// Did a command of this session make it?
    pub(crate) fn is_ours(&self, path: &Path) -> bool {
        self.ours.lock().unwrap_or_else(PoisonError::into_inner).contains(path)
    }

    /// Every file that was read or written, in no order.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.files().keys().cloned().collect()
    }

    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, Digest>> {
        // Every change of the map is one step: it is whole whatever happened to another thread.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Is this the first time in this session that something is written in `folder`?
    pub(crate) fn first_write_in(&self, folder: impl AsFd) -> bool {
        let Ok(found) = fstat(folder) else { return false };
        #[expect(clippy::unnecessary_cast, reason = "the widths differ from system to system")]
        let which = (found.st_dev as u64, found.st_ino as u64);
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).insert(which)
    }
}

/// Reads what `inner` holds and tells what it was.
pub(crate) struct Watched<R> {
    inner: R,
    /// `None`: it is too large ever to be changed, so nobody asks.
    hasher: Option<Sha256>,
}

impl<R: Read> Watched<R> {
    /// Over a file of `size` bytes.
    pub(crate) fn new(inner: R, size: u64) -> Self {
        Watched { inner, hasher: (size <= LARGEST).then(Sha256::new) }
    }

    pub(crate) fn digest(self) -> Option<Digest> {
        self.hasher.map(|hasher| spelled(&hasher.finalize()))
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        if let Some(hasher) = &mut self.hasher {
            hasher.update(&buffer[..count]);
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_what_was_seen() {
        let (seen, path) = (ReadTracker::default(), Path::new("/a"));
        let digest = |text: &str| Digest(text.into());
        assert_eq!(seen.sight(path, &digest("1")), Sight::Never);
        seen.clone().note(path, digest("1"));
        assert_eq!(seen.sight(path, &digest("1")), Sight::AsItIs);
        assert_eq!(seen.sight(path, &digest("2")), Sight::Before);
    }

    #[test]
    fn what_was_changed_behind_its_back_the_model_does_not_know() {
        let (seen, digest) = (ReadTracker::default(), Digest("1".into()));
        seen.note(Path::new("/a"), digest.clone());
        seen.doubt(Path::new("/a"));
        seen.doubt(Path::new("/b"));
        assert_eq!(seen.sight(Path::new("/a"), &digest), Sight::Before);
        assert_eq!(seen.sight(Path::new("/b"), &digest), Sight::Never);
    }

    #[test]
    fn lines_are_known_by_their_numbers_as_long_as_the_text_is_the_same() {
        let (seen, path, digest) = (ReadTracker::default(), Path::new("/a"), Digest("1".into()));
        seen.note_lines(path, &digest, 0..10);
        seen.note_lines(path, &digest, 10..20);
        seen.note_lines(path, &digest, 30..40);
        assert!(seen.shows(path, &digest, 5..15) && seen.shows(path, &digest, 39..40));
        assert!(!seen.shows(path, &digest, 15..31) && !seen.shows(path, &digest, 40..41));
        assert!(!seen.shows(path, &Digest("2".into()), 5..6));
        seen.note_lines(path, &Digest("2".into()), 0..3);
        assert!(!seen.shows(path, &digest, 5..6));
    }

    #[test]
    fn reading_tells_what_was_read() {
        let mut watched = Watched::new(&b"text"[..], 4);
        io::copy(&mut watched, &mut io::sink()).unwrap();
        assert_eq!(watched.digest(), Some(crate::apply::digest(b"text")));
        assert_eq!(Watched::new(&b""[..], LARGEST + 1).digest(), None);
    }
}

//! One journal on disk: whole lines are added at its end, and nothing else ever happens to it.
//!
//! Knows where the last whole line ends, so that what was written of one only partly is cut off again.

use super::line::{NewLine, SessionHead};
use super::lines::lines;
use super::load::JournalReading;
use super::pages::{self, Mark, Pages};
use super::room::{self, SessionsFolder};
use super::{Loaded, SessionError, Torn, trouble};
use crate::Folder;
use agent_protocol::{Record, SessionId, TurnId};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// How the file can be written to.
#[derive(Debug)]
enum Standing {
    /// It is not there yet.
    Unmade,
    /// It is there and cannot be written; this holds its lock.
    Closed(Option<File>),
    /// It can, and is locked.
    Open(File),
    /// Somebody removed it under our hands; this still holds what was written.
    Gone(File),
}

impl Drop for JournalFile {
    fn drop(&mut self) {
        if let Some(file) = self.standing.file() {
            room::let_go(file);
        }
    }
}

/// What lies behind the last whole line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loose {
    /// A line that we wrote only partly: it is written again.
    Ours,
    /// What an agent that died left there: it is kept.
    Torn,
}

/// A journal that is written to.
#[derive(Debug)]
pub(super) struct JournalFile {
    room: SessionsFolder,
    head: SessionHead,
    /// Set when the file is there: until then its name may be taken by another.
    made_as: Arc<OnceLock<SessionId>>,
    /// The file says that it was last open in another folder.
    moved: bool,
    standing: Standing,
    whole: Mark,
    /// Up to here it is on disk.
    synced: Mark,
    loose: Option<Loose>,
    /// Where the turns begin in it.
    pages: Pages,
}

impl JournalFile {
    /// One that is made when the first line is added.
    pub(super) fn unmade(room: SessionsFolder, head: SessionHead) -> Self {
        let none = Mark { seq: 0, bytes: 0 };
        JournalFile {
            room,
            head,
            made_as: Arc::default(),
            moved: false,
            standing: Standing::Unmade,
            whole: none,
            synced: none,
            loose: None,
            pages: Pages::default(),
        }
    }

    /// One that is made now and holds `entries`.
    pub(super) fn made(
        room: SessionsFolder,
        head: SessionHead,
        entries: &[NewLine],
    ) -> Result<(Self, Loaded), SessionError> {
        room.prepare()?;
        let mut file = JournalFile::unmade(room, head);
        let text = file.make(entries).map_err(SessionError::io("write", &file.path()))?;
        let mut reading = JournalReading::read(&file.head.id, &text, true)?;
        file.pages = std::mem::take(&mut reading.pages);
        let loaded = reading.loaded(&file.path());
        Ok((file, loaded))
    }

    /// One that is there, to go on in `project`. What is torn at its end is moved aside, where the disk allows it.
    pub(super) fn opened(
        room: SessionsFolder,
        id: &SessionId,
        project: &Folder,
    ) -> Result<(Self, Loaded), SessionError> {
        room.check_journal(id)?;
        let path = room.journal(id);
        let (mut standing, mut text) = (Standing::open(id, &path)?, Vec::new());
        let held = standing.file().expect("it was opened just now");
        (&*held).read_to_end(&mut text).map_err(SessionError::io("read", &path))?;
        let mut reading = JournalReading::read(id, &text, true)?;
        let pages = std::mem::take(&mut reading.pages);
        let whole = Mark { seq: reading.whole.lines, bytes: reading.whole.bytes as u64 };
        let head = SessionHead::new(id, project, reading.known.card.parent.as_ref());
        let moved = !(reading.known.is_of(project) && reading.known.card.project == head.project);
        let mut loaded = reading.loaded(&path);
        let mut loose = loaded.torn.as_ref().map(|_| Loose::Torn);
        if let Standing::Open(file) = &mut standing {
            let aside = room::close_to_others(file).and_then(|()| move_tail(&room, id, file, whole, &mut loaded));
            match aside {
                Ok(()) => loose = None,
                Err(error) => tracing::warn!("cannot set aside the torn end of session {id}: {error}"),
            }
        }
        let synced = whole;
        let made_as = Arc::new(OnceLock::from(id.clone()));
        let file = JournalFile { room, head, made_as, moved, standing, whole, synced, loose, pages };
        Ok((file, loaded))
    }

    pub(super) fn head(&self) -> &SessionHead {
        &self.head
    }

    /// The name under which it is made, once it is.
    pub(super) fn made_as(&self) -> Arc<OnceLock<SessionId>> {
        Arc::clone(&self.made_as)
    }

    /// Is everything that was added on disk?
    pub(super) fn is_synced(&self) -> bool {
        self.synced == self.whole && self.loose.is_none()
    }

    /// A head that is to be added before anything else, where it goes on in another folder.
    pub(super) fn take_move(&mut self) -> Option<NewLine> {
        std::mem::take(&mut self.moved).then(|| NewLine::head(&self.head))
    }

    /// Adds a line, in one write; gives its bytes. Says why that cannot be.
    pub(super) fn add(&mut self, entry: &NewLine) -> Result<u64, String> {
        self.ready()?;
        let Standing::Open(file) = &mut self.standing else { return Err("it is not open".into()) };
        let line = entry.line(self.whole.seq);
        if let Err(error) = file.write_all(&line) {
            self.loose = Some(Loose::Ours);
            // If not now, then before the next line.
            let _ = self.tidy();
            return Err(self.cannot_write(&error));
        }
        if let Some(turn) = entry.begins {
            self.pages.begin(turn, self.whole);
        }
        self.whole = Mark { seq: self.whole.seq + 1, bytes: self.whole.bytes + line.len() as u64 };
        Ok(line.len() as u64)
    }

    /// Sees to it that what was added is on disk. Where that fails, everything since the last time counts as not
    /// written, and is to be added again.
    pub(super) fn sync(&mut self) -> Result<(), String> {
        if matches!(self.standing, Standing::Unmade | Standing::Closed(_)) {
            return Ok(());
        }
        self.ready()?;
        let Standing::Open(file) = &self.standing else { return Err("it is not open".into()) };
        if self.synced == self.whole && !room::is_gone(file) {
            return Ok(());
        }
        match file.sync_data() {
            Ok(()) => self.synced = self.whole,
            Err(error) => {
                self.take_back();
                return Err(self.cannot_write(&error));
            }
        }
        if room::is_gone(file) {
            self.standing = match std::mem::replace(&mut self.standing, Standing::Unmade) {
                Standing::Open(file) => Standing::Gone(file),
                other => other,
            };
            return self.ready();
        }
        Ok(())
    }

    /// Counts everything since the last sync as not written: nobody knows what the disk has of it.
    pub(super) fn take_back(&mut self) {
        (self.whole, self.loose) = (self.synced, Some(Loose::Ours));
        self.pages.cut(self.whole);
    }

    /// The records that stand in it.
    ///
    /// # Errors
    /// Where not all of them can be read, in words.
    pub(super) fn records(&self) -> Result<Vec<Record>, String> {
        let Some(file) = self.standing.file() else { return Ok(Vec::new()) };
        let mut text = vec![0; usize::try_from(self.whole.bytes).unwrap_or(0)];
        file.read_exact_at(&mut text, 0).map_err(|error| self.cannot_read(&error))?;
        let reading = JournalReading::read(&self.head.id, &text, true).map_err(|error| error.to_string())?;
        if (reading.whole.bytes as u64) < self.whole.bytes {
            let line = reading.records.len() + 2;
            return Err(format!("about line {line} of {} is damaged", self.path().display()));
        }
        Ok(reading.records)
    }

    /// Does this turn go on at the end of the file?
    pub(super) fn ends_with(&self, turn: TurnId) -> bool {
        self.pages.last() == Some(turn)
    }

    /// What stands in it of one turn, up to where the next begins; `None`: nothing.
    pub(super) fn page(&self, turn: TurnId) -> Option<Result<Vec<Record>, String>> {
        let (from, to) = self.pages.of(turn, self.whole)?;
        let file = self.standing.file()?;
        let mut text = vec![0; usize::try_from(to.bytes - from.bytes).unwrap_or(0)];
        let read = file.read_exact_at(&mut text, from.bytes);
        let read = read.map_err(|error| self.cannot_read(&error));
        Some(read.and_then(|()| pages::records(&text, from.seq)))
    }

    /// Sees to it that the next line can be added.
    fn ready(&mut self) -> Result<(), String> {
        match &mut self.standing {
            Standing::Open(_) => {}
            Standing::Unmade => {
                self.room.prepare().map_err(|error| error.to_string())?;
                self.make(&[]).map_err(|error| self.cannot_write(&error))?;
            }
            Standing::Closed(lock) => {
                let lock = lock.take();
                self.reopen(lock)?;
            }
            Standing::Gone(_) => self.bring_back()?,
        }
        self.tidy().map_err(|error| self.cannot_write(&error))?;
        self.is_as_we_left_it()
    }

    /// What is added goes behind what was there; where somebody else cut it or added to it, it would not be found again.
    fn is_as_we_left_it(&self) -> Result<(), String> {
        let Standing::Open(file) = &self.standing else { return Ok(()) };
        let found = file.metadata().map_err(|error| self.cannot_write(&error))?;
        if found.len() == self.whole.bytes {
            return Ok(());
        }
        Err(format!("another program changed {}", self.path().display()))
    }

    /// Makes the file, with its head and `entries`; gives what stands in it.
    fn make(&mut self, entries: &[NewLine]) -> io::Result<Vec<u8>> {
        loop {
            let mut text = NewLine::head(&self.head).line(0);
            (1..).zip(entries).for_each(|(seq, entry)| text.extend(entry.line(seq)));
            match self.room.make(&self.head.id, &text) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    self.head.id = self.room.new_id();
                }
                made => {
                    self.standing = Standing::Open(made?);
                    self.whole = Mark { seq: 1 + entries.len() as u64, bytes: text.len() as u64 };
                    self.synced = self.whole;
                    let _ = self.made_as.set(self.head.id.clone());
                    return Ok(text);
                }
            }
        }
    }

    /// Opens to write what could only be read. Its lock cannot be handed over: whoever takes it in between has it.
    fn reopen(&mut self, lock: Option<File>) -> Result<(), String> {
        let path = self.path();
        let file = match room::open_to_write(&path) {
            Ok(file) => file,
            Err(error) => {
                self.standing = Standing::Closed(lock);
                return Err(self.cannot_write(&error));
            }
        };
        let length = lock.as_ref().and_then(|file| file.metadata().ok()).map(|found| found.len());
        if let Some(lock) = lock {
            room::let_go(&lock);
        }
        let unchanged = || file.metadata().is_ok_and(|found| length.is_none_or(|length| length == found.len()));
        if !room::lock(&file) || !unchanged() {
            return Err(format!("another agent has opened session {} meanwhile; go on there", self.head.id));
        }
        self.standing = Standing::Open(file);
        Ok(())
    }

    /// Writes everything once more, for somebody removed it.
    fn bring_back(&mut self) -> Result<(), String> {
        let Standing::Gone(file) = &self.standing else { return Ok(()) };
        let mut text = vec![0; usize::try_from(self.whole.bytes).unwrap_or(0)];
        let read = file.read_exact_at(&mut text, 0);
        self.room.prepare().map_err(|error| error.to_string())?;
        let made = read.and_then(|()| self.room.make(&self.head.id, &text));
        self.standing = Standing::Open(made.map_err(|error| self.cannot_write(&error))?);
        (self.synced, self.loose) = (self.whole, None);
        Ok(())
    }

    /// Takes away what lies behind the last whole line.
    fn tidy(&mut self) -> io::Result<()> {
        let Standing::Open(file) = &self.standing else { return Ok(()) };
        match self.loose {
            None => {}
            Some(Loose::Ours) => file.set_len(self.whole.bytes)?,
            Some(Loose::Torn) => drop(self.room.set_aside(&self.head.id, file, self.whole.bytes)?),
        }
        self.loose = None;
        Ok(())
    }

    fn path(&self) -> PathBuf {
        self.room.journal(&self.head.id)
    }

    fn cannot_read(&self, error: &io::Error) -> String {
        format!("cannot read {}: {}", self.path().display(), trouble::words(error))
    }

    fn cannot_write(&self, error: &io::Error) -> String {
        format!("cannot write {}: {}", self.path().display(), trouble::words(error))
    }
}

impl Standing {
    /// Opens and locks the journal at `path`.
    fn open(id: &SessionId, path: &Path) -> Result<Self, SessionError> {
        use io::ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem};
        let standing = match room::open_to_write(path) {
            Ok(file) => Standing::Open(file),
            Err(error) if matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem) => {
                Standing::Closed(Some(room::open_to_read(path).map_err(SessionError::io("read", path))?))
            }
            Err(error) if error.kind() == NotFound => return Err(SessionError::Missing { name: id.0.clone() }),
            Err(error) => return Err(SessionError::io("read", path)(error)),
        };
        let file = standing.file().expect("it was opened just now");
        if !room::lock(file) {
            return Err(SessionError::InUse { id: id.clone() });
        }
        // Removed between opening and locking it.
        if room::is_gone(file) { Err(SessionError::Missing { name: id.0.clone() }) } else { Ok(standing) }
    }

    fn file(&self) -> Option<&File> {
        match self {
            Standing::Open(file) | Standing::Gone(file) | Standing::Closed(Some(file)) => Some(file),
            Standing::Unmade | Standing::Closed(None) => None,
        }
    }
}

fn move_tail(room: &SessionsFolder, id: &SessionId, file: &File, whole: Mark, loaded: &mut Loaded) -> io::Result<()> {
    if let Some(Torn { path, .. }) = &mut loaded.torn {
        *path = room.set_aside(id, file, whole.bytes)?;
        loaded.card.bytes = whole.bytes;
    }
    Ok(())
}

/// The entries of a journal that is only read.
pub(super) fn entries(id: &SessionId, text: &[u8]) -> Result<Vec<NewLine>, SessionError> {
    let mut entries = Vec::new();
    lines(id, text, |line, _| {
        entries.push(NewLine::of(line));
        Ok(())
    })?;
    Ok(entries)
}

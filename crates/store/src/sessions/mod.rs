//! The kept sessions: one journal each, and a list of them.
//!
//! A journal is a file of lines, one record a line, that only grows (see `line`). One agent at a time writes in it, held
//! by a lock that the system releases with the process. Knows what stands on a card of a session, and nothing else of
//! what the records mean.

mod cards;
mod error;
mod file;
mod hiding;
mod journal;
mod line;
mod lines;
mod load;
mod pages;
mod room;
mod settled;
mod trouble;
mod writer;

pub use error::SessionError;
pub use hiding::Hide;
pub use journal::Journal;
pub use writer::Report;

use crate::{Folder, Place};
use agent_protocol::{Record, SessionCard, SessionId};
use cards::KnownSession;
use file::JournalFile;
use line::{LineKind, SessionHead};
use load::JournalReading;
use room::SessionsFolder;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use writer::Writer;

/// A session as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// What is known of it.
    pub card: SessionCard,
    /// Everything that was written down whole, in order.
    pub records: Vec<Record>,
    /// What the last agent had not written to the end when it died.
    pub torn: Option<Torn>,
}

/// The end of a journal that was not written as it was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torn {
    /// Where it lies now: in a file of its own, or in the journal still where that was only read or could not be written.
    pub path: PathBuf,
    pub bytes: u64,
}

#[derive(Clone)]
pub struct Sessions {
    room: SessionsFolder,
    hide: Option<Hide>,
    report: Option<Report>,
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").field("room", &self.room).finish_non_exhaustive()
    }
}

impl Sessions {
    /// Those kept in `place`.
    pub fn new(place: Place) -> Self {
        Sessions { room: SessionsFolder::new(place), hide: None, report: None }
    }

    /// Journals are written without the secrets that `hide` finds.
    #[must_use]
    pub fn hiding(self, hide: Hide) -> Self {
        Sessions { hide: Some(hide), ..self }
    }

    /// `report` is told when a journal begins to be kept, when it cannot be any more, and when it can again. Called on
    /// writing threads.
    #[must_use]
    pub fn reporting(self, report: Report) -> Self {
        Sessions { report: Some(report), ..self }
    }

    /// All of them, the one written to last first; of an unreadable one as much as is known.
    pub fn list(&self) -> Vec<SessionCard> {
        self.known().into_iter().map(|known| known.card).collect()
    }

    /// The last one of this project: of this path, else of this folder when it lay elsewhere. One in which something
    /// was said goes before one whose agent was killed before its first words were written down.
    pub fn last_of(&self, project: &Folder) -> Option<SessionCard> {
        let mut known = self.known();
        known.sort_by_key(|known| known.card.turns == 0 && known.card.title.is_empty());
        let path = PathBuf::from(project.shown());
        let here = known.iter().find(|known| known.card.project == path);
        let moved = || known.iter().find(|known| known.is_of(project) && is_missing(&known.card.project));
        here.or_else(moved).map(|known| known.card.clone())
    }

    /// The one of this name, or the only one whose name begins so.
    ///
    /// # Errors
    /// When there is none or several.
    pub fn find(&self, name: &str) -> Result<SessionCard, SessionError> {
        let missing = || SessionError::Missing { name: name.to_owned() };
        let ids = self.ids();
        let exact = ids.iter().find(|id| id.0 == name).cloned();
        let fitting: Vec<SessionId> = ids.into_iter().filter(|id| !name.is_empty() && id.0.starts_with(name)).collect();
        let id = match (exact, fitting.as_slice()) {
            (Some(id), _) => id,
            (None, [only]) => only.clone(),
            (None, []) => return Err(missing()),
            (None, _) => return Err(SessionError::Ambiguous { name: name.to_owned(), fitting }),
        };
        cards::look(&self.room, &id).map(|known| known.card).ok_or_else(missing)
    }

    /// Reads it without changing anything.
    ///
    /// # Errors
    /// When it is missing or cannot be read.
    pub fn read(&self, id: &SessionId) -> Result<Loaded, SessionError> {
        let (text, open) = self.text(id)?;
        Ok(JournalReading::read(id, &text, open)?.loaded(&self.room.journal(id)))
    }

    /// Opens it to go on in `project`. What is torn at its end is moved to a file of its own.
    ///
    /// # Errors
    /// When it is missing, cannot be read, or is open already.
    pub fn open(&self, id: &SessionId, project: &Folder) -> Result<(Journal, Loaded), SessionError> {
        named(id)?;
        let (file, loaded) = JournalFile::opened(self.room.clone(), id, project)?;
        Ok((self.journal(file), loaded))
    }

    /// A new one; its file is made with the first record.
    pub fn create(&self, project: &Folder) -> Journal {
        self.create_named(&self.new_name(), project)
    }

    /// A name that no session has yet: for one that is spoken of before anything is written down of it.
    pub fn new_name(&self) -> SessionId {
        self.room.new_id()
    }

    /// Where the journal of this name lies, or will lie.
    pub fn path(&self, id: &SessionId) -> PathBuf {
        self.room.journal(id)
    }

    /// A new one of this name, as [`Sessions::new_name`] gave it; its file is made with the first record.
    pub fn create_named(&self, id: &SessionId, project: &Folder) -> Journal {
        let head = SessionHead::new(id, project, None);
        self.journal(JournalFile::unmade(self.room.clone(), head))
    }

    /// A new one that begins with the first `records` records of `of`.
    ///
    /// # Errors
    /// When `of` is missing or cannot be read, or the new one cannot be written.
    pub fn fork(&self, of: &SessionId, records: usize, project: &Folder) -> Result<(Journal, Loaded), SessionError> {
        let (text, _) = self.text(of)?;
        let mut entries = file::entries(of, &text)?;
        entries.retain(|entry| entry.kind == LineKind::Record);
        entries.truncate(records);
        let head = SessionHead::new(&self.room.new_id(), project, Some(of));
        let (file, loaded) = JournalFile::made(self.room.clone(), head, &entries)?;
        Ok((self.journal(file), loaded))
    }

    /// Removes it, with all that lies beside it.
    ///
    /// # Errors
    /// When it is missing or open.
    pub fn remove(&self, id: &SessionId) -> Result<(), SessionError> {
        named(id)?;
        self.room.check()?;
        let path = self.room.journal(id);
        let file = open_to_read(id, &path)?;
        if !room::lock(&file) {
            return Err(SessionError::InUse { id: id.clone() });
        }
        fs::remove_file(&path).map_err(SessionError::io("remove", &path))?;
        for beside in self.room.torn(id).into_iter().chain([self.room.card(id)]) {
            match fs::remove_file(&beside) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(SessionError::io("remove", &beside)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes those that were last written to so long ago, but none that is open; gives what was removed.
    ///
    /// # Errors
    /// When one cannot be removed; those before it are.
    pub fn prune(&self, older_than: Duration) -> Result<Vec<SessionCard>, SessionError> {
        let oldest = (line::now() / 1_000).saturating_sub(older_than.as_secs()).cast_signed();
        let mut removed = Vec::new();
        for card in self.list().into_iter().filter(|card| !card.open && card.updated <= oldest) {
            match self.remove(&card.id) {
                Ok(()) => removed.push(card),
                // Somebody opened or removed it just now.
                Err(SessionError::InUse { .. } | SessionError::Missing { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(removed)
    }

    fn journal(&self, file: JournalFile) -> Journal {
        let (id, made) = (file.head().id.clone(), file.made_as());
        Journal::new(id, made, Writer::new(file, self.hide.clone(), self.report.clone()))
    }

    fn ids(&self) -> Vec<SessionId> {
        if let Err(error) = self.room.check() {
            tracing::warn!("{error}");
            return Vec::new();
        }
        self.room.ids()
    }

    fn known(&self) -> Vec<KnownSession> {
        let mut known: Vec<KnownSession> = self.ids().iter().filter_map(|id| cards::look(&self.room, id)).collect();
        known.sort_by(|one, other| {
            let when = |known: &KnownSession| (known.written, known.card.id.clone());
            when(other).cmp(&when(one))
        });
        known
    }

    /// The bytes of a journal, and whether it is open.
    fn text(&self, id: &SessionId) -> Result<(Vec<u8>, bool), SessionError> {
        named(id)?;
        self.room.check_journal(id)?;
        let path = self.room.journal(id);
        let mut file = open_to_read(id, &path)?;
        let open = room::is_held(&file);
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(SessionError::io("read", &path))?;
        Ok((text, open))
    }
}

fn open_to_read(id: &SessionId, path: &Path) -> Result<File, SessionError> {
    room::open_to_read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => SessionError::Missing { name: id.0.clone() },
        _ => SessionError::io("read", path)(error),
    })
}

/// Refuses what is no name of a session: it would lead elsewhere.
fn named(id: &SessionId) -> Result<(), SessionError> {
    if room::is_name(id) { Ok(()) } else { Err(SessionError::Missing { name: id.0.clone() }) }
}

fn is_missing(path: &Path) -> bool {
    path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

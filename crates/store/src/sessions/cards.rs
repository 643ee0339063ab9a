//! What a list tells of a session, and the cache of it beside the journal.
//!
//! Of the lines of a journal only few say something that stands on a card; the others are only checked.

use super::SessionError;
use super::line::{JournalLine, LineKind, SessionHead};
use super::lines::lines;
use super::room::{self, SessionsFolder};
use crate::Folder;
use agent_protocol::{Event, Record, ServerEvent, SessionCard, SessionEvent, SessionId, TurnEvent};
use serde::{Deserialize, Serialize};
use std::fs::{File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The format of the cache; another one is made anew.
const VERSION: u64 = 1;

/// Characters of a title that is made of the first words.
const LONGEST: usize = 60;

/// How records begin that say something for a card.
const TELLING: &[&str] = &[
    r#"{"record":"setting""#,
    r#"{"record":"event","event":{"type":"model_set""#,
    r#"{"record":"event","event":{"type":"renamed""#,
    r#"{"record":"event","event":{"type":"turn_started""#,
];

/// A card, and what the file system calls the project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct KnownSession {
    pub(super) card: SessionCard,
    /// When something was last written down, in milliseconds since 1970: two sessions may share a second.
    pub(super) written: u64,
    device: u64,
    inode: u64,
    born: Option<i64>,
}

impl KnownSession {
    /// Was it last open in this folder, wherever that lies now?
    pub(super) fn is_of(&self, project: &Folder) -> bool {
        project.is_known_as(Some(self.device), Some(self.inode), self.born)
    }
}

#[derive(Serialize, Deserialize)]
struct Cache {
    v: u64,
    /// Bytes of the journal it was made from.
    length: u64,
    known: KnownSession,
}

/// What was learned so far of a session, line by line.
#[derive(Debug, Default)]
pub(super) struct Facts {
    head: Option<SessionHead>,
    project: PathBuf,
    /// Milliseconds since 1970.
    began: u64,
    updated: u64,
    renamed: String,
    words: String,
    model: Option<String>,
    turns: u64,
}

impl Facts {
    /// Learns from a line without reading more of it than is needed.
    pub(super) fn glance(&mut self, line: &JournalLine<'_>) -> Result<(), serde_json::Error> {
        match line.kind {
            LineKind::Head => self.head(line)?,
            LineKind::Record if TELLING.iter().any(|begin| line.json.starts_with(begin.as_bytes())) => {
                self.record(line, &serde_json::from_slice(line.json)?);
            }
            LineKind::Record => self.touch(line),
        }
        Ok(())
    }

    pub(super) fn head(&mut self, line: &JournalLine<'_>) -> Result<(), serde_json::Error> {
        let head: SessionHead = serde_json::from_slice(line.json)?;
        self.project.clone_from(&head.project);
        // A later head says where it goes on; where it comes from stands in the first.
        let parent = self.head.take().map_or(head.parent.clone(), |first| first.parent);
        self.head = Some(SessionHead { parent, ..head });
        self.touch(line);
        Ok(())
    }

    pub(super) fn record(&mut self, line: &JournalLine<'_>, record: &Record) {
        self.touch(line);
        match record {
            Record::Setting(setting) => self.project.clone_from(&setting.project),
            Record::Event { event: Event::Server(ServerEvent::ModelSet { card, .. }) } => {
                self.model = Some(card.name.clone())
            }
            Record::Event { event: Event::Session(SessionEvent::Renamed { title }) } => {
                self.renamed = title.trim().to_owned()
            }
            Record::Event { event: Event::Turn(TurnEvent::Started { text, .. }) } if !text.trim().is_empty() => {
                self.turns += 1;
                if self.words.is_empty() {
                    self.words = first_words(text);
                }
            }
            Record::Event { .. } | Record::Conversation { .. } | Record::Undoing { .. } | Record::Before { .. } => {}
        }
    }

    fn touch(&mut self, line: &JournalLine<'_>) {
        if line.seq == 0 {
            self.began = line.time;
        }
        self.updated = self.updated.max(line.time);
    }

    pub(super) fn known(self, id: &SessionId, bytes: u64, open: bool) -> KnownSession {
        let title = if self.renamed.is_empty() { self.words } else { self.renamed };
        let parent = self.head.as_ref().and_then(|head| head.parent.clone());
        let card = SessionCard {
            id: id.clone(),
            title,
            project: self.project,
            began: seconds(self.began),
            updated: seconds(self.updated),
            model: self.model,
            turns: self.turns,
            bytes,
            parent,
            open,
        };
        let home = self.head.map(|head| (head.device, head.inode, head.born));
        let (device, inode, born) = home.unwrap_or_default();
        KnownSession { card, written: self.updated, device, inode, born }
    }
}

/// What is known of the session `id`; `None` where there is none. An unreadable one is known by its file.
pub(super) fn look(room: &SessionsFolder, id: &SessionId) -> Option<KnownSession> {
    let path = room.journal(id);
    let file = room::open_to_read(&path).ok()?;
    let found = file.metadata().ok()?;
    let open = room::is_held(&file);
    if let Some(mut known) = cached(room, id, found.len()) {
        known.card.open = open;
        return Some(known);
    }
    match make(room, id, file, open) {
        Ok(known) => Some(known),
        Err(error) => {
            let since = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            let time = since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX));
            Some(unreadable(id, &path, &error, found.len(), time, open))
        }
    }
}

/// Makes the card anew, and keeps it for the next time.
fn make(room: &SessionsFolder, id: &SessionId, mut file: File, open: bool) -> Result<KnownSession, SessionError> {
    room.check_journal(id)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(SessionError::io("read", &room.journal(id)))?;
    let mut facts = Facts::default();
    let whole = lines(id, &text, |line, _| facts.glance(line))?;
    let known = facts.known(id, text.len() as u64, open);
    // The length of a file with a torn tail may be that of another text later.
    if whole.bytes == text.len()
        && let Err(error) = keep(room, id, &known)
    {
        tracing::debug!("cannot keep the card of session {id}: {error}");
    }
    Ok(known)
}

fn cached(room: &SessionsFolder, id: &SessionId, length: u64) -> Option<KnownSession> {
    let mut text = Vec::new();
    room::open_to_read(&room.card(id)).ok()?.read_to_end(&mut text).ok()?;
    let cache: Cache = serde_json::from_slice(&text).ok()?;
    (cache.v == VERSION && cache.length == length && cache.known.card.id == *id).then_some(cache.known)
}

/// It is not synced: what is lost of it is made anew.
fn keep(room: &SessionsFolder, id: &SessionId, known: &KnownSession) -> io::Result<()> {
    let path = room.card(id);
    let known = KnownSession { card: SessionCard { open: false, ..known.card.clone() }, ..known.clone() };
    let text = serde_json::to_vec(&Cache { v: VERSION, length: known.card.bytes, known })?;
    let folder = path.parent().ok_or(io::ErrorKind::NotFound)?;
    let mut swap =
        tempfile::Builder::new().prefix(".new-").permissions(Permissions::from_mode(0o600)).tempfile_in(folder)?;
    swap.write_all(&text)?;
    swap.persist(&path)?;
    Ok(())
}

fn unreadable(id: &SessionId, path: &Path, error: &SessionError, bytes: u64, time: u64, open: bool) -> KnownSession {
    #[derive(Deserialize)]
    struct Begin {
        head: Option<SessionHead>,
    }
    let title = if matches!(error, SessionError::Newer { .. }) { "written by a newer agent" } else { "cannot be read" };
    let mut first = Vec::new();
    let read = room::open_to_read(path).and_then(|file| file.take(64 * 1024).read_to_end(&mut first));
    let line = first.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let begin: Option<Begin> = read.ok().and_then(|_| serde_json::from_slice(line).ok());
    let head = begin.and_then(|begin| begin.head);
    let facts =
        Facts { project: head.as_ref().map(|head| head.project.clone()).unwrap_or_default(), head, ..Facts::default() };
    let mut known = facts.known(id, bytes, open);
    known.card.title = title.into();
    (known.card.began, known.card.updated, known.written) = (seconds(time), seconds(time), time);
    known
}

fn seconds(milliseconds: u64) -> i64 {
    (milliseconds / 1_000).cast_signed()
}

/// The first line that says something, cut at a word.
fn first_words(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let all = words.join(" ");
    if all.chars().count() <= LONGEST {
        return all;
    }
    let most: String = all.chars().take(LONGEST - 1).collect();
    let at_word = all[most.len()..].starts_with(' ');
    let cut = if at_word { Some(most.len()) } else { most.rfind(' ') };
    format!("{}…", &most[..cut.unwrap_or(most.len())])
}

#[cfg(test)]
mod tests;

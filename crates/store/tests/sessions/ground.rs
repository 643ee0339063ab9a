//! A state folder, a project, and records to write.

use agent_protocol::{Event, JournalState, Record, SessionId, TurnEvent, TurnId};
use agent_store::{Folder, Journal, Place, Sessions};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use tempfile::TempDir;

/// What a test stands on.
pub(crate) struct Ground {
    folder: TempDir,
}

impl Ground {
    pub(crate) fn new() -> Self {
        Ground::in_folder(tempfile::tempdir().unwrap())
    }

    /// One on the disk where `folder` lies.
    pub(crate) fn within(folder: &str) -> Self {
        Ground::in_folder(tempfile::tempdir_in(folder).unwrap())
    }

    fn in_folder(folder: TempDir) -> Self {
        fs::create_dir(folder.path().join("project")).unwrap();
        Ground { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn sessions(&self) -> Sessions {
        Sessions::new(Place::new(self.path("state")))
    }

    pub(crate) fn project(&self) -> Folder {
        Folder::at(&self.path("project")).unwrap()
    }

    /// The file of a session.
    pub(crate) fn journal(&self, id: &SessionId) -> PathBuf {
        self.path("state/sessions").join(format!("{id}.jsonl"))
    }

    /// The names of all files of sessions, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("state/sessions")).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    /// A session with these records, not open any more.
    pub(crate) fn kept(&self, records: &[Record]) -> SessionId {
        let journal = self.sessions().create(&self.project());
        journal.write(records.to_vec(), true);
        wait(journal.settled());
        journal.id().clone()
    }
}

pub(crate) fn event(event: Event) -> Record {
    Record::Event { event }
}

pub(crate) fn said(text: &str) -> Record {
    event(Event::Turn(TurnEvent::Started { turn: TurnId(1), text: text.into() }))
}

/// So many records, each with its number.
pub(crate) fn numbered(count: usize) -> Vec<Record> {
    (0..count).map(number).collect()
}

pub(crate) fn number(number: usize) -> Record {
    event(Event::Turn(TurnEvent::Text { text: format!("number {number}: \"ünï\"\n{}", "x".repeat(number % 50)) }))
}

pub(crate) fn write(journal: &Journal, records: &[Record]) {
    journal.write(records.to_vec(), false);
    wait(journal.settled());
}

/// Sessions, and what they report.
pub(crate) fn reporting(sessions: Sessions) -> (Sessions, Receiver<JournalState>) {
    let (told, heard) = mpsc::channel();
    let told = Mutex::new(told);
    let report = move |state| {
        let _ = told.lock().unwrap().send(state);
    };
    (sessions.reporting(Arc::new(report)), heard)
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future on this thread.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::park(),
        }
    }
}

/// What shows that a file was touched: its length, its time, its bytes.
pub(crate) fn looks(path: &Path) -> (u64, std::time::SystemTime, Vec<u8>) {
    let found: Metadata = fs::metadata(path).unwrap();
    (found.len(), found.modified().unwrap(), fs::read(path).unwrap())
}

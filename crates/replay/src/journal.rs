//! What was asked, when, and how it ended, for those who want to look or wait. Nobody needs to sleep to find out.

use crate::http::Request;
use serde_json::Value;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// One request that arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Like `POST`.
    pub method: String,
    /// Without the query.
    pub path: String,
    /// Names and values as they were sent.
    pub headers: Vec<(String, String)>,
    /// The body: `null` when empty, a string when it was not JSON.
    pub body: Value,
    /// When the whole request was there.
    pub arrived: Instant,
    /// How it ended; `None` while it is being answered.
    pub ended: Option<Ended>,
}

impl Recorded {
    /// Is this a chat request?
    pub fn is_chat(&self) -> bool {
        self.method == "POST" && self.path == "/api/chat"
    }
}

/// The end of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// How.
    pub how: End,
    /// When: the last byte was handed to the system, or the client's leaving was noticed.
    pub at: Instant,
}

/// Ways for an answer to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All of it was sent.
    Complete,
    /// The script cut it.
    Cut,
    /// The client went away before all was sent.
    ClientGone,
    /// The server was stopped.
    ServerStopped,
}

#[derive(Debug)]
pub(crate) struct Journal {
    entries: Mutex<Vec<Recorded>>,
    changed: Condvar,
    revision: watch::Sender<u64>,
}

impl Default for Journal {
    fn default() -> Self {
        Journal { entries: Mutex::default(), changed: Condvar::new(), revision: watch::Sender::new(0) }
    }
}

impl Journal {
    pub(crate) fn entries(&self) -> MutexGuard<'_, Vec<Recorded>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn arrived(self: &Arc<Self>, request: &Request) -> Ticket {
        let body = match request.body.as_slice() {
            [] => Value::Null,
            bytes => serde_json::from_slice(bytes)
                .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(bytes).into_owned())),
        };
        let recorded = Recorded {
            method: request.method.clone(),
            path: request.path.clone(),
            headers: request.headers.clone(),
            body,
            arrived: Instant::now(),
            ended: None,
        };
        let mut entries = self.entries();
        entries.push(recorded);
        let ticket = Ticket { journal: Arc::clone(self), index: entries.len() - 1 };
        drop(entries);
        self.tell();
        ticket
    }

    /// Blocks until `find` finds something, or nothing came for `patience`.
    pub(crate) fn wait<T>(&self, patience: Duration, find: impl Fn(&[Recorded]) -> Option<T>) -> Option<T> {
        let deadline = Instant::now() + patience;
        let mut entries = self.entries();
        loop {
            if let Some(found) = find(&entries) {
                return Some(found);
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            let waited = self.changed.wait_timeout(entries, left);
            entries = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until `find` finds something.
    pub(crate) async fn until<T>(&self, find: impl Fn(&[Recorded]) -> Option<T>) -> T {
        let mut revision = self.revision.subscribe();
        loop {
            revision.mark_unchanged();
            if let Some(found) = find(&self.entries()) {
                return found;
            }
            revision.changed().await.expect("the sender lives in the journal that is borrowed here");
        }
    }

    fn tell(&self) {
        self.changed.notify_all();
        self.revision.send_modify(|revision| *revision += 1);
    }
}

/// The right to say how one request ended. Dropped without a word, the server was stopped.
#[derive(Debug)]
pub(crate) struct Ticket {
    journal: Arc<Journal>,
    index: usize,
}

impl Ticket {
    pub(crate) fn ended(&self, how: End) {
        let mut entries = self.journal.entries();
        if let Some(entry) = entries.get_mut(self.index) {
            entry.ended.get_or_insert(Ended { how, at: Instant::now() });
        }
        drop(entries);
        self.journal.tell();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.ended(End::ServerStopped);
    }
}

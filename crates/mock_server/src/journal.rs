//! What was asked, when, and how it ended, for those who want to look or wait. Nobody needs to sleep to find out.

use crate::http::Request;
use crate::request::ChatWish;
use serde_json::Value;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Like `POST`.
    pub method: String,
    pub path: String,
    /// Names and values as they were sent.
    pub headers: Vec<(String, String)>,
    /// The body: `null` when empty, a string when it was not JSON.
    pub body: Value,
    /// When the whole request was there.
    pub arrived: Instant,
    /// Whether a model was put into memory for it.
    pub loaded: bool,
    /// What it took to read its prompt; `None` where none was read, and until it is known.
    pub prompt: Option<PromptRead>,
    /// How it ended; `None` while it is being answered.
    pub ended: Option<Ended>,
}

impl Recorded {
    /// Is this a request for a reply?
    pub fn is_chat(&self) -> bool {
        self.wish() == Some(ChatWish::Reply)
    }

    /// Is this a request that only loads a model, or takes it out of memory?
    pub fn is_load(&self) -> bool {
        self.wish() == Some(ChatWish::Load)
    }

    /// Is this a request that only asks what the model would be given?
    pub fn is_render(&self) -> bool {
        self.wish() == Some(ChatWish::Render)
    }

    /// How much of what the model was given with `earlier` it is given again: tools and messages, byte for byte from the
    /// beginning.
    pub fn repeats(&self, earlier: &Recorded) -> Repeated {
        let (before, now) = (earlier.given(), self.given());
        let bytes = before.bytes().zip(now.bytes()).take_while(|(one, other)| one == other).count();
        Repeated { bytes, of: before.len() }
    }

    /// Tools and messages as JSON, in the order in which they were sent.
    fn given(&self) -> String {
        let messages = self.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let messages: Vec<String> = messages.iter().map(Value::to_string).collect();
        format!("{}\n{}", self.body["tools"], messages.join(","))
    }

    fn wish(&self) -> Option<ChatWish> {
        match (self.method.as_str(), self.path.as_str()) {
            ("POST", "/api/chat") => Some(ChatWish::of(&self.body)),
            ("POST", "/v1/chat/completions") => Some(ChatWish::Reply),
            (_, _) => None,
        }
    }
}

/// How a prompt was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptRead {
    /// Tokens of all of it, as the server counts them.
    pub tokens: u64,
    /// Tokens of these that it had not in mind and had to read; none where it refused.
    pub new: u64,
    /// Tokens that the window holds.
    pub window: u64,
}

/// How much of a prompt stands in the next one again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeated {
    /// Bytes that both begin with.
    pub bytes: usize,
    /// Bytes of the earlier one.
    pub of: usize,
}

impl Repeated {
    /// Does the later prompt begin with the whole earlier one?
    pub fn is_whole(self) -> bool {
        self.bytes == self.of
    }
}

/// The end of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    pub how: End,
    /// When: the last byte was handed to the system, or the client's leaving was noticed.
    pub at: Instant,
}

/// Ways for an answer to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All of it was sent.
    Complete,
    Cut,
    /// The client went away before all was sent.
    ClientGone,
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
            loaded: false,
            prompt: None,
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
        self.note(|entry| {
            entry.ended.get_or_insert(Ended { how, at: Instant::now() });
        });
    }

    pub(crate) fn loaded(&self) {
        self.note(|entry| entry.loaded = true);
    }

    pub(crate) fn read(&self, prompt: PromptRead) {
        self.note(|entry| entry.prompt = Some(prompt));
    }

    fn note(&self, change: impl FnOnce(&mut Recorded)) {
        let mut entries = self.journal.entries();
        entries.get_mut(self.index).map(change);
        drop(entries);
        self.journal.tell();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.ended(End::ServerStopped);
    }
}

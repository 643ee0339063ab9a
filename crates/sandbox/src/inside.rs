//! A network of the session's own: a loopback on which its commands listen and connect, and no other way out than the
//! sockets that are made in it and handed out.

use crate::system::Session;
use agent_protocol::PortCard;
use rustix::fs::fstat;
use std::io;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The network that all commands of a session have for themselves.
#[derive(Debug)]
pub struct Inside {
    pub(crate) session: Arc<Session>,
    /// Sockets that were handed out, by their numbers, which the system gives to no other while they are there.
    handed: Mutex<Vec<u64>>,
    /// How many commands run in it, and how many were begun.
    running: AtomicUsize,
    begun: AtomicU64,
}

/// A command that runs in such a network; it has ended when this is dropped.
#[derive(Debug)]
pub(crate) struct Running {
    inside: Arc<Inside>,
    begun: u64,
    beside_others: bool,
}

impl Running {
    /// Has no other command run in that network meanwhile?
    pub(crate) fn was_alone(&self) -> bool {
        !self.beside_others && self.inside.begun.load(Ordering::SeqCst) == self.begun
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.inside.running.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Inside {
    /// Makes it, and tries it, for commands in `project`; what is private to it lies in `place`, and `home` is the user's.
    /// Blocks for some milliseconds.
    ///
    /// # Errors
    /// Why none can be had here, and what would change that.
    pub(crate) fn make(place: Option<&Path>, home: Option<&Path>, project: &Path) -> Result<Self, String> {
        Ok(Inside {
            session: Arc::new(Session::make(place, home, project)?),
            handed: Mutex::default(),
            running: AtomicUsize::new(0),
            begun: AtomicU64::new(0),
        })
    }

    /// A command begins to run in it.
    pub(crate) fn enter(self: &Arc<Self>) -> Running {
        let beside_others = self.running.fetch_add(1, Ordering::SeqCst) > 0;
        let begun = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        Running { inside: Arc::clone(self), begun, beside_others }
    }

    /// Have its commands mounts of their own? Only then is what [`More::hidden`](crate::More) names really hidden, and is
    /// `/tmp` private.
    ///
    /// # Errors
    /// Why not.
    pub fn covers(&self) -> Result<(), &str> {
        self.session.covers()
    }

    /// May sockets of its commands have a path? Only where none of another program is in their reach, whenever that was
    /// made. The first call tries it, which blocks for some milliseconds.
    ///
    /// # Errors
    /// Why not.
    pub fn path_sockets(&self) -> Result<(), String> {
        self.session.overlays().map(drop)
    }

    /// Listens on 127.0.0.1 of that network, at a port that is free. Nobody outside can connect.
    ///
    /// # Errors
    /// The system's words.
    pub fn listen(&self) -> io::Result<TcpListener> {
        let listener = self.session.listen()?;
        let number = fstat(&listener)?.st_ino;
        self.handed.lock().unwrap_or_else(PoisonError::into_inner).push(number);
        Ok(listener)
    }

    /// Connects to this port of its loopback, by 127.0.0.1 or else by `::1`. Blocks for a moment.
    ///
    /// # Errors
    /// The system's words.
    pub fn connect(&self, port: u16) -> io::Result<TcpStream> {
        self.session.connect(port)
    }

    /// Where something listens in it, by number, but for ports that were handed out. Blocks for a moment.
    pub fn ports(&self) -> Vec<PortCard> {
        let handed = self.handed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.session.ports(&handed)
    }
}

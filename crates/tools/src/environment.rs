//! What the tools of a session stand on. Plain data, made by the door.

use crate::apply::digest;
use crate::buffers::Buffers;
use crate::mcp::Pinned;
use crate::web::Web;
use agent_protocol::{Digest, SkillCard};
use agent_sandbox::Surroundings;
use agent_sandbox::proxy::Rules;
use std::collections::HashMap;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// [`Ground::at_once`], for people who wait.
pub const AT_ONCE: Duration = Duration::from_millis(1_500);

/// What the tools of a session stand on.
#[derive(Debug, Clone)]
pub struct Ground {
    /// The project folder: absolute, links resolved.
    pub root: PathBuf,
    /// The user's home, links resolved.
    pub home: Option<PathBuf>,
    /// What every command finds around it.
    pub surroundings: Arc<Surroundings>,
    /// Values that must not be shown: tokens and passwords of the environment.
    pub secret_values: Vec<String>,
    /// Where the bytes of files go that can be brought back.
    pub keep: Arc<dyn Keep>,
    /// How much of what commands may do can be brought back.
    pub undo: UndoLimits,
    /// Where the user keeps our settings, and with them what they bring along: tools, skills, agents, what is
    /// remembered.
    pub user_folder: Option<PathBuf>,
    /// The user trusts what was found in the project.
    pub trusted: bool,
    /// Servers that bring tools of their own, as the user approved them.
    pub mcp: Vec<Pinned>,
    /// The skills there are, by name.
    pub skills: Vec<SkillCard>,
    /// The way to the net.
    pub web: Web,
    /// The user's own language servers, before those that we know.
    pub servers: Vec<LanguageServer>,
    /// What is started in the background and ends within this time is told as if it had been waited for: a word
    /// misspelt, a port in use.
    pub at_once: Duration,
    /// How commands of the sandbox reach the net.
    pub outside: Outside,
    /// The editor that the session is used in, where it tells what it holds of files.
    pub buffers: Option<Arc<dyn Buffers>>,
}

/// A language server of the user's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageServer {
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Endings of the files it is for, without the dot.
    pub extensions: Vec<String>,
}

/// How commands of the sandbox reach the net, where they have a network of their own.
#[derive(Debug, Clone, Default)]
pub struct Outside {
    /// What holds for every connection, whatever was granted.
    pub rules: Rules,
    /// Folders of ours that no such command sees: settings and state.
    pub own: Vec<PathBuf>,
}

impl Ground {
    /// The project at `root`, with what this process finds around itself. What can be brought back is kept in memory.
    ///
    /// # Errors
    /// No temporary folder could be made.
    pub fn of_this_process(root: PathBuf) -> io::Result<Self> {
        let surroundings = Arc::new(Surroundings::new(std::env::vars_os(), &[], &root)?);
        let home = std::env::var_os("HOME").and_then(|home| PathBuf::from(home).canonicalize().ok());
        let keep = Arc::new(KeptInMemory::default());
        Ok(Ground {
            root,
            home,
            surroundings,
            secret_values: Vec::new(),
            keep,
            undo: UndoLimits::default(),
            user_folder: None,
            trusted: false,
            mcp: Vec::new(),
            skills: Vec::new(),
            web: Web::default(),
            servers: Vec::new(),
            at_once: AT_ONCE,
            outside: Outside::default(),
            buffers: None,
        })
    }
}

/// Keeps bytes under their digest.
pub trait Keep: Send + Sync {
    /// Keeps them. Keeping them once more costs no room.
    ///
    /// # Errors
    /// They could not be written down; [`io::ErrorKind::OutOfMemory`]: there is no room left that may be used.
    fn keep(&self, bytes: &[u8]) -> io::Result<Digest>;

    /// The bytes of this digest.
    ///
    /// # Errors
    /// They are not there, or not what they were.
    fn fetch(&self, digest: &Digest) -> io::Result<Vec<u8>>;

    /// Sees to it that what is kept under this digest outlasts a power cut. Blocking.
    ///
    /// # Errors
    /// It is not there, or the system cannot say that it is written down.
    fn settle(&self, _digest: &Digest) -> io::Result<()> {
        Ok(())
    }

    /// Bytes that can still be kept, as far as that is known.
    fn room(&self) -> u64 {
        u64::MAX
    }
}

impl Debug for dyn Keep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Keep")
    }
}

/// How much of what commands may do to a project can be brought back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UndoLimits {
    /// Bytes of the largest file that is kept.
    pub max_file: u64,
    /// Files of the largest project that is looked at whole.
    pub max_files: u64,
    /// Bytes that are kept in one session.
    pub budget: u64,
}

impl Default for UndoLimits {
    fn default() -> Self {
        UndoLimits { max_file: 1 << 20, max_files: 50_000, budget: 512 << 20 }
    }
}

/// Keeps bytes in memory, as long as it lives.
pub struct KeptInMemory {
    most: u64,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    bytes: u64,
    by_digest: HashMap<Digest, Vec<u8>>,
}

impl KeptInMemory {
    /// Keeps at most so many bytes.
    pub fn at_most(bytes: u64) -> Self {
        KeptInMemory { most: bytes, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for KeptInMemory {
    fn default() -> Self {
        KeptInMemory::at_most(u64::MAX)
    }
}

impl Keep for KeptInMemory {
    fn keep(&self, bytes: &[u8]) -> io::Result<Digest> {
        let (digest, size, mut kept) = (digest(bytes), bytes.len() as u64, self.kept());
        if kept.by_digest.contains_key(&digest) {
            return Ok(digest);
        }
        if size > self.most.saturating_sub(kept.bytes) {
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, "no more is kept in memory"));
        }
        kept.bytes += size;
        kept.by_digest.insert(digest.clone(), bytes.into());
        Ok(digest)
    }

    fn fetch(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        self.kept().by_digest.get(digest).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn room(&self) -> u64 {
        self.most.saturating_sub(self.kept().bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_in_memory_has_an_end_and_the_same_bytes_cost_once() {
        let keep = KeptInMemory::at_most(6);
        assert_eq!((keep.keep(b"1234").unwrap(), keep.room()), (digest(b"1234"), 2));
        assert_eq!((keep.keep(b"1234").unwrap(), keep.room()), (digest(b"1234"), 2));
        assert_eq!(keep.keep(b"567").unwrap_err().kind(), io::ErrorKind::OutOfMemory);
        assert!(keep.fetch(&digest(b"567")).is_err());
        assert_eq!((keep.keep(b"56").unwrap(), keep.room()), (digest(b"56"), 0));
    }
}

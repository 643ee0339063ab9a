//! What can go wrong with a session, in words that name the next step.

use crate::StoreError;
use agent_protocol::SessionId;
use std::io;
use std::path::{Path, PathBuf};

/// So many names are told where one could be several.
const SOME: usize = 3;

/// Why a session is not opened, read or removed.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// There is none of that name.
    #[error("there is no session `{name}`; `agent sessions list` shows those that are kept")]
    Missing {
        /// As it was asked for.
        name: String,
    },
    #[error("`{name}` is the beginning of {} sessions: {}; give more of the name", fitting.len(), some(fitting))]
    Ambiguous {
        /// As it was asked for.
        name: String,
        /// All of them, the newest first.
        fitting: Vec<SessionId>,
    },
    /// Another agent writes in it.
    #[error(
        "session {id} is open in another agent; go on there, in a copy with `agent -r {id} --fork`, or pick another one \
         with `agent -r`"
    )]
    InUse { id: SessionId },
    /// A newer agent wrote it.
    #[error(
        "session {id} was written by a newer agent (format {version}, this one knows {}); update agent to open it",
        super::line::VERSION
    )]
    Newer {
        id: SessionId,
        /// The format it is written in.
        version: u64,
    },
    /// It cannot be told what is in it; it is left as it is.
    #[error("session {id} cannot be read: {why}")]
    Unreadable {
        id: SessionId,
        /// What is wrong with it and what to do, in words.
        why: String,
    },
    /// Somebody else could have written it.
    #[error(transparent)]
    Exposed(#[from] StoreError),
    #[error("cannot {what} {}: {}", path.display(), super::trouble::words(source))]
    Io {
        /// To do what, like `read`.
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl SessionError {
    /// For `map_err`: what could not be done to which file.
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| SessionError::Io { what, path, source }
    }
}

fn some(fitting: &[SessionId]) -> String {
    let mut names: Vec<&str> = fitting.iter().take(SOME).map(|id| id.0.as_str()).collect();
    if fitting.len() > SOME {
        names.push("…");
    }
    names.join(", ")
}

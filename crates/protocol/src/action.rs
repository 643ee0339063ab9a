//! What a call would do to the world, in the few words that `policy` needs.

use crate::lossy;
use crate::{Profile, Restoring};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How much is asked before something happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Every write and every command asks first.
    #[default]
    Safe,
    /// Nothing inside the project waits; what leaves it still asks.
    Unsafe,
}

/// One effect on the world. Paths are absolute and resolved (links followed).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Action {
    /// Looks at files or folders; changes nothing.
    Read {
        /// What is looked at. A folder stands for everything below it.
        #[serde(serialize_with = "lossy::paths")]
        paths: Vec<PathBuf>,
    },
    /// Changes files.
    Write {
        /// Every file with what it will hold.
        changes: Changes,
    },
    /// Brings files back to how they were, or forth again.
    Restore {
        /// Every file with what must be there and what will be.
        files: Vec<Restoring>,
    },
    /// Starts a program.
    Run {
        /// The shell line, exactly as it will be handed to `sh -c`.
        command: String,
        /// The folder it runs in.
        #[serde(serialize_with = "lossy::path")]
        cwd: PathBuf,
        /// Seconds after which it is ended.
        timeout_secs: u64,
        /// How far it may reach.
        #[serde(default)]
        profile: Profile,
    },
}

/// Files with what was there and what will be there. A permit covers exactly this text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Changes(pub Vec<Change>);

/// One file of [`Changes`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The file, links resolved.
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    /// Digest of the bytes that were there when the change was planned; `None`: there was no file.
    pub before: Option<Digest>,
    /// The bytes that will be there, as text; `None`: the file is deleted.
    pub after: Option<String>,
}

/// SHA-256 of a file's bytes, in lower-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(pub String);

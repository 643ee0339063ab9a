//! Sessions that are kept, and what is written down of them.

use crate::lossy;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// The name of a kept session, like `20261122-134501-3f9a`: names sort by when the sessions began.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(pub String);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a list of sessions tells of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionCard {
    pub id: SessionId,
    /// The name the user gave it, else the first words they said in it.
    pub title: String,
    /// The project folder it was last open in.
    #[serde(serialize_with = "lossy::path")]
    pub project: PathBuf,
    /// When it began, in seconds since 1970.
    pub began: i64,
    /// When something was last written down, in seconds since 1970.
    pub updated: i64,
    /// The model that was talked to last.
    pub model: Option<String>,
    pub turns: u64,
    /// Bytes it takes on disk.
    pub bytes: u64,
    /// The session it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<SessionId>,
    /// An agent has it open right now.
    #[serde(default)]
    pub open: bool,
}

/// Is what happens being written down?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "journal", rename_all = "snake_case")]
pub enum JournalState {
    Kept {
        id: SessionId,
    },
    /// It cannot be; it is held in memory, and written down as soon as that is possible.
    Unkept {
        /// Why, in words that name the next step.
        why: String,
    },
}

/// What a rewind takes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RewindWhat {
    /// What was said since; files stay as they are.
    Conversation,
    /// What was done to files since; the conversation stays.
    Files,
    Both,
}

/// How a session is written out for others to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    Markdown,
    /// One object with every record, for programs.
    Json,
}

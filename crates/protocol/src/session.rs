//! Sessions that are kept, and what is written down of them.

use crate::lossy;
use crate::{CallId, Digest, Event, Message, SaidId, UndoDirection, UndoneFile};
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
    /// Its name.
    pub id: SessionId,
    /// The name the person gave it, else the first words they said in it.
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
    /// Turns it has.
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

/// One thing that is written down of a session. In order they are the session: the events for a person, and the
/// conversation for the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are events")]
pub enum Record {
    /// The session begins, or goes on after it was resumed.
    Setting(Setting),
    /// A fact, as the faces heard it.
    Event {
        /// The fact.
        event: Event,
    },
    /// Files are about to be brought back, to be followed by an `Undone` that says what came of it.
    Undoing {
        /// Back or forth.
        direction: UndoDirection,
        /// Back to before this was said, or forth to after it.
        said: SaidId,
        /// As it is meant to end.
        files: Vec<UndoneFile>,
    },
    /// A call is about to change something: what was there before is kept under this digest.
    Before {
        /// Which call.
        call: CallId,
        /// Of a list of files, as `tools` wrote it.
        kept: Digest,
    },
    /// The conversation as the model sees it: from the message number `from` on it is these.
    Conversation {
        /// So many messages stay, from the first.
        from: usize,
        /// These follow.
        messages: Vec<Message>,
        /// The last of them is what arrived of a reply that broke off.
        #[serde(default)]
        broken_tail: bool,
        /// What stands last awaits no reply.
        #[serde(default)]
        settled: bool,
        /// What stands last was not sent yet: what is said next is joined to it.
        #[serde(default)]
        unsent: bool,
    },
}

/// What a session runs with, to be compared when it goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// The project folder, links resolved.
    #[serde(serialize_with = "lossy::path")]
    pub project: PathBuf,
    /// The standing instructions that a new conversation would begin with.
    pub instructions: String,
    /// The tools that are offered, by name, in order.
    pub tools: Vec<String>,
    /// The version of this program.
    pub version: String,
}

/// Is what happens being written down?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "journal", rename_all = "snake_case")]
pub enum JournalState {
    /// It is.
    Kept {
        /// In this session.
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
    /// Both.
    Both,
}

/// How a session is written out for others to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// For people.
    Markdown,
    /// One object with every record, for programs.
    Json,
}

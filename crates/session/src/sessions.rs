//! Sessions as the door and the loop hand them over. Plain data.

use agent_protocol::{CallId, FileChange, Record, SessionCard, SessionId};

/// A session that was opened to go on with.
#[derive(Debug)]
pub struct OpenedSession {
    /// What is known of it.
    pub card: SessionCard,
    pub records: Vec<Record>,
    /// What could not be read of its end, and where that lies now, in words.
    pub torn: Option<String>,
    /// What became of files in calls that never told how they ended.
    pub recovered: Vec<(CallId, Vec<FileChange>)>,
    /// What was said first after the place it was copied from: it may be said again in other words.
    pub next: Option<String>,
}

/// What a session begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Begin {
    #[default]
    New,
    /// A kept session goes on.
    Session(SessionId),
    /// A copy of a kept session goes on.
    Copy(SessionId),
}

//! What a turn really did, looked up on disk.

use crate::{FolderReceipt, Status};
use serde::{Deserialize, Serialize};

/// What a turn really did, looked up on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Files that are not as they were before the turn.
    pub files: Vec<FileReceipt>,
    /// Commands that ran, each once, by their last run.
    pub commands: Vec<CommandReceipt>,
    /// Folders of what is built or fetched that grew or changed; what is in them is not counted one by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<FolderReceipt>,
    /// Hosts that commands reached, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<crate::Host>,
    /// What the answer claims and did not happen, one thing an entry, in words: `it says that a.rs was changed`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// A change was asked for, and nothing was changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchanged: bool,
    /// How the check went that ran after the last change and passed, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<String>,
    /// How the check failed that ran after the last change, in words: `2 of 14 failed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<String>,
    /// Why no check ran after the last change, or why it could check nothing, in words: `no tests found`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
}

/// One file of a [`Receipt`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileReceipt {
    /// As a person would name it.
    pub shown_path: String,
    pub what: FileFate,
    /// Lines added since before the turn.
    pub added: u64,
    /// Lines removed since before the turn.
    pub removed: u64,
}

impl FileReceipt {
    /// What stands behind its name: ` +3 −1 (new)`.
    pub fn fate_words(&self) -> String {
        let count = |sign, lines: u64| if lines > 0 { format!(" {sign}{lines}") } else { String::new() };
        let fate = match self.what {
            FileFate::Created => " (new)",
            FileFate::Changed => "",
            FileFate::Deleted => " (deleted)",
        };
        format!("{}{}{fate}", count('+', self.added), count('−', self.removed))
    }
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileFate {
    Created,
    /// It holds something else.
    Changed,
    Deleted,
}

/// One command of a [`Receipt`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandReceipt {
    /// The shell line.
    pub command: String,
    /// How it ended; of one in the background `done` says that it runs on.
    pub status: Status,
    /// It runs in the background, or did until it was stopped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// How its parts ended, where one of them failed and its exit code does not say which.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<crate::PartEnd>,
}

impl CommandReceipt {
    /// How its parts ended, behind how it ended itself: `, but cargo test: 101 | tail: 0`. Empty where that says it all.
    pub fn parts_end_words(&self) -> String {
        let joint = if matches!(self.status, Status::Exited { code: Some(1..) }) { "parts:" } else { "but" };
        crate::parts_words(&self.parts).map_or(String::new(), |parts| format!(", {joint} {parts}"))
    }

    /// How it ended, its parts apart: `exit 2`.
    pub fn end_words(&self) -> String {
        match self.status {
            Status::Done if self.background => "left running".to_owned(),
            Status::Done => "exit 0".to_owned(),
            Status::Exited { code: Some(code) } => format!("exit {code}"),
            Status::Exited { code: None } => "ended by a signal".to_owned(),
            Status::Failed { kind } => kind.words().to_owned(),
            Status::Refused => "refused".to_owned(),
            Status::Stopped => "stopped".to_owned(),
            // It ended before the turn did, and how is not known.
            Status::Unknown if self.background => "run in the background".to_owned(),
            Status::Unknown => "may have run".to_owned(),
        }
    }
}

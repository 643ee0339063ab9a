//! What a file was, so that it can be compared and brought back.

use crate::lossy;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// SHA-256 of a file's bytes, in lower-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(pub String);

/// What lies, or does not lie, under a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum FileState {
    Missing,
    /// A file whose bytes are kept.
    File {
        /// Of its bytes; they are kept under this name.
        content: Digest,
        /// Its permission bits, like `0o644`.
        mode: u32,
        size: u64,
    },
    /// A symbolic link.
    Link {
        /// What it says, which may be anything.
        #[serde(serialize_with = "lossy::path")]
        target: PathBuf,
    },
    /// Something is there, but its bytes are not kept, so it cannot be brought back.
    Unkept {
        /// Why not.
        why: Unkept,
        size: u64,
    },
}

impl FileState {
    /// Bytes that are kept of it.
    pub fn kept_size(&self) -> u64 {
        match self {
            FileState::File { size, .. } => *size,
            FileState::Missing | FileState::Link { .. } | FileState::Unkept { .. } => 0,
        }
    }
}

/// One file that is to be brought from exactly one state to exactly another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restoring {
    /// Absolute, links on the way to it resolved.
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    /// What must be there; anything else is left alone.
    pub from: FileState,
    pub to: FileState,
}

/// Why the bytes of something are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unkept {
    /// It is larger than one file may be (`undo.max_file_mb`).
    TooLarge,
    /// There was no room left for it (`undo.budget_mb`).
    NoRoom,
    /// It could not be read, or the bytes could not be written down.
    Unreadable,
    /// It is a device, a socket, a pipe, or a folder where a file was.
    Special,
    /// Its name is no UTF-8.
    Name,
}

impl Unkept {
    /// In words that follow "not covered:".
    pub fn words(self) -> &'static str {
        match self {
            Unkept::TooLarge => "too large",
            Unkept::NoRoom => "no room left for it",
            Unkept::Unreadable => "cannot be read or kept",
            Unkept::Special => "no plain file",
            Unkept::Name => "its name is no UTF-8",
        }
    }
}

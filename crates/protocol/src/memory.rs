//! What is remembered from session to session, as faces list it.

use crate::lossy;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A file of notes, as it was when the session began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryCard {
    pub scope: MemoryScope,
    /// Where it lies, or would.
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    /// What of it there was room for; empty where there is nothing.
    pub text: String,
    /// Lines at its beginning that are left out, as there is no room for them.
    pub left_out: u64,
    /// The model is told of it.
    pub told: bool,
}

/// For which sessions something is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryScope {
    /// For all of the user's.
    Global,
    /// For those in this project.
    Project,
}

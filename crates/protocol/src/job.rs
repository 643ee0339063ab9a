//! Commands in the background, and skills, as faces list them.

use crate::BackgroundId;
use crate::lossy;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A command in the background.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackgroundCommand {
    pub id: BackgroundId,
    /// The shell line, or how a shell would be told it.
    pub command: String,
    /// What it is for, in the model's words; empty where it did not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// How it stands with it.
    pub state: BackgroundState,
    /// When it was started, in seconds since 1970.
    pub since: i64,
}

/// How it stands with a command in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum BackgroundState {
    Running,
    Ended {
        /// Its exit code; `None`: by a signal.
        code: Option<i32>,
    },
    Stopped,
}

/// A skill: words for a certain kind of work, told to the model when it asks for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillCard {
    /// By which it is asked for.
    pub name: String,
    /// When it helps.
    pub description: String,
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
}

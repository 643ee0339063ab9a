//! How far a command may reach, and what holds it in there.

use crate::Profile;
use crate::lossy::is_false;
use crate::{FolderReceipt, Host, PartEnd};
use serde::{Deserialize, Serialize};

/// What holds commands in on this system, found by trying it and not by asking for versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxSupport {
    pub kind: SandboxKind,
    /// In a few words: what is in force, or why nothing is.
    pub words: String,
    /// For a closer look, one line each: what is held, what is not, and what would change that.
    #[serde(default)]
    pub details: Vec<String>,
    /// Commands have a network and a `/tmp` of their own, and reach the net host by host.
    #[serde(default, skip_serializing_if = "is_false")]
    pub apart: bool,
}

/// Kinds of [`SandboxSupport`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SandboxKind {
    /// The kernel holds profiles up.
    Kernel,
    None,
    /// The user switched it off.
    Off,
    /// The user said that this machine may be thrown away: nothing holds commands in, and nothing is asked.
    Disposable,
}

impl SandboxSupport {
    /// None, for this reason.
    pub fn none(why: impl Into<String>) -> Self {
        SandboxSupport { kind: SandboxKind::None, words: why.into(), details: Vec::new(), apart: false }
    }
}

/// What the sandbox has to tell of a command that ran.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxReport {
    /// It or a part of it failed, and the sandbox is the likely reason: what it was kept from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
    /// Only its own words say that it was kept from that: a possibility, and no more.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unsure: bool,
    /// Where it wanted to go there, if it said so: a host, or a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Protected files of the project that are not as they were before it, by the names a person would use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tampered: Vec<String>,
    /// Repositories that were made meanwhile and in which git starts nothing, with what came with them: `sub/`,
    /// `sub/ with AGENTS.md`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<Host>,
    /// How its parts ended, where it has several and one of them failed and the exit code does not say which.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartEnd>,
    /// Folders of what is built or fetched in which something changed: `.venv`, `node_modules`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub built: Vec<FolderReceipt>,
}

impl SandboxReport {
    /// For people: what the sandbox kept the command from, and whether that is certain.
    pub fn blocked_words(&self) -> Option<String> {
        let place = self.place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
        let perhaps = if self.unsure { "perhaps " } else { "" };
        Some(format!("{perhaps}kept from {}{place} by the sandbox", self.blocked?.words()))
    }

    /// How the parts of the command ended, where its exit code does not say which failed: `cargo test: 101 | tail: 0`.
    pub fn parts_words(&self) -> Option<String> {
        parts_words(&self.parts)
    }
}

/// How parts of a command ended: `cargo test: 101 | tail: 0`. `None` where there are none.
pub fn parts_words(parts: &[PartEnd]) -> Option<String> {
    let words: Vec<String> = parts.iter().map(|part| format!("{}: {}", part.words, part.code)).collect();
    (!words.is_empty()).then(|| words.join(" | "))
}

/// What a command was kept from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blocked {
    Network,
    /// Writing where its profile does not reach.
    Writing,
}

impl Blocked {
    /// For people and models: what the sandbox kept it from.
    pub fn words(self) -> &'static str {
        match self {
            Blocked::Network => "the network",
            Blocked::Writing => "writing outside the project",
        }
    }

    /// The next wider profile that would let it, from `profile`; `None` where none is wider.
    pub fn wider(self, profile: Profile) -> Option<Profile> {
        match (self, profile) {
            (Blocked::Writing, Profile::ReadOnly) => Some(Profile::Project),
            (Blocked::Network, Profile::ReadOnly | Profile::Project) => Some(Profile::Network),
            (Blocked::Network, Profile::Network) => Some(Profile::Unfenced),
            (Blocked::Writing, Profile::Project | Profile::Network) => Some(Profile::Unfenced),
            (Blocked::Network | Blocked::Writing, Profile::Unfenced) => None,
        }
    }
}

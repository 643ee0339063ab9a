//! What can be shown on request: each wish with its answer. Nothing else comes of either: the answer changes nothing of
//! what a front end knows, and whoever asked for it shows it.

use crate::{
    ContextReport, Grant, Hook, MemoryCard, PortCard, ServerError, SessionCard, SkillCard, UndoFile, UndoTurn,
};
use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// Wishes to be shown something. Each is answered by the event of its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "op", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ListOp {
    /// The ports on which something listens in the sandbox.
    Ports,
    /// The rules that hold.
    Permissions,
    /// Where the tokens of the window go.
    Context,
    /// What the model would be sent next.
    Prompt,
    Skills,
    /// The hooks of the settings.
    Hooks,
    /// What is remembered of earlier sessions.
    Memory,
    /// The kept sessions, those of this project first.
    Sessions,
    /// What can be undone and redone.
    Undoable,
    /// The files that this session changed, against the last commit.
    AgainstHead,
    /// The names of the project's files and folders, to name one in a message.
    Files,
}

/// What somebody wished to be shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "type", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ListEvent {
    /// The ports on which something listens in the sandbox. Comes also where one was opened or closed.
    Ports {
        ports: Vec<PortCard>,
    },
    /// The rules that hold. Comes also where one was taken back.
    Permissions {
        /// One entry a rule, those of this session last.
        grants: Vec<Grant>,
    },
    /// Where the tokens go.
    Context {
        report: Box<ContextReport>,
    },
    /// What the model would be sent next.
    Prompt {
        /// The request, exactly as it would be sent: JSON.
        request: String,
        /// The text the server makes of it for the model, where it tells.
        rendered: Option<String>,
        /// Why it does not tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<ServerError>,
    },
    Skills {
        skills: Vec<SkillCard>,
    },
    /// The hooks of the settings, and whether each is in force.
    Hooks {
        /// The user's own first.
        hooks: Vec<Hook>,
    },
    /// What is remembered of earlier sessions, as it was when this one began.
    Memory {
        /// That for all projects first.
        files: Vec<MemoryCard>,
    },
    /// The kept sessions: those of this project first, the newest first.
    Sessions {
        sessions: Vec<SessionCard>,
        /// The time now, in seconds since 1970.
        now: i64,
    },
    /// What can be undone and redone, oldest first.
    Undoable {
        /// One entry for each thing said for which something was changed.
        turns: Vec<UndoTurn>,
    },
    /// The files that this session changed and that are not as in the last commit of git (`HEAD`).
    AgainstHead {
        /// What would change if they became what the commit holds, by name.
        files: Vec<UndoFile>,
        /// Why git is not asked, in words; there are no files then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// The names of the project's files and folders, without what git ignores and what holds secrets.
    Files {
        /// Relative to the project, folders with a slash at the end; those changed last first, the others by name.
        names: Vec<String>,
        /// There are others that are not told.
        more: bool,
    },
}

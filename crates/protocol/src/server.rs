//! How it stands with the model server, and how far a download is.

use crate::{ServerCard, ServerError};
use serde::{Deserialize, Serialize};

/// How it stands with the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ServerState {
    /// It is being looked for.
    Looking,
    /// It is being started by us.
    Starting,
    /// It answers, and is this one.
    Up(ServerCard),
    /// It does not.
    Down {
        trouble: ServerError,
        /// Could we start it here?
        can_start: bool,
    },
}

/// A model server on this machine that was found by looking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearbyServer {
    /// What the product is called.
    pub name: String,
    pub host: String,
}

/// Why the list of models is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum ModelsReason {
    Asked,
    /// None is chosen yet.
    NoneChosen,
    /// The chosen one is not installed.
    Missing {
        name: String,
    },
    /// The chosen one is not used, for the user or the server said no; why was said.
    NotUsed {
        name: String,
    },
}

/// How far a download is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum PullState {
    Progress {
        /// The server's word for the step.
        status: String,
        done: u64,
        /// Bytes in all; 0 while unknown.
        total: u64,
    },
    Done,
    /// Stopped by the user. What is here stays for the next try.
    Stopped,
    Failed {
        trouble: ServerError,
    },
}

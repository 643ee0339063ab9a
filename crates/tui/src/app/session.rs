//! What is known of the session: the facts behind the status line.

use agent_protocol::{Mode, ModelCard, ServerState, ToolSpec, Usage};
use std::path::PathBuf;
use std::time::Duration;

/// The session as the events told it.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) project: PathBuf,
    pub(crate) host: String,
    pub(crate) mode: Mode,
    pub(crate) tools: Vec<ToolSpec>,
    pub(crate) server: Option<ServerState>,
    pub(crate) model: Option<ModelCard>,
    /// Tokens in the window, and tokens it holds; 0 while unknown.
    pub(crate) used: u64,
    pub(crate) window: u64,
    /// Counts of the last reply.
    pub(crate) usage: Usage,
    /// How long the last turn took.
    pub(crate) last_turn: Option<Duration>,
}

impl Session {
    /// Is the server being started?
    pub(crate) fn is_starting(&self) -> bool {
        matches!(self.server, Some(ServerState::Starting))
    }

    /// Is it known that no server answers?
    pub(crate) fn is_down(&self) -> bool {
        matches!(self.server, Some(ServerState::Down { .. }))
    }

    /// Is it known that the model cannot call tools?
    pub(crate) fn lacks_tools(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.tools == Some(false))
    }
}

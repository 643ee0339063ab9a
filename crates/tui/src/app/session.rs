//! What is known of the session: the facts behind the status line.

use super::Arrivals;
use agent_protocol::{Mode, ModelCard, ServerState, ToolCost, ToolSpec, ToolsBy, Usage};
use std::path::PathBuf;
use std::time::Duration;

/// The session as the events told it.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) project: PathBuf,
    pub(crate) host: String,
    pub(crate) mode: Mode,
    pub(crate) tools: Vec<ToolSpec>,
    /// How the model gets them; `None` while unknown.
    pub(crate) offered: Option<Offered>,
    pub(crate) arrivals: Arrivals,
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

/// How the model gets its tools.
#[derive(Debug)]
pub(crate) struct Offered {
    pub(crate) by: ToolsBy,
    pub(crate) costs: Vec<ToolCost>,
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

    /// Is it known that the model cannot call tools, and are they not described to it in words?
    pub(crate) fn lacks_tools(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.tools == Some(false)) && !self.tools_by_text()
    }

    /// Are the tools described in the prompt, and called in text?
    pub(crate) fn tools_by_text(&self) -> bool {
        matches!(&self.offered, Some(Offered { by: ToolsBy::Text, .. }))
    }

    /// What a tool takes of the prompt, in tokens.
    pub(crate) fn cost(&self, tool: &str) -> Option<u64> {
        let costs = self.offered.as_ref().map(|offered| &offered.costs)?;
        costs.iter().find(|cost| cost.name == tool).map(|cost| cost.tokens)
    }
}

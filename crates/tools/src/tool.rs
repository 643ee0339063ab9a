//! What every tool is, and what all tools share.

use crate::ahead::Ahead;
use crate::arguments::{Arguments, Form};
use crate::change::{Checks, Refused, Rewrite};
use crate::lsp::Servers;
use crate::planning::Planning;
use crate::program::{Runner, SharedLevers};
use crate::undo::Undo;
use crate::web::Web;
use crate::workspace::Workspace;
use crate::{Ground, PlannedCall, Secrets};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, Levers, ToolSpec};
use std::sync::{Arc, PoisonError};

/// A tool: what the model may call.
pub(crate) trait Tool: Send + Sync {
    /// How it is offered to the model.
    fn spec(&self, form: &Form) -> ToolSpec {
        form.spec()
    }

    /// What it would have to look at: resolves names, looks at nothing else.
    ///
    /// # Errors
    /// A [`Failure`] for arguments that it cannot do with.
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure>;

    /// Works out what it would do. May look where `look` permits, and nowhere else; changes nothing. Blocking.
    ///
    /// # Errors
    /// A [`Failure`] when it cannot be done.
    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure>;

    /// Why there is nothing for it to do in this session; it is not offered then.
    fn idle(&self) -> Option<&'static str> {
        None
    }

    /// What the model does instead where nobody is there to answer or agree: `Some` for what only a person can. It is not
    /// offered then.
    fn alone(&self) -> Option<&'static str> {
        None
    }
}

/// What all tools share; cheap to clone.
#[derive(Clone)]
pub(crate) struct ToolContext {
    pub(crate) workspace: Workspace,
    pub(crate) runner: Runner,
    pub(crate) ground: Ground,
    pub(crate) web: Web,
    pub(crate) secrets: Secrets,
    pub(crate) servers: Arc<Servers>,
    pub(crate) planning: Planning,
    pub(crate) ahead: Ahead,
    levers: SharedLevers,
    /// Files whose last change was refused: for its syntax, and as one that replaces too much.
    refused: [Refused; 2],
}

impl ToolContext {
    pub(crate) fn new(workspace: &Workspace, ground: &Ground, undo: &Undo) -> Self {
        let secrets = Secrets::new(ground.secret_values.iter().cloned());
        let levers = SharedLevers::default();
        let runner = Runner::new(ground, undo.clone(), Arc::clone(&levers));
        let servers = Arc::new(Servers::new(ground, &runner.watch));
        ToolContext {
            workspace: workspace.clone(),
            runner,
            ground: ground.clone(),
            web: ground.web.clone(),
            secrets,
            servers,
            planning: Planning::default(),
            ahead: Ahead::default(),
            levers,
            refused: Default::default(),
        }
    }

    /// What is done around the model in use.
    pub(crate) fn levers(&self) -> Levers {
        self.levers.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What is looked at around a change.
    pub(crate) fn checks(&self) -> Checks {
        let levers = self.levers();
        let [refused, _] = self.refused.clone();
        Checks { syntax: levers.syntax, refused, servers: levers.diagnostics.then(|| self.servers.clone()) }
    }

    /// When a whole new text of a file is taken.
    pub(crate) fn rewrite(&self) -> Rewrite {
        let [_, refused] = self.refused.clone();
        Rewrite { lines: self.levers().whole_file_lines, refused }
    }

    /// Another model is in use: from now on this holds.
    pub(crate) fn adapt(&self, levers: Levers) {
        *self.levers.write().unwrap_or_else(PoisonError::into_inner) = levers;
    }
}

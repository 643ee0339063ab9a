//! What every tool is.

use agent_policy::Permit;
use agent_protocol::{Action, Chunk, Failure, Outcome, Preview, Proposal, ToolSpec};
use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

/// A tool: what the model may call.
pub trait Tool: Send + Sync {
    /// How it is offered to the model.
    fn spec(&self) -> ToolSpec;

    /// What it would have to look at: resolves names, looks at nothing else.
    ///
    /// # Errors
    /// A [`Failure`] for arguments that cannot be read.
    fn reach(&self, args: &Value) -> Result<Action, Failure>;

    /// Works out what it would do. May look where `look` permits, and nowhere else; changes nothing. Blocking.
    ///
    /// # Errors
    /// A [`Failure`] when it cannot be done.
    fn plan(&self, args: &Value, look: Permit) -> Result<Box<dyn Job>, Failure>;
}

/// A planned call.
pub trait Job: Send {
    /// Exactly what it would do.
    fn action(&self) -> Action;

    /// The same for a person to look at.
    fn preview(&self) -> Preview;

    /// The same job with a person's proposal in place of the model's.
    ///
    /// # Errors
    /// A [`Failure`] when this job has no such part.
    fn amend(self: Box<Self>, proposal: Proposal) -> Result<Box<dyn Job>, Failure>;

    /// How the model gets what is cut from a long result; stands in the line that says what was cut.
    fn rest(&self) -> &'static str {
        "ask for less at a time"
    }

    /// Does it. Called by `perform` alone, which has compared the permit's action with [`Job::action`].
    fn run(self: Box<Self>, permit: Permit, out: Output) -> BoxFuture<'static, Outcome>;
}

/// Where a running job puts what it says.
#[derive(Debug, Clone)]
pub struct Output {
    /// Live pieces for the screen, at most about twenty a second. A closed channel is no error.
    pub live: UnboundedSender<Chunk>,
    /// Bytes that the result may take in the model's window.
    pub room: usize,
}

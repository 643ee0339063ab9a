//! All tools by name, and the one way to carry out what they plan.

use crate::{Job, Output};
use agent_policy::{Facts, Permit, Query};
use agent_protocol::{Action, Failure, ModelCall, Outcome, ToolSpec};
use futures_util::future::BoxFuture;
use std::path::PathBuf;

/// The tools of one project.
pub struct Toolbox {
    root: PathBuf,
}

impl Toolbox {
    /// The core tools over the project at `root` (absolute, links resolved).
    pub fn new(root: PathBuf) -> Self {
        Toolbox { root }
    }

    /// What the model is offered, always in the same order.
    pub fn specs(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    /// First step: what would this call look at?
    ///
    /// # Errors
    /// A [`Failure`] for an unknown tool or arguments that cannot be read.
    pub fn reach(&self, call: &ModelCall) -> Result<Action, Failure> {
        let _ = (&self.root, call);
        unreachable!()
    }

    /// Second step: what would it do? Blocking; may look where `look` permits.
    ///
    /// # Errors
    /// A [`Failure`] when it cannot be done.
    pub fn plan(&self, call: &ModelCall, look: Permit) -> Result<Box<dyn Job>, Failure> {
        let _ = (&self.root, call, look);
        unreachable!()
    }
}

/// Answers policy's questions of fact.
pub fn facts(queries: &[Query]) -> Facts {
    let _ = queries;
    Facts::default()
}

/// Third step: does it, if the permit is for exactly this.
pub fn perform(job: Box<dyn Job>, permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
    job.run(permit, out)
}

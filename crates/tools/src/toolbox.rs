//! All tools by name, and the one way to carry out what they plan.

use crate::blocking::crashed;
use crate::workspace::Workspace;
use crate::{Job, Output, Tool, cap, tools};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind, ModelCall, Outcome, ToolSpec};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;

/// The tools of one project.
pub struct Toolbox {
    tools: Vec<Entry>,
}

struct Entry {
    spec: ToolSpec,
    tool: Box<dyn Tool>,
}

impl Toolbox {
    /// The core tools over the project at `root` (absolute, links resolved).
    pub fn new(root: PathBuf) -> Self {
        let tools = tools::all(&Workspace::new(&root));
        Toolbox { tools: tools.into_iter().map(|tool| Entry { spec: tool.spec(), tool }).collect() }
    }

    /// What the model is offered, always in the same order.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|entry| entry.spec.clone()).collect()
    }

    /// First step: what would this call look at?
    ///
    /// # Errors
    /// A [`Failure`] for an unknown tool or arguments that cannot be read.
    pub fn reach(&self, call: &ModelCall) -> Result<Action, Failure> {
        self.tool(call)?.reach(&call.arguments)
    }

    /// Second step: what would it do? Blocking; may look where `look` permits.
    ///
    /// # Errors
    /// A [`Failure`] when it cannot be done.
    pub fn plan(&self, call: &ModelCall, look: Permit) -> Result<Box<dyn Job>, Failure> {
        let tool = self.tool(call)?;
        if tool.reach(&call.arguments)? != *look.action() {
            let message = "what the path leads to changed since it was judged; try again";
            return Err(Failure::new(FailureKind::Stale, message));
        }
        tool.plan(&call.arguments, look)
    }

    fn tool(&self, call: &ModelCall) -> Result<&dyn Tool, Failure> {
        match self.tools.iter().find(|entry| entry.spec.name == call.name) {
            Some(entry) => Ok(entry.tool.as_ref()),
            None => {
                let names: Vec<&str> = self.tools.iter().map(|entry| entry.spec.name.as_str()).collect();
                let asked: String = call.name.chars().take(80).collect();
                let message = format!("there is no tool {asked:?}; the tools are {}", names.join(", "));
                Err(Failure::new(FailureKind::UnknownTool, message))
            }
        }
    }
}

/// Third step: does it, if the permit is for exactly this. The one executor: every result leaves through here, cut to
/// the room there is. A fault in a tool becomes a failed call.
pub fn perform(job: Box<dyn Job>, permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
    if *permit.action() != job.action() {
        let message = "the permit is for something else; nothing was done";
        return Box::pin(std::future::ready(Failure::new(FailureKind::Denied, message).into()));
    }
    let (room, rest) = (out.room, job.rest());
    let running = AssertUnwindSafe(async move { job.run(permit, out).await }).catch_unwind();
    Box::pin(async move {
        let outcome = running.await.unwrap_or_else(|_| crashed("it panicked").into());
        cap::outcome(outcome, room, rest)
    })
}

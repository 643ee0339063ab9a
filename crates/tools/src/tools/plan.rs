//! What there is to do, plans, and questions to the user. Nothing but the session changes, so what comes of these calls
//! is `session`'s to say: here is only read what the model wants.

mod ask_user;
mod exit_plan_mode;
mod todo_write;

use super::Listed;
use crate::{Output, PlannedCall};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind, Outcome, Preview, PreviewBody, Proposal, SessionAct};
use futures_util::future::BoxFuture;

/// The tools of this group, in the order in which the model is told of them.
pub(super) fn tools() -> Vec<Listed> {
    vec![
        (&todo_write::FORM, Box::new(todo_write::TodoWrite)),
        (&exit_plan_mode::FORM, Box::new(exit_plan_mode::ExitPlanMode)),
        (&ask_user::FORM, Box::new(ask_user::AskUser)),
    ]
}

/// A planned act of the session.
pub(super) struct Act {
    pub(super) title: String,
    pub(super) act: SessionAct,
}

impl PlannedCall for Act {
    fn action(&self) -> Action {
        Action::Session { act: self.act.clone() }
    }

    fn preview(&self) -> Preview {
        let body = match &self.act {
            SessionAct::Todo { .. } => PreviewBody::Plain,
            SessionAct::Delegate { agent, prompt, description: _ } => {
                PreviewBody::Task { agent: agent.clone(), prompt: prompt.clone() }
            }
            SessionAct::Propose { plan } => PreviewBody::Plan { text: plan.clone() },
            SessionAct::Inquire { question, choices } => {
                PreviewBody::Choices { question: question.clone(), choices: choices.clone() }
            }
        };
        Preview { title: self.title.clone(), body }
    }

    fn amend(self: Box<Self>, proposal: Proposal) -> Result<Box<dyn PlannedCall>, Failure> {
        match (self.act, proposal) {
            (SessionAct::Propose { .. }, Proposal::Plan { text }) if text.trim().is_empty() => {
                Err(Failure::new(FailureKind::InvalidArguments, "the plan is empty; refuse it instead"))
            }
            (SessionAct::Propose { .. }, Proposal::Plan { text }) => {
                Ok(Box::new(Act { title: self.title, act: SessionAct::Propose { plan: text } }))
            }
            (
                SessionAct::Propose { .. }
                | SessionAct::Todo { .. }
                | SessionAct::Inquire { .. }
                | SessionAct::Delegate { .. },
                _,
            ) => Err(Failure::new(FailureKind::InvalidArguments, "there is nothing of that kind to edit here")),
        }
    }

    fn run(self: Box<Self>, _permit: Permit, _out: Output) -> BoxFuture<'static, Outcome> {
        let message = "this is done by the session itself, and was not";
        Box::pin(std::future::ready(Failure::new(FailureKind::Denied, message).into()))
    }
}

//! The job that starts a language server, which the user is asked about, and then answers what was asked.

use super::asked::{LspAction, LspQuestion};
use super::{Desk, REST, answer};
use crate::blocking::blocking;
use crate::lsp::{Choice, Patience};
use crate::{Output, PlannedCall};
use agent_policy::{Permit, spelled};
use agent_protocol::{Action, Failure, FailureKind, Outcome, Preview, PreviewBody, Profile, Proposal};
use futures_util::future::BoxFuture;

/// Seconds for a start, the first look at the project and the answer.
const STARTING: u64 = 120;

pub(super) struct ServerStart {
    desk: Desk,
    choice: Choice,
    asked: LspQuestion,
    profile: Profile,
}

impl ServerStart {
    pub(super) fn new(desk: Desk, choice: Choice, asked: LspQuestion) -> Self {
        ServerStart { desk, choice, asked, profile: Profile::Project }
    }

    /// Starts it, unless somebody did meanwhile, and asks.
    fn done(&self, permit: &Permit, patience: &Patience, room: usize) -> Result<Outcome, Failure> {
        let server = self.desk.servers.start(&self.choice, permit.sandbox(), patience)?;
        let mut outcome = answer::answer(&self.desk, &server, (&self.choice, &self.asked), patience, room)?;
        if self.asked.what != LspAction::Rename {
            outcome.summary = format!("started {}; {}", self.choice.name, outcome.summary);
        }
        Ok(outcome)
    }
}

impl PlannedCall for ServerStart {
    fn action(&self) -> Action {
        Action::Run {
            command: spelled(&self.choice.argv),
            argv: self.choice.argv.clone(),
            cwd: self.desk.workspace.root().to_owned(),
            timeout_secs: 0,
            profile: self.profile,
            background: true,
            input: None,
        }
    }

    fn preview(&self) -> Preview {
        let shown = self.desk.workspace.shown(&self.asked.path);
        let body = PreviewBody::Command {
            command: spelled(&self.choice.argv),
            cwd: self.desk.workspace.root().to_owned(),
            timeout_secs: 0,
            profile: self.profile,
            cover: None,
            files: Vec::new(),
            note: Some(format!("it runs until the session ends; then: {}", self.asked.title(&shown))),
            background: true,
        };
        Preview { title: format!("Start {} for this project", self.choice.name), body }
    }

    fn amend(self: Box<Self>, proposal: Proposal) -> Result<Box<dyn PlannedCall>, Failure> {
        match proposal {
            Proposal::Profile { profile } => Ok(Box::new(ServerStart { profile, ..*self })),
            Proposal::Command { .. } | Proposal::Text { .. } | Proposal::Part { .. } | Proposal::Plan { .. } => {
                Err(Failure::new(
                    FailureKind::InvalidArguments,
                    "a language server is started as it is; another one can be named in config.toml under [lsp.NAME]",
                ))
            }
        }
    }

    fn run(self: Box<Self>, permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
        blocking(move |stop| self.done(&permit, &Patience::secs(STARTING, stop), out.room))
    }

    fn rest(&self) -> &'static str {
        REST
    }
}

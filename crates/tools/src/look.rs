//! The job of every tool that only looks.

use crate::blocking::{Stop, blocking};
use crate::{Job, Output};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind, Outcome, Preview, PreviewBody, Proposal};
use futures_util::future::BoxFuture;
use std::path::PathBuf;

/// What a look does: gets the room for its result in bytes.
pub(crate) type Work = Box<dyn FnOnce(&Stop, usize) -> Result<Outcome, Failure> + Send>;

/// A planned look.
pub(crate) struct Look {
    /// At this file or folder.
    pub(crate) path: PathBuf,
    /// In words.
    pub(crate) title: String,
    /// How the model gets what is cut from a long result.
    pub(crate) rest: &'static str,
    pub(crate) work: Work,
}

/// What a call looks at that looks at one thing.
pub(crate) fn action(path: PathBuf) -> Action {
    Action::Read { paths: vec![path] }
}

/// A planned look at several things.
pub(crate) struct Looks {
    /// At these files or folders.
    pub(crate) paths: Vec<PathBuf>,
    /// In words.
    pub(crate) title: String,
    /// How the model gets what is cut from a long result.
    pub(crate) rest: &'static str,
    pub(crate) work: Work,
}

impl Job for Looks {
    fn action(&self) -> Action {
        Action::Read { paths: self.paths.clone() }
    }

    fn preview(&self) -> Preview {
        Preview { title: self.title.clone(), body: PreviewBody::Plain }
    }

    fn amend(self: Box<Self>, _proposal: Proposal) -> Result<Box<dyn Job>, Failure> {
        Err(nothing_to_edit())
    }

    fn run(self: Box<Self>, _permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
        let work = self.work;
        blocking(move |stop| work(stop, out.room))
    }

    fn rest(&self) -> &'static str {
        self.rest
    }
}

impl Job for Look {
    fn action(&self) -> Action {
        action(self.path.clone())
    }

    fn preview(&self) -> Preview {
        Preview { title: self.title.clone(), body: PreviewBody::Plain }
    }

    fn amend(self: Box<Self>, _proposal: Proposal) -> Result<Box<dyn Job>, Failure> {
        Err(nothing_to_edit())
    }

    fn run(self: Box<Self>, _permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
        let work = self.work;
        blocking(move |stop| work(stop, out.room))
    }

    fn rest(&self) -> &'static str {
        self.rest
    }
}

fn nothing_to_edit() -> Failure {
    Failure::new(FailureKind::InvalidArguments, "a look has nothing to edit; answer yes or no")
}

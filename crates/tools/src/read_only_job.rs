//! The job of every tool that only looks.

use crate::blocking::{Stop, blocking};
use crate::{Output, PlannedCall};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, Outcome, Preview, PreviewBody};
use futures_util::future::BoxFuture;
use std::path::PathBuf;

/// What a look does: gets the room for its result in bytes.
pub(crate) type Work = Box<dyn FnOnce(&Stop, usize) -> Result<Outcome, Failure> + Send>;

/// What a call looks at that looks at one thing.
pub(crate) fn action(path: PathBuf) -> Action {
    Action::Read { paths: vec![path] }
}

/// What a call looks at that looks at nothing outside the session.
pub(crate) fn nothing() -> Action {
    Action::Read { paths: Vec::new() }
}

/// A planned look at one file or folder, with what is said of a result that is cut.
pub(crate) fn planned(path: PathBuf, title: String, rest: &'static str, work: Work) -> Box<dyn PlannedCall> {
    Box::new(ReadOnlyJob { paths: vec![path], title, rest, work })
}

pub(crate) struct ReadOnlyJob {
    /// At these files or folders.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) title: String,
    /// How the model gets what is cut from a long result.
    pub(crate) rest: &'static str,
    pub(crate) work: Work,
}

impl PlannedCall for ReadOnlyJob {
    fn action(&self) -> Action {
        Action::Read { paths: self.paths.clone() }
    }

    fn preview(&self) -> Preview {
        Preview { title: self.title.clone(), body: PreviewBody::Plain }
    }

    fn run(self: Box<Self>, _permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
        let work = self.work;
        blocking(move |stop| work(stop, out.room))
    }

    fn rest(&self) -> &'static str {
        self.rest
    }
}

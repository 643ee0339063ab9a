//! What every planned call is.

use agent_policy::Permit;
use agent_protocol::{Action, BackgroundId, Chunk, Digest, Failure, FailureKind, Host, Outcome, Preview, Proposal};
use futures_util::future::BoxFuture;
use std::path::PathBuf;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

pub trait PlannedCall: Send {
    /// Exactly what it would do.
    fn action(&self) -> Action;

    /// The same for a person to look at.
    fn preview(&self) -> Preview;

    /// The same job with a person's proposal in place of the model's.
    ///
    /// # Errors
    /// A [`Failure`] when this job has no such part.
    fn amend(self: Box<Self>, _proposal: Proposal) -> Result<Box<dyn PlannedCall>, Failure> {
        Err(Failure::new(FailureKind::InvalidArguments, "there is nothing to edit here; answer yes or no"))
    }

    /// How the model gets what is cut from a long result; stands in the line that says what was cut.
    fn rest(&self) -> &'static str {
        "ask for less at a time"
    }

    /// The same job once more, for when the user lets it reach further after it ran into its fence, or when it was not
    /// run because what it would start had changed; `None` for what neither happens to.
    fn again(&self) -> Option<Box<dyn PlannedCall>> {
        None
    }

    /// The files whose text would be gone without the model having read it; `perform` tells of them, and of the way back.
    fn unread(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Does it. Called by `perform` alone, which has compared the permit's action with [`PlannedCall::action`].
    fn run(self: Box<Self>, permit: Permit, out: Output) -> BoxFuture<'static, Outcome>;
}

/// Where a running job puts what it says.
pub struct Output {
    /// Live pieces for the screen, at most about twenty a second. A closed channel is no error.
    pub live: UnboundedSender<Chunk>,
    /// Bytes that the result may take in the model's window.
    pub room: usize,
    /// Told, before anything is done, under which digest what was there before is kept; the call begins when this has
    /// resolved, and whoever stops it until then stops all of it. A call that only looks tells nothing.
    pub intent: Option<Intent>,
    /// Where a command's wishes to reach hosts go. A closed channel is a no.
    pub reaches: UnboundedSender<Wish>,
}

/// A command wants to reach a host, and its connection waits for the answer.
#[derive(Debug)]
pub struct Wish {
    /// Which one in the background; `None`: the one of the call.
    pub job: Option<BackgroundId>,
    pub host: Host,
    /// The command, or one beside it on the same network, may see files of the project that hold secrets: what is granted
    /// should not outlast it.
    pub sees_secrets: bool,
    /// Where the answer goes. Closed when nobody waits for it any more; dropping it is a no.
    pub answer: oneshot::Sender<bool>,
}

/// Takes down how things were before a call, so that it can be taken back also when nobody tells how it ended. `None`:
/// nothing of it is kept, for nothing may be changed or it could not be written.
pub type Intent = Box<dyn FnOnce(Option<Digest>) -> BoxFuture<'static, ()> + Send>;

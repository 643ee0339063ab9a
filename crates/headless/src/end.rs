//! How a run ended, and what the shell learns of it.

use agent_protocol::Trouble;

/// How it ended; each has an exit code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The model finished, what was wanted is done: 0.
    Answered,
    /// It did not work, or the session ended unexpectedly: 1.
    Failed,
    /// The session to go on with cannot be: 2, like wrong usage.
    NotRestored,
    /// No server: 3.
    NoServer,
    /// No model, or not installed: 4.
    NoModel,
    /// No such session: 4.
    NoSession,
    /// The reply broke off, or the conversation fills the window: 5.
    Broken,
    /// The step limit was reached: 6.
    StepLimit,
    /// The model went in circles: 7.
    Repeating,
    /// Interrupted: 130.
    Interrupted,
    /// Ended by this signal: 128 and its number.
    Signalled(u8),
    /// Nobody reads our output any more: 141.
    PipeClosed,
}

impl End {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            End::Answered => 0,
            End::Failed => 1,
            End::NotRestored => 2,
            End::NoServer => 3,
            End::NoModel | End::NoSession => 4,
            End::Broken => 5,
            End::StepLimit => 6,
            End::Repeating => 7,
            End::Interrupted => 130,
            End::Signalled(signal) => 128 + signal,
            End::PipeClosed => 141,
        }
    }

    /// How it ends where a server or a model was asked for something and this came instead.
    pub(crate) fn of(trouble: &Trouble) -> Self {
        match trouble {
            Trouble::Unreachable { .. } => End::NoServer,
            Trouble::ModelMissing { .. } => End::NoModel,
            Trouble::NoTools { .. }
            | Trouble::TooLong { .. }
            | Trouble::Busy { .. }
            | Trouble::Refused { .. }
            | Trouble::Redirected { .. }
            | Trouble::Locked { .. }
            | Trouble::NotOllama { .. }
            | Trouble::MidReply { .. }
            | Trouble::BadCall { .. }
            | Trouble::PullFailed { .. }
            | Trouble::Cut { .. }
            | Trouble::NotDone
            | Trouble::Garbage { .. }
            | Trouble::LineTooLong { .. }
            | Trouble::ReplyTooLong { .. } => End::Failed,
        }
    }
}

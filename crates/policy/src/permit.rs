//! The keystone: a permit to do one thing once.

use crate::{Invocation, SandboxLimits};
use agent_protocol::Action;

/// Leave to carry out exactly one action, once.
///
/// **Invariant.** A `Permit` is made only in this crate, by a verdict or an answer; it is not `Clone`, and whoever
/// carries the action out takes it by value.
///
/// Nobody else can make one:
///
/// ```compile_fail
/// # use agent_policy::{SandboxLimits, Permit};
/// # use agent_protocol::Action;
/// fn forge(action: Action, fence: SandboxLimits) -> Permit {
///     Permit { action, fence, line: None, leave: agent_policy::Leave::Rule, because: String::new(), invocation: None }
/// }
/// ```
///
/// while passing one on is fine:
///
/// ```
/// # use agent_policy::{SandboxLimits, Permit};
/// # use agent_protocol::Action;
/// fn pass_on(permit: Permit) -> Permit {
///     permit
/// }
/// ```
///
/// Nor can one be spent twice:
///
/// ```compile_fail
/// # use agent_policy::Permit;
/// fn twice(permit: Permit) -> (Permit, Permit) {
///     (permit.clone(), permit)
/// }
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Permit {
    pub(crate) action: Action,
    pub(crate) fence: SandboxLimits,
    pub(crate) line: Option<String>,
    pub(crate) leave: Leave,
    pub(crate) because: String,
    pub(crate) invocation: Option<Box<Invocation>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    /// The user, asked about this very action.
    Person,
    /// The mode, or a rule the user made earlier.
    Rule,
}

impl Permit {
    /// What may be done.
    pub fn action(&self) -> &Action {
        &self.action
    }

    pub fn sandbox(&self) -> &SandboxLimits {
        &self.fence
    }

    /// What a command is run as: the words that were judged, quoted anew, in place of the text they were read from.
    /// `None`: the text itself.
    pub fn line(&self) -> Option<&str> {
        self.line.as_deref()
    }

    /// Why there was leave, for the user.
    pub fn because(&self) -> &str {
        &self.because
    }

    /// A command as it was read, to which wishes to reach a host are held while it runs.
    pub fn invocation(&self) -> Option<&Invocation> {
        self.invocation.as_deref()
    }

    pub fn leave(&self) -> Leave {
        self.leave
    }
}

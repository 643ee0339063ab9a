//! Leave for a command of the user's own: one that they typed themselves, to be run in their shell and outside the
//! sandbox. Its own kind of permit: nothing that a model calls can be carried out with it.

use super::Policy;
use crate::SandboxLimits;
use std::path::{Path, PathBuf};

/// Leave to run one command of the user's own, once.
///
/// **Invariant.** Made only by [`Policy::own_command`]; it is not `Clone`, and whoever runs the command takes it by value.
///
/// Nobody else can make one:
///
/// ```compile_fail
/// # use agent_policy::{OwnPermit, SandboxLimits};
/// fn forge(command: String, folder: std::path::PathBuf, limits: SandboxLimits) -> OwnPermit {
///     OwnPermit { command, folder, limits }
/// }
/// ```
///
/// while passing one on is fine:
///
/// ```
/// # use agent_policy::OwnPermit;
/// fn pass_on(permit: OwnPermit) -> OwnPermit {
///     permit
/// }
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct OwnPermit {
    command: String,
    folder: PathBuf,
    limits: SandboxLimits,
}

impl OwnPermit {
    /// What is run, for the user's shell.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Where: the project folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// No sandbox, and no end but that of the session.
    pub fn sandbox(&self) -> &SandboxLimits {
        &self.limits
    }
}

impl Policy {
    /// Leave to run what the user typed. In every mode: they could do the same in another window.
    ///
    /// # Errors
    /// Why there is nothing to run.
    pub fn own_command(&self, command: &str) -> Result<OwnPermit, &'static str> {
        let command = command.trim();
        if command.is_empty() {
            return Err("there is no command to run");
        }
        if command.contains('\0') {
            return Err("a command cannot hold a NUL character");
        }
        let folder = &self.setup.root;
        Ok(OwnPermit { command: command.to_owned(), folder: folder.clone(), limits: SandboxLimits::none(folder) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use agent_protocol::{Mode, Profile};

    #[test]
    fn what_a_person_types_runs_outside_the_sandbox_in_every_mode() {
        for mode in [Mode::Safe, Mode::AcceptEdits, Mode::Plan, Mode::Unsafe] {
            let policy = Policy::new(Setup::new("/p".into(), mode));
            let permit = policy.own_command(" make test\n").unwrap();
            assert_eq!((permit.command(), permit.folder()), ("make test", Path::new("/p")));
            assert_eq!(permit.sandbox().profile(), Profile::Unfenced);
            assert!(policy.own_command(" ").is_err() && policy.own_command("a\0b").is_err());
        }
    }
}

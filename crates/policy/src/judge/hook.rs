//! Leave for a hook: a program of the user's settings, or of a project's that they approved, run when something happens in
//! a session. Its own kind of permit: nothing that a model calls can be carried out with it.

use super::Policy;
use crate::{Grounds, SandboxLimits};
use agent_protocol::{Action, Hook, HookOrigin, Profile, SandboxKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Leave to run one hook, once.
///
/// **Invariant.** Made only by [`Policy::hook`]; it is not `Clone`, and whoever runs the hook takes it by value. That of a
/// project's hook is never without the sandbox.
///
/// Nobody else can make one:
///
/// ```compile_fail
/// # use agent_policy::{HookPermit, SandboxLimits};
/// # use agent_protocol::Hook;
/// fn forge(hook: Hook, folder: std::path::PathBuf, limits: SandboxLimits) -> HookPermit {
///     HookPermit { hook, folder, limits }
/// }
/// ```
///
/// while passing one on is fine:
///
/// ```
/// # use agent_policy::HookPermit;
/// fn pass_on(permit: HookPermit) -> HookPermit {
///     permit
/// }
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct HookPermit {
    hook: Hook,
    folder: PathBuf,
    limits: SandboxLimits,
}

impl HookPermit {
    pub fn hook(&self) -> &Hook {
        &self.hook
    }

    /// Where: the project folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn sandbox(&self) -> &SandboxLimits {
        &self.limits
    }
}

impl Policy {
    /// Leave to run this hook: as a command of the project without the net, for as long as it says; outside the sandbox only
    /// where the user's own settings say so.
    ///
    /// # Errors
    /// Why it cannot be run.
    pub fn hook(&self, hook: &Hook) -> Result<HookPermit, &'static str> {
        let (root, kind) = (&self.setup.root, self.setup.sandbox);
        if hook.origin == HookOrigin::Project && kind != SandboxKind::Kernel {
            return Err("a project's hook runs in the sandbox alone, and there is none here");
        }
        if hook.sandbox && self.setup.require_sandbox && kind == SandboxKind::None {
            return Err("it runs in the sandbox, there is none here, and your config requires one");
        }
        let unfenced = !hook.sandbox && hook.origin == HookOrigin::Yours;
        let time = Duration::from_secs(hook.timeout_secs.max(1));
        let limits = if unfenced { SandboxLimits::none(root) } else { self.hook_limits(hook).on(kind) };
        Ok(HookPermit { hook: hook.clone(), folder: root.clone(), limits: SandboxLimits { time, ..limits } })
    }

    /// Those of a command of the project that reaches nothing else.
    fn hook_limits(&self, hook: &Hook) -> SandboxLimits {
        let grounds = Grounds { root: self.setup.root.clone(), writable: Vec::new(), ports: Vec::new() };
        let action = Action::Run {
            command: hook.command.clone(),
            argv: Vec::new(),
            cwd: grounds.root.clone(),
            timeout_secs: hook.timeout_secs,
            profile: Profile::Project,
            background: false,
            input: None,
        };
        let kept = self.setup.guarded.iter().map(|file| file.path.clone()).collect();
        SandboxLimits::around(&action, &grounds).keeping(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Setup;
    use agent_protocol::{HookEvent, Mode};

    fn hook(origin: HookOrigin, sandbox: bool) -> Hook {
        Hook {
            event: HookEvent::PreTool,
            matcher: None,
            tools: Vec::new(),
            command: "./guard.sh".into(),
            timeout_secs: 10,
            sandbox,
            origin,
            files: Vec::new(),
            asks: None,
            off: None,
        }
    }

    fn profile(kind: SandboxKind, origin: HookOrigin, sandbox: bool) -> Result<Profile, &'static str> {
        let setup = Setup { sandbox: kind, ..Setup::new("/p".into(), Mode::Unsafe) };
        let permit = Policy::new(setup).hook(&hook(origin, sandbox))?;
        assert_eq!((permit.folder(), permit.sandbox().time()), (Path::new("/p"), Duration::from_secs(10)));
        Ok(permit.sandbox().profile())
    }

    #[test]
    fn a_hook_runs_in_the_project_s_sandbox_and_only_ones_own_outside_of_it() {
        let (yours, project) = (HookOrigin::Yours, HookOrigin::Project);
        assert_eq!(profile(SandboxKind::Kernel, yours, true), Ok(Profile::Project));
        assert_eq!(profile(SandboxKind::Kernel, yours, false), Ok(Profile::Unfenced));
        assert_eq!(profile(SandboxKind::Kernel, project, true), Ok(Profile::Project));
        assert_eq!(profile(SandboxKind::Kernel, project, false), Ok(Profile::Project), "whatever it says");
    }

    #[test]
    fn a_project_s_hook_does_not_run_where_there_is_no_sandbox() {
        for kind in [SandboxKind::None, SandboxKind::Off, SandboxKind::Disposable] {
            assert!(profile(kind, HookOrigin::Project, true).is_err(), "{kind:?}");
            assert!(profile(kind, HookOrigin::Yours, true).is_ok(), "{kind:?}");
        }
    }
}

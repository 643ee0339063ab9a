//! What the tests of a task may do: write in their folder and in a temporary one, and reach no network. The policy says so,
//! as it does for every command.

use agent_bench::GradingPlace;
use agent_policy::{Facts, PathKind, Policy, SandboxLimits, Setup, Verdict};
use agent_protocol::{Action, Mode, Profile};
use std::path::Path;

/// The limits of commands in `root`.
///
/// # Errors
/// Why there are none.
pub(super) fn limits(root: &Path) -> Result<SandboxLimits, String> {
    let mut policy = Policy::new(Setup::new(root.to_owned(), Mode::Unsafe));
    let mut facts = Facts::default();
    facts.set_kind(root.to_owned(), PathKind::Folder);
    let action = Action::Run {
        command: "make".into(),
        argv: Vec::new(),
        cwd: root.to_owned(),
        timeout_secs: GradingPlace::longest().as_secs(),
        profile: Profile::Project,
        background: false,
        input: None,
    };
    match policy.judge(action, &facts) {
        Verdict::Allow(permit) => Ok(permit.sandbox().clone()),
        // The user asked for it by this very command.
        Verdict::Ask(held) => {
            policy.answer(held, None).map(|permit| permit.sandbox().clone()).map_err(|why| format!("{why:?}"))
        }
        Verdict::Deny(why) | Verdict::Impossible(why) => Err(why),
    }
}

//! What commands of tests may do: write in their folder, and reach no network.

use agent_policy::{Facts, PathKind, Policy, SandboxLimits, Setup, Verdict};
use agent_protocol::{Action, Mode, Profile};
use std::path::Path;

/// The limits of commands in `root` that may take so many seconds.
pub(crate) fn limits(root: &Path, secs: u64) -> SandboxLimits {
    let mut policy = Policy::new(Setup::new(root.to_owned(), Mode::Unsafe));
    let mut facts = Facts::default();
    facts.set_kind(root.to_owned(), PathKind::Folder);
    let action = Action::Run {
        command: "make".into(),
        argv: Vec::new(),
        cwd: root.to_owned(),
        timeout_secs: secs,
        profile: Profile::Project,
        background: false,
        input: None,
    };
    match policy.judge(action, &facts) {
        Verdict::Allow(permit) => permit.sandbox().clone(),
        Verdict::Ask(held) => policy.answer(held, None).unwrap().sandbox().clone(),
        Verdict::Deny(why) | Verdict::Impossible(why) => panic!("{why}"),
    }
}

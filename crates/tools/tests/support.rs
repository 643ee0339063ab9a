//! Gets permits from a real policy, in unsafe mode, with a person who always says yes. The one file here that names it.

use agent_policy::{Looked, Permit, Policy, Setup, Verdict, queries};
use agent_protocol::{Action, Mode};
use agent_tools::Toolbox;
use std::path::Path;

/// A policy and what it asked.
pub(crate) struct Gate {
    policy: Policy,
    toolbox: Toolbox,
    /// Why the user was asked, or why not even that.
    pub(crate) said: Vec<String>,
}

impl Gate {
    /// For the project at `root`.
    pub(crate) fn new(root: &Path) -> Self {
        let memories = vec![root.join(".agent/memory.md"), root.with_file_name("user").join("memory.md")];
        let setup = Setup { memories, ..Setup::new(root.into(), Mode::Unsafe) };
        Gate { policy: Policy::new(setup), toolbox: Toolbox::new(root.into()), said: Vec::new() }
    }

    /// A permit to look, unless it is denied.
    pub(crate) fn look(&mut self, action: Action) -> Option<Permit> {
        let facts = self.toolbox.facts(&queries(&action));
        let verdict = self.policy.judge(action, &facts);
        self.settle(verdict)
    }

    /// A permit for what was planned after looking, unless it is denied.
    pub(crate) fn deed(&mut self, action: Action, looked: &Looked) -> Option<Permit> {
        let facts = self.toolbox.facts(&queries(&action));
        let verdict = self.policy.judge_planned(action, &facts, looked);
        self.settle(verdict)
    }

    fn settle(&mut self, verdict: Verdict) -> Option<Permit> {
        match verdict {
            Verdict::Allow(permit) => Some(permit),
            Verdict::Ask(held) => {
                self.said.push(format!("asked: {}", held.why()));
                Some(self.policy.answer(held, None).expect("nothing is to be remembered"))
            }
            Verdict::Deny(why) => {
                self.said.push(format!("denied: {why}"));
                None
            }
            Verdict::Impossible(why) => {
                self.said.push(format!("impossible: {why}"));
                None
            }
        }
    }
}

//! The rules that hold: listing them, taking one back, and trying what they would make of a command.

use crate::machine::Machine;
use crate::{Effect, Memory};
use agent_policy::{Facts, Verdict};
use agent_protocol::{Action, Event, Profile, Rule, TriedVerdict};

/// Seconds for a command that is only tried; it never runs.
const NO_TIME: u64 = 1;

impl Machine {
    pub(crate) fn list_permissions(&mut self) {
        let grants = self.policy.grants();
        self.out.emit(Event::Permissions { grants });
    }

    pub(crate) fn revoke(&mut self, rule: &Rule) {
        self.policy.revoke(rule);
        self.keep_permissions();
        self.list_permissions();
    }

    /// Has the rules that are to last written down.
    pub(crate) fn keep_permissions(&mut self) {
        let kept = self.policy.kept();
        self.out.carry_out(Effect::Remember(Memory::Permissions(kept)));
    }

    /// Judges a command that nobody means to run.
    pub(crate) fn try_command(&mut self, command: String) {
        let (cwd, profile) = (self.settings.project.clone(), Profile::Project);
        self.out.carry_out(Effect::Try {
            action: Action::Run {
                command,
                argv: Vec::new(),
                cwd,
                timeout_secs: NO_TIME,
                profile,
                background: false,
                input: None,
            },
        });
    }

    pub(crate) fn tried(&mut self, action: Action, facts: &Facts) {
        let Action::Run { command, .. } = &action else { return };
        let command = command.clone();
        let (verdict, why) = match self.policy.judge(action, facts) {
            Verdict::Allow(permit) => (TriedVerdict::Runs, permit.because().to_owned()),
            Verdict::Ask(held) => (TriedVerdict::Asks, held.why().to_owned()),
            Verdict::Deny(why) | Verdict::Impossible(why) => (TriedVerdict::Refused, why),
        };
        self.out.emit(Event::Tried { command, verdict, why });
    }
}

//! What would have been started was not what the person was asked about any more: it did not run, and is planned and
//! asked about anew.
//!
//! Whoever answered saw other things, so that yes counts for nothing: a rule made with it is taken back, and even what
//! would be allowed by now is asked about.

use crate::Effect;
use crate::machine::{Machine, State};
use crate::turn::working::Stage;
use agent_policy::{Held, Permit, Verdict};
use agent_protocol::{CallId, FailureKind, Lasts, Outcome, Rule, Status};

impl Machine {
    /// Did the call not run because of that, and can the person be asked again?
    pub(crate) fn was_replaced(&self, outcome: &Outcome) -> bool {
        let State::Working(working) = &self.state else { return false };
        working.ends.is_none() && outcome.status == Status::Failed { kind: FailureKind::Replaced }
    }

    /// Plans the call again, as things are now.
    pub(crate) fn plan_anew(&mut self, call: CallId, outcome: Outcome) {
        let State::Working(working) = &mut self.state else { return };
        working.replaced = Some(outcome.summary);
        working.stage = Stage::Planning;
        let (profile, remembered) = (working.reached(), working.remembered.take());
        if let Some((fenced, changed)) = working.before.take() {
            // It did not run again, so how it ended then is its result still.
            (working.fenced, working.changed, working.widened) = (Some(fenced), changed, false);
        }
        if let Some(rule) = remembered {
            self.take_back(&rule);
        }
        self.out.carry_out(Effect::Again { call, profile });
    }

    fn take_back(&mut self, rule: &Rule) {
        let mode = self.policy.mode();
        self.policy.revoke(rule);
        self.tell_mode_since(mode);
        if lasts_for_good(rule) {
            self.keep_permissions();
        }
    }

    /// What is asked about anew is not let through without an answer.
    pub(crate) fn ask_at_least(&self, verdict: Verdict) -> Verdict {
        let State::Working(working) = &self.state else { return verdict };
        match verdict {
            Verdict::Allow(permit) if working.replaced.is_some() => Verdict::Ask(held(permit)),
            Verdict::Allow(_) | Verdict::Ask(_) | Verdict::Deny(_) | Verdict::Impossible(_) => verdict,
        }
    }
}

fn held(permit: Permit) -> Held {
    Held::again(permit, "it would run unasked, but what it starts just changed")
}

/// Is it written down beyond the session?
pub(crate) fn lasts_for_good(rule: &Rule) -> bool {
    match rule {
        Rule::Words { .. } | Rule::Reach { .. } | Rule::ReadOnly { lasts: Lasts::Always } => true,
        Rule::ReadOnly { lasts: Lasts::Session }
        | Rule::Command { .. }
        | Rule::File { .. }
        | Rule::Look { .. }
        | Rule::Host { .. }
        | Rule::Edits
        | Rule::Tool { .. } => false,
        Rule::All { rules } => rules.iter().any(lasts_for_good),
    }
}

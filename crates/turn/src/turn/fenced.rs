//! A command failed, and the fence is the likely reason: the person is asked whether it may run again with more reach.
//!
//! Whatever comes of that, the call has one result: that of its last run.

use crate::machine::{Machine, State};
use crate::turn::working::Stage;
use crate::{Effect, Planned};
use agent_policy::{Facts, Verdict};
use agent_protocol::{Blocked, CallId, Failure, NoticeLevel, Outcome, Profile, Status};

/// How a call ended that ran into the fence.
#[derive(Debug, Clone)]
pub(crate) struct Fenced {
    /// What it was kept from.
    blocked: Blocked,
    outcome: Outcome,
}

impl Fenced {
    pub(crate) fn into_outcome(self) -> Outcome {
        self.outcome
    }

    /// What to tell the person with the question.
    pub(crate) fn words(&self) -> String {
        let place = self.outcome.fence.as_ref().and_then(|report| report.place.as_ref());
        let place = place.map_or(String::new(), |place| format!(" ({place})"));
        let what = match self.outcome.status {
            Status::Done => "it ended, but says that it was kept",
            Status::Exited { code: Some(0) } => {
                "a part of it failed, and the sandbox is the likely reason: it was kept"
            }
            Status::Exited { .. } | Status::Failed { .. } | Status::Refused | Status::Stopped | Status::Unknown => {
                "it failed, and the sandbox is the likely reason: it was kept"
            }
        };
        format!("{what} from {}{place}. It would start again from the beginning", self.blocked.words())
    }
}

impl Machine {
    /// A command that changes what other programs obey ends all trust given beforehand. A repository that it made is for
    /// the receipt.
    pub(crate) fn watch_for_tampering(&mut self, outcome: &Outcome) {
        let made = outcome.fence.as_ref().map(|report| report.made.as_slice()).unwrap_or_default();
        self.turn.done.made(made);
        let Some(report) = outcome.fence.as_ref().filter(|report| !report.tampered.is_empty()) else { return };
        self.suspend("the command changed protected files", &report.tampered);
    }

    /// So does what goes on beside the calls; the model, which is told of a command with its result, hears of it here.
    pub(crate) fn tampered_beside(&mut self, names: &[String]) {
        let what = "protected files were changed while a command or a language server ran in the background";
        self.untold.of_jobs(format!("{what}, and the person has been told: {}", names.join(", ")));
        self.suspend(what, names);
    }

    fn suspend(&mut self, what: &str, names: &[String]) {
        self.policy.suspend();
        let names = names.join(", ");
        let text = format!(
            "{what}: {names}. Look at them; what you allowed beforehand (rules, flags, unsafe mode) is suspended until you \
             start agent again"
        );
        self.out.notice(NoticeLevel::Warning, text);
    }

    /// The next wider profile, where a call ran into its fence and the person can still be asked.
    pub(crate) fn wider(&self, outcome: &Outcome) -> Option<Profile> {
        let State::Working(working) = &self.state else { return None };
        let report = outcome.fence.as_ref()?;
        let blocked = report.blocked?;
        // The loopback of this machine is in no reach that commands with one of their own are given.
        let loopback = report
            .place
            .as_deref()
            .is_some_and(|place| ["127.", "localhost", "::1", "[::1]"].iter().any(|name| place.starts_with(name)));
        if loopback && self.settings.enclosure.apart {
            return None;
        }
        working.widens(blocked)
    }

    /// Plans the call again with another reach; what came of it so far is its result unless it runs again.
    pub(crate) fn run_again(&mut self, call: CallId, profile: Profile, outcome: Outcome) {
        let State::Working(working) = &mut self.state else { return };
        let blocked = outcome.fence.as_ref().and_then(|report| report.blocked);
        working.fenced = blocked.map(|blocked| Fenced { blocked, outcome });
        working.stage = Stage::Planning;
        self.out.carry_out(Effect::Again { call, profile });
    }

    /// The call with its wider reach is judged like any other action.
    pub(crate) fn planned_again(&mut self, call: CallId, result: Result<Planned, Failure>, facts: &Facts) {
        let Ok(planned) = result else { return self.stay_fenced(call) };
        let State::Working(working) = &self.state else { return };
        let Some(looked) = working.looked.clone() else { return self.stay_fenced(call) };
        let reached = working.reached();
        match self.policy.judge_planned(planned.action, facts, &looked) {
            // With no more reach than before it would only fail again, and again.
            Verdict::Allow(permit) if permit.fence().profile() > reached => self.let_run(permit, planned.preview),
            Verdict::Allow(_) | Verdict::Deny(_) | Verdict::Impossible(_) => self.stay_fenced(call),
            Verdict::Ask(held) => self.ask_run(held, planned.preview),
        }
    }

    /// The person does not want it to run again.
    pub(crate) fn declined(&mut self, call: CallId, word: Option<String>) {
        if let State::Working(working) = &mut self.state
            && let Some(Fenced { outcome, .. }) = &mut working.fenced
        {
            outcome.told.push_str("\n\nThe person was asked whether it may run with more reach, and it may not.");
            if let Some(word) = word {
                outcome.told.push_str(&format!(" They say: {word}"));
            }
        }
        self.stay_fenced(call);
    }

    /// It does not run again: how it ended stands.
    fn stay_fenced(&mut self, call: CallId) {
        self.out.carry_out(Effect::Forget(call));
        let State::Working(working) = &mut self.state else { return };
        if let Some(Fenced { outcome, .. }) = working.fenced.take() {
            self.finish(outcome);
        }
    }
}

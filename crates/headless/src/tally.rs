//! What became of the calls of a run, as far as it decides how the run ended.

use crate::End;
use agent_protocol::{CallEvent, CallId, Event, FailureKind, Mode, SessionEvent, Status, TurnEvent};
use std::collections::HashSet;

/// The calls so far, those of agents included.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    plans: bool,
    refused: u64,
    carried_out: u64,
    /// How the last turn that has a receipt fell short.
    short: Option<End>,
    /// Calls by which a task was given: what came of them is what came of the agent's own.
    tasks: HashSet<CallId>,
}

impl Tally {
    /// One event happened.
    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::Session(SessionEvent::Opened { mode, .. }) | Event::Call(CallEvent::ModeChanged { mode }) => {
                self.plans = *mode == Mode::Plan
            }
            Event::Turn(TurnEvent::Started { .. }) => self.short = None,
            Event::Turn(TurnEvent::Receipt { receipt, .. }) => {
                let unchanged = receipt.unchanged.then_some(End::NothingChanged);
                self.short = receipt.failing.as_ref().map(|_| End::ChecksFail).or(unchanged);
            }
            Event::Call(CallEvent::Delegated { call, event }) => {
                self.tasks.insert(*call);
                self.take(event);
            }
            Event::Call(CallEvent::Finished { call, outcome }) if !self.tasks.contains(call) => {
                self.count(outcome.status)
            }
            _ => {}
        }
    }

    /// What is so of the run besides how its turn ended. Where plans are made, the plan is what was wanted, whatever the
    /// model tried before.
    pub(crate) fn ends(&self) -> Option<End> {
        let nothing = (self.refused > 0 && self.carried_out == 0).then_some(End::NothingDone);
        nothing.or(self.short).filter(|_| !self.plans)
    }

    fn count(&mut self, status: Status) {
        match status {
            Status::Refused | Status::Failed { kind: FailureKind::Denied } => self.refused += 1,
            // Nothing that could have been carried out or refused.
            Status::Failed { kind: FailureKind::UnknownTool | FailureKind::InvalidArguments } => {}
            Status::Done
            | Status::Exited { .. }
            | Status::Stopped
            | Status::Unknown
            | Status::Failed {
                kind:
                    FailureKind::NotFound
                    | FailureKind::PermissionDenied
                    | FailureKind::NoMatch
                    | FailureKind::Ambiguous
                    | FailureKind::Stale
                    | FailureKind::Replaced
                    | FailureKind::NotText
                    | FailureKind::Syntax
                    | FailureKind::TooLarge
                    | FailureKind::Timeout
                    | FailureKind::NotInstalled
                    | FailureKind::NotReady
                    | FailureKind::Unreachable
                    | FailureKind::Io,
            } => self.carried_out += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{Failure, Outcome, Receipt, TurnId};

    fn finished(id: u64, status: Status) -> Event {
        let failed = Outcome::from(Failure::new(FailureKind::Io, ""));
        Event::Call(CallEvent::Finished { call: CallId(id), outcome: Outcome { status, ..failed } })
    }

    fn end(events: &[Event]) -> Option<End> {
        let mut tally = Tally::default();
        events.iter().for_each(|event| tally.take(event));
        tally.ends()
    }

    #[test]
    fn nothing_was_done_where_every_call_was_refused() {
        let (denied, unknown) = (FailureKind::Denied, FailureKind::UnknownTool);
        let refused = || finished(1, Status::Refused);
        let failed = |kind| finished(2, Status::Failed { kind });
        for events in [vec![refused()], vec![failed(denied)], vec![failed(unknown), refused()]] {
            assert_eq!(end(&events), Some(End::NothingDone), "{events:?}");
        }
        let carried_out =
            [Status::Done, Status::Exited { code: Some(1) }, Status::Failed { kind: FailureKind::NotFound }];
        for status in carried_out {
            assert_eq!(end(&[refused(), finished(2, status)]), None, "{status:?}");
        }
        assert_eq!(end(&[]), None);
        assert_eq!(end(&[failed(unknown)]), None, "nobody refused anything");
    }

    #[test]
    fn a_plan_is_what_was_wanted_whatever_was_refused_on_the_way() {
        let refused = finished(1, Status::Refused);
        let mode = |mode| Event::Call(CallEvent::ModeChanged { mode });
        assert_eq!(end(&[mode(Mode::Plan), refused.clone()]), None);
        assert_eq!(end(&[mode(Mode::Plan), mode(Mode::Safe), refused]), Some(End::NothingDone));
    }

    #[test]
    fn a_turn_that_fell_short_says_so_and_the_next_one_begins_anew() {
        let receipt = |unchanged, failing: Option<&str>| {
            let failing = failing.map(str::to_owned);
            let receipt = Receipt { unchanged, failing, ..Receipt::default() };
            Event::Turn(TurnEvent::Receipt { turn: TurnId(1), receipt })
        };
        let started = Event::Turn(TurnEvent::Started { turn: TurnId(2), text: String::new() });
        assert_eq!(end(&[receipt(true, None)]), Some(End::NothingChanged));
        assert_eq!(end(&[receipt(false, Some("1 of 2 failed"))]), Some(End::ChecksFail));
        assert_eq!(end(&[receipt(true, None), started]), None);
        assert_eq!(end(&[receipt(false, None)]), None);
    }

    #[test]
    fn of_a_task_the_calls_of_its_agent_count() {
        let of_agent = |event| Event::Call(CallEvent::Delegated { call: CallId(1), event: Box::new(event) });
        let task = finished(1, Status::Done);
        assert_eq!(end(&[of_agent(finished(2, Status::Refused)), task.clone()]), Some(End::NothingDone));
        assert_eq!(end(&[of_agent(finished(2, Status::Done)), task]), None);
    }
}

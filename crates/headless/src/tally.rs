//! What became of the calls of a run, as far as it decides how the run ended.

use crate::End;
use agent_protocol::{CallEvent, CallId, Event, FailureKind, Mode, SessionEvent, Status, TurnEvent, Way};
use std::collections::HashSet;

/// The calls so far, those of subagents included.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    plans: bool,
    refused: u64,
    carried_out: u64,
    /// How the last turn that has a receipt fell short.
    short: Option<End>,
    /// Calls under way that count: those of a model, and those that stand in the prompt. What the program calls by itself does
    /// not count, and of a task the calls of its subagent do.
    counted: HashSet<CallId>,
}

impl Tally {
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
            Event::Call(CallEvent::Proposed { call }) if call.origin.way != Way::Program => {
                self.counted.insert(call.id);
            }
            Event::Call(CallEvent::Delegated { call, event }) => {
                self.counted.remove(call);
                self.take(event);
            }
            Event::Call(CallEvent::Finished { call, outcome }) if self.counted.remove(call) => {
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
                    | FailureKind::Unfinished
                    | FailureKind::CannotRun
                    | FailureKind::Unreachable
                    | FailureKind::Io,
            } => self.carried_out += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{Failure, ModelCall, Origin, Outcome, Receipt, ToolCall, TurnId};
    use serde_json::Value;

    /// A call of this origin, from its proposal to its end.
    fn called(way: Way, status: Status) -> [Event; 2] {
        let call = ModelCall { server_id: None, index: None, name: "x".into(), arguments: Value::Null };
        let call = ToolCall { id: CallId(2), call, origin: Origin { way, ..Origin::default() } };
        let outcome = Outcome { status, ..Outcome::from(Failure::new(FailureKind::Io, "")) };
        [Event::Call(CallEvent::Proposed { call }), Event::Call(CallEvent::Finished { call: CallId(2), outcome })]
    }

    fn end(events: &[Event]) -> Option<End> {
        let mut tally = Tally::default();
        events.iter().for_each(|event| tally.take(event));
        tally.ends()
    }

    #[test]
    fn nothing_was_done_where_every_call_was_refused() {
        let by_model = |status| called(Way::Server, status);
        let failed = |kind| by_model(Status::Failed { kind });
        let (refused, denied, unknown) =
            (by_model(Status::Refused), failed(FailureKind::Denied), failed(FailureKind::UnknownTool));
        for events in [refused.to_vec(), denied.to_vec(), [unknown.clone(), refused.clone()].concat()] {
            assert_eq!(end(&events), Some(End::NothingDone), "{events:?}");
        }
        let carried_out =
            [Status::Done, Status::Exited { code: Some(1) }, Status::Failed { kind: FailureKind::NotFound }];
        for status in carried_out {
            assert_eq!(end(&[refused.clone(), by_model(status)].concat()), None, "{status:?}");
        }
        assert_eq!(end(&[]), None);
        assert_eq!(end(&unknown), None, "nothing was refused");
    }

    #[test]
    fn what_the_program_looks_at_by_itself_counts_neither_as_carried_out_nor_as_refused() {
        let own = |status| called(Way::Program, status);
        let refused = called(Way::Server, Status::Refused);
        assert_eq!(end(&[own(Status::Done), refused].concat()), Some(End::NothingDone));
        assert_eq!(end(&own(Status::Refused)), None);
        assert_eq!(end(&called(Way::Message, Status::Refused)), Some(End::NothingDone), "the user wanted it run");
    }

    #[test]
    fn a_plan_is_what_was_wanted_whatever_was_refused_on_the_way() {
        let refused = called(Way::Server, Status::Refused);
        let mode = |mode| vec![Event::Call(CallEvent::ModeChanged { mode })];
        assert_eq!(end(&[mode(Mode::Plan), refused.to_vec()].concat()), None);
        assert_eq!(end(&[mode(Mode::Plan), mode(Mode::Safe), refused.to_vec()].concat()), Some(End::NothingDone));
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
    fn of_a_task_the_calls_of_its_subagent_count() {
        let [mut proposed, mut finished] = called(Way::Server, Status::Done);
        let task = CallId(1);
        if let Event::Call(CallEvent::Proposed { call }) = &mut proposed {
            call.id = task;
        }
        if let Event::Call(CallEvent::Finished { call, .. }) = &mut finished {
            *call = task;
        }
        let within = |status| {
            called(Way::Text, status)
                .map(|event| Event::Call(CallEvent::Delegated { call: task, event: Box::new(event) }))
        };
        let run = |status| end(&[&[proposed.clone()], &within(status)[..], &[finished.clone()]].concat());
        assert_eq!(run(Status::Refused), Some(End::NothingDone));
        assert_eq!(run(Status::Done), None);
    }
}

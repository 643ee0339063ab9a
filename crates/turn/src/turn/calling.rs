//! A call that no model made: somebody outside wants one tool to do one thing. It is a turn of its own, and goes the way of
//! every call: looked at, judged, asked about, written down, and it can be taken back.
//!
//! **Invariant.** No model hears of it: nothing of it goes into the conversation, and none is asked afterwards.

use crate::machine::Machine;
use agent_protocol::{
    Action, Event, Failure, FailureKind, ModelCall, NoticeLevel, Origin, SessionAct, ToolCall, TurnEndReason, Way,
};
use serde_json::Value;

/// Letters of a name that are shown; it is somebody else's.
const MOST_LETTERS: usize = 60;

/// Bytes that its result may take: no window of a model that we know of limits it.
const ROOM: usize = 48 * 1_024;

impl Machine {
    /// Carries out one call from outside. One at a time: whoever makes them waits for the end of the turn.
    pub(crate) fn call(&mut self, name: String, arguments: Value) {
        if !self.is_at_rest() || self.opening.is_some() || self.resuming.is_some() {
            let text = format!("{} was not called: something else is under way", shown(&name));
            return self.out.notice(NoticeLevel::Warning, text);
        }
        let words = format!("call {}", shown(&name));
        self.wake_recorder();
        self.record_conversation();
        // It can be gone back to, and what it changes can be taken back, like anything said.
        self.sayings.say(&words, self.history.messages());
        self.start_turn(words);
        self.turn.from_outside = true;
        let call = ModelCall { server_id: None, index: None, name, arguments };
        let origin = Origin { way: Way::Outside, ..Origin::default() };
        let call = ToolCall { id: self.out.next_call(), call, origin };
        self.out.emit(Event::Proposed { call: call.clone() });
        self.begin_work(vec![call]);
    }

    /// Bytes that a result may take which no model reads.
    pub(crate) fn room_outside(&self) -> Option<usize> {
        self.turn.from_outside.then_some(ROOM)
    }

    /// Ends a turn whose one call has its result. True where that is so.
    pub(crate) fn end_call_from_outside(&mut self) -> bool {
        if self.turn.from_outside {
            self.end_turn(TurnEndReason::Done);
        }
        self.turn.from_outside
    }

    /// Why this cannot be done for somebody outside: it is between a model and its person.
    pub(crate) fn only_inside(&self, action: &Action) -> Option<Failure> {
        let Action::Session { act } = action else { return None };
        let what = match act {
            SessionAct::Todo { .. } => "a list of what there is to do",
            SessionAct::Propose { .. } => "a plan",
            SessionAct::Inquire { .. } => "a question",
            SessionAct::Delegate { .. } => "a task for a second agent",
        };
        let message = format!("{what} belongs to a session with a model of its own; there is none here, so do without");
        self.turn.from_outside.then(|| Failure::new(FailureKind::NotReady, message))
    }
}

fn shown(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST_LETTERS).collect()
}

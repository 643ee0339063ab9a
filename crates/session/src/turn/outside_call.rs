//! A call that no model made: somebody outside wants one tool to do one thing. It is a turn of its own, and goes the way of
//! every call: looked at, judged, asked about, written down, and it can be taken back.
//!
//! **Invariant.** No model hears of it: nothing of it goes into the conversation, and none is asked afterwards.

use crate::parts::Parts;
use crate::turn::phase::{Next, Phase};
use crate::turn::state::Turn;
use crate::turn::user_message::start_turn;
use agent_protocol::{
    Action, CallEvent, Failure, FailureKind, ModelCall, NoticeLevel, Origin, SessionAct, ToolCall, Way,
};
use serde_json::{Value, json};

/// The tool that saves what a person wants to be remembered; no model is told of it.
const MEMORY: &str = "persons_memory";

/// Letters of a name that are shown; it is somebody else's.
const MOST_LETTERS: usize = 60;

/// Carries out one call from outside. One at a time: whoever makes them waits for the end of the turn.
pub(crate) fn call(phase: Phase, name: String, arguments: Value, parts: &mut Parts) -> Next {
    let words = format!("call {}", short_name(&name));
    carry_out(phase, words, (name, arguments), parts)
}

/// Saves what the user wants to be remembered: asked about with the diff, as it is where a model wants that.
pub(crate) fn remember(phase: Phase, fact: &str, parts: &mut Parts) -> Next {
    carry_out(phase, format!("#{fact}"), (MEMORY.to_owned(), json!({ "fact": fact })), parts)
}

fn carry_out(phase: Phase, words: String, (name, arguments): (String, Value), parts: &mut Parts) -> Next {
    if !phase.is_idle() || parts.turn.opening.is_some() || parts.turn.resuming.is_some() {
        let text = format!("{} was not called: something else is under way", short_name(&name));
        parts.out.notice(NoticeLevel::Warning, text);
        return Next::Rest(phase);
    }
    let Parts { conversation, server, records, out, .. } = parts;
    conversation.wake_recorder(server, out);
    conversation.record(out);
    // It can be gone back to, and what it changes can be taken back, like anything said.
    records.sayings.say(&words, conversation.messages());
    start_turn(words, parts);
    parts.turn.counts.from_outside = true;
    let call = ModelCall { server_id: None, index: None, name, arguments };
    let origin = Origin { way: Way::Outside, ..Origin::default() };
    let call = ToolCall { id: parts.out.next_call(), call, origin };
    parts.out.emit(CallEvent::Proposed { call: call.clone() });
    Next::Work(vec![call])
}

/// Why this cannot be done for somebody outside: it is between a model and its person.
pub(crate) fn only_inside(action: &Action, turn: &Turn) -> Option<Failure> {
    let Action::Session { act } = action else { return None };
    let what = match act {
        SessionAct::Todo { .. } => "a list of what there is to do",
        SessionAct::Propose { .. } => "a plan",
        SessionAct::Inquire { .. } => "a question",
        SessionAct::Delegate { .. } => "a task for a second agent",
    };
    let message = format!("{what} belongs to a session with a model of its own; there is none here, so do without");
    turn.counts.from_outside.then(|| Failure::new(FailureKind::NotReady, message))
}

fn short_name(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MOST_LETTERS).collect()
}

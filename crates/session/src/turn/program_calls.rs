//! Calls that the program makes for the model. They go the way of every call; only what comes of them is told otherwise.

use crate::CallEffect;
use crate::parts::Parts;
use crate::turn::phase::Next;
use crate::turn::work::Working;
use agent_protocol::{CallEvent, ModelCall, Origin, ToolCall, Way};
use serde_json::Value;

/// A call of the program: nobody hears of it before it is known that it is worth a word.
pub(crate) fn program_call(name: &str, arguments: Value, parts: &mut Parts) -> ToolCall {
    let call = ModelCall { server_id: None, index: None, name: name.to_owned(), arguments };
    ToolCall { id: parts.out.next_call(), call, origin: Origin { way: Way::Program, ..Origin::default() } }
}

/// Is it a call that the program made?
pub(crate) fn is_programs(call: &ToolCall) -> bool {
    call.origin.way == Way::Program
}

/// A call for what stands in a message of the user's: it goes the way of every call that a model makes, questions included.
pub(crate) fn message_call(name: &str, arguments: Value, parts: &mut Parts) -> ToolCall {
    let call = ModelCall { server_id: None, index: None, name: name.to_owned(), arguments };
    let origin = Origin { way: Way::Message, ..Origin::default() };
    let call = ToolCall { id: parts.out.next_call(), call, origin };
    parts.out.emit(CallEvent::Proposed { call: call.clone() });
    call
}

/// Is it a call for what stands in a message?
pub(crate) fn is_messages(call: &ToolCall) -> bool {
    call.origin.way == Way::Message
}

/// Is it a call that no model made?
pub(crate) fn is_nobodys(call: &ToolCall) -> bool {
    match call.origin.way {
        Way::Program | Way::Message => true,
        Way::Server | Way::Text | Way::ServerError | Way::Retry | Way::Constrained | Way::Outside => false,
    }
}

/// Nothing comes of it, and nobody is told; on to the next.
pub(crate) fn pass_over(working: &Working, parts: &mut Parts) -> Next {
    parts.out.carry_out(CallEffect::Forget(working.current.id));
    Next::Work(working.waiting.iter().cloned().collect())
}

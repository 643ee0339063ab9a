//! Calls that the program makes for the model. They go the way of every call; only what comes of them is told otherwise.

use crate::CallEffect;
use crate::parts::Parts;
use crate::turn::phase::Next;
use crate::turn::work::Working;
use agent_protocol::{ModelCall, Origin, ToolCall, Way};
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

/// Nothing comes of it, and nobody is told; on to the next.
pub(crate) fn pass_over(working: &Working, parts: &mut Parts) -> Next {
    parts.out.carry_out(CallEffect::Forget(working.current.id));
    Next::Work(working.waiting.iter().cloned().collect())
}

//! Commands in a slash command of the user's own: they are run before the model is asked, and their output stands where they
//! stood. Each is a `run_command` like one that a model calls: looked at, judged, asked about, kept in the sandbox, written
//! down. What is refused or fails is told in its place, and the message goes out all the same.

use crate::parts::Parts;
use crate::turn::program_calls::message_call;
use agent_protocol::{FailureKind, Outcome, Piece, Status, ToolCall, fenced};
use serde_json::{Value, json};

/// The tool that runs commands.
const RUNS: &str = "run_command";

/// The calls for commands that were said and not run yet.
pub(crate) fn due(parts: &mut Parts) -> Vec<ToolCall> {
    let commands = std::mem::take(&mut parts.turn.counts.expands);
    commands.into_iter().map(|command| message_call(RUNS, json!({ "command": command }), parts)).collect()
}

pub(crate) fn runs(call: &ToolCall) -> bool {
    call.name() == RUNS
}

/// It has ended: what the model is told of it stands in its place.
pub(crate) fn tell_model(call: &ToolCall, outcome: &Outcome, parts: &mut Parts) {
    // As it ran: a hook may have put another in place of what the slash command has.
    let command = call.call.arguments.get("command").and_then(Value::as_str).unwrap_or_default().to_owned();
    let told = match outcome.status {
        Status::Refused | Status::Failed { kind: FailureKind::Denied } => {
            format!("(the command `{command}` was not run: {})", outcome.told.trim())
        }
        Status::Done | Status::Exited { .. } | Status::Failed { .. } | Status::Stopped | Status::Unknown => {
            fenced("output", &format!("the command `{command}`"), &outcome.told).trim_end().to_owned()
        }
    };
    parts.conversation.now.history.put_in_place(&Piece::Output(command).written(), &told);
}

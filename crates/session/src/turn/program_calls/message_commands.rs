//! Commands in a slash command of the user's own: they are run before the model is asked, and their output stands where they
//! stood. Each is a `run_command` like one that a model calls: looked at, judged, asked about, kept in the sandbox, written
//! down. What is refused or fails is told in its place, and the message goes out all the same.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::turn::program_calls::CallOrigin;
use agent_protocol::{FailureKind, Outcome, Piece, Status, ToolCall, fenced};
use serde_json::{Value, json};

/// The calls for commands that were said and not run yet.
pub(crate) fn due(commands: Vec<String>, out: &mut Out) -> Vec<ToolCall> {
    let call = |command| CallOrigin::MessageCommand.proposed_call(json!({ "command": command }), out);
    commands.into_iter().map(call).collect()
}

/// It has ended: what the model is told of it stands in its place.
pub(crate) fn tell_model(call: &ToolCall, outcome: &Outcome, conversation: &mut Conversation) {
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
    conversation.now.history.put_in_place(&Piece::Output(command).written(), &told);
}

//! The result of a call: how it is told to the model, to the user and to the records, and what stands for one where the
//! call did not run.

use crate::Keep;
use crate::conversation::Conversation;
use crate::conversation::history::as_text;
use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::program_calls::check_state::OwnCheck;
use crate::turn::program_calls::{CallOrigin, dispatch};
use crate::turn::state::Turn;
use agent_protocol::{
    CallEvent, Failure, FailureKind, Message, ModelCall, Outcome, PartOrigin, Status, ToolCall, TurnEndReason,
};

/// The call has this result.
pub(crate) fn tell(call: &ToolCall, mut outcome: Outcome, parts: &mut Parts) {
    let origin = CallOrigin::from_call(call);
    if origin == CallOrigin::OwnCommand {
        super::outside_call::ended(&outcome, &parts.turn, &mut parts.conversation, &parts.server);
    } else if !parts.turn.counts.from_outside {
        tell_model(call, &mut outcome, &parts.turn, &mut parts.conversation, &parts.server, &mut parts.out);
    }
    if let Some((command, folder)) = parts.turn.counts.done.ended(&outcome, !origin.is_by_model()) {
        if !origin.is_of_program() {
            parts.turn.counts.check.ran(&command, &outcome);
            parts.turn.checks.ran(OwnCheck { line: command.clone(), folder }, &outcome);
        }
        parts.records.last_command = Some((command, outcome.told.clone()));
    }
    parts.records.changed(&outcome.changed);
    parts.out.emit(CallEvent::Finished { call: call.id, outcome });
}

fn tell_model(
    call: &ToolCall,
    outcome: &mut Outcome,
    turn: &Turn,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) {
    if dispatch::tell_model(call, outcome, conversation, server, out) {
        return;
    }
    let mut images = std::mem::take(&mut outcome.images);
    if !images.is_empty() && !server.sees() {
        images.clear();
        outcome.told.push_str("\n(this model does not understand pictures, so it was not shown)");
    }
    if server.works_by_files() && call.name() == CallOrigin::ContextFiles.tool() {
        // Files stand there as they always do for a model that works by them, each in a fence that it cannot close.
        return conversation.now.history.append_user_part(PartOrigin::Result, &outcome.told);
    }
    let result = Message { images, ..result_of(&call.call, outcome, turn.keep) };
    let now = &mut conversation.now;
    match now.results {
        Some(form) => now.history.result_by_text(&as_text(&result, form)),
        None => now.history.result(result),
    }
    now.after_result = true;
}

/// The result of a call, in which the words are the user's with which they refused it.
fn result_of(call: &ModelCall, outcome: &Outcome, keep: Keep) -> Message {
    let has_words = outcome.status == Status::Refused && keep == Keep::Everything;
    let words = if has_words { outcome.summary.as_str() } else { "" };
    let Some(told) = outcome.told.strip_suffix(words) else { return Message::result(call, outcome.told.as_str()) };
    let mut result = Message::result(call, told);
    result.push(PartOrigin::Person, words);
    result
}
pub(crate) fn refused(word: Option<&str>, keep: Keep) -> Outcome {
    let told = match (word, keep) {
        (Some(word), Keep::Everything) => format!("refused by the user, who says: {word}"),
        // Nobody was there.
        (Some(word), Keep::Nothing) => format!("refused: {word}"),
        (None, _) => "refused by the user; do not try the same again, ask or find another way".to_owned(),
    };
    bare(Status::Refused, told, word.unwrap_or_default())
}

pub(crate) fn never_begun() -> Outcome {
    bare(Status::Stopped, "not run: the turn was stopped by the user".into(), "not run")
}

/// The turn ended for this reason before the call began.
pub(crate) fn stopped_for(reason: &TurnEndReason) -> Outcome {
    match reason {
        TurnEndReason::Broken { trouble } => Outcome { told: format!("not run: {trouble}"), ..never_begun() },
        TurnEndReason::Done
        | TurnEndReason::Length
        | TurnEndReason::Interrupted
        | TurnEndReason::StepLimit
        | TurnEndReason::TimeLimit
        | TurnEndReason::Repeating
        | TurnEndReason::Stuck { .. }
        | TurnEndReason::Full
        | TurnEndReason::TooSmall { .. }
        | TurnEndReason::Lost => never_begun(),
    }
}

/// An outcome that is told, and nothing else.
pub(crate) fn bare(status: Status, told: String, summary: &str) -> Outcome {
    Outcome {
        status,
        told,
        summary: summary.to_owned(),
        detail: String::new(),
        fence: None,
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    }
}

pub(crate) fn impossible(why: String) -> Failure {
    Failure::new(FailureKind::InvalidArguments, why)
}

pub(crate) fn denied(why: &str) -> Failure {
    Failure::new(FailureKind::Denied, format!("refused: {why}"))
}

//! Where a call of the program goes another way than one of a model: what comes of a look that it may not take, of its plan, of
//! the verdict on it, of its end, and what the model is told of it. Each is decided here for all origins.

use crate::Planned;
use crate::conversation::Conversation;
use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::file_mode::after_check;
use crate::turn::phase::Next;
use crate::turn::phases::work::Working;
use crate::turn::program_calls::{
    CallOrigin, add_imports, check, context_files, finish_rename, message_commands, pictures, project_facts,
};
use crate::turn::state::Turn;
use agent_policy::Verdict;
use agent_protocol::{Failure, FailureKind, Outcome, ToolCall};

/// It was not found out what the call would look at; `None`: that is told as its result.
pub(crate) fn not_reached(working: &Working, out: &mut Out) -> Option<Next> {
    match working.origin() {
        CallOrigin::ProjectFacts => Some(Next::pass_over(working, out)),
        CallOrigin::Model
        | CallOrigin::OwnCommand
        | CallOrigin::MessageCommand
        | CallOrigin::MessagePicture
        | CallOrigin::Check
        | CallOrigin::FinishRename
        | CallOrigin::AddImports
        | CallOrigin::ContextFiles
        | CallOrigin::RestoreFiles => None,
    }
}

/// The call may not look without a question, or not at all; `None`: the user is asked, or it is told as its result.
pub(crate) fn not_allowed_to_look(working: &Working, parts: &mut Parts) -> Option<Next> {
    let next = match working.origin() {
        CallOrigin::Model | CallOrigin::OwnCommand | CallOrigin::MessageCommand | CallOrigin::MessagePicture => {
            return None;
        }
        CallOrigin::Check => {
            check::unchecked(working, &mut parts.turn, &mut parts.conversation, &parts.server, &mut parts.out)
        }
        CallOrigin::FinishRename => finish_rename::not_done(working, parts),
        CallOrigin::AddImports => add_imports::not_done(working, parts),
        CallOrigin::ContextFiles | CallOrigin::ProjectFacts | CallOrigin::RestoreFiles => {
            return Some(context_files::left_out(working, &mut parts.out));
        }
    };
    Some(after_check(next, &mut parts.turn, &mut parts.conversation))
}

/// What the call would do is known; `None`: that is judged.
pub(crate) fn planned(working: &Working, result: &Result<Planned, Failure>, parts: &mut Parts) -> Option<Next> {
    let next = match (working.origin(), result) {
        (CallOrigin::Check, Err(failure)) if failure.kind == FailureKind::Unfinished => {
            Some(add_imports::found(working, failure, parts))
        }
        (CallOrigin::Check, _) => {
            check::planned(working, result, &mut parts.turn, &mut parts.conversation, &parts.server, &mut parts.out)
        }
        (CallOrigin::FinishRename, _) => finish_rename::planned(working, result, parts),
        (CallOrigin::AddImports, _) => add_imports::planned(working, result, parts),
        (CallOrigin::ProjectFacts, _) => return result.is_err().then(|| Next::pass_over(working, &mut parts.out)),
        (CallOrigin::ContextFiles, _) => {
            return context_files::planned(working, result, &mut parts.conversation, &parts.server, &mut parts.out);
        }
        (
            CallOrigin::Model
            | CallOrigin::OwnCommand
            | CallOrigin::MessageCommand
            | CallOrigin::MessagePicture
            | CallOrigin::RestoreFiles,
            _,
        ) => return None,
    };
    next.map(|next| after_check(next, &mut parts.turn, &mut parts.conversation))
}

/// What the call would do is judged; `None`: the verdict is followed as for any call.
pub(crate) fn judged(
    working: &Working,
    verdict: &Verdict,
    turn: &mut Turn,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> Option<Next> {
    match working.origin() {
        CallOrigin::ProjectFacts => project_facts::judged(working, verdict, out),
        CallOrigin::Check => check::judged(working, verdict, turn, conversation, server, out)
            .map(|next| after_check(next, turn, conversation)),
        CallOrigin::Model
        | CallOrigin::OwnCommand
        | CallOrigin::MessageCommand
        | CallOrigin::MessagePicture
        | CallOrigin::FinishRename
        | CallOrigin::AddImports
        | CallOrigin::ContextFiles
        | CallOrigin::RestoreFiles => None,
    }
}

/// The last call of its row has ended with this outcome; `None`: the model made it, and its turn goes on.
pub(crate) fn ended(call: &ToolCall, outcome: &Outcome, parts: &mut Parts) -> Option<Next> {
    let next = match CallOrigin::from_call(call) {
        CallOrigin::Model | CallOrigin::OwnCommand => return None,
        CallOrigin::Check => finish_rename::finish(outcome, &mut parts.turn, &parts.server, &mut parts.out)
            .unwrap_or_else(|| check::checked(outcome, parts)),
        CallOrigin::FinishRename => finish_rename::ended(outcome, parts),
        CallOrigin::AddImports => add_imports::ended(outcome, parts),
        CallOrigin::MessageCommand
        | CallOrigin::MessagePicture
        | CallOrigin::ContextFiles
        | CallOrigin::ProjectFacts
        | CallOrigin::RestoreFiles => {
            return Some(
                check::ahead(&mut parts.turn, &parts.conversation, &parts.server, &mut parts.out).unwrap_or(Next::Ask),
            );
        }
    };
    Some(after_check(next, &mut parts.turn, &mut parts.conversation))
}

/// Tells the model what a call came to that it did not make. False: it made it, and is told as always.
pub(crate) fn tell_model(
    call: &ToolCall,
    outcome: &mut Outcome,
    conversation: &mut Conversation,
    server: &Server,
    out: &mut Out,
) -> bool {
    match CallOrigin::from_call(call) {
        CallOrigin::Model | CallOrigin::OwnCommand => return false,
        // What of it the model is told is for the module that knows what follows.
        CallOrigin::Check | CallOrigin::FinishRename | CallOrigin::AddImports => {}
        CallOrigin::ContextFiles => context_files::tell_model(outcome, conversation, server, out),
        CallOrigin::ProjectFacts => project_facts::tell_model(outcome, conversation),
        CallOrigin::RestoreFiles => {}
        CallOrigin::MessageCommand => message_commands::tell_model(call, outcome, conversation),
        CallOrigin::MessagePicture => pictures::tell_model(outcome, conversation, server, out),
    }
    true
}

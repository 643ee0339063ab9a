//! The turn is over, for one reason or another: what it did is told, and what waits begins the next.

use crate::ServerEffect;
use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::phase::{Hooking, Next, Phase};
use crate::turn::phases::delegating;
use crate::turn::phases::{hooks, listening, summarising, working};
use crate::turn::program_calls::check;
use crate::turn::receipts::{Settled, look_after, settle};
use crate::turn::sessions::forget_conversation;
use crate::turn::state::Turn;
use crate::turn::user_message::unqueue;
use agent_protocol::{CallEvent, FileReceipt, ModelsReason, ServerError, Settlement, TurnEndReason, TurnEvent};

/// The turn is over; what it did is looked up and told first.
pub(crate) fn end(reason: TurnEndReason, parts: &mut Parts) -> Next {
    if parts.turn.paused.is_some() {
        delegating::end(reason, parts)
    } else {
        look_after(reason, &parts.turn, &mut parts.out)
    }
}

/// The turn is over because the server is in trouble.
pub(crate) fn broken(trouble: ServerError, server: &Server) -> Next {
    let trouble = match trouble {
        ServerError::TooLong { prompt_tokens, window: None } => {
            ServerError::TooLong { prompt_tokens, window: Some(server.window()) }
        }
        other => other,
    };
    Next::End(TurnEndReason::Broken { trouble })
}

/// What the turn did is known: it is over, unless the model has to hear of something first.
pub(crate) fn settled(reason: TurnEndReason, files: Vec<FileReceipt>, parts: &mut Parts) -> Next {
    match settle(reason, files, parts) {
        Settled::Over(reason) => finish(reason, parts),
        Settled::NotYet => Next::Ask,
        Settled::NotOver(next) => *next,
        Settled::Check(files) => check::begin(&files, &mut parts.turn, &parts.server, &mut parts.out),
        Settled::Hooks(reason, files) => hooks::at_end(reason, files, &mut parts.turn, &mut parts.out),
    }
}

/// The turn is over; what is queued begins the next one, unless the user interrupted.
fn finish(reason: TurnEndReason, parts: &mut Parts) -> Next {
    // Whoever reads that it is over finds all of it.
    parts.conversation.record(&mut parts.out);
    let reason = match (reason, std::mem::take(&mut parts.turn.time_is_up)) {
        (TurnEndReason::Interrupted, true) => TurnEndReason::TimeLimit,
        (reason, _) => reason,
    };
    let failed = matches!(
        reason,
        TurnEndReason::Interrupted
            | TurnEndReason::TimeLimit
            | TurnEndReason::Full
            | TurnEndReason::TooSmall { .. }
            | TurnEndReason::Broken { .. }
    );
    let lost = if let TurnEndReason::Broken { trouble } = &reason { Some(trouble.clone()) } else { None };
    let (turn, usage) = (parts.turn.counts.id, parts.turn.counts.usage);
    parts.out.emit(TurnEvent::Ended { turn, reason, usage });
    parts.server.keep_profile(&mut parts.out);
    clear_if_wanted(parts);
    if !failed {
        return Next::GoOn;
    }
    look_for_what_is_missing(lost, &mut parts.server, &mut parts.out);
    if !parts.turn.queue.is_empty() {
        unqueue(&mut parts.turn, &mut parts.out);
    }
    Next::idle()
}

/// The turn broke off because the server is gone, or the model: that is looked for.
fn look_for_what_is_missing(lost: Option<ServerError>, server: &mut Server, out: &mut Out) {
    match lost {
        Some(trouble @ ServerError::Unreachable { .. }) => server.lost(trouble, out),
        Some(ServerError::ModelMissing { model: name }) => {
            // What waits for an answer gets it from the model that is chosen next.
            server.resume_when_up();
            out.carry_out(ServerEffect::List { reason: ModelsReason::Missing { name } });
        }
        _ => {}
    }
}

/// Clears, where that was wished for while something was under way.
pub(crate) fn clear_if_wanted(parts: &mut Parts) {
    if std::mem::take(&mut parts.turn.clear_wanted) {
        forget_conversation(parts);
    }
}

/// Hooks are not heard to their end: what was to be said goes back to the user, and a turn that was over is.
fn stop_hooks(hooking: Hooking, turn: &mut Turn, out: &mut Out) -> Next {
    hooks::stop(hooking.firing(), out);
    match hooking {
        Hooking::Prompt { .. } => {
            unqueue(turn, out);
            Next::idle()
        }
        Hooking::TurnEnd { reason, files, .. } => hooks::end_now(reason, files, turn),
    }
}

/// The time that it may take is over.
pub(crate) fn time_is_up(phase: Phase, parts: &mut Parts) -> Next {
    parts.turn.time_is_up = !matches!(phase, Phase::Idle);
    interrupt(phase, parts)
}

/// The user wants it to end.
pub(crate) fn interrupt(phase: Phase, parts: &mut Parts) -> Next {
    match phase {
        Phase::Idle => Next::idle(),
        Phase::Listening(listening) => listening::hang_up(*listening, &mut parts.conversation, &mut parts.out),
        Phase::Working(working) => working::stop(working, parts),
        Phase::Summarising(_) => summarising::stop(&mut parts.out),
        Phase::Examining(_) => {
            parts.out.carry_out(ServerEffect::HangUp);
            Next::End(TurnEndReason::Interrupted)
        }
        Phase::Hooking(hooking) => stop_hooks(*hooking, &mut parts.turn, &mut parts.out),
        // These take a moment and end by themselves; nothing more is asked of the model then.
        Phase::LookingAfter(_) | Phase::LookingBack { .. } | Phase::Undoing(_) | Phase::GoingBack(_) => {
            parts.turn.counts.done.say_nothing_more();
            Next::Rest(phase)
        }
        Phase::Halted { ask, .. } => {
            parts.out.emit(CallEvent::Settled { ask, settlement: Settlement::Withdrawn });
            Next::End(TurnEndReason::Interrupted)
        }
    }
}

//! What the hands answer, led to where it is awaited. What comes late falls through.

use crate::parts::Parts;
use crate::records::said::page;
use crate::server::models;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::fresh_start;
use crate::turn::phases::work::Working;
use crate::turn::phases::{examining, hooks, listening, reaching, sandbox_retry, summarising, undoing, working};
use crate::turn::{jobs, permissions, serving, sessions};
use crate::{CallInput, ServerInput, SessionInput};
use agent_protocol::{ListEvent, ModelEvent, NoticeLevel, ReplyId, ServerEvent, SessionEvent};

/// Answers about calls, and about commands that go on beside them.
pub(crate) fn of_calls(mut phase: Phase, input: CallInput, parts: &mut Parts) -> Next {
    match input {
        CallInput::Reached { call, result, facts } => {
            return with_work(phase, |working| working::reached(working, call, result, &facts, parts));
        }
        CallInput::Planned { call, result, facts } => return working::planned(phase, call, result, &facts, parts),
        CallInput::Output { call, chunk } => working::put_out(&phase, call, chunk, &mut parts.out),
        CallInput::Ran { call, outcome } => {
            return with_work(phase, |working| {
                working::ran(working, call, outcome, &mut parts.turn, &parts.server, &mut parts.out)
            });
        }
        CallInput::Reaches { reach, by, host, sees_secrets } => {
            reaching::reaches(&mut phase, (reach, by), (host, sees_secrets), parts);
        }
        CallInput::ReachOver { reach } => reaching::reach_is_over(&mut phase, reach, &mut parts.turn, &mut parts.out),
        CallInput::Ports { ports, fault } => reaching::ports(ports, fault, &mut parts.out),
        CallInput::FileNames { names, more } => parts.out.emit(ListEvent::Files { names, more }),
        CallInput::Jobs { jobs } => jobs::changed(jobs, &mut parts.turn, &mut parts.conversation, &mut parts.out),
        CallInput::Tampered { names } => {
            sandbox_retry::tampered_beside(&names, &mut parts.turn, &mut parts.conversation, &mut parts.out)
        }
        CallInput::Tried { action, facts } => permissions::tried(action, &facts, &parts.turn, &mut parts.out),
    }
    Next::Rest(phase)
}

/// Answers of the model server.
pub(crate) fn of_server(phase: Phase, input: ServerInput, parts: &mut Parts) -> Next {
    match input {
        ServerInput::Model { reply, event } => return on_model_event(phase, reply, event, parts),
        ServerInput::Probed { result, can_start } => {
            return serving::probed(phase, result, can_start, &mut parts.server, &mut parts.out);
        }
        ServerInput::Nearby { servers } => parts.out.emit(ServerEvent::Nearby { servers }),
        ServerInput::Described { name, result, loaded } => {
            return serving::described(phase, name, result, loaded.as_ref(), parts);
        }
        ServerInput::Listed { reason, result } => parts.server.listed(reason, result, &mut parts.out),
        ServerInput::Pulled { name, state } => {
            serving::pulled(&phase, name, state, &parts.turn, &mut parts.server, &mut parts.out)
        }
        ServerInput::NotStarted { why } => {
            parts.out.notice(NoticeLevel::Warning, why);
            parts.server.look(&mut parts.out);
        }
        ServerInput::Preloaded { name, result } => parts.server.preloaded(&name, result.is_ok(), &mut parts.out),
        ServerInput::Loaded { result } => {
            return serving::loaded(
                phase,
                result,
                &mut parts.conversation,
                &mut parts.server,
                &mut parts.records,
                &mut parts.out,
            );
        }
        ServerInput::Rendered { request, result } => serving::rendered(request, result, &mut parts.out),
        ServerInput::DescribedOnly { name, result, loaded } => {
            models::described_only(name, result, loaded, &mut parts.out);
        }
        ServerInput::ToldLoaded { result } => models::told_loaded(result, &mut parts.out),
        ServerInput::Removed { name, result } => {
            parts.out.emit(ServerEvent::ModelRemoved { name, trouble: result.err() });
        }
    }
    Next::Rest(phase)
}

/// Answers about what is kept of the session, and about its files.
pub(crate) fn of_session(phase: Phase, input: SessionInput, parts: &mut Parts) -> Next {
    match input {
        SessionInput::Journal { state } => {
            parts.out.recorder.stands(&state);
            parts.out.emit(SessionEvent::Journal { state });
        }
        SessionInput::HooksRan { firing, runs } => {
            return hooks::ended(phase, firing, &runs, &mut parts.turn, &mut parts.conversation, &mut parts.out);
        }
        SessionInput::SessionsListed { sessions, now } => parts.out.emit(ListEvent::Sessions { sessions, now }),
        SessionInput::SessionOpened { result } => {
            return sessions::opened(phase, result.map(|opened| *opened), parts);
        }
        SessionInput::PageRead { session, turn, result } => parts.out.emit(page(session, turn, result)),
        SessionInput::ReadBack { said, result } => {
            if matches!(phase, Phase::GoingBack(wanted) if wanted == said) {
                return undoing::read_back(said, result, parts);
            }
        }
        SessionInput::Exported { result } => sessions::exported(result, &mut parts.turn, &mut parts.out),
        SessionInput::Written { result } => sessions::written(result, &parts.conversation, &mut parts.out),
        SessionInput::AgainstHead { result } => undoing::held_against_head(result, &mut parts.records, &mut parts.out),
        SessionInput::UndoPlanned { plan } => match phase {
            Phase::LookingBack { reason, files } => return fresh_start::planned(*reason, files, &plan, parts),
            other => {
                undoing::planned(&other, plan, &parts.turn, &mut parts.records, &mut parts.out);
                return Next::Rest(other);
            }
        },
        SessionInput::Undone { files } => match phase {
            Phase::Undoing(undoing) => return undoing::undone(*undoing, files, parts),
            other => return Next::Rest(other),
        },
        SessionInput::LookedAfter { files } => match phase {
            Phase::LookingAfter(reason) => return Next::Settle(*reason, files),
            other => return Next::Rest(other),
        },
    }
    Next::Rest(phase)
}

/// Something of a reply is here; where none is awaited, it came late.
fn on_model_event(phase: Phase, reply: ReplyId, event: ModelEvent, parts: &mut Parts) -> Next {
    match phase {
        Phase::Listening(listening) => listening::on_model_event(listening, reply, event, parts),
        Phase::Summarising(summarising) => summarising::on_model_event(summarising, reply, event, parts),
        Phase::Examining(examining) => examining::on_model_event(examining, reply, event, parts),
        Phase::Idle
        | Phase::Working(_)
        | Phase::LookingAfter(_)
        | Phase::LookingBack { .. }
        | Phase::Hooking(_)
        | Phase::Undoing(_)
        | Phase::GoingBack(_)
        | Phase::Halted { .. } => Next::Rest(phase),
    }
}

/// Goes on with the calls that are being carried out; where none are, the answer came late.
fn with_work(phase: Phase, go_on: impl FnOnce(Box<Working>) -> Next) -> Next {
    match phase {
        Phase::Working(working) => go_on(working),
        other => Next::Rest(other),
    }
}

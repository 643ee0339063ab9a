//! What a front end wishes, led to the part that it is for.

use crate::parts::Parts;
use crate::turn::guards::budget;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::undoing::PartAsked;
use crate::turn::phases::{answering, ending, examining, hooks, undoing};
use crate::turn::queue::QueuedMessage;
use crate::turn::{jobs, outside_call, permissions, serving, sessions, settle, user_message};
use crate::{CallEffect, ServerEffect, SessionEffect};
use agent_protocol::{CallOp, ContextOp, ListEvent, ListOp, ServerOp, SessionOp, TurnOp};

pub(crate) fn of_turn(phase: Phase, op: TurnOp, parts: &mut Parts) -> Next {
    match op {
        TurnOp::Say { text } => {
            user_message::say(phase, QueuedMessage::from_text(text), &mut parts.turn, &mut parts.server, &mut parts.out)
        }
        TurnOp::SayWith { text, input } => user_message::say(
            phase,
            QueuedMessage { input: Some(input), ..QueuedMessage::from_text(text) },
            &mut parts.turn,
            &mut parts.server,
            &mut parts.out,
        ),
        TurnOp::SayPieces { pieces, input, images } => user_message::say(
            phase,
            QueuedMessage { pieces, input, images },
            &mut parts.turn,
            &mut parts.server,
            &mut parts.out,
        ),
        TurnOp::SayShowing { text, input, images } => user_message::say(
            phase,
            QueuedMessage { input, images, ..QueuedMessage::from_text(text) },
            &mut parts.turn,
            &mut parts.server,
            &mut parts.out,
        ),
        // What hooks are just told of is given up.
        TurnOp::Unqueue if matches!(&phase, Phase::Hooking(hooking) if hooking.is_prompt()) => {
            ending::interrupt(phase, parts)
        }
        TurnOp::Unqueue => {
            user_message::unqueue(&mut parts.turn, &mut parts.out);
            Next::Rest(phase)
        }
        TurnOp::Interrupt => ending::interrupt(phase, parts),
        TurnOp::TimeShort => {
            budget::time_is_short(&mut parts.turn);
            Next::Rest(phase)
        }
        TurnOp::TimeUp => ending::time_is_up(phase, parts),
        TurnOp::Retry => serving::retry(phase, &parts.turn, &parts.conversation, &mut parts.server, &mut parts.out),
    }
}

pub(crate) fn of_calls(phase: Phase, op: CallOp, parts: &mut Parts) -> Next {
    match op {
        CallOp::Reply { ask, answer } => return answering::answer(phase, ask, answer, parts),
        CallOp::Call { name, arguments } => return outside_call::call(phase, name, arguments, parts),
        CallOp::Remember { fact } => return outside_call::remember(phase, &fact, parts),
        CallOp::Shell { command, told } => return super::turn::outside_call::run(phase, &command, told, parts),
        CallOp::SetMode { mode } => {
            let asking = phase.is_asking() || parts.turn.opening.is_some();
            permissions::set_mode(mode, asking, &mut parts.turn, &mut parts.conversation, &mut parts.out);
        }
        CallOp::SetGroups { groups } => serving::set_groups(
            &phase,
            &groups,
            &mut parts.conversation,
            &mut parts.server,
            &mut parts.records,
            &mut parts.out,
        ),
        CallOp::StopJob { job } => jobs::stop(job, &parts.turn, &mut parts.conversation, &mut parts.out),
        CallOp::Forward { port, open } => parts.out.carry_out(CallEffect::Forward { port, open }),
        CallOp::Revoke { rule } => permissions::revoke(&rule, &mut parts.turn, &mut parts.out),
        CallOp::Try { command } => permissions::try_command(command, &parts.conversation, &mut parts.out),
    }
    Next::Rest(phase)
}

pub(crate) fn of_context(phase: Phase, op: ContextOp, parts: &mut Parts) -> Next {
    match op {
        ContextOp::Compact { instructions } => user_message::compact(phase, &instructions, parts),
        ContextOp::Clear => clear(phase, parts),
    }
}

pub(crate) fn of_server(phase: Phase, op: ServerOp, parts: &mut Parts) -> Next {
    match op {
        ServerOp::Models => parts.server.list_models(&mut parts.out),
        ServerOp::SetModel { name } => serving::set_model(&phase, name, &mut parts.server, &mut parts.out),
        ServerOp::Pull { name } => parts.out.carry_out(ServerEffect::Pull { name }),
        ServerOp::StopPull => parts.out.carry_out(ServerEffect::StopPull),
        ServerOp::DescribeModel { name } => parts.out.carry_out(ServerEffect::DescribeOnly { name }),
        ServerOp::Loaded => parts.out.carry_out(ServerEffect::TellLoaded),
        ServerOp::RemoveModel { name } => parts.out.carry_out(ServerEffect::RemoveModel { name }),
        ServerOp::SetThink { think } => parts.server.set_think(think, &mut parts.out),
        ServerOp::SetForm { form } => serving::set_form(
            &phase,
            form,
            &mut parts.conversation,
            &mut parts.server,
            &mut parts.records,
            &mut parts.out,
        ),
        ServerOp::Examine => return examining::begin(phase, parts),
        ServerOp::StartServer => parts.server.start(&mut parts.out),
    }
    Next::Rest(phase)
}

pub(crate) fn of_session(phase: Phase, op: SessionOp, parts: &mut Parts) -> Next {
    match op {
        SessionOp::Open { id } => sessions::open(&phase, id, &mut parts.turn, &mut parts.out),
        SessionOp::Rename { title } => {
            sessions::rename(title, &parts.turn, &parts.conversation, &parts.server, &mut parts.out)
        }
        SessionOp::KeepDraft { text } => sessions::keep_draft(text, &parts.turn, &parts.conversation, &mut parts.out),
        SessionOp::Fork { said } => {
            sessions::fork(&phase, said, &mut parts.turn, &parts.server, &parts.records, &mut parts.out)
        }
        SessionOp::Page { session, turn } => parts.out.carry_out(SessionEffect::ReadPage { session, turn }),
        SessionOp::Export { format, path } => {
            sessions::export(format, path, &parts.server, &parts.records, &mut parts.out)
        }
        SessionOp::PlanUndo { direction, said } => {
            undoing::plan(&phase, direction, said, &parts.turn, &mut parts.records, &mut parts.out)
        }
        SessionOp::PlanPart { said, path, base, now, lines } => {
            undoing::plan_part(
                &phase,
                said,
                PartAsked { path, base, now, lines },
                &parts.turn,
                &mut parts.records,
                &mut parts.out,
            );
        }
        SessionOp::Undo { direction, said, choices } => return undoing::undo(phase, direction, said, &choices, parts),
        SessionOp::Rewind { said, what, choices } => return undoing::rewind(phase, said, what, &choices, parts),
    }
    Next::Rest(phase)
}

/// Tells what somebody wishes to be shown.
pub(crate) fn to_list(phase: &Phase, op: ListOp, parts: &mut Parts) {
    match op {
        ListOp::Ports => parts.out.carry_out(CallEffect::ListPorts),
        ListOp::Files => parts.out.carry_out(CallEffect::ListFiles),
        ListOp::Permissions => permissions::list_permissions(&parts.turn, &mut parts.out),
        ListOp::Context => serving::tell_context(&parts.conversation, &parts.server, &mut parts.out),
        ListOp::Prompt => serving::show_prompt(&parts.conversation, &parts.server, &mut parts.out),
        ListOp::Skills => parts.out.emit(ListEvent::Skills { skills: parts.server.settings.skills.clone() }),
        ListOp::Hooks => hooks::list(&parts.turn, &mut parts.out),
        ListOp::Memory => parts.out.emit(ListEvent::Memory { files: parts.turn.memory.clone() }),
        ListOp::Sessions => parts.out.carry_out(SessionEffect::ListSessions),
        ListOp::Undoable => undoing::tell_undoable(phase, &parts.turn, &parts.records, &mut parts.out),
        ListOp::AgainstHead => undoing::hold_against_head(&parts.turn, &mut parts.records, &mut parts.out),
    }
}

/// Ends what is under way and forgets the conversation, at once or as soon as a call that is being stopped has answered.
fn clear(phase: Phase, parts: &mut Parts) -> Next {
    let phase = settle(ending::interrupt(phase, parts), parts);
    parts.turn.clear_wanted = true;
    if phase.is_idle() {
        ending::clear_if_wanted(parts);
    }
    Next::Rest(phase)
}

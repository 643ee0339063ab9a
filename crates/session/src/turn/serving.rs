//! What the server's answers mean for the turn: a model is taken, a turn that broke off goes on, an examination waits.

use crate::conversation::Conversation;
use crate::conversation::request::Asked;
use crate::out::Out;
use crate::parts::Parts;
use crate::records::Records;
use crate::server::Server;
use crate::server::cloud::WaitingModel;
use crate::turn::cloud;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::examining;
use crate::turn::state::Turn;
use crate::{Keep, ServerEffect};
use agent_protocol::{
    ListEvent, LoadedModel, ModelCard, NoticeLevel, PullState, ServerCard, ServerError, ServerEvent, ToolsBy,
};

/// The server answered, or did not.
pub(crate) fn probed(
    phase: Phase,
    result: Result<ServerCard, ServerError>,
    can_start: bool,
    server: &mut Server,
    out: &mut Out,
) -> Next {
    if server.probed(result, can_start, out) { after_setback(phase, server) } else { Next::Rest(phase) }
}

/// What the server says of the wanted model: from now on it is in use, if it is there.
pub(crate) fn described(
    phase: Phase,
    name: String,
    result: Result<ModelCard, ServerError>,
    loaded: Option<&LoadedModel>,
    parts: &mut Parts,
) -> Next {
    let Parts { turn, server, out, .. } = &mut *parts;
    let Some(card) = server.described(name, result, out) else { return Next::Rest(phase) };
    cloud::withdraw(turn, server, out);
    if parts.server.agreed_to(&card) {
        let next = take(phase, card, loaded, parts);
        parts.server.tell_of_cloud(&mut parts.out);
        return next;
    }
    parts.server.waits_for_yes(card, loaded);
    cloud::ask(&mut parts.turn, &parts.server, &mut parts.out);
    Next::Rest(phase)
}

/// The user agreed to the cloud model that they were asked about, or did not.
pub(crate) fn answer_cloud(phase: Phase, yes: bool, parts: &mut Parts) -> Next {
    let Some(WaitingModel { card, loaded }) = parts.server.take_waiting() else { return Next::Rest(phase) };
    if !yes {
        parts.server.leave_alone(card.name, &mut parts.out);
        return Next::Rest(phase);
    }
    let host = card.remote_host.clone().unwrap_or_default();
    let next = take(phase, card, loaded.as_ref(), parts);
    parts.server.agree_to(host, &mut parts.out);
    next
}

/// This model is in use from now on.
fn take(phase: Phase, card: ModelCard, loaded: Option<&LoadedModel>, parts: &mut Parts) -> Next {
    let Parts { conversation, server, records, out, .. } = parts;
    server.take(card, loaded, out);
    if server.measure.window.effective.is_some() {
        conversation.window_measured(server, out);
    } else {
        server.warn_of_window(out);
    }
    conversation.offer_tools(server, records, out);
    conversation.take_up_count(server);
    server.tell_of_model(out);
    conversation.warn_of_base(server, out);
    conversation.tell_window(server, out);
    match after_setback(phase, server) {
        Next::GoOn => Next::GoOnOrLoad,
        other => other,
    }
}

/// The server is back: what broke off is taken up, or what is queued begins.
fn after_setback(phase: Phase, server: &mut Server) -> Next {
    match (phase, server.take_resume()) {
        (Phase::Idle, true) => Next::Resume,
        (Phase::Idle, false) => Next::GoOn,
        (phase, _) => Next::Rest(phase),
    }
}

/// The user wants what broke off to be taken up.
pub(crate) fn retry(
    phase: Phase,
    turn: &Turn,
    conversation: &Conversation,
    server: &mut Server,
    out: &mut Out,
) -> Next {
    if !phase.is_idle() || turn.resuming.is_some() {
        return Next::Rest(phase);
    }
    if server.is_ready() && server.is_up() {
        return Next::Resume;
    }
    // Where nothing waits, that the server is back is all there is to say.
    if conversation.now.history.awaits_reply() || !turn.queue.is_empty() {
        server.resume_when_up();
    }
    server.look(out);
    Next::idle()
}

/// The user wants the model to work in this form.
pub(crate) fn set_form(
    phase: &Phase,
    form: Option<ToolsBy>,
    conversation: &mut Conversation,
    server: &mut Server,
    records: &mut Records,
    out: &mut Out,
) {
    if !phase.is_idle() {
        let text = "the form of work can be changed when the turn is over; Esc ends it";
        return out.notice(NoticeLevel::Warning, text);
    }
    server.choose_form(form);
    conversation.offer_tools(server, records, out);
    server.keep_profile(out);
}

/// The user wants another model.
pub(crate) fn set_model(phase: &Phase, name: String, server: &mut Server, out: &mut Out) {
    if phase.is_idle() {
        server.choose(name, out);
    } else {
        let text = "the model can be changed when the turn is over; Esc ends it";
        out.notice(NoticeLevel::Warning, text);
    }
}

/// A download is further, or done.
pub(crate) fn pulled(phase: &Phase, name: String, state: PullState, turn: &Turn, server: &mut Server, out: &mut Out) {
    let done = state == PullState::Done;
    out.emit(ServerEvent::Pulling { name: name.clone(), state });
    // A script downloads without choosing.
    if done && phase.is_idle() && turn.keep == Keep::Everything {
        set_model(phase, name, server, out);
    }
}

/// Offers just these groups from now on. The next prompt begins otherwise, so that the server reads all of it again.
pub(crate) fn set_groups(
    phase: &Phase,
    wanted: &[String],
    conversation: &mut Conversation,
    server: &mut Server,
    records: &mut Records,
    out: &mut Out,
) {
    if !phase.is_idle() {
        let text = "tools are chosen between turns: wait for this one to end, or stop it with Esc";
        return out.notice(NoticeLevel::Warning, text);
    }
    server.offer.choose(wanted, out);
    conversation.offer_tools(server, records, out);
}

/// What lies in the server's memory is known.
pub(crate) fn loaded(
    phase: Phase,
    result: Result<Vec<LoadedModel>, ServerError>,
    conversation: &mut Conversation,
    server: &mut Server,
    records: &mut Records,
    out: &mut Out,
) -> Next {
    // It is looked for only when the model has just answered or was loaded.
    let loaded = result.ok().and_then(|loaded| server.answering(loaded, out));
    match phase {
        Phase::Examining(examining) if examining.looking => {
            examining::looked(examining, loaded.as_ref(), conversation, server, records, out)
        }
        phase => {
            // Where the server does not tell, what was asked for and why is told all the same.
            if loaded.is_none_or(|loaded| server.measure.loaded(&loaded)) {
                conversation.window_measured(server, out);
            }
            Next::Rest(phase)
        }
    }
}

/// Where do the tokens of the window go?
pub(crate) fn tell_context(conversation: &Conversation, server: &Server, out: &mut Out) {
    if !server.is_ready() {
        return server.say_no_model(out);
    }
    let report = Box::new(conversation.report(server));
    out.emit(ListEvent::Context { report });
}

/// What would the next request look like?
pub(crate) fn show_prompt(conversation: &Conversation, server: &Server, out: &mut Out) {
    if !server.is_ready() {
        return server.say_no_model(out);
    }
    let request = Box::new(conversation.request(Asked::Plainly, server));
    out.carry_out(ServerEffect::Render { request });
}

pub(crate) fn rendered(request: String, result: Result<String, ServerError>, out: &mut Out) {
    let (rendered, trouble) = match result {
        Ok(rendered) => (Some(rendered), None),
        Err(ServerError::Unsupported { .. }) => (None, None),
        Err(trouble) => (None, Some(trouble)),
    };
    out.emit(ListEvent::Prompt { request, rendered, trouble });
}

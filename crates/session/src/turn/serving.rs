//! What the server's answers mean for the turn: a model is taken, a turn that broke off goes on, an examination waits.

use crate::conversation::request::Asked;
use crate::parts::Parts;
use crate::server::cloud::WaitingModel;
use crate::turn::cloud;
use crate::turn::phase::{Next, Phase};
use crate::turn::phases::examining;
use crate::{Keep, ServerEffect};
use agent_protocol::{
    ListEvent, LoadedModel, ModelCard, NoticeLevel, PullState, ServerCard, ServerError, ServerEvent, ToolsBy,
};

/// The server answered, or did not.
pub(crate) fn probed(
    phase: Phase,
    result: Result<ServerCard, ServerError>,
    can_start: bool,
    parts: &mut Parts,
) -> Next {
    if parts.server.probed(result, can_start, &mut parts.out) { after_setback(phase, parts) } else { Next::Rest(phase) }
}

/// What the server says of the wanted model: from now on it is in use, if it is there.
pub(crate) fn described(
    phase: Phase,
    name: String,
    result: Result<ModelCard, ServerError>,
    loaded: Option<&LoadedModel>,
    parts: &mut Parts,
) -> Next {
    let Parts { server, out, .. } = &mut *parts;
    let Some(card) = server.described(name, result, out) else { return Next::Rest(phase) };
    cloud::withdraw(parts);
    if parts.server.agreed_to(&card) {
        let next = take(phase, card, loaded, parts);
        parts.server.tell_of_cloud(&mut parts.out);
        return next;
    }
    parts.server.waits_for_yes(card, loaded);
    cloud::ask(parts);
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
    match after_setback(phase, parts) {
        Next::GoOn => Next::GoOnOrLoad,
        other => other,
    }
}

/// The server is back: what broke off is taken up, or what is queued begins.
fn after_setback(phase: Phase, parts: &mut Parts) -> Next {
    match (phase, parts.server.take_resume()) {
        (Phase::Idle, true) => Next::Resume,
        (Phase::Idle, false) => Next::GoOn,
        (phase, _) => Next::Rest(phase),
    }
}

/// The user wants what broke off to be taken up.
pub(crate) fn retry(phase: Phase, parts: &mut Parts) -> Next {
    if !phase.is_idle() || parts.turn.resuming.is_some() {
        return Next::Rest(phase);
    }
    if parts.server.is_ready() && parts.server.is_up() {
        return Next::Resume;
    }
    // Where nothing waits, that the server is back is all there is to say.
    if parts.conversation.now.history.awaits_reply() || !parts.turn.queue.is_empty() {
        parts.server.resume_when_up();
    }
    parts.server.look(&mut parts.out);
    Next::idle()
}

/// The user wants the model to work in this form.
pub(crate) fn set_form(phase: &Phase, form: Option<ToolsBy>, parts: &mut Parts) {
    if !phase.is_idle() {
        let text = "the form of work can be changed when the turn is over; Esc ends it";
        return parts.out.notice(NoticeLevel::Warning, text);
    }
    let Parts { conversation, server, records, out, .. } = parts;
    server.choose_form(form);
    conversation.offer_tools(server, records, out);
    server.keep_profile(out);
}

/// The user wants another model.
pub(crate) fn set_model(phase: &Phase, name: String, parts: &mut Parts) {
    if phase.is_idle() {
        parts.server.choose(name, &mut parts.out);
    } else {
        let text = "the model can be changed when the turn is over; Esc ends it";
        parts.out.notice(NoticeLevel::Warning, text);
    }
}

/// A download is further, or done.
pub(crate) fn pulled(phase: &Phase, name: String, state: PullState, parts: &mut Parts) {
    let done = state == PullState::Done;
    parts.out.emit(ServerEvent::Pulling { name: name.clone(), state });
    // A script downloads without choosing.
    if done && phase.is_idle() && parts.turn.keep == Keep::Everything {
        set_model(phase, name, parts);
    }
}

/// Offers just these groups from now on. The next prompt begins otherwise, so that the server reads all of it again.
pub(crate) fn set_groups(phase: &Phase, wanted: &[String], parts: &mut Parts) {
    let Parts { conversation, server, records, out, .. } = parts;
    if !phase.is_idle() {
        let text = "tools are chosen between turns: wait for this one to end, or stop it with Esc";
        return out.notice(NoticeLevel::Warning, text);
    }
    server.offer.choose(wanted, out);
    conversation.offer_tools(server, records, out);
}

/// What lies in the server's memory is known.
pub(crate) fn loaded(phase: Phase, result: Result<Vec<LoadedModel>, ServerError>, parts: &mut Parts) -> Next {
    let Parts { conversation, server, out, .. } = parts;
    // It is looked for only when the model has just answered or was loaded.
    let loaded = result.ok().and_then(|loaded| server.answering(loaded, out));
    match phase {
        Phase::Examining(examining) if examining.looking => examining::looked(examining, loaded.as_ref(), parts),
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
pub(crate) fn tell_context(parts: &mut Parts) {
    if !parts.server.is_ready() {
        return parts.server.say_no_model(&mut parts.out);
    }
    let report = Box::new(parts.conversation.report(&parts.server));
    parts.out.emit(ListEvent::Context { report });
}

/// What would the next request look like?
pub(crate) fn show_prompt(parts: &mut Parts) {
    if !parts.server.is_ready() {
        return parts.server.say_no_model(&mut parts.out);
    }
    let request = Box::new(parts.conversation.request(Asked::Plainly, &parts.server));
    parts.out.carry_out(ServerEffect::Render { request });
}

pub(crate) fn rendered(request: String, result: Result<String, ServerError>, parts: &mut Parts) {
    let (rendered, trouble) = match result {
        Ok(rendered) => (Some(rendered), None),
        Err(ServerError::Unsupported { .. }) => (None, None),
        Err(trouble) => (None, Some(trouble)),
    };
    parts.out.emit(ListEvent::Prompt { request, rendered, trouble });
}

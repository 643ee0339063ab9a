//! The model is examined: short questions, judged by `exam`, put to it as any request is. Nothing is run.

use crate::ServerEffect;
use crate::context::ContextUsage;
use crate::conversation::Conversation;
use crate::conversation::history::History;
use crate::conversation::request::for_question;
use crate::out::Out;
use crate::parts::Parts;
use crate::records::Records;
use crate::server::Server;
use crate::server::exam::{Answer, Exam, ExamStep as Step};
use crate::turn::acting::from_text;
use crate::turn::phase::{Examining, Next, Phase};
use crate::turn::phases::received::{Received, Sign};
use crate::turn::raw::quoted_calls;
use crate::turn::user_message::start_turn;
use agent_dialects::Fault;
use agent_protocol::{
    Event, Examined, LoadedModel, Message, ModelEvent, NoticeLevel, Origin, ProbeFinding, ReplyId, ServerError,
    ServerEvent, ToolSpec, TurnEndReason, TurnEvent, Usage, Way,
};

/// Examines the model in use.
pub(crate) fn begin(phase: Phase, parts: &mut Parts) -> Next {
    if !phase.is_idle() || parts.turn.resuming.is_some() {
        let text = "the model can be examined when the turn is over; Esc ends it";
        parts.out.notice(NoticeLevel::Warning, text);
        return Next::Rest(phase);
    }
    let Some(card) = parts.server.card().filter(|_| parts.server.is_ready()).cloned() else {
        parts.server.say_no_model(&mut parts.out);
        return Next::Rest(phase);
    };
    start_turn(String::new(), parts);
    let server = &parts.server;
    let exam = Exam::new(&card, server.offer.specs(), server.measure.window.asked);
    let gauge = ContextUsage::new(server.measure.calibration());
    let examining = Examining { exam, open: None, gauge, looking: false, judged: false, lost: None };
    next_question(Box::new(examining), &mut parts.conversation, &mut parts.server, &mut parts.records, &mut parts.out)
}

fn next_question(
    mut examining: Box<Examining>,
    conversation: &mut Conversation,
    server: &mut Server,
    records: &mut Records,
    out: &mut Out,
) -> Next {
    match examining.exam.next() {
        Step::Ask { probe, messages, tools, think, format } => {
            out.emit(ServerEvent::Examining { probe });
            let request = for_question(as_offered(messages, tools, server), (think, format), server);
            let (reply, heard) = (out.next_reply(), Received::of_examined(server, server.settings.limits.same_words));
            examining.gauge.rewritten();
            examining.gauge.sent(&request.messages, &request.tools);
            examining.open = Some((reply, heard));
            out.carry_out(ServerEffect::CallModel { reply, request: Box::new(request) });
        }
        Step::Look => {
            examining.looking = true;
            out.carry_out(ServerEffect::LookLoaded);
        }
        Step::Over(examined) => return over(*examining, examined, conversation, server, records, out),
    }
    Next::Rest(Phase::Examining(examining))
}

fn over(
    examining: Examining,
    examined: Examined,
    conversation: &mut Conversation,
    server: &mut Server,
    records: &mut Records,
    out: &mut Out,
) -> Next {
    server.measure.after_examination(&examining.gauge);
    if let Some(trouble) = examining.lost {
        return Next::Broken(trouble);
    }
    let before = (server.tools_by(), server.form(), server.levers());
    // An examination in which nothing could be judged takes nothing back.
    let profile =
        if examining.judged { server.measure.examined(examined) } else { server.measure.not_examined(examined) };
    out.emit(ServerEvent::Diagnosed { profile: Box::new(profile) });
    server.adapt(out);
    if (server.tools_by(), server.form(), server.levers()) != before {
        conversation.offer_tools(server, records, out);
    }
    Next::End(TurnEndReason::Done)
}

/// The question in the way in which this model gets its tools.
fn as_offered(messages: Vec<Message>, tools: Vec<ToolSpec>, server: &Server) -> (Vec<Message>, Vec<ToolSpec>) {
    if server.tries_servers_way() || tools.is_empty() {
        return (messages, tools);
    }
    let form = server.form();
    let system = messages.first().map(|first| first.content.to_string()).unwrap_or_default();
    let mut history = History::from_messages(messages);
    history.set_system(&system, Some(&form.describe(&tools)));
    history.turn_into_text(form);
    (history.messages().to_vec(), Vec::new())
}

/// Something of an answer is here.
pub(crate) fn on_model_event(
    mut examining: Box<Examining>,
    reply: ReplyId,
    event: ModelEvent,
    parts: &mut Parts,
) -> Next {
    let Some((_, heard)) = examining.open.as_mut().filter(|(open, _)| *open == reply) else {
        return Next::Rest(Phase::Examining(examining));
    };
    let mut unseen = Vec::new();
    let sign = match event {
        ModelEvent::Waiting { phase } => {
            parts.out.emit(TurnEvent::Waiting { phase });
            Sign::GoOn
        }
        ModelEvent::Thinking { text } => heard.thinking(text, &mut unseen),
        ModelEvent::Text { text } => heard.text(&text, &mut unseen),
        ModelEvent::Calls { calls } => {
            heard.calls(calls, &mut unseen);
            Sign::GoOn
        }
        ModelEvent::Done { reason, usage } => {
            let end = End { usage, cut: reason.as_deref() == Some("length"), trouble: None };
            return answered(examining, end, parts);
        }
        ModelEvent::Broken { trouble } => {
            let end = End { usage: Usage::default(), cut: false, trouble: Some(trouble) };
            return answered(examining, end, parts);
        }
    };
    if sign == Sign::GoOn {
        return Next::Rest(Phase::Examining(examining));
    }
    parts.out.carry_out(ServerEffect::HangUp);
    answered(examining, End { usage: Usage::default(), cut: sign == Sign::Looping, trouble: None }, parts)
}

fn answered(mut examining: Box<Examining>, end: End, parts: &mut Parts) -> Next {
    let Some((_, heard)) = examining.open.take() else { return Next::Rest(Phase::Examining(examining)) };
    if let Some(ServerError::NoThinking { message, .. }) = &end.trouble {
        let Parts { conversation, server, records, out, .. } = &mut *parts;
        if server.stop_asking_to_think(server.think(), message, out) {
            return next_question(examining, conversation, server, records, out);
        }
    }
    match &end.trouble {
        Some(trouble @ ServerError::Unreachable { .. }) => examining.lost = Some(trouble.clone()),
        Some(_) => {}
        None => {
            examining.judged = true;
            parts.server.measure.replied_apart(&end.usage, &mut examining.gauge);
        }
    }
    parts.turn.counts.used(end.usage);
    let findings = examining.exam.answered(answer(heard, parts.server.offer.specs(), end));
    tell_findings(examining, findings, &mut parts.conversation, &mut parts.server, &mut parts.records, &mut parts.out)
}

/// What lies in the server's memory is known, for which the exam waited.
pub(crate) fn looked(
    mut examining: Box<Examining>,
    loaded: Option<&LoadedModel>,
    conversation: &mut Conversation,
    server: &mut Server,
    records: &mut Records,
    out: &mut Out,
) -> Next {
    examining.looking = false;
    let findings = examining.exam.looked(loaded);
    if let Some(loaded) = loaded
        && server.measure.loaded(loaded)
    {
        conversation.window_measured(server, out);
    }
    tell_findings(examining, findings, conversation, server, records, out)
}

fn tell_findings(
    examining: Box<Examining>,
    findings: Vec<ProbeFinding>,
    conversation: &mut Conversation,
    server: &mut Server,
    records: &mut Records,
    out: &mut Out,
) -> Next {
    out.emit_all(findings.into_iter().map(|finding| Event::Server(ServerEvent::Probed { finding })).collect());
    next_question(examining, conversation, server, records, out)
}

struct End {
    usage: Usage,
    /// The length limit ended it.
    cut: bool,
    trouble: Option<ServerError>,
}

/// The reply as it was read: the server's calls where it sent any, else those found in the text, or those that a server
/// quotes which could not read them.
fn answer(mut heard: Received, specs: &[ToolSpec], end: End) -> Answer {
    let End { usage, cut, trouble } = end;
    heard.finish(&mut Vec::new());
    heard.drop_unfinished(cut);
    let lost = heard.lost.iter().map(|lost| fault(lost.why).to_owned()).collect();
    let calls = if let Some(ServerError::BadCall { message }) = &trouble {
        quoted_calls(message, specs).into_iter().map(|found| from_text(found, Way::ServerError)).collect()
    } else if heard.sent.is_empty() {
        heard.found.drain(..).map(|found| from_text(found, Way::Text)).collect()
    } else {
        heard.sent.drain(..).map(|call| (call, Origin::default())).collect()
    };
    Answer { calls, text: heard.text, thinking: heard.thinking, lost, usage, cut, trouble }
}

fn fault(why: Fault) -> &'static str {
    match why {
        Fault::CutOff => "a call was cut off",
        Fault::Unreadable => "a call could not be read",
    }
}

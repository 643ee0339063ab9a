//! Makes the conversation shorter before it fills the window: old results first, then a summary by the model, then, if
//! the user agrees, a list made by rule. Each step shows; none is tried twice in a row.
//!
//! Says when; how a conversation becomes shorter stands in `conversation/compaction`. Happens only where a request would go
//! out, so never between a call and its result.

use crate::ServerEffect;
use crate::context::{SummaryFault, grouped, read_summary};
use crate::conversation::compaction::{CompactionStep, SummaryBy, SummaryRequest, Then, longest_summary};
use crate::conversation::request::{Asked, SummaryWish};
use crate::conversation::working::working_set;
use crate::out::Out;
use crate::parts::Parts;
use crate::server::Server;
use crate::turn::guards::loop_guard::Halt;
use crate::turn::phase::{Next, Phase, Summarising};
use crate::turn::phases::listening::words_given_back;
use crate::turn::phases::received::{Received, Sign};
use agent_dialects::salvage;
use agent_protocol::{
    CompactionReason, ContextEvent, ModelEvent, NoticeLevel, ReplyId, ServerError, TurnEndReason, TurnEvent,
};

/// Makes the conversation shorter, by the next step that was not tried yet, and goes on.
pub(crate) fn make_room(reason: CompactionReason, then: Then, parts: &mut Parts) -> Next {
    let Parts { server, conversation, records, out, .. } = parts;
    conversation.now.refused |= reason == CompactionReason::Overflow;
    conversation.tell_window(server, out);
    if conversation.stays(server) > server.window() {
        return give_up(parts);
    }
    if matches!(conversation.now.fit, CompactionStep::Not | CompactionStep::Elided) {
        out.emit(ContextEvent::Fitting { reason });
    }
    if conversation.now.fit == CompactionStep::Not && conversation.leave_out_results(server, records, out) {
        conversation.now.fit = CompactionStep::Elided;
        return then.next();
    }
    match conversation.now.fit {
        CompactionStep::Not | CompactionStep::Elided => Next::Summarise { instructions: String::new(), then },
        CompactionStep::Summarised => ask_to_shorten(then, parts),
        CompactionStep::RuleBased | CompactionStep::Asked => give_up(parts),
    }
}

/// Asks the model for a summary of all but the words that still wait for an answer. The request goes on from the
/// conversation as it stands, so that the server has most of it in mind.
pub(crate) fn summarise(instructions: String, then: Then, parts: &mut Parts) -> Next {
    parts.conversation.now.fit = CompactionStep::Summarised;
    if !parts.conversation.summary_could_help(&parts.records, &parts.server) {
        return no_shorter(then, parts);
    }
    request_summary(SummaryWish { instructions, ..SummaryWish::default() }, then, parts)
}

fn request_summary(wish: SummaryWish, then: Then, parts: &mut Parts) -> Next {
    let Parts { server, conversation, out, .. } = parts;
    let Some(wanted) = conversation.summary_request(&wish, server) else {
        return give_up(parts);
    };
    let SummaryRequest { request, before, stubbed } = wanted;
    let reply = out.next_reply();
    let heard = Received::of_talk(server, server.settings.limits.same_words);
    let wish = SummaryWish { stubbed, ..wish };
    let expected = server.measure.expect(before, stubbed);
    out.carry_out(ServerEffect::CallModel { reply, request: Box::new(request) });
    Next::Rest(Phase::Summarising(Box::new(Summarising { reply, heard, then, wish, called: false, expected })))
}

/// The summary arrives. Nothing of it is the model's answer to anybody, so nothing but the waiting shows.
pub(crate) fn on_model_event(
    mut summarising: Box<Summarising>,
    reply: ReplyId,
    event: ModelEvent,
    parts: &mut Parts,
) -> Next {
    if summarising.reply != reply {
        return Next::Rest(Phase::Summarising(summarising));
    }
    let mut unseen = Vec::new();
    let sign = match event {
        ModelEvent::Waiting { phase } => {
            let phase = parts.server.measure.with_estimate(phase, &mut summarising.expected);
            parts.out.emit(TurnEvent::Waiting { phase });
            Sign::GoOn
        }
        ModelEvent::Thinking { text } => summarising.heard.thinking(text, &mut unseen),
        ModelEvent::Text { text } => summarising.heard.text(&text, &mut unseen),
        ModelEvent::Calls { .. } => {
            summarising.called = true;
            Sign::GoOn
        }
        ModelEvent::Done { reason, usage } => {
            parts.turn.counts.used(usage);
            return done(*summarising, reason.as_deref() == Some("length"), parts);
        }
        ModelEvent::Broken { trouble } => return broken(*summarising, trouble, parts),
    };
    match sign {
        Sign::GoOn => Next::Rest(Phase::Summarising(summarising)),
        Sign::Invented | Sign::Looping => {
            parts.out.carry_out(ServerEffect::HangUp);
            done(*summarising, true, parts)
        }
    }
}

fn done(mut summarising: Summarising, cut: bool, parts: &mut Parts) -> Next {
    let then = summarising.then;
    summarising.heard.finish(&mut Vec::new());
    if cut {
        return no_summary("it was cut off", then, parts);
    }
    let Parts { server, conversation, records, out, .. } = parts;
    // A little longer than asked for is no reason to throw it away.
    let longest = longest_summary(server) * 3 / 2;
    match read_summary(&summarising.heard.text, server.measure.gauge.estimator(), longest) {
        Ok(summary) if conversation.put_in_place(&summary, SummaryBy::Summary, server, records, out) => then.next(),
        Ok(_) => no_shorter(then, parts),
        Err(_) if summarising.may_be_asked_again(&parts.server) => ask_again(summarising, parts),
        Err(fault) => no_summary(&why(fault), then, parts),
    }
}

impl Summarising {
    /// Did a call come in the place of the summary, for the first time?
    fn may_be_asked_again(&self, server: &Server) -> bool {
        let called = || self.called || !salvage(&self.heard.text, &server.offer.now.known).is_empty();
        !self.wish.again && working_set(server).is_some() && called()
    }
}

/// Small models go on with the task instead: they are told so, once.
fn ask_again(summarising: Summarising, parts: &mut Parts) -> Next {
    let text =
        "the model made a call in the place of a summary; it was not carried out, and the model is asked once more";
    parts.out.notice(NoticeLevel::Info, text);
    request_summary(SummaryWish { again: true, ..summarising.wish }, summarising.then, parts)
}

fn no_summary(why: &str, then: Then, parts: &mut Parts) -> Next {
    let Parts { server, conversation, records, out, .. } = parts;
    out.notice(NoticeLevel::Warning, format!("the model's summary cannot be used: {why}"));
    // Less room than one would like is better than none.
    let most = server.window().saturating_sub(server.measure.room.reserve);
    if then == Then::Ask && conversation.results_left_out(most, server, records, out) {
        return then.next();
    }
    ask_to_shorten(then, parts)
}

fn broken(summarising: Summarising, trouble: ServerError, parts: &mut Parts) -> Next {
    match trouble {
        ServerError::TooLong { window, .. } if !summarising.wish.stubbed => {
            parts.server.measure.refuses();
            parts.server.measure.gives(window);
            request_summary(SummaryWish { stubbed: true, ..summarising.wish }, summarising.then, parts)
        }
        // The call could not even be read.
        ServerError::BadCall { .. } if !summarising.wish.again && working_set(&parts.server).is_some() => {
            ask_again(summarising, parts)
        }
        ServerError::NoThinking { message, .. } if parts.server.think().is_some() => {
            let Parts { server, out, .. } = &mut *parts;
            server.stop_asking_to_think(server.think(), &message, out);
            request_summary(summarising.wish, summarising.then, parts)
        }
        trouble @ (ServerError::Unreachable { .. } | ServerError::ModelMissing { .. }) => Next::Broken(trouble),
        trouble => no_summary(&trouble.to_string(), summarising.then, parts),
    }
}

/// The user stopped it: the conversation is as it was.
pub(crate) fn stop(out: &mut Out) -> Next {
    out.carry_out(ServerEffect::HangUp);
    out.notice(NoticeLevel::Info, "the conversation is as it was");
    Next::End(TurnEndReason::Interrupted)
}

/// What would stand in its place is no shorter.
fn no_shorter(then: Then, parts: &mut Parts) -> Next {
    let used = grouped(parts.conversation.used(&parts.server));
    let text = format!("the conversation has {used} tokens and gets no shorter than that");
    parts.out.notice(NoticeLevel::Info, text);
    match then {
        Then::End => Next::End(TurnEndReason::Done),
        Then::Ask if parts.conversation.now.fit == CompactionStep::RuleBased => give_up(parts),
        Then::Ask => ask_to_shorten(then, parts),
    }
}

/// A summary did not help, or there is none: the user decides, where there is something to decide.
fn ask_to_shorten(then: Then, parts: &mut Parts) -> Next {
    if !parts.conversation.list_would_help(then, &parts.records, &parts.server) {
        parts.conversation.now.fit = CompactionStep::RuleBased;
        return no_shorter(then, parts);
    }
    parts.conversation.tell_window(&mut parts.server, &mut parts.out);
    let (tokens, window) = (parts.conversation.used(&parts.server), parts.server.window());
    Next::AskAbout(Halt::Full { tokens, window, then })
}

/// The user agreed to a list made by rule.
pub(crate) fn shorten(then: Then, parts: &mut Parts) -> Next {
    let Parts { server, conversation, records, out, .. } = parts;
    conversation.now.fit = CompactionStep::RuleBased;
    if conversation.put_list_in_place(server, records, out) { then.next() } else { no_shorter(then, parts) }
}

/// Nothing helps. An estimate may be wrong, and a server that refuses says so: it is asked once. Words that are too long by
/// themselves go back to the user.
fn give_up(parts: &mut Parts) -> Next {
    let Parts { server, conversation, records, out, .. } = &mut *parts;
    let now = &mut conversation.now;
    if !now.refused && !server.measure.cuts && now.fit != CompactionStep::Asked {
        now.fit = CompactionStep::Asked;
        return Next::AskAs(Asked::Plainly);
    }
    words_given_back(conversation, server, records, out)
}

/// Why a summary cannot be used, for people.
fn why(fault: SummaryFault) -> String {
    match fault {
        SummaryFault::Empty => "it is empty".to_owned(),
        SummaryFault::Refused => "the model refused to write one".to_owned(),
        SummaryFault::TooLong { tokens } => format!("it is too long ({} tokens)", grouped(tokens)),
        SummaryFault::NoForm => "it lacks the headings that were asked for".to_owned(),
    }
}

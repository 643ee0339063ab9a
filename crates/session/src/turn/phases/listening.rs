//! A reply is arriving.
//!
//! **Invariant.** No call is run from a reply that did not end with `done:true`, but for two whose end is known
//! otherwise: a complete call after which the model began to make up its result, where we hang up; and a complete call
//! that the server quotes in its error.

use crate::ServerEffect;
use crate::conversation::Conversation;
use crate::conversation::compaction::Then;
use crate::conversation::request::Asked;
use crate::conversation::say_window;
use crate::out::Out;
use crate::parts::Parts;
use crate::records::Records;
use crate::server::Server;
use crate::turn::acting::{act_on, act_on_quoted};
use crate::turn::file_mode;
use crate::turn::guards::cut_off::{finish_broken, finish_unusable, keep_words};
use crate::turn::guards::loop_guard::Halt;
use crate::turn::guards::no_answer::no_answer;
use crate::turn::guards::thinking;
use crate::turn::guards::unusable_reply::UnusableReply;
use crate::turn::phase::{Listening, Next, Phase};
use crate::turn::phases::received::{Received, Sign};
use crate::turn::plans::announces;
use crate::turn::program_calls::pictures;
use crate::turn::raw::{quoted_calls, quoted_words};
use crate::turn::sessions::say_if_tools_changed;
use crate::turn::state::Turn;
use crate::turn::user_message::{joins, steer};
use agent_protocol::{
    CompactionReason, Event, ModelEvent, NoticeLevel, Phase as Waits, ReplyId, ServerError, SetAside, Stuck,
    TurnEndReason, TurnEvent, Usage,
};

/// How a reply ended that is as complete as it will be.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    /// The length limit ended it, or the end of the window.
    length: bool,
    /// So many tokens were written, where the server said so.
    tokens: Option<u64>,
}

/// Asks the model for its next reply; where that would hardly fit, the conversation is made shorter first. Where not even
/// the instructions fit, nothing is asked.
pub(crate) fn ask(parts: &mut Parts) -> Next {
    if parts.conversation.is_full_of_instructions(&parts.server) {
        return words_given_back(&mut parts.conversation, &mut parts.server, &mut parts.records, &mut parts.out);
    }
    let Parts { server, conversation, records, out, .. } = &mut *parts;
    conversation.keep_working_set(server, records, out);
    if conversation.is_nearly_full(server) {
        Next::MakeRoom(CompactionReason::NearlyFull, Then::Ask)
    } else {
        Next::AskAs(Asked::Plainly)
    }
}

/// Ends the turn with what was said given back, and why.
pub(crate) fn words_given_back(
    conversation: &mut Conversation,
    server: &mut Server,
    records: &mut Records,
    out: &mut Out,
) -> Next {
    let (needs, window) = (conversation.base(server), server.window());
    conversation.take_back_words(server.settings.keep, server, records, out);
    Next::End(if needs > window { TurnEndReason::TooSmall { needs, window } } else { TurnEndReason::Full })
}

/// Asks the model for its next reply in one of several ways.
pub(crate) fn ask_as(
    asked: Asked,
    turn: &mut Turn,
    conversation: &mut Conversation,
    server: &mut Server,
    out: &mut Out,
) -> Next {
    say_if_tools_changed(conversation, server, out);
    let files = file_mode::reader_context(turn, conversation, server);
    let (bound, longest_call) = (thinking::bound(turn, server), super::super::guards::no_answer::longest_call(server));
    server.acts_now = std::mem::take(&mut turn.counts.thinking.acts);
    let reply = out.next_reply();
    let request = Box::new(conversation.request(asked, server));
    let think = request.think;
    conversation.tell_window(server, out);
    let expected = server.measure.sent(&request.messages, &request.tools);
    conversation.now.history.sent();
    let heard = Received::for_request(asked, server, server.settings.limits.same_words, files);
    server.acts_now = false;
    out.carry_out(ServerEffect::CallModel { reply, request });
    Next::Rest(Phase::Listening(Box::new(Listening { reply, asked, heard, expected, bound, longest_call, think })))
}

/// Something of a reply is here.
pub(crate) fn on_model_event(
    mut listening: Box<Listening>,
    reply: ReplyId,
    event: ModelEvent,
    parts: &mut Parts,
) -> Next {
    if listening.reply != reply {
        // It came late.
        return Next::Rest(Phase::Listening(listening));
    }
    if !matches!(event, ModelEvent::Waiting { .. } | ModelEvent::Broken { .. }) {
        parts.server.look_at_window(&mut parts.out);
        parts.server.measure.was_read(listening.expected);
        parts.conversation.now.history.leave_images_out();
    }
    let thought = listening.heard.thinking.len();
    if let ModelEvent::Waiting { phase: Waits::Silent { secs } } = event
        && let Some(tokens) = super::super::guards::no_answer::silent(secs, &listening, &parts.server)
    {
        return super::super::guards::no_answer::end(*listening, tokens, &mut parts.conversation, &mut parts.out);
    }
    let (heard, mut out) = (&mut listening.heard, Vec::new());
    let sign = match event {
        ModelEvent::Waiting { phase } => {
            let phase = parts.server.measure.with_estimate(phase, &mut listening.expected);
            out.push(Event::Turn(TurnEvent::Waiting { phase }));
            Sign::GoOn
        }
        ModelEvent::Thinking { text } => heard.thinking(text, &mut out),
        ModelEvent::Text { text } => heard.text(&text, &mut out),
        ModelEvent::Calls { calls } => {
            heard.calls(calls, &mut out);
            Sign::GoOn
        }
        ModelEvent::Done { reason, usage } => return reply_done(*listening, reason.as_deref(), usage, parts),
        ModelEvent::Broken { trouble } => return reply_broken(*listening, trouble, parts),
    };
    parts.out.emit_all(out);
    match sign {
        Sign::GoOn if listening.heard.thinking.len() > thought => thinking::go_on(listening, parts),
        Sign::GoOn => {
            super::super::guards::no_answer::go_on(listening, &mut parts.conversation, &parts.server, &mut parts.out)
        }
        Sign::Invented => cut_short(*listening, parts),
        Sign::Looping => {
            parts.out.carry_out(ServerEffect::HangUp);
            looped(*listening, &mut parts.conversation, &mut parts.out)
        }
    }
}

fn reply_done(mut listening: Listening, reason: Option<&str>, usage: Usage, parts: &mut Parts) -> Next {
    let mut events = Vec::new();
    listening.heard.finish(&mut events);
    parts.out.emit_all(events);
    parts.turn.counts.used(usage);
    let Parts { server, conversation, out, .. } = parts;
    server.measure.replied(&usage, listening.expected, !listening.heard.thinking.is_empty());
    out.emit(TurnEvent::Replied { usage, reused: server.measure.reused });
    server.tell_setback(out);
    if let Some(prompt) = usage.prompt_tokens {
        server.watch_for_cuts(prompt, out);
        if server.measure.believed {
            say_window(prompt + usage.reply_tokens.unwrap_or(0), server, out);
        }
        // The tools of an agent are a choice of those that were told.
        if server.costs_are_news() && !conversation.is_delegating() {
            server.tell_costs(out);
        }
    }
    conclude(listening, End { length: reason == Some("length"), tokens: usage.reply_tokens }, parts)
}

/// The model makes up the result of its own call: everything after this is made up, so nobody need listen to it.
fn cut_short(listening: Listening, parts: &mut Parts) -> Next {
    parts.out.carry_out(ServerEffect::HangUp);
    parts.out.emit(TurnEvent::Replied { usage: Usage::default(), reused: None });
    conclude(listening, End::default(), parts)
}

/// The reply is as complete as it will be: its calls are carried out, or it is the answer, or it cannot be used.
fn conclude(mut listening: Listening, end: End, parts: &mut Parts) -> Next {
    parts.conversation.it_fitted();
    listening.heard.drop_unfinished(end.length);
    parts.out.emit_all(listening.heard.take_end(parts.server.offer.specs()));
    let aside = listening.heard.set_aside();
    let (heard, asked) = (listening.heard, listening.asked);
    if heard.has_calls() {
        return act_on(heard, asked, end.length, aside, parts);
    }
    let left_out = !aside.is_empty();
    parts.out.emit_all(aside);
    if let Some(lost) = heard.lost.first() {
        let mishap = UnusableReply::lost(lost, parts.server.offer.specs(), end.length);
        keep_words(heard, &mut parts.conversation);
        // Nothing but a longer limit or a smaller task helps a model that was told already.
        let hopeless = end.length && !parts.turn.counts.rescue.may_tell();
        if hopeless { Next::End(TurnEndReason::Length) } else { Next::Recover(mishap) }
    } else if heard.text.trim().is_empty() {
        empty_reply(heard, end, left_out, parts)
    } else {
        answered(heard, end, parts)
    }
}

fn answered(heard: Received, end: End, parts: &mut Parts) -> Next {
    if parts.server.offers_tools() && !end.length {
        let last = parts.conversation.messages().last();
        if let Some(mishap) = no_answer(&heard.text, last, parts.server.offer.specs()) {
            keep_words(heard, &mut parts.conversation);
            return Next::Recover(mishap);
        }
        if let Some((text, found)) = file_mode::in_answer(&heard.text, &parts.turn, &parts.conversation, &parts.server)
        {
            return act_on(heard.read_as(text, found), Asked::Plainly, false, Vec::new(), parts);
        }
    }
    parts.turn.counts.rescue.done();
    let announces = !end.length && parts.server.offers_tools() && announces(&heard.text, &parts.server.offer.names());
    let now = &mut parts.conversation.now;
    now.history.replied(heard.text, heard.thinking, Vec::new());
    now.after_result = false;
    if joins(&parts.turn, &parts.conversation) {
        steer(parts);
        Next::Ask
    } else if announces {
        Next::Halt(Halt::Stuck(Stuck::Announcing))
    } else if parts.server.works_by_files() && !end.length {
        file_mode::answered(&mut parts.turn, &mut parts.conversation, &parts.server, &mut parts.out)
    } else {
        Next::End(if end.length { TurnEndReason::Length } else { TurnEndReason::Done })
    }
}

/// Nothing arrived but thinking, or what was left out, or nothing at all. Where tokens were written, the server threw away what
/// it could not read. The model is asked once for an answer outside its thinking; after that its thinking is the answer, unless the
/// server threw something away.
fn empty_reply(mut heard: Received, end: End, left_out: bool, parts: &mut Parts) -> Next {
    let only_thought = !heard.thinking.trim().is_empty();
    let wrote = end.tokens.is_some_and(|tokens| tokens > 1);
    let lost = !only_thought || parts.server.measure.hides_something(end.tokens, &heard.servers_thinking);
    let rescue = &mut parts.turn.counts.rescue;
    let first = rescue.may_tell();
    let asked = rescue.asked_outside || (!first && (rescue.constrained || !parts.server.offers_tools()));
    if only_thought {
        rescue.thought = std::mem::take(&mut heard.thinking);
    }
    if end.length {
        let vanished = wrote && lost && first;
        if vanished { Next::Recover(UnusableReply::too_long()) } else { Next::End(TurnEndReason::Length) }
    } else if asked && !rescue.thought.is_empty() && (only_thought || !wrote) {
        heard.text = std::mem::take(&mut rescue.thought).trim().to_owned();
        thought_instead(heard, end, parts)
    } else if only_thought {
        rescue.asked_outside = true;
        Next::Recover(UnusableReply::only_thought())
    } else if wrote {
        Next::Recover(UnusableReply::vanished())
    } else if left_out && !parts.conversation.now.after_result {
        // That was said, and it was no empty reply.
        Next::End(TurnEndReason::Stuck { how: Stuck::Silent })
    } else {
        Next::Halt(Halt::Stuck(Stuck::Silent))
    }
}

/// The model was asked for an answer and gave none outside its thinking, which is taken for its text.
fn thought_instead(heard: Received, end: End, parts: &mut Parts) -> Next {
    parts.out.notice(NoticeLevel::Info, "the model answered only in its thinking; showing that");
    parts.out.emit(TurnEvent::Text { text: heard.text.clone() });
    answered(heard, end, parts)
}

/// The model says the same again and again: the loop is left out, and it is told.
fn looped(mut listening: Listening, conversation: &mut Conversation, out: &mut Out) -> Next {
    conversation.it_fitted();
    finish_unusable(&mut listening.heard, out);
    let text = listening.heard.text_before_echo().to_owned();
    if !text.is_empty() {
        conversation.now.history.replied(text, String::new(), Vec::new());
    }
    Next::Halt(Halt::Stuck(Stuck::Babbling))
}

fn reply_broken(mut listening: Listening, trouble: ServerError, parts: &mut Parts) -> Next {
    let kept_to_schema = listening.asked == Asked::Constrained;
    let may_tell = parts.turn.counts.rescue.may_tell();
    let trouble = if listening.think.is_none() { trouble.of_no_thinking_asked() } else { trouble };
    if !listening.heard.has_anything()
        && pictures::taken_out(&trouble, &mut parts.conversation, &mut parts.server, &mut parts.out)
    {
        return Next::AskAs(listening.asked);
    }
    match trouble {
        ServerError::NoTools { .. } if parts.server.calls_tools() => {
            let Parts { server, conversation, records, out, .. } = parts;
            server.set_no_tools();
            server.notice_no_tools(out);
            conversation.offer_tools(server, records, out);
            Next::Ask
        }
        ServerError::NoThinking { status, message } => {
            let Parts { conversation, server, out, .. } = &mut *parts;
            if server.stop_asking_to_think(listening.think, &message, out) {
                return Next::AskAs(listening.asked);
            }
            broke_off(listening, ServerError::NoThinking { status, message }.of_no_thinking_asked(), conversation, out)
        }
        ServerError::BadCall { message } => bad_call(listening, &message, parts),
        // A server that stops loops by itself ends the reply without a word.
        ServerError::NotDone if listening.heard.was_looping() => {
            looped(listening, &mut parts.conversation, &mut parts.out)
        }
        // Not every server can keep a reply to a schema.
        ServerError::Refused { message, .. } | ServerError::MidReply { message } if kept_to_schema => {
            finish_unusable(&mut listening.heard, &mut parts.out);
            keep_words(listening.heard, &mut parts.conversation);
            Next::NoWayLeft(format!("the server could not keep the reply to the form of a call ({message})"))
        }
        ServerError::NotDone if may_tell => {
            cut_off(listening, UnusableReply::cut(), &mut parts.conversation, &mut parts.out)
        }
        ServerError::Cut { .. } if may_tell && listening.heard.has_anything() => {
            cut_off(listening, UnusableReply::cut(), &mut parts.conversation, &mut parts.out)
        }
        ServerError::Crashed { .. } if may_tell && listening.heard.has_anything() => {
            cut_off(listening, UnusableReply::crashed(), &mut parts.conversation, &mut parts.out)
        }
        ServerError::TooLong { prompt_tokens, window } if !listening.heard.has_anything() => {
            overflowed(prompt_tokens, window, &mut parts.conversation, &mut parts.server, &mut parts.out)
        }
        trouble => broke_off(listening, trouble, &mut parts.conversation, &mut parts.out),
    }
}

/// The turn ends with what arrived.
fn broke_off(mut listening: Listening, trouble: ServerError, conversation: &mut Conversation, out: &mut Out) -> Next {
    finish_broken(&mut listening.heard, out);
    conversation.now.history.replied_in_part(listening.heard.text, listening.heard.thinking);
    Next::Broken(trouble)
}

/// The reply broke off for no reason of its own: what arrived stays, nothing in it runs, and the model is asked again.
fn cut_off(mut listening: Listening, mishap: UnusableReply, conversation: &mut Conversation, out: &mut Out) -> Next {
    finish_unusable(&mut listening.heard, out);
    keep_words(listening.heard, conversation);
    Next::Recover(mishap)
}

/// The server said that the conversation does not fit. It goes out again when it is shorter.
fn overflowed(
    prompt_tokens: Option<u64>,
    window: Option<u64>,
    conversation: &mut Conversation,
    server: &mut Server,
    out: &mut Out,
) -> Next {
    server.measure.refuses();
    if let Some(tokens) = prompt_tokens {
        server.measure.gauge.refused(tokens);
    }
    if window.is_some_and(|window| server.measure.window.effective != Some(window)) {
        server.measure.gives(window);
        conversation.window_measured(server, out);
    }
    // Some servers count the longest reply as well, and the prompt alone would fit: its size is known now.
    let fits = prompt_tokens.is_some_and(|tokens| tokens + server.measure.room.reserve <= server.window());
    if fits && server.fixes_windows() && !std::mem::replace(&mut conversation.now.refused, true) {
        return Next::AskAs(Asked::Plainly);
    }
    Next::MakeRoom(CompactionReason::Overflow, Then::Ask)
}

/// The server could not read the call. Perhaps we can: it often quotes what the model wrote.
fn bad_call(mut listening: Listening, message: &str, parts: &mut Parts) -> Next {
    parts.conversation.it_fitted();
    let may_read = parts.server.offers_tools();
    let found = if may_read { quoted_calls(message, parts.server.offer.specs()) } else { Vec::new() };
    listening.heard.forget_quoted(&found);
    finish_unusable(&mut listening.heard, &mut parts.out);
    // Calls that came before were not run either, and one of two would be half of what the model meant; unless the
    // server quotes them too.
    let alone = listening.heard.lost.iter().all(|lost| message.contains(lost.raw.trim()));
    if found.is_empty() || !alone {
        if let Some(words) = quoted_words(message, parts.server.offer.specs()) {
            parts.out.emit(TurnEvent::SetAside { text: words.to_owned(), why: SetAside::Unreadable });
        }
        keep_words(listening.heard, &mut parts.conversation);
        return Next::Recover(UnusableReply::refused_by_server(message, parts.server.offer.specs()));
    }
    let text = "the server could not read the model's call; it was read from what the server quotes of it";
    parts.out.notice(NoticeLevel::Info, text);
    act_on_quoted(listening.heard, found, parts)
}

/// The user stopped the reply: what arrived stays, calls in it do not run.
pub(crate) fn hang_up(mut listening: Listening, conversation: &mut Conversation, out: &mut Out) -> Next {
    out.carry_out(ServerEffect::HangUp);
    finish_broken(&mut listening.heard, out);
    conversation.now.history.replied_in_part(listening.heard.text, listening.heard.thinking);
    Next::End(TurnEndReason::Interrupted)
}

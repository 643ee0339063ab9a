//! A reply is arriving.
//!
//! **Invariant.** No call is run from a reply that did not end with `done:true`, but for two whose end is known
//! otherwise: a complete call after which the model began to make up its result, where we hang up; and a complete call
//! that the server quotes in its error.

use crate::Effect;
use crate::conversation::fitting::{Fit, Then};
use crate::machine::{Machine, State};
use crate::server::measure::Expected;
use crate::turn::brakes::Brake;
use crate::turn::heard::{Heard, Setup, Sign};
use crate::turn::plans::announces;
use crate::turn::rescue::{Asked, Mishap};
use crate::turn::schema;
use agent_dialects::Start;
use agent_protocol::{
    ChatRequest, Event, FitReason, ModelEvent, ModelsReason, NoticeLevel, ReplyId, SetAside, Stuck, Think, Trouble,
    TurnEndReason, Usage,
};
use serde_json::{Map, Value};

/// The reply that is arriving.
#[derive(Debug)]
pub(crate) struct Listening {
    reply: ReplyId,
    pub(crate) asked: Asked,
    pub(crate) heard: Heard,
    /// What the prompt is expected to be.
    expected: Expected,
}

/// How a reply ended that is as complete as it will be.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    /// The length limit ended it, or the end of the window.
    length: bool,
    /// So many tokens were written, where the server said so.
    tokens: Option<u64>,
}

impl Machine {
    /// Asks the model for its next reply; where that would hardly fit, the conversation is made shorter first.
    pub(crate) fn call_model(&mut self) {
        if self.is_nearly_full() {
            self.make_room(FitReason::NearlyFull, Then::Ask);
        } else {
            self.ask_model(Asked::Plainly);
        }
    }

    /// Asks the model for its next reply in one of several ways.
    pub(crate) fn ask_model(&mut self, asked: Asked) {
        let reply = self.out.next_reply();
        let request = Box::new(self.request(asked));
        self.tell_window();
        let expected = self.link.measure.sent(&request.messages, &request.tools);
        self.history.sent();
        let heard = self.ears(asked);
        let listening = Listening { reply, asked, heard, expected };
        self.state = State::Listening(Box::new(listening));
        self.out.carry_out(Effect::CallModel { reply, request });
    }

    pub(crate) fn request(&self, asked: Asked) -> ChatRequest {
        let settings = &self.settings;
        ChatRequest {
            model: self.link.model_name(),
            messages: self.history.messages().to_vec(),
            tools: self.sent_tools().to_vec(),
            num_ctx: self.link.measure.window.asked,
            options: self.options(),
            keep_alive: settings.keep_alive.clone(),
            format: match asked {
                Asked::Plainly | Asked::Told => None,
                Asked::Constrained => Some(schema::of_calls(&settings.tools)),
            },
            think: self.think(),
        }
    }

    /// What the person set, and where they did not, what suits the model. A reply is bounded in any case: one that never
    /// ends would be ended by nobody else.
    pub(crate) fn options(&self) -> Map<String, Value> {
        let mut options = self.family().map(|family| family.options.clone()).unwrap_or_default();
        options.extend(self.settings.options.clone());
        options.insert("num_predict".into(), self.link.measure.room.longest_reply.into());
        options
    }

    /// How much the model thinks; one that cannot is not told to.
    pub(crate) fn think(&self) -> Option<Think> {
        let wanted = self.settings.think.or_else(|| self.family()?.think);
        wanted.filter(|think| *think == Think::Off || self.link.card().is_none_or(|card| card.thinking != Some(false)))
    }

    /// For a reply in which nothing is a call, whatever it looks like.
    pub(crate) fn ears_for_talk(&self) -> Heard {
        Heard::new(Setup { calls: false, ..self.setup() }, self.settings.limits.same_words)
    }

    pub(crate) fn ears(&self, asked: Asked) -> Heard {
        let (setup, same_words) = (self.setup(), self.settings.limits.same_words);
        match asked {
            Asked::Plainly | Asked::Told => Heard::new(setup, same_words),
            Asked::Constrained => Heard::kept_to_schema(setup, same_words),
        }
    }

    fn setup(&self) -> Setup {
        let opened = self.family().is_some_and(|family| family.starts_in_reasoning);
        // A server that knows of the reasoning takes it out by itself, and so does a model that was told not to think.
        let inside = opened && !self.link.server_knows_thinking() && self.think() != Some(Think::Off);
        Setup {
            tools: self.known_tools.clone(),
            calls: self.offers_tools(),
            start: if inside { Start::Reasoning } else { Start::Answer },
        }
    }

    pub(crate) fn heard(&mut self, reply: ReplyId, event: ModelEvent) {
        match &self.state {
            State::Listening(listening) if listening.reply == reply => self.heard_reply(event),
            State::Summarising(_) => self.heard_summary(reply, event),
            State::Examining(_) => self.heard_examined(reply, event),
            // It came late.
            State::Listening(_)
            | State::Idle
            | State::Working(_)
            | State::Braked { .. }
            | State::LookingAfter(_)
            | State::Undoing(_)
            | State::GoingBack(_) => {}
        }
    }

    fn heard_reply(&mut self, event: ModelEvent) {
        let arrives = !matches!(event, ModelEvent::Waiting { .. } | ModelEvent::Broken { .. });
        if arrives {
            self.look_at_window();
        }
        let State::Listening(listening) = &mut self.state else { return };
        if arrives {
            self.link.measure.was_read(listening.expected);
        }
        let (heard, mut out) = (&mut listening.heard, Vec::new());
        let sign = match event {
            ModelEvent::Waiting { phase } => {
                let phase = self.link.measure.with_estimate(phase, &mut listening.expected);
                out.push(Event::Waiting { phase });
                Sign::GoOn
            }
            ModelEvent::Thinking { text } => heard.thinking(text, &mut out),
            ModelEvent::Text { text } => heard.text(&text, &mut out),
            ModelEvent::Calls { calls } => {
                heard.calls(calls, &mut out);
                Sign::GoOn
            }
            ModelEvent::Done { reason, usage } => return self.reply_done(reason.as_deref(), usage),
            ModelEvent::Broken { trouble } => return self.reply_broken(trouble),
        };
        self.out.emit_all(out);
        match sign {
            Sign::GoOn => {}
            Sign::Invented => self.cut_short(),
            Sign::Looping => {
                self.out.carry_out(Effect::HangUp);
                self.looped();
            }
        }
    }

    fn reply_done(&mut self, reason: Option<&str>, usage: Usage) {
        let Some(mut listening) = self.stop_listening() else { return };
        let mut out = Vec::new();
        listening.heard.finish(&mut out);
        self.out.emit_all(out);
        self.turn.usage = sum(self.turn.usage, usage);
        self.link.measure.replied(&usage, listening.expected);
        self.out.emit(Event::Replied { usage, reused: self.link.measure.reused });
        if let Some(prompt) = usage.prompt_tokens {
            self.watch_for_cuts(prompt);
            self.say_counted(prompt + usage.reply_tokens.unwrap_or(0));
            self.tell_costs_if_news();
        }
        self.conclude(listening, End { length: reason == Some("length"), tokens: usage.reply_tokens });
    }

    /// The model makes up the result of its own call: everything after this is made up, so nobody need listen to it.
    fn cut_short(&mut self) {
        let Some(listening) = self.stop_listening() else { return };
        self.out.carry_out(Effect::HangUp);
        self.out.emit(Event::Replied { usage: Usage::default(), reused: None });
        self.conclude(listening, End::default());
    }

    /// The reply is as complete as it will be: its calls are carried out, or it is the answer, or it cannot be used.
    fn conclude(&mut self, mut listening: Listening, end: End) {
        self.it_fitted();
        if end.length {
            listening.heard.distrust_end();
        }
        let aside = listening.heard.set_aside();
        let (heard, asked) = (listening.heard, listening.asked);
        if heard.has_calls() {
            self.act_on(heard, asked, end.length, aside);
            return;
        }
        self.out.emit_all(aside);
        if let Some(lost) = heard.lost.first() {
            let mishap = Mishap::lost(lost, &self.settings.tools, end.length);
            self.keep_words(heard);
            self.rescue(&mishap);
        } else if heard.text.trim().is_empty() {
            self.empty_reply(&heard, end);
        } else {
            self.answered(heard, end);
        }
    }

    fn answered(&mut self, heard: Heard, end: End) {
        self.turn.rescue.done();
        let tools: Vec<&str> = self.settings.tools.iter().map(|spec| spec.name.as_str()).collect();
        let announces = !end.length && self.offers_tools() && announces(&heard.text, &tools);
        self.history.replied(heard.text, heard.thinking, Vec::new());
        self.turn.after_result = false;
        if !self.queue.is_empty() && !self.is_delegating() {
            self.steer();
            self.call_model();
        } else if announces {
            self.brake(Brake::Stuck(Stuck::Announcing));
        } else {
            self.end_turn(if end.length { TurnEndReason::Length } else { TurnEndReason::Done });
        }
    }

    /// Nothing arrived. Where tokens were written, the server threw away what it could not read.
    fn empty_reply(&mut self, heard: &Heard, end: End) {
        let only_thought = !heard.thinking.trim().is_empty();
        let wrote = end.tokens.is_some_and(|tokens| tokens > 1);
        if end.length {
            self.end_turn(TurnEndReason::Length);
        } else if wrote && !only_thought {
            self.rescue(&Mishap::vanished());
        } else if self.turn.after_result || only_thought {
            self.brake(Brake::Stuck(Stuck::Silent));
        } else {
            self.end_turn(TurnEndReason::Stuck { how: Stuck::Silent });
        }
    }

    /// The model says the same again and again: the loop is left out, and it is told.
    fn looped(&mut self) {
        let Some(mut listening) = self.stop_listening() else { return };
        self.it_fitted();
        self.finish_unusable(&mut listening.heard);
        let text = listening.heard.text_before_echo().to_owned();
        if !text.is_empty() {
            self.history.replied(text, String::new(), Vec::new());
        }
        self.brake(Brake::Stuck(Stuck::Babbling));
    }

    fn reply_broken(&mut self, trouble: Trouble) {
        let Some(mut listening) = self.stop_listening() else { return };
        let kept_to_schema = listening.asked == Asked::Constrained;
        match trouble {
            Trouble::NoTools { .. } if self.link.calls_tools() => {
                self.link.set_no_tools();
                self.notice_no_tools();
                self.offer_tools();
                self.call_model();
            }
            Trouble::BadCall { message } => self.bad_call(listening, &message),
            // A server that stops loops by itself ends the reply without a word.
            Trouble::NotDone if listening.heard.was_looping() => {
                self.state = State::Listening(Box::new(listening));
                self.looped();
            }
            // Not every server can keep a reply to a schema.
            Trouble::Refused { message, .. } | Trouble::MidReply { message } if kept_to_schema => {
                self.finish_unusable(&mut listening.heard);
                self.keep_words(listening.heard);
                self.no_way_left(&format!("the server could not keep the reply to the form of a call ({message})"));
            }
            Trouble::NotDone if self.may_tell() => self.cut_off(listening),
            Trouble::Cut { .. } if self.may_tell() && listening.heard.has_anything() => self.cut_off(listening),
            Trouble::TooLong { prompt_tokens, window } if !listening.heard.has_anything() => {
                self.overflowed(prompt_tokens, window);
            }
            trouble => {
                self.finish_broken(&mut listening.heard);
                self.history.replied_in_part(listening.heard.text, listening.heard.thinking);
                self.end_broken(trouble);
            }
        }
    }

    /// The reply broke off for no reason of its own: what arrived stays, nothing in it runs, and the model is asked again.
    fn cut_off(&mut self, mut listening: Listening) {
        self.finish_unusable(&mut listening.heard);
        self.keep_words(listening.heard);
        self.rescue(&Mishap::cut());
    }

    pub(crate) fn end_broken(&mut self, trouble: Trouble) {
        let trouble = match trouble {
            Trouble::TooLong { prompt_tokens, window: None } => {
                Trouble::TooLong { prompt_tokens, window: Some(self.link.window()) }
            }
            other => other,
        };
        let follow = trouble.clone();
        self.end_turn(TurnEndReason::Broken { trouble });
        match follow {
            Trouble::Unreachable { .. } => self.server_lost(follow),
            Trouble::ModelMissing { model } => {
                self.out.carry_out(Effect::List { reason: ModelsReason::Missing { name: model } });
            }
            _ => {}
        }
    }

    /// The server could not read the call. Perhaps we can: it often quotes what the model wrote.
    fn bad_call(&mut self, mut listening: Listening, message: &str) {
        self.it_fitted();
        self.finish_unusable(&mut listening.heard);
        // Calls that came before were not run either, and one of two would be half of what the model meant; unless the
        // server quotes them too.
        let alone = listening.heard.lost.iter().all(|lost| message.contains(lost.raw.trim())) && self.offers_tools();
        let quoted = if alone { crate::turn::raw::quoted_calls(message, &self.settings.tools) } else { Vec::new() };
        if quoted.is_empty() {
            if let Some(text) = crate::turn::raw::quoted(message).filter(|raw| !raw.trim().is_empty()) {
                self.out.emit(Event::SetAside { text: text.to_owned(), why: SetAside::Unreadable });
            }
            self.keep_words(listening.heard);
            self.rescue(&Mishap::refused_by_server(message, &self.settings.tools));
            return;
        }
        let text = "the server could not read the model's call; it was read from what the server quotes of it";
        self.out.notice(NoticeLevel::Info, text);
        self.act_on_quoted(listening.heard, quoted);
    }

    /// A reply is over without being usable, and the turn goes on: what is said of it stands below it.
    fn finish_unusable(&mut self, heard: &mut Heard) {
        self.finish_broken(heard);
        self.out.emit(Event::Replied { usage: Usage::default(), reused: None });
    }

    /// A reply broke off: text that was held back is shown after all, and calls are set aside, for they never run.
    fn finish_broken(&mut self, heard: &mut Heard) {
        let mut out = Vec::new();
        heard.finish(&mut out);
        heard.give_up_calls();
        out.extend(heard.set_aside());
        self.out.emit_all(out);
    }

    /// What the person has read of a reply that cannot be used stays part of the conversation.
    fn keep_words(&mut self, heard: Heard) {
        if !heard.text.trim().is_empty() {
            self.history.replied(heard.text, heard.thinking, Vec::new());
        }
    }

    /// The person stopped the reply: what arrived stays, calls in it do not run.
    pub(crate) fn hang_up(&mut self, mut listening: Listening) {
        self.out.carry_out(Effect::HangUp);
        self.finish_broken(&mut listening.heard);
        self.history.replied_in_part(listening.heard.text, listening.heard.thinking);
        self.end_turn(TurnEndReason::Interrupted);
    }

    /// A reply came, so the conversation fits: what is done when it does not begins anew.
    fn it_fitted(&mut self) {
        (self.turn.fit, self.turn.refused) = (Fit::Not, false);
    }

    fn stop_listening(&mut self) -> Option<Listening> {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Listening(listening) => Some(*listening),
            other => {
                self.state = other;
                None
            }
        }
    }
}

/// Counts added up where they add up; the prompt is that of the last reply, for it holds the earlier ones.
pub(crate) fn sum(before: Usage, reply: Usage) -> Usage {
    let add = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0) + b.unwrap_or(0)),
    };
    Usage {
        prompt_tokens: reply.prompt_tokens.or(before.prompt_tokens),
        reply_tokens: add(before.reply_tokens, reply.reply_tokens),
        load_ns: add(before.load_ns, reply.load_ns),
        prompt_ns: add(before.prompt_ns, reply.prompt_ns),
        reply_ns: add(before.reply_ns, reply.reply_ns),
        total_ns: add(before.total_ns, reply.total_ns),
    }
}

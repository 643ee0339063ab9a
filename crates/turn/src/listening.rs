//! A reply is arriving.
//!
//! **Invariant.** No call is run from a reply that did not end with `done:true`.

use crate::Effect;
use crate::machine::{Machine, State};
use agent_context::room_for_result;
use agent_protocol::{
    ChatRequest, Event, ModelCall, ModelEvent, ModelsReason, NoticeLevel, Origin, ReplyId, ToolCall, Trouble,
    TurnEndReason, Usage,
};

/// What has arrived of the reply.
#[derive(Debug)]
pub(crate) struct Listening {
    reply: ReplyId,
    text: String,
    thinking: String,
    calls: Vec<ModelCall>,
    /// Text came after a call: the model went on without having seen the result.
    went_on: bool,
}

/// How often in one turn the model is told that its reply could not be used.
const MOST_NUDGES: u32 = 2;

impl Machine {
    /// Asks the model for its next reply.
    pub(crate) fn call_model(&mut self) {
        let reply = self.next_reply();
        let request = Box::new(self.request());
        self.state = State::Listening(Listening {
            reply,
            text: String::new(),
            thinking: String::new(),
            calls: Vec::new(),
            went_on: false,
        });
        self.carry_out(Effect::CallModel { reply, request });
    }

    fn request(&self) -> ChatRequest {
        let settings = &self.settings;
        ChatRequest {
            model: self.link.model_name(),
            messages: self.history.messages().to_vec(),
            tools: if self.link.calls_tools() { settings.tools.clone() } else { Vec::new() },
            num_ctx: self.link.window(),
            options: settings.options.clone(),
            keep_alive: settings.keep_alive.clone(),
            format: None,
            think: settings.think,
        }
    }

    pub(crate) fn heard(&mut self, reply: ReplyId, event: ModelEvent) {
        let State::Listening(listening) = &mut self.state else { return };
        if listening.reply != reply {
            return;
        }
        match event {
            ModelEvent::Waiting { phase } => self.emit(Event::Waiting { phase }),
            ModelEvent::Thinking { text } => {
                listening.thinking.push_str(&text);
                self.emit(Event::Thinking { text });
            }
            ModelEvent::Text { .. } if !listening.calls.is_empty() => listening.went_on = true,
            ModelEvent::Text { text } => {
                listening.text.push_str(&text);
                self.emit(Event::Text { text });
            }
            ModelEvent::Calls { calls } => listening.calls.extend(calls),
            ModelEvent::Done { reason, usage } => self.reply_done(reason.as_deref(), usage),
            ModelEvent::Broken { trouble } => self.reply_broken(trouble),
        }
    }

    fn reply_done(&mut self, reason: Option<&str>, usage: Usage) {
        let State::Listening(listening) = std::mem::replace(&mut self.state, State::Idle) else { return };
        self.turn.usage = sum(self.turn.usage, usage);
        self.emit(Event::Replied { usage });
        if let Some(prompt) = usage.prompt_tokens {
            let used = prompt + usage.reply_tokens.unwrap_or(0);
            self.emit(Event::Window { used, of: self.link.window() });
        }
        let Listening { text, thinking, calls, went_on, .. } = listening;
        if text.trim().is_empty() && calls.is_empty() {
            self.empty_reply(usage);
            return;
        }
        self.history.replied(text, thinking, calls.clone());
        if !calls.is_empty() {
            self.turn.brakes.stepped();
            if went_on {
                let text = "what the model wrote after its call was left out: it had not seen the result yet";
                self.notice(NoticeLevel::Info, text.into());
            }
            self.work_on(calls);
            return;
        }
        if self.queue.is_empty() {
            let cut = reason == Some("length");
            self.end_turn(if cut { TurnEndReason::Length } else { TurnEndReason::Done });
        } else {
            self.steer();
            self.call_model();
        }
    }

    fn reply_broken(&mut self, trouble: Trouble) {
        let State::Listening(listening) = std::mem::replace(&mut self.state, State::Idle) else { return };
        if matches!(trouble, Trouble::NoTools { .. }) && self.link.calls_tools() {
            self.link.set_no_tools();
            self.notice_no_tools();
            self.call_model();
            return;
        }
        if let Trouble::BadCall { message } = &trouble
            && self.nudge(&format!("your last call could not be read: {message}"))
        {
            return;
        }
        self.history.replied_in_part(listening.text, listening.thinking);
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
                self.carry_out(Effect::List { reason: ModelsReason::Missing { name: model } });
            }
            _ => {}
        }
    }

    /// Tokens were written and nothing arrived: the model wrote something that the server threw away. It is told and
    /// asked again.
    fn empty_reply(&mut self, usage: Usage) {
        let lost = usage.reply_tokens.is_some_and(|tokens| tokens > 1);
        if lost && self.nudge("your last reply arrived empty: what you wrote could not be read as text or as a call") {
            return;
        }
        let text = "the model answered with nothing; /retry asks it again, /model chooses another";
        self.notice(NoticeLevel::Warning, text.into());
        self.end_turn(TurnEndReason::Done);
    }

    /// Tells the model what was wrong with its reply and asks again, a few times in a turn. False when that is used up.
    fn nudge(&mut self, why: &str) -> bool {
        if self.turn.nudges == MOST_NUDGES {
            return false;
        }
        self.turn.nudges += 1;
        self.notice(NoticeLevel::Info, format!("the model is asked again: {why}"));
        self.history.said(&format!("({why}; answer again, with one plain call or with text)"));
        self.call_model();
        true
    }

    /// The person stopped the reply: what arrived stays, calls in it do not run.
    pub(crate) fn hang_up(&mut self, listening: Listening) {
        self.carry_out(Effect::HangUp);
        self.history.replied_in_part(listening.text, listening.thinking);
        self.end_turn(TurnEndReason::Interrupted);
    }

    fn work_on(&mut self, calls: Vec<ModelCall>) {
        let calls: Vec<ToolCall> = calls
            .into_iter()
            .map(|call| ToolCall { id: self.next_call_id(), call, origin: Origin::default() })
            .collect();
        for call in &calls {
            self.emit(Event::Proposed { call: call.clone() });
        }
        self.begin_work(calls);
    }

    /// Bytes one result may take.
    pub(crate) fn room(&self) -> usize {
        room_for_result(self.link.window())
    }
}

/// Counts added up where they add up; the prompt is that of the last reply, for it holds the earlier ones.
fn sum(before: Usage, reply: Usage) -> Usage {
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

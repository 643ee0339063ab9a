//! Makes the conversation shorter before it fills the window: old results first, then a summary by the model, then, if
//! the person agrees, a list made by rule. Each step shows; none is tried twice in a row.
//!
//! Happens only where a request would go out, so never between a call and its result.

use crate::Effect;
use crate::machine::{Machine, State};
use crate::server::measure::Expected;
use crate::turn::brakes::Brake;
use crate::turn::heard::{Heard, Sign};
use crate::turn::listening::sum;
use crate::turn::rescue::Asked;
use agent_context::{
    Features, SummaryFault, digest, grouped, is_summary, read_summary, rebuild, room_for_result, stub_results,
    summary_request, tail_start,
};
use agent_protocol::{
    ChatRequest, Event, FitReason, Fitting, Message, ModelEvent, NoticeLevel, ReplyId, Role, Think, ToolSpec, Trouble,
    TurnEndReason,
};
use serde_json::Value;

/// A summary takes at most this part of the window.
const SUMMARY_PART: u64 = 6;

/// The person's own words take at most this part of the window.
const WORDS_PART: u64 = 8;

/// The last messages that stay as they are take these parts of the window, or of a conversation that is shorter than it;
/// the first with which it helps.
const TAIL_PARTS: [u64; 3] = [4, 8, u64::MAX];

/// Bytes that a result gets in any case: enough to say what it was.
const LEAST_RESULT: usize = 1_024;

/// This part of the window is free after old results were left out, beside what a reply needs: else they would be left
/// out again and again.
const HEADROOM_PART: u64 = 10;

/// The least room for a summary, in tokens.
const LEAST_SUMMARY: u64 = 512;

/// How far the conversation was made shorter since the last reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Fit {
    #[default]
    Not,
    /// Old results were left out.
    Stubbed,
    /// A summary was asked for, whatever became of it.
    Summarised,
    /// A list by rule stands for what came before.
    Digested,
    /// Nothing makes it shorter, and it was sent as it is.
    Asked,
}

/// What comes when the conversation is shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// The request that would have gone out.
    Ask,
    /// Nothing: the person asked only for this.
    End,
}

/// The model writes a summary.
#[derive(Debug)]
pub(crate) struct Summarising {
    reply: ReplyId,
    heard: Heard,
    then: Then,
    /// The person's words on what to keep.
    instructions: String,
    /// Old results are left out of what it summarises.
    stubbed: bool,
    /// What the prompt is expected to be.
    expected: Expected,
}

impl Machine {
    /// Would the next request leave too little room for a reply?
    pub(crate) fn is_nearly_full(&self) -> bool {
        let (measure, window) = (&self.link.measure, self.link.window());
        let used = self.used();
        if measure.is_counted() {
            used + measure.room.reserve > window
        } else {
            // Nothing was counted yet, and a server that refuses says exactly by how much.
            used > window + window / 4
        }
    }

    /// Makes the conversation shorter, by the next step that was not tried yet, and goes on.
    pub(crate) fn make_room(&mut self, reason: FitReason, then: Then) {
        self.turn.refused |= reason == FitReason::Overflow;
        self.tell_window();
        if self.stays() > self.link.window() {
            return self.give_up();
        }
        if matches!(self.turn.fit, Fit::Not | Fit::Stubbed) {
            self.out.emit(Event::Fitting { reason });
        }
        if self.turn.fit == Fit::Not && self.leave_out_results() {
            self.turn.fit = Fit::Stubbed;
            return self.go_on_shorter(then);
        }
        match self.turn.fit {
            Fit::Not | Fit::Stubbed => self.ask_for_summary("", then),
            Fit::Summarised => self.ask_to_shorten(then),
            Fit::Digested | Fit::Asked => self.give_up(),
        }
    }

    /// The person wants it shorter, now.
    pub(crate) fn compact(&mut self, instructions: &str) {
        if !self.is_idle() {
            let text = "the conversation can be made shorter when the turn is over; esc ends it";
            return self.out.notice(NoticeLevel::Warning, text);
        }
        if !self.link.is_ready() {
            return self.say_no_model();
        }
        if self.history.messages().len() < 3 {
            return self.out.notice(NoticeLevel::Info, "there is nothing to make shorter yet");
        }
        self.start_turn(String::new());
        self.out.emit(Event::Fitting { reason: FitReason::Asked });
        self.ask_for_summary(instructions, Then::End);
    }

    /// The server said that the conversation does not fit. It goes out again when it is shorter.
    pub(crate) fn overflowed(&mut self, prompt_tokens: Option<u64>, window: Option<u64>) {
        if let Some(tokens) = prompt_tokens {
            self.link.measure.gauge.refused(tokens);
        }
        if window.is_some_and(|window| self.link.measure.window.effective != Some(window)) {
            self.link.measure.gives(window);
            self.window_measured();
        }
        self.make_room(FitReason::Overflow, Then::Ask);
    }

    /// Leaves old results out, where that is enough by itself.
    fn leave_out_results(&mut self) -> bool {
        let window = self.link.window();
        self.results_left_out(window.saturating_sub(self.link.measure.room.reserve + window / HEADROOM_PART))
    }

    /// Leaves old results out, where what remains has so many tokens at most.
    fn results_left_out(&mut self, most: u64) -> bool {
        let before = self.used();
        let (shorter, results, freed) = self.without_old_results();
        if results == 0 || before.saturating_sub(freed) > most {
            return false;
        }
        self.rewrite(shorter);
        self.fitted(Fitting::Stubbed { results }, before);
        true
    }

    fn without_old_results(&self) -> (Vec<Message>, u64, u64) {
        let mut shorter = self.history.messages().to_vec();
        let keep = self.link.window() / TAIL_PARTS[0];
        let unanswered = self.unanswered();
        let stubbed = stub_results(&mut shorter[..unanswered], self.link.measure.gauge.estimator(), keep);
        (shorter, stubbed.results, stubbed.freed)
    }

    /// A conversation of so many tokens is short enough to go on with for a while.
    fn enough(&self) -> u64 {
        self.link.window().saturating_sub(self.link.measure.room.reserve) / 3 * 2
    }

    fn longest_summary(&self) -> u64 {
        (self.link.window() / SUMMARY_PART).max(LEAST_SUMMARY)
    }

    /// Asks the model for a summary of all but the words that still wait for an answer. The request goes on from the
    /// conversation as it stands, so that the server has most of it in mind.
    fn ask_for_summary(&mut self, instructions: &str, then: Then) {
        self.turn.fit = Fit::Summarised;
        let whole = self.used() + self.longest_summary() <= self.link.window() && !self.link.measure.cuts;
        let messages = if whole { self.history.messages().to_vec() } else { self.without_old_results().0 };
        self.summarise(messages, instructions, then, !whole);
    }

    fn summarise(&mut self, mut messages: Vec<Message>, instructions: &str, then: Then, stubbed: bool) {
        while messages.last().is_some_and(|last| last.role == Role::User) {
            messages.pop();
        }
        if self.unanswered() < 2 {
            return self.give_up();
        }
        let before = self.used();
        messages.push(Message::text(Role::User, summary_request(instructions)));
        let mut options = self.options();
        options.insert("num_predict".into(), Value::from(self.summary_bound(before)));
        let request = Box::new(ChatRequest { messages, options, ..self.request(Asked::Plainly) });
        let reply = self.out.next_reply();
        let heard = self.ears_for_talk();
        let instructions = instructions.to_owned();
        let expected = self.link.measure.expect(before, stubbed);
        self.state = State::Summarising(Box::new(Summarising { reply, heard, then, instructions, stubbed, expected }));
        self.out.carry_out(Effect::CallModel { reply, request });
    }

    /// The summary arrives. Nothing of it is the model's answer to anybody, so nothing but the waiting shows.
    pub(crate) fn heard_summary(&mut self, reply: ReplyId, event: ModelEvent) {
        let State::Summarising(summarising) = &mut self.state else { return };
        if summarising.reply != reply {
            return;
        }
        let mut unseen = Vec::new();
        let sign = match event {
            ModelEvent::Waiting { phase } => {
                let phase = self.link.measure.with_estimate(phase, &mut summarising.expected);
                return self.out.emit(Event::Waiting { phase });
            }
            ModelEvent::Thinking { text } => summarising.heard.thinking(text, &mut unseen),
            ModelEvent::Text { text } => summarising.heard.text(&text, &mut unseen),
            ModelEvent::Calls { .. } => Sign::GoOn,
            ModelEvent::Done { reason, usage } => {
                self.turn.usage = sum(self.turn.usage, usage);
                return self.summary_done(reason.as_deref() == Some("length"));
            }
            ModelEvent::Broken { trouble } => return self.summary_broken(trouble),
        };
        match sign {
            Sign::GoOn => {}
            Sign::Invented | Sign::Looping => {
                self.out.carry_out(Effect::HangUp);
                self.summary_done(true);
            }
        }
    }

    fn stop_summarising(&mut self) -> Option<Summarising> {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Summarising(summarising) => Some(*summarising),
            other => {
                self.state = other;
                None
            }
        }
    }

    fn summary_done(&mut self, cut: bool) {
        let Some(mut summarising) = self.stop_summarising() else { return };
        summarising.heard.finish(&mut Vec::new());
        if cut {
            return self.no_summary("it was cut off", summarising.then);
        }
        let estimator = self.link.measure.gauge.estimator();
        // A little longer than asked for is no reason to throw it away.
        match read_summary(&summarising.heard.text, estimator, self.longest_summary() * 3 / 2) {
            Ok(summary) => {
                let made = |summary, messages| Fitting::Summarised { summary, messages };
                self.put_in_place(&summary, made, summarising.then);
            }
            Err(fault) => self.no_summary(&why(fault), summarising.then),
        }
    }

    fn no_summary(&mut self, why: &str, then: Then) {
        self.out.notice(NoticeLevel::Warning, format!("the model's summary cannot be used: {why}"));
        // Less room than one would like is better than none.
        let most = self.link.window().saturating_sub(self.link.measure.room.reserve);
        if then == Then::Ask && self.results_left_out(most) {
            return self.go_on_shorter(then);
        }
        self.ask_to_shorten(then);
    }

    fn summary_broken(&mut self, trouble: Trouble) {
        let Some(summarising) = self.stop_summarising() else { return };
        match trouble {
            Trouble::TooLong { window, .. } if !summarising.stubbed => {
                self.link.measure.gives(window);
                let messages = self.without_old_results().0;
                self.summarise(messages, &summarising.instructions, summarising.then, true);
            }
            trouble @ (Trouble::Unreachable { .. } | Trouble::ModelMissing { .. }) => self.end_broken(trouble),
            trouble => self.no_summary(&trouble.to_string(), summarising.then),
        }
    }

    /// The person stopped it: the conversation is as it was.
    pub(crate) fn stop_summary(&mut self) {
        self.out.carry_out(Effect::HangUp);
        self.out.notice(NoticeLevel::Info, "the conversation is as it was");
        self.end_turn(TurnEndReason::Interrupted);
    }

    /// Puts `summary` in the place of what came before, with as many of the last messages as help allows.
    fn put_in_place(&mut self, summary: &str, made: impl FnOnce(String, u64) -> Fitting, then: Then) {
        let (before, window) = (self.used(), self.link.window());
        let estimator = self.link.measure.gauge.estimator();
        let summary = self.with_list(summary);
        let (messages, unanswered) = (self.history.messages(), self.unanswered());
        let tried = TAIL_PARTS.map(|part| {
            let tail = tail_start(messages, estimator, window.min(before) / part).min(unanswered);
            rebuild(messages, tail, &summary, window / WORDS_PART, estimator)
        });
        let tokens = |messages: &[Message]| {
            let mut gauge = self.link.measure.gauge.clone();
            gauge.rewritten();
            gauge.used(messages, self.sent_tools())
        };
        let enough = self.enough();
        let last = tried.len() - 1;
        let mut tried = tried.into_iter().enumerate();
        let found = tried.find(|(at, rebuilt)| *at == last || tokens(&rebuilt.messages) <= enough);
        let Some((_, rebuilt)) = found.filter(|(_, rebuilt)| tokens(&rebuilt.messages) < before) else {
            return self.no_shorter(then);
        };
        let left_out = rebuilt.left_out;
        let words = rebuilt.messages.get(1).map(|message| message.content.clone()).unwrap_or_default();
        self.rewrite(rebuilt.messages);
        self.fitted(made(words, rebuilt.replaced), before);
        self.say_left_out(left_out);
        self.go_on_shorter(then);
    }

    /// Bytes that one result may take: its share of the window, or what is left of it beside what cannot be left out.
    pub(crate) fn room(&self) -> usize {
        if let Some(room) = self.room_outside() {
            return room;
        }
        let left = self.enough().saturating_sub(self.stays());
        room_for_result(self.link.window().min(left.saturating_mul(4))).max(LEAST_RESULT)
    }

    /// Tokens of what cannot be left out: the standing instructions, the tools, and what is not answered.
    fn stays(&self) -> u64 {
        let messages = self.history.messages();
        let (first, unanswered) = (messages.first(), &messages[self.unanswered().min(messages.len())..]);
        let stays = first.into_iter().chain(unanswered).map(Features::of_message).sum::<Features>()
            + self.sent_tools().iter().map(Features::of_tool).sum();
        self.link.measure.gauge.estimator().tokens(&stays)
    }

    /// What the person said is left out only where it is said.
    fn say_left_out(&mut self, messages: u64) {
        let text = match messages {
            0 => return,
            1 => "one of your messages found no room beside the summary; say again what still counts".to_owned(),
            many => format!("{many} of your messages found no room beside the summary; say again what still counts"),
        };
        self.out.notice(NoticeLevel::Info, text);
    }

    /// What would stand in its place is no shorter.
    fn no_shorter(&mut self, then: Then) {
        let text = format!("the conversation has {} tokens and gets no shorter than that", grouped(self.used()));
        self.out.notice(NoticeLevel::Info, text);
        match then {
            Then::End => self.end_turn(TurnEndReason::Done),
            Then::Ask if self.turn.fit == Fit::Digested => self.give_up(),
            Then::Ask => self.ask_to_shorten(then),
        }
    }

    fn rewrite(&mut self, messages: Vec<Message>) {
        let same = self.history.messages().iter().zip(&messages).take_while(|(before, now)| before == now).count();
        if !self.is_delegating() {
            self.sayings.rewritten(self.history.messages(), same, self.out.recorder.earlier());
        }
        self.history.rewrite(messages);
        self.rewritten(same);
    }

    /// The conversation is another now, but for so many messages at its beginning.
    pub(crate) fn rewritten(&mut self, same: usize) {
        let along = !self.sent_tools().is_empty();
        let tools: &[ToolSpec] = if along { &self.settings.tools } else { &[] };
        let messages = self.history.messages();
        self.link.measure.rewritten(&messages[..same.min(messages.len())], tools);
    }

    /// Where the messages begin that the model has not answered: what was said to it last, or the calls whose results it
    /// has not seen, with these.
    fn unanswered(&self) -> usize {
        let messages = self.history.messages();
        let heard = messages.iter().rposition(|message| message.role == Role::Assistant).unwrap_or(0);
        // Where tools go by text, results are told in the person's place.
        let by_text = self.turn.after_result && self.turn.results.is_some();
        let results = by_text || messages[heard + 1..].iter().any(|message| message.role == Role::Tool);
        if results && heard > 0 { heard } else { messages.len().min(heard + 1) }
    }

    fn fitted(&mut self, how: Fitting, before: u64) {
        self.link.measure.fitted += 1;
        let after = self.used();
        self.out.emit(Event::Fitted { how, before, after });
        self.tell_window();
    }

    fn go_on_shorter(&mut self, then: Then) {
        match then {
            Then::Ask => self.call_model(),
            Then::End => self.end_turn(TurnEndReason::Done),
        }
    }

    /// A summary did not help, or there is none: the person decides.
    fn ask_to_shorten(&mut self, then: Then) {
        let (tokens, window) = (self.used(), self.link.window());
        self.ask_about_brake(Brake::Full { tokens, window, then });
    }

    /// The person agreed to a list made by rule.
    pub(crate) fn shorten(&mut self, then: Then) {
        self.turn.fit = Fit::Digested;
        let list = digest(self.history.messages());
        self.put_in_place(&list, |summary, messages| Fitting::Digested { summary, messages }, then);
    }

    /// Nothing helps. An estimate may be wrong, and a server that refuses says so: it is asked once. Words that are too
    /// long by themselves go back to the person; the conversation is as it was.
    fn give_up(&mut self) {
        if !self.turn.refused && !self.link.measure.cuts && self.turn.fit != Fit::Asked {
            self.turn.fit = Fit::Asked;
            return self.ask_model(Asked::Plainly);
        }
        let unanswered = self.unanswered();
        let messages = self.history.messages();
        let words =
            messages[unanswered.max(1)..].iter().all(|message| message.role == Role::User && !is_summary(message));
        if words && unanswered < messages.len() && !self.is_delegating() {
            let tokens = self.used();
            self.sayings.rewritten(self.history.messages(), unanswered, self.out.recorder.earlier());
            let text = self.history.take_back(unanswered);
            self.rewritten(usize::MAX);
            let window = grouped(self.link.window());
            let words = format!(
                "with what you said last the conversation has about {} tokens and the window holds {window}; your words \
                 are back in the input, and the conversation is as it was. Say it in parts, or start with a larger --num-ctx",
                grouped(tokens)
            );
            self.out.notice(NoticeLevel::Warning, words);
            self.out.emit(Event::Unqueued { text });
            self.tell_window();
        }
        self.end_turn(TurnEndReason::Full);
    }

    /// Tokens that a summary may take; a model that thinks does so first, with what room there is.
    fn summary_bound(&self, prompt: u64) -> u64 {
        let thinks =
            self.link.card().is_some_and(|card| card.thinking == Some(true)) && self.think() != Some(Think::Off);
        let free = self.link.window().saturating_sub(prompt).saturating_sub(LEAST_SUMMARY);
        let most = if thinks { free.min(self.link.measure.room.longest_reply) } else { 0 };
        most.max(self.longest_summary())
    }
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

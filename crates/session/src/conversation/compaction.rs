//! How the conversation becomes shorter: old results are left out, a summary or a list stands for what came before, or what
//! the user said last is taken back. `turn/summarising` says when.

use crate::Keep;
use crate::context::{
    Features, Rebuilt, elide_results, grouped, is_summary, rebuild, room_for_result, rule_based_summary, tail_start,
};
use crate::conversation::base::base_does_not_fit;
use crate::conversation::request::{SummaryWish, for_summary};
use crate::conversation::working::working_set;
use crate::conversation::{Conversation, plan_by};
use crate::out::Out;
use crate::records::Records;
use crate::server::Server;
use agent_protocol::{ChatRequest, Compaction, ContextEvent, Message, NoticeLevel, Role, Think, TurnEvent};

/// A summary takes at most this part of the window.
const SUMMARY_PART: u64 = 6;

/// The user's own words take at most this part of the window.
const WORDS_PART: u64 = 8;

/// The last messages that stay as they are take these parts of the window, or of a conversation that is shorter than it;
/// the first with which it helps.
const TAIL_PARTS: [u64; 3] = [4, 8, u64::MAX];

/// Bytes that a result gets in any case: enough to say what it was.
const LEAST_RESULT: usize = 1_024;

/// This part of the window is free after old results were left out, beside what a reply needs: else they would be left
/// out again and again.
const HEADROOM_PART: u64 = 10;

/// A summary that says as little as the form allows.
const SHORTEST_SUMMARY: &str = "## Goal\n-\n\n## Decisions\n-\n\n## Files\n-\n\n## Commands\n-\n\n## Open\n-";

/// The least room for a summary, in tokens.
const LEAST_SUMMARY: u64 = 512;

/// Tokens of the words that ask for one, and some for an estimate that is a little off.
const ASKING: u64 = 400;

/// A person is asked only for what frees this part of the conversation.
const WORTH_PART: u64 = 10;

/// How far the conversation was made shorter since the last reply.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum CompactionStep {
    #[default]
    Not,
    /// Old results were left out.
    Elided,
    /// A summary was asked for, whatever became of it.
    Summarised,
    /// A list by rule stands for what came before.
    RuleBased,
    /// Nothing makes it shorter, and it was sent as it is.
    Asked,
}

/// What comes when the conversation is shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// The request that would have gone out.
    Ask,
    /// Nothing: the user asked only for this.
    End,
}

/// What a conversation is made shorter by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SummaryBy {
    Summary,
    /// A list that is made by rule.
    Rule,
}

#[derive(Debug)]
pub(crate) struct SummaryRequest {
    pub(crate) request: ChatRequest,
    /// Tokens that the conversation has.
    pub(crate) before: u64,
    /// Old results are left out of what it summarises.
    pub(crate) stubbed: bool,
}

impl Conversation {
    /// Would the next request leave too little room for a reply?
    pub(crate) fn is_nearly_full(&self, server: &Server) -> bool {
        is_too_much(self.used(server), server)
    }

    /// Leaves old results out, where that is enough by itself.
    pub(crate) fn leave_out_results(&mut self, server: &mut Server, records: &mut Records, out: &mut Out) -> bool {
        if working_set(server).is_some() {
            return self.leave_out_half(server, records, out);
        }
        let window = server.window();
        let most = window.saturating_sub(server.measure.room.reserve + window / HEADROOM_PART);
        self.results_left_out(most, server, records, out)
    }

    /// Leaves old results out, where what remains has so many tokens at most.
    pub(crate) fn results_left_out(
        &mut self,
        most: u64,
        server: &mut Server,
        records: &mut Records,
        out: &mut Out,
    ) -> bool {
        let before = self.used(server);
        let (shorter, results, freed) = self.without_old_results(server);
        if results == 0 || before.saturating_sub(freed) > most {
            return false;
        }
        self.rewrite(shorter, server, records, out);
        self.fitted(Compaction::Stubbed { results }, before, server, out);
        true
    }

    /// The messages without old results, how many were left out, and how many tokens that frees.
    fn without_old_results(&self, server: &Server) -> (Vec<Message>, u64, u64) {
        let mut shorter = self.messages().to_vec();
        let keep = server.window() / TAIL_PARTS[0];
        let unanswered = self.unanswered();
        let stubbed = elide_results(&mut shorter[..unanswered], server.measure.gauge.estimator(), keep);
        (shorter, stubbed.results, stubbed.freed)
    }

    /// The request for a summary of all but the words that still wait for an answer; of what old results said only the
    /// outline where the whole finds no room, or where that was tried. `None`: there is nothing to summarise.
    pub(crate) fn summary_request(&self, wish: &SummaryWish, server: &Server) -> Option<SummaryRequest> {
        let before = self.used(server);
        let whole = self.whole_for_summary(server).filter(|_| !wish.stubbed && !server.measure.cuts);
        let stubbed = whole.is_none();
        let mut messages = whole.unwrap_or_else(|| self.without_old_results(server).0);
        while messages.last().is_some_and(|last| last.role == Role::User) {
            messages.pop();
        }
        if self.unanswered() < 2 {
            return None;
        }
        let longest = summary_bound(before, server);
        let request = for_summary(messages, wish, longest, server);
        Some(SummaryRequest { request, before, stubbed })
    }

    /// The messages to be summarised as they stand, where there is room for that; calls whose results the model has not seen
    /// may be missing at their end: they stay beside the summary in any case.
    fn whole_for_summary(&self, server: &Server) -> Option<Vec<Message>> {
        let (messages, room) = (self.messages(), room_for_summary(server));
        let answered = if working_set(server).is_some() { self.unanswered() } else { messages.len() };
        let parts = [messages, &messages[..answered]];
        let fits = |part: &&[Message]| server.measure.gauge.used(part, server.sent_tools()) + room <= server.window();
        parts.into_iter().find(fits).map(<[Message]>::to_vec)
    }

    /// Puts the list that is made by rule in the place of what came before. False where that is no shorter.
    pub(crate) fn put_list_in_place(&mut self, server: &mut Server, records: &mut Records, out: &mut Out) -> bool {
        let list = rule_based_summary(self.messages());
        self.put_in_place(&list, SummaryBy::Rule, server, records, out)
    }

    /// Would the list that is made by rule be worth a question? It has to stand for something, and where a request waits,
    /// that has to fit then.
    pub(crate) fn list_would_help(&self, then: Then, records: &Records, server: &Server) -> bool {
        let Some(rebuilt) = self.rebuilt_around(&rule_based_summary(self.messages()), records, server) else {
            return false;
        };
        let (before, after) = (self.used(server), server.measure.gauge.used(&rebuilt.messages, server.sent_tools()));
        let fits = then == Then::End || !is_too_much(after, server);
        fits && before.saturating_sub(after) >= before / WORTH_PART
    }

    /// Could a summary make the conversation shorter, be it as short as a summary can be?
    pub(crate) fn summary_could_help(&self, records: &Records, server: &Server) -> bool {
        self.rebuilt_around(SHORTEST_SUMMARY, records, server).is_some()
    }

    /// Puts `summary` in the place of what came before, with as many of the last messages as help allows. False where that
    /// is no shorter.
    pub(crate) fn put_in_place(
        &mut self,
        summary: &str,
        by: SummaryBy,
        server: &mut Server,
        records: &mut Records,
        out: &mut Out,
    ) -> bool {
        let before = self.used(server);
        let Some(rebuilt) = self.rebuilt_around(summary, records, server) else { return false };
        let summary = rebuilt.messages.get(1).map(|message| message.content.to_string()).unwrap_or_default();
        let messages = rebuilt.replaced;
        self.rewrite(rebuilt.messages, server, records, out);
        let how = match by {
            SummaryBy::Summary => Compaction::Summarised { summary, messages },
            SummaryBy::Rule => Compaction::Digested { summary, messages },
        };
        self.fitted(how, before, server, out);
        say_left_out(rebuilt.left_out, out);
        true
    }

    /// The conversation with `summary` in the place of what came before; `None` where nothing is replaced, or that is no shorter.
    fn rebuilt_around(&self, summary: &str, records: &Records, server: &Server) -> Option<Rebuilt> {
        let (before, window) = (self.used(server), server.window());
        let estimator = server.measure.gauge.estimator();
        let summary = self.with_what_holds(summary, records, server);
        let (messages, unanswered) = (self.messages(), self.unanswered());
        let tried = TAIL_PARTS.map(|part| {
            let tail = tail_start(messages, estimator, window.min(before) / part).min(unanswered);
            rebuild(messages, tail, &summary, window / WORDS_PART, estimator)
        });
        let tokens = |messages: &[Message]| server.measure.gauge.used(messages, server.sent_tools());
        let enough = enough(server);
        let last = tried.len() - 1;
        let mut tried = tried.into_iter().enumerate();
        let (_, rebuilt) = tried.find(|(at, rebuilt)| *at == last || tokens(&rebuilt.messages) <= enough)?;
        (rebuilt.replaced > 0 && tokens(&rebuilt.messages) < before).then_some(rebuilt)
    }

    /// `summary` with what it may leave out and the work needs: the list of what there is to do, what the program knows of
    /// what was done, and the mode.
    fn with_what_holds(&self, summary: &str, records: &Records, server: &Server) -> String {
        let mode = self.untold.standing(plan_by(server)).filter(|_| !self.is_delegating());
        let mode = mode.map(|mode| format!("\n\n({mode})")).unwrap_or_default();
        let known = working_set(server).map(|_| records.known_work()).unwrap_or_default();
        known.behind(&self.with_list(summary)) + &mode
    }

    /// Bytes that one result may take: its share of the window, or what is left of it beside what cannot be left out.
    pub(crate) fn room(&self, server: &Server) -> usize {
        let left = enough(server).saturating_sub(self.stays(server));
        room_for_result(server.window().min(left.saturating_mul(4))).max(LEAST_RESULT)
    }

    /// Tokens of what cannot be left out: the standing instructions, the tools, and what is not answered.
    pub(crate) fn stays(&self, server: &Server) -> u64 {
        let messages = self.messages();
        let (first, unanswered) = (messages.first(), &messages[self.unanswered().min(messages.len())..]);
        let stays = first.into_iter().chain(unanswered).map(Features::of_message).sum::<Features>()
            + server.sent_tools().iter().map(Features::of_tool).sum();
        server.measure.gauge.estimator().tokens(&stays)
    }

    pub(super) fn rewrite(&mut self, messages: Vec<Message>, server: &mut Server, records: &mut Records, out: &Out) {
        let same = self.messages().iter().zip(&messages).take_while(|(before, now)| before == now).count();
        if !self.is_delegating() {
            records.sayings.rewritten(self.messages(), same, out.recorder.earlier());
        }
        self.now.history.rewrite(messages);
        self.rewritten(same, server);
    }

    /// Where the messages begin that the model has not answered: what was said to it last, or the calls whose results it
    /// has not seen, with these.
    pub(super) fn unanswered(&self) -> usize {
        let messages = self.messages();
        let heard = messages.iter().rposition(|message| message.role == Role::Assistant).unwrap_or(0);
        // Where tools go by text, results are told in the user's place.
        let by_text = self.now.after_result && self.now.results.is_some();
        let results = by_text || messages[heard + 1..].iter().any(|message| message.role == Role::Tool);
        if results && heard > 0 { heard } else { messages.len().min(heard + 1) }
    }

    pub(super) fn fitted(&mut self, how: Compaction, before: u64, server: &mut Server, out: &mut Out) {
        server.measure.fitted += 1;
        let after = self.used(server);
        self.now.shortened_to = Some(after);
        out.emit(ContextEvent::Fitted { how, before, after });
        self.tell_window(server, out);
    }

    /// Takes back what the user said last and was not answered, where nothing else makes the conversation shorter: their
    /// words are too long by themselves, or no words fit. The conversation is as it was.
    pub(crate) fn take_back_words(&mut self, keep: Keep, server: &mut Server, records: &mut Records, out: &mut Out) {
        let unanswered = self.unanswered();
        let messages = self.messages();
        let words =
            messages[unanswered.max(1)..].iter().all(|message| message.role == Role::User && !is_summary(message));
        if !words || unanswered >= messages.len() || self.is_delegating() {
            return;
        }
        let tokens = self.used(server);
        records.sayings.rewritten(self.messages(), unanswered, out.recorder.earlier());
        let text = self.now.history.take_back(unanswered);
        let base = self.base(server);
        self.rewritten(usize::MAX, server);
        out.notice(NoticeLevel::Warning, why_taken_back(tokens, base, keep, server));
        out.emit(TurnEvent::Unqueued { text });
        self.tell_window(server, out);
    }
}

/// Why words cannot go out, and what helps. In a run without a person there is no input to go back to.
fn why_taken_back(tokens: u64, base: u64, keep: Keep, server: &Server) -> String {
    let (tokens, window) = (grouped(tokens), grouped(server.window()));
    let larger =
        if server.fixes_windows() { "give the server a larger window" } else { "start with a larger --num-ctx" };
    match (base > server.window(), keep) {
        (true, Keep::Everything) => format!("{}; your words are back in the input", base_does_not_fit(base, server)),
        (true, Keep::Nothing) => base_does_not_fit(base, server),
        (false, Keep::Everything) => format!(
            "with what you said last the conversation has about {tokens} tokens and the window holds {window}; your words \
             are back in the input, and the conversation is as it was. Say it in parts, or {larger}"
        ),
        (false, Keep::Nothing) => format!(
            "with what you said the conversation has about {tokens} tokens and the window holds {window}; say it in \
             parts, or {larger}"
        ),
    }
}

/// Would a request of so many tokens leave too little room for a reply?
fn is_too_much(used: u64, server: &Server) -> bool {
    let (measure, window) = (&server.measure, server.window());
    if measure.is_counted() {
        used + measure.room.reserve > window
    } else {
        // Nothing was counted yet, and a server that refuses says exactly by how much.
        used > window + window / 4
    }
}

/// Tokens that a summary should take at most.
pub(crate) fn longest_summary(server: &Server) -> u64 {
    (server.window() / SUMMARY_PART).max(LEAST_SUMMARY)
}

/// Tokens that have to be free so that a summary is asked for with all that there is: what is left out of it first has the
/// server read the conversation anew. A model that thinks needs more than the summary has.
fn room_for_summary(server: &Server) -> u64 {
    if working_set(server).is_some() && !thinks(server) { ASKING + LEAST_SUMMARY } else { longest_summary(server) }
}

fn thinks(server: &Server) -> bool {
    server.card().is_some_and(|card| card.thinking == Some(true)) && server.think() != Some(Think::Off)
}

/// A conversation of so many tokens is short enough to go on with for a while.
fn enough(server: &Server) -> u64 {
    server.window().saturating_sub(server.measure.room.reserve) / 3 * 2
}

/// Tokens that a summary may take; a model that thinks does so first, with what room there is.
fn summary_bound(prompt: u64, server: &Server) -> u64 {
    let free = server.window().saturating_sub(prompt).saturating_sub(LEAST_SUMMARY);
    let most = if thinks(server) { free.min(server.measure.room.longest_reply) } else { 0 };
    most.max(longest_summary(server))
}

/// What the user said is left out only where it is said.
fn say_left_out(messages: u64, out: &mut Out) {
    let text = match messages {
        0 => return,
        1 => "one of your messages found no room beside the summary; say again what still counts".to_owned(),
        many => format!("{many} of your messages found no room beside the summary; say again what still counts"),
    };
    out.notice(NoticeLevel::Info, text);
}

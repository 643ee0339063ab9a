//! How full the window is: what the server counted last, and an estimate of what was added since.

mod log;
mod parts;
mod replies;
mod thoughts;

use crate::{Estimator, Features};
use agent_protocol::{Calibration, Checked, ContextPart, Message, ToolSpec, Usage};
use log::{Log, Seen};
use replies::Replies;
use thoughts::{GivenBack, Thoughts};

/// So many counts are remembered: where the last messages are taken back, an earlier count still holds.
const ANCHORS: usize = 4;

/// From so many counts on an estimate can be relied on.
const WELL_LEARNED: u64 = 4;

/// Where more tokens than this were added, the count must grow by this share of them at least.
const STILL: (f64, f64) = (256.0, 0.25);

/// Tokens and the share of a count by which a prompt may shrink without having been cut.
const SHRINKING: (f64, f64) = (24.0, 0.02);

/// A prompt as the server counted it.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    /// Messages in it.
    messages: usize,
    tokens: f64,
    /// What of it was thinking, if the template gives it back.
    thoughts: Thoughts,
    /// Tokens of the reply to it.
    reply: Option<u64>,
    /// It was counted just so; else it was worked out, and may be off by so many tokens.
    doubt: f64,
}

/// The first count of all: what stands before the conversation can be worked out from it.
#[derive(Debug, Clone, Copy)]
struct First {
    tokens: f64,
    /// What was said already.
    said: Features,
    thoughts: Thoughts,
}

/// A request that is on its way.
#[derive(Debug, Clone, Copy)]
struct Sent {
    messages: usize,
    estimated: f64,
}

/// The prompt as the server counted it last, and an estimate of what was added since. Never scans what was counted already.
#[derive(Debug, Clone)]
pub struct Gauge {
    estimator: Estimator,
    log: Log,
    /// The newest last; each holds more messages than those before.
    anchors: Vec<Anchor>,
    first: Option<First>,
    sent: Option<Sent>,
    replies: Replies,
    given_back: GivenBack,
    checked: Option<Checked>,
    window: Option<u64>,
    was_cut: bool,
}

impl Gauge {
    /// A gauge that knows of the model's tokens what is `known`.
    pub fn new(known: Option<&Calibration>) -> Self {
        Gauge {
            estimator: Estimator::new(known),
            log: Log::default(),
            anchors: Vec::new(),
            first: None,
            sent: None,
            replies: Replies::default(),
            given_back: GivenBack::default(),
            checked: None,
            window: None,
            was_cut: false,
        }
    }

    /// The window that prompts have to fit, in tokens. Only needed to tell whether they were cut.
    pub fn set_window(&mut self, tokens: u64) {
        self.window = Some(tokens).filter(|tokens| *tokens > 0);
    }

    /// A request with these goes out. Tokens it is expected to have.
    pub fn sent(&mut self, messages: &[Message], tools: &[ToolSpec]) -> u64 {
        self.note(messages, tools);
        let estimated = self.estimate(self.log.seen().iter(), self.log.tools());
        self.sent = Some(Sent { messages: messages.len(), estimated });
        estimated.round() as u64
    }

    /// The reply to it ended; what the server counted. `None` where it did not count, or where no estimate was made.
    pub fn counted(&mut self, usage: &Usage) -> Option<Checked> {
        let sent = self.sent.take()?;
        let counted = usage.prompt_tokens?;
        if !self.is_credible(sent.estimated, counted) {
            return None;
        }
        self.checked = Some(Checked { estimated: sent.estimated.round() as u64, counted });
        self.was_cut = self.is_cut(sent, counted as f64);
        if !self.was_cut {
            self.learn(sent, counted as f64, usage.reply_tokens);
        }
        self.checked
    }

    /// The server refused it and said how many tokens it has.
    pub fn refused(&mut self, prompt_tokens: u64) {
        let Some(sent) = self.sent.take() else { return };
        if !self.is_credible(sent.estimated, prompt_tokens) {
            return;
        }
        self.checked = Some(Checked { estimated: sent.estimated.round() as u64, counted: prompt_tokens });
        self.learn(sent, prompt_tokens as f64, None);
        // A server that refuses does not cut: this is no measure for what the next prompt must have.
        self.anchors.iter_mut().for_each(|anchor| anchor.doubt = anchor.doubt.max(1.0));
    }

    /// Tokens a request would have now. The reply to the last one counts as soon as it is among the messages.
    pub fn used(&self, messages: &[Message], tools: &[ToolSpec]) -> u64 {
        let known = self.log.agrees(messages);
        let fresh = self.fresh(messages, known);
        let tools = self.log.features_of(tools);
        self.estimate_at(self.log.seen()[..known].iter().chain(&fresh), &tools, known).round() as u64
    }

    /// Earlier messages were changed: what was counted of them counts no more. What stands before them still does.
    pub fn rewritten(&mut self) {
        self.anchors.clear();
        self.log.forget_conversation();
        self.sent = None;
        self.was_cut = false;
        if let Some(first) = self.first {
            let said = self.estimator.weigh(&first.said) + self.given_back.of(first.thoughts);
            let anchor = Anchor {
                messages: 1,
                tokens: (first.tokens - said).max(1.0),
                thoughts: Thoughts::default(),
                reply: None,
                doubt: 0.05 * said,
            };
            self.anchors.push(anchor);
        }
    }

    /// What it learned of the model's tokens.
    pub fn estimator(&self) -> &Estimator {
        &self.estimator
    }

    /// The last estimate that was checked.
    pub fn checked(&self) -> Option<Checked> {
        self.checked
    }

    /// Did the server cut the last prompt without a word? Only one that is too old to be told not to does.
    pub fn was_cut(&self) -> bool {
        self.was_cut
    }

    /// What fills the prompt, scaled so that the sum is `used`. `summary`: index of the message that stands for the
    /// earlier conversation.
    pub fn parts(&self, messages: &[Message], tools: &[ToolSpec], summary: Option<usize>) -> Vec<ContextPart> {
        let known = self.log.agrees(messages);
        let fresh = self.fresh(messages, known);
        let seen = self.log.seen()[..known].iter().chain(&fresh);
        let asked = parts::Asked { messages, tools, summary, used: self.used(messages, tools) };
        parts::parts(&asked, seen, &self.estimator, &self.given_back)
    }

    /// Brings what is noted of the conversation up to `messages`.
    fn note(&mut self, messages: &[Message], tools: &[ToolSpec]) {
        let known = self.log.agrees(messages);
        if self.log.set_tools(tools) {
            (self.anchors, self.first) = (Vec::new(), None);
        }
        self.anchors.retain(|anchor| anchor.messages <= known);
        if known == 0 {
            self.first = None;
        }
        self.learn_from_reply(messages, known);
        let fresh = self.fresh(messages, known);
        self.log.go_on(known, fresh);
    }

    fn learn_from_reply(&mut self, messages: &[Message], known: usize) {
        let reply = self.anchors.last().filter(|anchor| anchor.messages == known).and_then(|last| last.reply);
        let message = messages.get(known).filter(|message| Replies::is_one(message));
        if let (Some(reply), Some(message)) = (reply, message) {
            self.replies.teach(message, reply, &mut self.estimator);
        }
    }

    /// What is to be noted of `messages` from `known` on.
    fn fresh(&self, messages: &[Message], known: usize) -> Vec<Seen> {
        let reply = self.anchors.last().filter(|anchor| anchor.messages == known).and_then(|last| last.reply);
        let mut fresh: Vec<Seen> = messages[known..].iter().map(|message| Seen::of(message, &self.estimator)).collect();
        let message = messages.get(known).filter(|message| Replies::is_one(message));
        if let (Some(first), Some(reply), Some(_)) = (fresh.first_mut(), reply, message) {
            first.take_count(reply, &self.estimator);
        }
        fresh
    }

    fn estimate<'a>(&self, seen: impl Iterator<Item = &'a Seen> + Clone, tools: &Features) -> f64 {
        self.estimate_at(seen, tools, usize::MAX)
    }

    /// Tokens of a prompt whose first `known` messages are as they were counted.
    fn estimate_at<'a>(&self, seen: impl Iterator<Item = &'a Seen> + Clone, tools: &Features, known: usize) -> f64 {
        let thoughts = Thoughts::of(seen.clone());
        let same_tools = tools == self.log.tools();
        let anchor = self.anchors.iter().rev().find(|anchor| same_tools && anchor.messages <= known);
        let Some(anchor) = anchor else {
            let whole = Features::of_prompt() + *tools + seen.map(|seen| seen.text).sum();
            return self.estimator.weigh(&whole) + self.given_back.of(thoughts);
        };
        let added = Added::of(seen.skip(anchor.messages), &self.replies);
        let thought = self.given_back.change(anchor.thoughts, thoughts);
        (anchor.tokens + added.counted + self.estimator.weigh(&added.features) + thought).max(1.0)
    }

    /// Can a prompt that was estimated so have been counted so, cut or not?
    fn is_credible(&self, estimated: f64, counted: u64) -> bool {
        let counted = counted as f64;
        let least = self.window.map_or(f64::INFINITY, |window| window as f64 / 3.0).min(estimated / 20.0);
        counted >= 2.0 && counted >= least && counted <= estimated * 8.0 + 200.0
    }

    fn is_cut(&self, sent: Sent, counted: f64) -> bool {
        let anchor = self.anchors.last();
        if self.stands_still(sent, counted) {
            return true;
        }
        let droppable = 1.3 * anchor.map_or(0.0, |anchor| anchor.thoughts.all());
        let shrunk = anchor.filter(|anchor| anchor.doubt == 0.0).is_some_and(|anchor| {
            let (tokens, share) = SHRINKING;
            counted + droppable + (share * anchor.tokens).max(tokens) < anchor.tokens
        });
        let Some(window) = self.window.map(|window| window as f64) else { return shrunk };
        let sure = anchor.is_some() && self.estimator.samples() >= WELL_LEARNED;
        let expected = sent.estimated - droppable;
        let too_long = expected > window * if sure { 1.3 } else { 1.6 };
        let halved = sure && expected > 0.9 * window && counted < 0.6 * expected;
        shrunk || (too_long && counted <= window) || halved
    }

    /// Much was added and the count hardly grew: a window that is smaller than anybody says is full. What of it was
    /// thinking may not come back, and so counts for nothing here.
    fn stands_still(&self, sent: Sent, counted: f64) -> bool {
        let Some(anchor) = self.anchors.last().filter(|anchor| anchor.doubt == 0.0) else { return false };
        let seen = &self.log.seen()[..sent.messages.min(self.log.seen().len())];
        let added = sent.estimated - anchor.tokens - 1.3 * Thoughts::of(seen.iter()).all();
        self.estimator.samples() >= WELL_LEARNED && added > STILL.0 && counted < anchor.tokens + STILL.1 * added
    }

    /// The server counted the prompt that was sent.
    fn learn(&mut self, sent: Sent, counted: f64, reply: Option<u64>) {
        let seen = &self.log.seen()[..sent.messages.min(self.log.seen().len())];
        let thoughts = Thoughts::of(seen.iter());
        match self.anchors.last().copied() {
            Some(anchor) => self.learn_added(anchor, sent.messages, counted, thoughts),
            None => self.learn_whole(sent.messages, counted, thoughts),
        }
        if self.anchors.len() == ANCHORS {
            self.anchors.remove(0);
        }
        self.anchors.retain(|anchor| anchor.messages < sent.messages);
        self.anchors.push(Anchor { messages: sent.messages, tokens: counted, thoughts, reply, doubt: 0.0 });
    }

    fn learn_whole(&mut self, messages: usize, counted: f64, thoughts: Thoughts) {
        let seen = &self.log.seen()[..messages];
        let said: Features = seen.iter().skip(1).map(|seen| seen.text).sum();
        let head: Features = seen.iter().take(1).map(|seen| seen.text).sum();
        let whole = Features::of_prompt() + *self.log.tools() + head + said;
        let doubt = 0.01 * self.estimator.weigh(self.log.tools()) + self.given_back.doubt(thoughts);
        self.estimator.learn_with(&whole, counted - self.given_back.of(thoughts), doubt);
        self.first = Some(First { tokens: counted, said, thoughts });
    }

    fn learn_added(&mut self, anchor: Anchor, messages: usize, counted: f64, thoughts: Thoughts) {
        let added = || self.log.seen()[..messages].iter().skip(anchor.messages);
        let grown = counted - anchor.tokens;
        let thought = self.given_back.change(anchor.thoughts, thoughts);
        let off = |added: &Added| grown - thought - added.counted - self.estimator.weigh(&added.features);
        let ways = [Added::by_count(added()), Added::by_estimate(added())];
        if ways[0].counted > 0.0 {
            self.replies.compare(off(&ways[0]), off(&ways[1]), ways[0].counted);
        }
        let added = Added::of(added(), &self.replies);
        let expected = self.estimator.weigh(&added.features);
        let unexplained = grown - added.counted - expected;
        self.given_back.learn(anchor.thoughts, thoughts, unexplained, 0.05 * expected + 4.0 + anchor.doubt);
        let taken = grown - added.counted - self.given_back.change(anchor.thoughts, thoughts);
        let doubt = anchor.doubt + self.given_back.doubt_of_change(anchor.thoughts, thoughts);
        self.estimator.learn_with(&added.features, taken, doubt);
    }
}

/// What was added to a prompt: tokens that were counted, and features of all else.
struct Added {
    counted: f64,
    features: Features,
}

impl Added {
    fn of<'a>(seen: impl Iterator<Item = &'a Seen>, replies: &Replies) -> Added {
        if replies.are_counted_well() { Added::by_count(seen) } else { Added::by_estimate(seen) }
    }

    /// Replies are what the server counted when the model wrote them.
    fn by_count<'a>(seen: impl Iterator<Item = &'a Seen>) -> Added {
        let mut added = Added { counted: 0.0, features: Features::default() };
        for seen in seen {
            match seen.written {
                Some(tokens) => {
                    added.counted += tokens;
                    added.features += Features::around_a_reply();
                }
                None => added.features += seen.text,
            }
        }
        added
    }

    /// Replies are as good as any text.
    fn by_estimate<'a>(seen: impl Iterator<Item = &'a Seen>) -> Added {
        Added { counted: 0.0, features: seen.map(|seen| seen.text).sum() }
    }
}

#[cfg(test)]
mod tests;

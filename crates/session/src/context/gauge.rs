//! How full the window is: what the server counted last, and an estimate of what was added since.

mod log;
mod parts;
mod thoughts;

use crate::context::{Estimator, Features};
use agent_protocol::{Calibration, Checked, ContextPart, Message, Role, ToolSpec, Usage};
use log::MessageLog;
use thoughts::{PromptFeatures, ThinkingTemplate};

/// So many counts are remembered besides the first: where the last messages are taken back, an earlier count still holds.
const REMEMBERED: usize = 4;

/// From so many counts on an estimate can be relied on.
const WELL_LEARNED: u64 = 4;

/// Where more tokens than this were added, the count must grow by this share of them at least.
const STILL: (f64, f64) = (256.0, 0.25);

/// A count that grew by this part of what came, besides the reply, has all that was there before.
const GROWING: f64 = 0.5;

/// Tokens and the share of a count by which a prompt may shrink without having been cut.
const SHRINKING: (f64, f64) = (24.0, 0.02);

/// Thinking may take so many times what is estimated.
const THINKING_AT_MOST: f64 = 1.3;

/// Replies of fewer tokens teach nothing, and neither do counts that are so many times more or less than estimated: some
/// servers make them up.
const TELLING_REPLY: f64 = 8.0;
const MADE_UP: f64 = 2.5;

/// By which share of it, and how many tokens for each call in it, a reply may differ from what it takes in the next prompt.
const REWRITTEN_REPLY: (f64, f64) = (0.06, 4.0);

/// A prompt as the server counted it.
#[derive(Debug, Clone, Copy)]
struct CountedPrompt {
    prompt: PromptFeatures,
    tokens: f64,
}

/// A request that is on its way.
#[derive(Debug, Clone, Copy)]
struct SentPrompt {
    prompt: PromptFeatures,
    messages: usize,
    estimated: f64,
    /// Of these, what the standing instructions and the tools take: some templates leave them out.
    standing: f64,
    /// What came since the model wrote last.
    newest: f64,
}

/// The prompts that the server counted, and an estimate of how the next one differs from the most alike of them. Never scans
/// what was counted already.
#[derive(Debug, Clone)]
pub struct ContextUsage {
    estimator: Estimator,
    template: ThinkingTemplate,
    log: MessageLog,
    /// The first of all, which what stands before the conversation can be told from, and the newest.
    counted: Vec<CountedPrompt>,
    /// What the next prompt must have at least, if the server does not cut it: the last one was counted so.
    last: Option<CountedPrompt>,
    sent: Option<SentPrompt>,
    /// A reply to as many messages had so many tokens.
    reply: Option<(usize, u64)>,
    checked: Option<Checked>,
    window: Option<u64>,
    was_cut: bool,
    /// The server is known to refuse what does not fit, so it cuts nothing.
    refuses: bool,
    /// What the prompt before had with its reply, by the server's count, believed or not.
    before: Option<f64>,
}

impl ContextUsage {
    /// A gauge that knows of the model's tokens what is `known`.
    pub fn new(known: Option<&Calibration>) -> Self {
        ContextUsage {
            estimator: Estimator::new(known),
            template: ThinkingTemplate::default(),
            log: MessageLog::default(),
            counted: Vec::new(),
            last: None,
            sent: None,
            reply: None,
            checked: None,
            window: None,
            was_cut: false,
            refuses: false,
            before: None,
        }
    }

    /// The server is known to refuse what does not fit: it cuts nothing.
    pub fn set_refuses(&mut self) {
        self.refuses = true;
    }

    /// The window that prompts have to fit, in tokens. Only needed to tell whether they were cut.
    pub fn set_window(&mut self, tokens: u64) {
        self.window = Some(tokens).filter(|tokens| *tokens > 0);
    }

    /// A request with these goes out. Tokens it is expected to have.
    pub fn sent(&mut self, messages: &[Message], tools: &[ToolSpec]) -> u64 {
        self.log.note(messages, tools);
        self.learn_from_reply(messages);
        let prompt = self.log.prompt(messages, tools);
        let estimated = self.estimate(&prompt);
        let standing = self.estimator.weigh(&self.log.standing());
        let newest = self.estimator.weigh(&self.log.newest());
        self.sent = Some(SentPrompt { prompt, messages: messages.len(), estimated, standing, newest });
        estimated.round() as u64
    }

    /// The reply to it ended; what the server counted. `None` where it did not count, or where no estimate was made.
    pub fn counted(&mut self, usage: &Usage) -> Option<Checked> {
        let with_reply =
            usage.prompt_tokens.zip(usage.reply_tokens).map(|(prompt, reply)| prompt as f64 + reply as f64);
        let before = std::mem::replace(&mut self.before, with_reply);
        let (sent, counted) = self.check(usage.prompt_tokens)?;
        // A prompt that has all of the last one, its reply and what came then was not cut.
        let has_grown = before.is_some_and(|before| counted.tokens > before + GROWING * sent.newest);
        self.was_cut = !self.refuses && !has_grown && self.is_cut(sent, counted.tokens);
        if !self.was_cut {
            self.learn(counted);
            self.last = Some(counted);
        }
        self.reply = usage.reply_tokens.map(|tokens| (sent.messages, tokens));
        self.checked
    }

    /// An earlier session sent these, and the server counted so many tokens. Nothing is learned of it: it was then.
    pub fn taken_up(&mut self, messages: &[Message], tools: &[ToolSpec], tokens: u64) {
        self.log.note(messages, tools);
        let prompt = self.log.prompt(messages, tools);
        let counted = CountedPrompt { prompt, tokens: tokens as f64 };
        if self.is_credible(self.estimate(&prompt), counted.tokens) {
            self.counted.push(counted);
        }
    }

    /// The server refused it and said how many tokens it has.
    pub fn refused(&mut self, prompt_tokens: u64) {
        if let Some((_, counted)) = self.check(Some(prompt_tokens)) {
            self.learn(counted);
            // A server that refuses does not cut: this is no measure for what the next prompt must have.
            self.last = None;
        }
        self.refuses = true;
    }

    /// Tokens a request would have now.
    pub fn used(&self, messages: &[Message], tools: &[ToolSpec]) -> u64 {
        self.estimate(&self.log.prompt(messages, tools)).round() as u64
    }

    /// Earlier messages were changed: the next prompt may be shorter than the last.
    pub fn rewritten(&mut self) {
        (self.last, self.sent, self.before, self.was_cut) = (None, None, None, false);
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

    /// What fills the prompt, scaled so that the sum is `used`.
    pub fn parts(&self, messages: &[Message], tools: &[ToolSpec]) -> Vec<ContextPart> {
        let features: Vec<Features> =
            self.log.prompts(messages).iter().map(|prompt| self.template.given(prompt)).collect();
        parts::parts((messages, tools), &features, self.used(messages, tools), &self.estimator)
    }

    /// Tokens of a prompt: those of the most alike that was counted, and what differs.
    fn estimate(&self, prompt: &PromptFeatures) -> f64 {
        let base = self.most_alike(prompt);
        (base.tokens + self.estimator.weigh(&self.template.given(&(*prompt - base.prompt)))).max(1.0)
    }

    /// The prompt that was counted and differs least from this one; nothing, where none was counted.
    fn most_alike(&self, prompt: &PromptFeatures) -> CountedPrompt {
        let apart =
            |counted: &CountedPrompt| self.estimator.distance(&self.template.given(&(*prompt - counted.prompt)));
        let nearest = self.counted.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        nearest.copied().unwrap_or(CountedPrompt { prompt: PromptFeatures::default(), tokens: 0.0 })
    }

    /// The request that was sent was counted so. `None` where it was not, where that cannot be, and where nothing was sent.
    fn check(&mut self, tokens: Option<u64>) -> Option<(SentPrompt, CountedPrompt)> {
        let (sent, tokens) = (self.sent.take()?, tokens?);
        let counted = CountedPrompt { prompt: sent.prompt, tokens: tokens as f64 };
        if !self.is_credible(sent.estimated, counted.tokens) {
            return None;
        }
        self.checked = Some(Checked { estimated: sent.estimated.round() as u64, counted: tokens });
        Some((sent, counted))
    }

    /// Can a prompt that was estimated so have been counted so, cut or not?
    fn is_credible(&self, estimated: f64, counted: f64) -> bool {
        let least = self.window.map_or(f64::INFINITY, |window| window as f64 / 3.0).min(estimated / 20.0);
        counted >= 2.0 && counted >= least && counted <= estimated * 8.0 + 200.0
    }

    fn is_cut(&self, sent: SentPrompt, counted: f64) -> bool {
        let droppable = self.last.map_or(0.0, |last| self.thinking_at_most(&last.prompt));
        let shrunk = self.last.is_some_and(|last| {
            let (tokens, share) = SHRINKING;
            counted + droppable + (share * last.tokens).max(tokens) < last.tokens
        });
        if shrunk || self.stands_still(sent, counted) {
            return true;
        }
        let Some(window) = self.window.map(|window| window as f64) else { return false };
        let sure = !self.counted.is_empty() && self.estimator.samples() >= WELL_LEARNED;
        let expected = sent.estimated - droppable;
        let too_long = expected - if sure { 0.0 } else { sent.standing } > window * if sure { 1.3 } else { 1.6 };
        let halved = sure && expected > 0.9 * window && counted < 0.6 * expected;
        (too_long && counted <= window) || halved
    }

    /// Much was added and the count hardly grew: a window that is smaller than anybody says is full. What of it was
    /// thinking may not come back, and so counts for nothing here.
    fn stands_still(&self, sent: SentPrompt, counted: f64) -> bool {
        let Some(last) = self.last else { return false };
        let added = sent.estimated - last.tokens - self.thinking_at_most(&sent.prompt);
        self.estimator.samples() >= WELL_LEARNED && added > STILL.0 && counted < last.tokens + STILL.1 * added
    }

    /// What the model thought may take so many tokens of a prompt.
    fn thinking_at_most(&self, prompt: &PromptFeatures) -> f64 {
        THINKING_AT_MOST * self.estimator.weigh(&(prompt.thoughts + prompt.earlier_thoughts))
    }

    /// The server counted a prompt: how it differs from one that it counted before tells what tokens hold.
    fn learn(&mut self, counted: CountedPrompt) {
        let base = self.most_alike(&counted.prompt);
        let (grown, tokens) = (counted.prompt - base.prompt, counted.tokens - base.tokens);
        self.template.learn(&grown, tokens, |features| self.estimator.weigh(features));
        self.estimator.learn(&self.template.given(&grown), tokens, 0.0);
        if self.counted.len() > REMEMBERED {
            self.counted.remove(1);
        }
        self.counted.push(counted);
    }

    /// The model's own words and their count tell what its words take.
    fn learn_from_reply(&mut self, messages: &[Message]) {
        let Some((at, tokens)) = self.reply.take() else { return };
        let Some(reply) = messages.get(at).filter(|message| message.role == Role::Assistant) else { return };
        let (written, tokens) = (Features::as_written(reply), tokens as f64);
        let expected = self.estimator.weigh(&written);
        if tokens >= TELLING_REPLY && tokens < MADE_UP * expected && expected < MADE_UP * tokens {
            let (share, each_call) = REWRITTEN_REPLY;
            // The token that ends a reply is counted too.
            self.estimator.learn(&written, tokens - 1.0, 1.0 + share * tokens + each_call * reply.calls.len() as f64);
        }
    }
}

#[cfg(test)]
mod tests;

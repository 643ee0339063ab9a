//! A prompt as the model gets it: the tools, then each message, with what each of them takes.
//!
//! The server remembers the last one, so that it reads of the next only what comes after the part that both share.
//! What is shared is told by hashes, a message at a time.

use crate::Script;
use crate::request::{Chat, Heard};
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The server keeps so many tokens of the beginning when a prompt is too long in its last message alone.
const KEPT: u64 = 4;

/// A stretch of a prompt that is read as a whole or remembered as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PromptPart {
    hash: u64,
    tokens: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prompt {
    pub(crate) parts: Vec<PromptPart>,
    pub(crate) tokens: u64,
}

impl Prompt {
    /// What the model is to read for this request.
    pub(crate) fn of(chat: &Chat, script: &Script) -> Self {
        Prompt::from(tools(chat, script).into_iter().chain(messages(chat, script)).collect::<Vec<_>>())
    }

    /// What a server makes of it that cuts without being told to: the oldest messages are dropped, system messages are
    /// kept; where the last message alone is too long, half of the window is filled with its end.
    pub(crate) fn cut(chat: &Chat, script: &Script, window: u64) -> Self {
        let whole = Prompt::of(chat, script);
        if whole.tokens <= window {
            return whole;
        }
        let tools = tools(chat, script);
        let messages = messages(chat, script);
        let is_system: Vec<bool> = chat.messages.iter().map(|message| message.role == "system").collect();
        let last = messages.len().saturating_sub(1);
        let from = |start: usize| -> Prompt {
            let kept = messages.iter().enumerate().filter(|(at, _)| *at >= start || is_system[*at]);
            Prompt::from(tools.iter().chain(kept.map(|(_, part)| part)).copied().collect::<Vec<_>>())
        };
        let fitting = (0..=last).map(from).find(|prompt| prompt.tokens <= window);
        fitting.unwrap_or_else(|| whole.halved(window))
    }

    fn halved(&self, window: u64) -> Self {
        let mut hasher = DefaultHasher::new();
        self.parts.iter().for_each(|part| part.hash.hash(&mut hasher));
        let tokens = KEPT + window.saturating_sub(KEPT) / 2;
        Prompt::from(vec![PromptPart { hash: hasher.finish(), tokens }])
    }

    /// Tokens that are not part of what `earlier` begins with. The last one is read in any case.
    pub(crate) fn new_since(&self, earlier: &[PromptPart]) -> u64 {
        let shared: u64 = self.parts.iter().take(self.shared_with(earlier)).map(|part| part.tokens).sum();
        self.tokens.saturating_sub(shared).max(1)
    }

    /// So many parts are the same in both, from the beginning.
    pub(crate) fn shared_with(&self, earlier: &[PromptPart]) -> usize {
        self.parts.iter().zip(earlier).take_while(|(one, other)| one == other).count()
    }
}

impl From<Vec<PromptPart>> for Prompt {
    fn from(parts: Vec<PromptPart>) -> Self {
        let tokens = parts.iter().map(|part| part.tokens).sum::<u64>().max(1);
        Prompt { parts, tokens }
    }
}

impl PromptPart {
    /// A message; `thinks` says whether the model gets to see its thinking.
    pub(crate) fn of(message: &Heard, thinks: bool, script: &Script) -> Self {
        let counts = script.counts;
        let thinking = if thinks { message.thinking.as_str() } else { "" };
        let mut hasher = DefaultHasher::new();
        (&message.role, &message.content, thinking, &message.tool_name).hash(&mut hasher);
        let mut tokens = counts.text(&message.content) + counts.text(thinking) + counts.of_message();
        for call in &message.calls {
            (&call.name, call.arguments.to_string()).hash(&mut hasher);
            tokens += counts.call(&call.name, &call.arguments);
        }
        PromptPart { hash: hasher.finish(), tokens }
    }
}

/// Templates write the tools before the conversation, so a change in them changes everything.
fn tools(chat: &Chat, script: &Script) -> Option<PromptPart> {
    let mut hasher = DefaultHasher::new();
    chat.tools.iter().map(Value::to_string).for_each(|tool| tool.hash(&mut hasher));
    (!chat.tools.is_empty()).then(|| PromptPart { hash: hasher.finish(), tokens: script.counts.tools(&chat.tools) })
}

fn messages(chat: &Chat, script: &Script) -> Vec<PromptPart> {
    let part = |(at, message)| PromptPart::of(message, shows_thinking(chat, script, at), script);
    chat.messages.iter().enumerate().map(part).collect()
}

/// Does the model get to see the thinking of this message?
pub(crate) fn shows_thinking(chat: &Chat, script: &Script, at: usize) -> bool {
    !script.drops_thinking || at >= chat.turn_start()
}

//! What is remembered of each message, so that no text is scanned twice. No text is kept.

use super::thoughts::PromptFeatures;
use crate::context::Features;
use crate::context::estimator::TokenClass;
use agent_protocol::{Message, Role, ToolSpec};
use std::ops::Add;

/// What is remembered of one message.
#[derive(Debug, Clone, Copy)]
struct SeenMessage {
    fingerprint: Fingerprint,
    /// All of it but thinking.
    text: Features,
    thinking: Features,
}

impl SeenMessage {
    fn from_message(message: &Message) -> SeenMessage {
        SeenMessage {
            fingerprint: Fingerprint::from_message(message),
            text: Features::without_thinking(message),
            thinking: Features::of_thinking(message),
        }
    }
}

/// By what a message is known again: its size, and a few bytes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fingerprint {
    role: Role,
    sizes: [usize; 3],
    samples: [u64; 3],
}

impl Fingerprint {
    fn from_message(message: &Message) -> Fingerprint {
        let text = message.content.as_bytes();
        let sample = |from: usize| {
            let taken = &text[from.min(text.len())..text.len().min(from + 8)];
            taken.iter().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte))
        };
        let thinking = message.thinking.as_deref().map_or(0, str::len);
        Fingerprint {
            role: message.role,
            sizes: [text.len(), thinking, message.calls.len()],
            samples: [sample(0), sample(text.len() / 2), sample(text.len().saturating_sub(8))],
        }
    }
}

/// What is remembered of the conversation and of the tools.
#[derive(Debug, Clone, Default)]
pub(super) struct MessageLog {
    seen: Vec<SeenMessage>,
    tools: Vec<ToolSpec>,
    tool_features: Features,
}

impl MessageLog {
    /// Brings what is remembered up to these.
    pub(super) fn note(&mut self, messages: &[Message], tools: &[ToolSpec]) {
        let known = self.agrees(messages);
        self.seen.truncate(known);
        self.seen.extend(messages[known..].iter().map(SeenMessage::from_message));
        if self.tools != tools {
            self.tool_features = tools.iter().map(Features::of_tool).sum();
            self.tools = tools.to_vec();
        }
    }

    /// What stands in every prompt: the instructions, and the tools.
    pub(super) fn standing(&self) -> Features {
        let instructions = self.seen.first().filter(|first| first.fingerprint.role == Role::System);
        instructions.map(|first| first.text).into_iter().sum::<Features>() + self.tool_features
    }

    /// What came since the model wrote last.
    pub(super) fn newest(&self) -> Features {
        let newest = self.seen.iter().rev().take_while(|seen| seen.fingerprint.role != Role::Assistant);
        newest.map(|seen| seen.text).sum()
    }

    pub(super) fn prompts(&self, messages: &[Message]) -> Vec<PromptFeatures> {
        let known = self.agrees(messages);
        let seen = self.seen[..known].iter().copied().chain(messages[known..].iter().map(SeenMessage::from_message));
        let last_words = messages.iter().rposition(|message| message.role == Role::User);
        let prompt = |(at, SeenMessage { text, thinking, .. }): (usize, SeenMessage)| match last_words {
            Some(last) if at <= last => {
                PromptFeatures { text, earlier_thoughts: thinking, ..PromptFeatures::default() }
            }
            Some(_) | None => PromptFeatures { text, thoughts: thinking, ..PromptFeatures::default() },
        };
        seen.enumerate().map(prompt).collect()
    }

    pub(super) fn prompt(&self, messages: &[Message], tools: &[ToolSpec]) -> PromptFeatures {
        let tools = if self.tools == tools { self.tool_features } else { tools.iter().map(Features::of_tool).sum() };
        let text = Features::of_class(TokenClass::Prompts, 1.0) + tools;
        let around = PromptFeatures { text, ..PromptFeatures::default() };
        self.prompts(messages).into_iter().fold(around, Add::add)
    }

    /// Of so many messages at the start it is remembered what they are.
    fn agrees(&self, messages: &[Message]) -> usize {
        self.seen
            .iter()
            .zip(messages)
            .take_while(|(seen, message)| seen.fingerprint == Fingerprint::from_message(message))
            .count()
    }
}

//! What is remembered of each message, so that no text is scanned twice. No text is kept.

use super::thoughts::Prompt;
use crate::Features;
use crate::account::Class;
use agent_protocol::{Message, Role, ToolSpec};

/// What is remembered of one message.
#[derive(Debug, Clone, Copy)]
struct Seen {
    mark: Mark,
    /// All of it but thinking.
    text: Features,
    thinking: Features,
}

impl Seen {
    fn of(message: &Message) -> Seen {
        Seen {
            mark: Mark::of(message),
            text: Features::without_thinking(message),
            thinking: Features::of_thinking(message),
        }
    }
}

/// By what a message is known again: its size, and a few bytes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    role: Role,
    sizes: [usize; 3],
    samples: [u64; 3],
}

impl Mark {
    fn of(message: &Message) -> Mark {
        let text = message.content.as_bytes();
        let sample = |from: usize| {
            let taken = &text[from.min(text.len())..text.len().min(from + 8)];
            taken.iter().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte))
        };
        let thinking = message.thinking.as_deref().map_or(0, str::len);
        Mark {
            role: message.role,
            sizes: [text.len(), thinking, message.calls.len()],
            samples: [sample(0), sample(text.len() / 2), sample(text.len().saturating_sub(8))],
        }
    }
}

/// What is remembered of the conversation and of the tools.
#[derive(Debug, Clone, Default)]
pub(super) struct Log {
    seen: Vec<Seen>,
    tools: Vec<ToolSpec>,
    tool_features: Features,
}

impl Log {
    /// Brings what is remembered up to these.
    pub(super) fn note(&mut self, messages: &[Message], tools: &[ToolSpec]) {
        let known = self.agrees(messages);
        self.seen.truncate(known);
        self.seen.extend(messages[known..].iter().map(Seen::of));
        if self.tools != tools {
            self.tool_features = tools.iter().map(Features::of_tool).sum();
            self.tools = tools.to_vec();
        }
    }

    /// What each message is of a prompt.
    pub(super) fn prompts(&self, messages: &[Message]) -> Vec<Prompt> {
        let known = self.agrees(messages);
        let seen = self.seen[..known].iter().copied().chain(messages[known..].iter().map(Seen::of));
        let last_words = messages.iter().rposition(|message| message.role == Role::User);
        let prompt = |(at, Seen { text, thinking, .. }): (usize, Seen)| match last_words {
            Some(last) if at <= last => Prompt { text, earlier_thoughts: thinking, ..Prompt::default() },
            Some(_) | None => Prompt { text, thoughts: thinking, ..Prompt::default() },
        };
        seen.enumerate().map(prompt).collect()
    }

    /// All of a prompt.
    pub(super) fn prompt(&self, messages: &[Message], tools: &[ToolSpec]) -> Prompt {
        let tools = if self.tools == tools { self.tool_features } else { tools.iter().map(Features::of_tool).sum() };
        let mut all = Prompt { text: Features::of_class(Class::Prompts, 1.0) + tools, ..Prompt::default() };
        for prompt in self.prompts(messages) {
            all.text += prompt.text;
            all.thoughts += prompt.thoughts;
            all.earlier_thoughts += prompt.earlier_thoughts;
        }
        all
    }

    /// Of so many messages at the start it is remembered what they are.
    fn agrees(&self, messages: &[Message]) -> usize {
        self.seen.iter().zip(messages).take_while(|(seen, message)| seen.mark == Mark::of(message)).count()
    }
}

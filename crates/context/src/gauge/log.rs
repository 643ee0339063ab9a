//! What is remembered of each message, so that no text is scanned twice. No text is kept.

use crate::{Estimator, Features};
use agent_protocol::{Message, Role, ToolSpec};

/// What is remembered of one message.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    mark: Mark,
    pub(super) role: Role,
    /// All of it but thinking.
    pub(super) text: Features,
    /// Tokens of its thinking.
    pub(super) thinking: f64,
    /// Tokens that the server counted of the text when the model wrote it.
    pub(super) written: Option<f64>,
}

impl Seen {
    pub(super) fn of(message: &Message, estimator: &Estimator) -> Seen {
        Seen {
            mark: Mark::of(message),
            role: message.role,
            text: Features::without_thinking(message),
            thinking: estimator.weigh(&Features::of_thinking(message)),
            written: None,
        }
    }

    /// The server counted so many tokens when the model wrote this, thinking included. A count that cannot be of this
    /// text is passed over: a reply may have been kept in part, or replaced.
    pub(super) fn take_count(&mut self, reply: u64, estimator: &Estimator) {
        let (text, reply) = (estimator.weigh(&self.text.as_written()), reply as f64);
        let whole = text + self.thinking;
        if whole >= 1.0 && reply + 16.0 >= whole / 4.0 && reply <= whole * 4.0 + 16.0 {
            self.written = Some(reply * text / whole);
            self.thinking *= reply / whole;
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
    pub(super) fn seen(&self) -> &[Seen] {
        &self.seen
    }

    /// The features of the tools.
    pub(super) fn tools(&self) -> &Features {
        &self.tool_features
    }

    /// Of so many messages at the start it is remembered what they are.
    pub(super) fn agrees(&self, messages: &[Message]) -> usize {
        self.seen.iter().zip(messages).take_while(|(seen, message)| seen.mark == Mark::of(message)).count()
    }

    /// From `known` on the conversation goes on with `fresh`.
    pub(super) fn go_on(&mut self, known: usize, fresh: Vec<Seen>) {
        self.seen.truncate(known);
        self.seen.extend(fresh);
    }

    /// Only the system message is still what it was.
    pub(super) fn forget_conversation(&mut self) {
        self.seen.truncate(1);
    }

    /// True where they are others than before.
    pub(super) fn set_tools(&mut self, tools: &[ToolSpec]) -> bool {
        let changed = self.tools != tools;
        if changed {
            self.tool_features = tools.iter().map(Features::of_tool).sum();
            self.tools = tools.to_vec();
        }
        changed
    }

    pub(super) fn features_of(&self, tools: &[ToolSpec]) -> Features {
        if self.tools == tools { self.tool_features } else { tools.iter().map(Features::of_tool).sum() }
    }
}

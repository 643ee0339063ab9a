//! The conversation as the model sees it: how much of the window it takes, and what is offered in it.

use crate::{Compaction, CompactionReason, ToolGroup, WindowState};
use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// What happens to the conversation as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "type", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ContextEvent {
    /// The model is loaded, and this is the window it got. Comes again only where that changed.
    WindowMeasured {
        /// What is known of it.
        window: WindowState,
    },
    /// The conversation is being made shorter; nothing of what was shown before goes away.
    Fitting { reason: CompactionReason },
    /// The conversation was made shorter by one step.
    Fitted {
        how: Compaction,
        /// Tokens before, estimated.
        before: u64,
        /// Tokens after, estimated.
        after: u64,
    },
    /// How the model gets its tools from now on, and what they cost.
    Offered {
        by: ToolsBy,
        /// What each tool takes of the prompt, in the order they are offered.
        costs: Vec<ToolCost>,
        /// All groups of tools there are.
        #[serde(default)]
        groups: Vec<ToolGroup>,
    },
    /// How full the window is.
    Window {
        /// Tokens in it: the last prompt and reply, as the server counted them, and an estimate of what was added since.
        used: u64,
        /// Tokens it holds.
        of: u64,
    },
    /// The conversation was forgotten on the user's wish.
    Cleared,
}

/// The form of work: how the model gets its tools, from the form that asks most of it to the one that asks least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolsBy {
    /// The server offers them in the model's own form.
    Server,
    /// They are described in the system message, and called in text.
    Text,
    /// It gets none: it is shown files and answers with files, and each becomes a call.
    Files,
}

impl ToolsBy {
    /// How such a model works, for people: `works by files`.
    pub fn words(self) -> &'static str {
        match self {
            ToolsBy::Server => "works by calls",
            ToolsBy::Text => "works by calls in text",
            ToolsBy::Files => "works by files",
        }
    }
}

/// What one tool takes of the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCost {
    pub name: String,
    /// Tokens, estimated from the length of its description and schema.
    pub tokens: u64,
}

//! Turns: what is said, waited for and written, and how it ends.

use crate::{Phase, Receipt, Reused, SetAside, Todo, TurnEndReason, TurnId, Usage};
use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// What happens in a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "type", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TurnEvent {
    /// A turn begins with these words.
    #[serde(rename = "turn_started")]
    #[strum(serialize = "turn_started")]
    Started {
        turn: TurnId,
        /// What the user said; empty where a turn that broke off is taken up again.
        text: String,
    },
    /// What was queued goes out in the middle of a turn: shown like the words a turn begins with.
    Steered {
        text: String,
    },
    /// All that waits to be said, oldest first; empty when nothing does.
    Queued {
        texts: Vec<String>,
    },
    /// What was queued is taken back.
    Unqueued {
        /// All of it, joined by blank lines; empty when it had gone out already.
        text: String,
    },
    /// What we are waiting for.
    Waiting {
        phase: Phase,
    },
    Thinking {
        text: String,
    },
    /// A piece of the answer.
    Text {
        text: String,
    },
    /// What was shown as the answer of this reply was reasoning: its opening mark stood in the prompt, and its closing mark is
    /// here.
    WasThinking {
        /// All of it, with calls that do not count.
        text: String,
    },
    Replied {
        usage: Usage,
        /// How much of the prompt it did not have to read again, where that can be told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reused: Option<Reused>,
    },
    /// What there is to do, all of it; empty when there is no list any more.
    Todos {
        /// In the model's order.
        items: Vec<Todo>,
    },
    /// Something the model wrote is neither shown as its answer nor acted upon.
    SetAside {
        text: String,
        why: SetAside,
    },
    #[serde(rename = "turn_ended")]
    #[strum(serialize = "turn_ended")]
    Ended {
        turn: TurnId,
        reason: TurnEndReason,
        /// Counts summed over its replies; the prompt is that of the last one, for it holds the earlier ones.
        usage: Usage,
    },
    /// What the turn really did. Comes right before its `TurnEnded`, where there is something to tell.
    Receipt {
        turn: TurnId,
        receipt: Receipt,
    },
}

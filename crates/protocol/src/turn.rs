//! Words about a turn: what is waited for, how a question was closed, why it ended.

use crate::{Rule, ServerError, Stuck};
use serde::{Deserialize, Serialize};

/// What is waited for. A face counts the time since the event itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// The request is on its way.
    Sending,
    /// The server loads the model.
    Loading,
    /// The model reads the prompt, or waits for its turn.
    Reading {
        /// How much there is to read, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        estimate: Option<ReadingEstimate>,
    },
    /// The server reads the prompt and says how far it is. Comes with each part that it has read.
    ReadingPart {
        /// Tokens that are read, or were known.
        done: u64,
        /// Tokens of the whole prompt.
        of: u64,
        /// How long the rest will take, in milliseconds, by how long this session's part took.
        left_ms: Option<u64>,
    },
    Writing,
    /// Tokens are arriving that look like a call; nothing of it is shown before it is complete. Comes with each piece.
    WritingCall {
        /// The tool, as soon as its name is there.
        name: Option<String>,
        /// So many bytes of it are here.
        bytes: u64,
    },
    /// The model thinks, and so far as it is bounded this says how much of the bound is used. Comes now and then.
    Thinking {
        /// About so many tokens of thinking are here.
        tokens: u64,
        /// At so many it is told to act.
        of: u64,
    },
    /// Nothing has arrived for a while in the middle of a reply: a stall, or a long call being written.
    Silent {
        /// For so long, in seconds, when this was said.
        secs: u64,
    },
    /// The server has no room for the request at the moment: it is made again, after longer and longer pauses.
    Queued {
        trouble: ServerError,
    },
    /// It failed in a way that may pass; another try follows.
    Retrying {
        /// Which try comes next, from 2.
        attempt: u32,
        /// After this pause, in milliseconds.
        wait_ms: u64,
        trouble: ServerError,
    },
}

/// How a question was closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Settlement {
    Yes {
        /// What is not asked again.
        #[serde(default)]
        remember: Option<Rule>,
        /// The word that went with it.
        #[serde(default)]
        word: Option<String>,
    },
    /// No.
    No {
        /// The word that went with it.
        #[serde(default)]
        word: Option<String>,
    },
    /// Something else was put in its place; another question may follow.
    Instead,
    Withdrawn,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum TurnEndReason {
    /// The model had nothing more to do.
    Done,
    /// The reply reached the length limit or the end of the window.
    Length,
    Interrupted,
    /// The step limit was reached and not lifted.
    StepLimit,
    /// The time limit was reached; what had arrived is kept.
    TimeLimit,
    /// The model went in circles.
    Repeating,
    /// The model did not get on.
    Stuck {
        how: Stuck,
    },
    /// The conversation fills the window, and could not be made shorter in a way that the user agreed to.
    Full,
    /// The instructions and the tools alone do not fit the window: no message can be answered.
    TooSmall {
        needs: u64,
        /// Tokens that the window holds.
        window: u64,
    },
    /// The program ended in the middle of it, and the session was resumed later.
    Lost,
    /// Something failed; what had arrived is kept.
    Broken {
        trouble: ServerError,
    },
}

/// What is expected of the reading of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingEstimate {
    /// Tokens that the server has not seen yet.
    pub new: u64,
    /// Tokens of the whole prompt.
    pub of: u64,
    /// How long it will take, in milliseconds, where the speed is known.
    pub ms: Option<u64>,
}

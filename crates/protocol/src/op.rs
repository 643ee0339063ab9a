//! What a face may ask of the loop. If the answer follows from events already sent, it is not an `Op`.

use crate::{Answer, AskId, Mode};
use serde::{Deserialize, Serialize};

/// One wish of a face.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// The person says something. While the model works it is queued.
    Say {
        /// Their words.
        text: String,
    },
    /// Take back what is queued; answered by `Unqueued`.
    Unqueue,
    /// The answer to a question.
    Reply {
        /// Which question.
        ask: AskId,
        /// The answer.
        answer: Answer,
    },
    /// Stop the model or the running tool, now; at a question: refuse it and end the turn.
    Interrupt,
    /// Change the mode.
    SetMode {
        /// To this.
        mode: Mode,
    },
    /// Forget the conversation and begin anew.
    Clear,
    /// List the installed models; answered by `Models`.
    Models,
    /// Talk to this model from now on, and remember the choice.
    SetModel {
        /// Its name on the server.
        name: String,
    },
    /// Download a model; answered by `Pulling`.
    Pull {
        /// Its name in the library.
        name: String,
    },
    /// Stop the download.
    StopPull,
    /// Start the server program on this machine.
    StartServer,
    /// Look for the server again; where a turn broke off, take it up again.
    Retry,
}

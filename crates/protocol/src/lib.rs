//! The language of the house: the plain data that faces, mind and hands speak with one another.
//!
//! Everything here can be written down and read back (serde), so a face may as well be another program. Nothing here
//! *does* anything: no clock, no disk, no decisions.

mod action;
mod event;
mod ids;
mod message;
mod model;
mod op;
mod outcome;
mod question;
mod tool;
mod trouble;

pub use action::{Action, Change, Changes, Digest, Mode};
pub use event::{
    Event, ModelsReason, NoticeLevel, Phase, PullState, ServerState, SetAside, Settlement, ToolCost, ToolsBy,
    TurnEndReason,
};
pub use ids::{AskId, CallId, ReplyId, TurnId};
pub use message::{Message, ModelCall, Role};
pub use model::{ChatRequest, ModelCard, ModelEvent, Think, Usage};
pub use op::Op;
pub use outcome::{Chunk, Failure, FailureKind, Outcome, Status, Stream};
pub use question::{Answer, FileDiff, Preview, PreviewBody, Proposal, Question, Rule, RuleOffer, Stuck, Subject};
pub use tool::{Origin, ToolCall, ToolSpec, Way};
pub use trouble::Trouble;

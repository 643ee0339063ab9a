//! What goes into the machine and what comes out.

use agent_policy::{Facts, Permit};
use agent_protocol::{
    Action, CallId, ChatRequest, Chunk, Event, Failure, ModelCard, ModelEvent, ModelsReason, Op, Outcome, Preview,
    Proposal, PullState, ReplyId, ToolCall, Trouble,
};

/// Something happened.
#[derive(Debug)]
pub enum Input {
    /// The session begins.
    Start,
    /// A face wants something.
    Op(Op),
    /// The model server said something.
    Model {
        /// In which reply.
        reply: ReplyId,
        /// What.
        event: ModelEvent,
    },
    /// Answers `Effect::Reach`.
    Reached {
        /// Which call.
        call: CallId,
        /// What it would look at, and as what it was understood.
        result: Result<Reached, Failure>,
        /// What policy wants to know about that.
        facts: Facts,
    },
    /// Answers `Effect::Plan` and `Effect::Amend`.
    Planned {
        /// Which call.
        call: CallId,
        /// What it would do.
        result: Result<Planned, Failure>,
        /// What policy wants to know about that.
        facts: Facts,
    },
    /// A running call put something out.
    Output {
        /// Which call.
        call: CallId,
        /// The piece.
        chunk: Chunk,
    },
    /// Answers `Effect::Run`.
    Ran {
        /// Which call.
        call: CallId,
        /// How it ended.
        outcome: Outcome,
    },
    /// Answers `Effect::Probe`.
    Probed {
        /// The server's version.
        result: Result<String, Trouble>,
        /// Could we start it here?
        can_start: bool,
    },
    /// Answers `Effect::Describe`.
    Described {
        /// The model's name.
        name: String,
        /// What is known of it.
        result: Result<ModelCard, Trouble>,
    },
    /// Answers `Effect::List`.
    Listed {
        /// Why they were asked for.
        reason: ModelsReason,
        /// The installed models.
        result: Result<Vec<ModelCard>, Trouble>,
    },
    /// Answers `Effect::Pull`, again and again until it is over.
    Pulled {
        /// The model's name.
        name: String,
        /// How far it is.
        state: PullState,
    },
    /// Answers `Effect::StartServer` when that failed, in words.
    NotStarted {
        /// Why.
        why: String,
    },
}

/// What a call reaches for.
#[derive(Debug, Clone)]
pub struct Reached {
    /// What it would look at, for policy.
    pub action: Action,
    /// The tool it is carried out by.
    pub name: String,
    /// What was changed in the model's words, one thing an entry; empty when nothing was.
    pub notes: Vec<String>,
}

/// What a call would do.
#[derive(Debug, Clone)]
pub struct Planned {
    /// For policy.
    pub action: Action,
    /// For the person.
    pub preview: Preview,
}

/// Something to carry out.
#[derive(Debug)]
pub enum Effect {
    /// Tell the faces.
    Emit(Event),
    /// Ask the model for a reply.
    CallModel {
        /// Its number.
        reply: ReplyId,
        /// The request.
        request: Box<ChatRequest>,
    },
    /// Stop listening to the reply, which cancels it.
    HangUp,
    /// Ask a tool what a call would look at.
    Reach(ToolCall),
    /// Let the tool look and plan.
    Plan {
        /// The call.
        call: ToolCall,
        /// Leave to look.
        permit: Permit,
    },
    /// Put the person's proposal into the planned job.
    Amend {
        /// Which call.
        call: CallId,
        /// What they want instead.
        proposal: Proposal,
    },
    /// Carry out the planned job.
    Run {
        /// Which call.
        call: CallId,
        /// Leave to do it.
        permit: Permit,
        /// Bytes its result may take.
        room: usize,
    },
    /// End the running job; it still answers with `Ran`.
    Stop(CallId),
    /// Drop the planned job.
    Forget(CallId),
    /// Keep something for the next session.
    Remember(Memory),
    /// Look whether the server is there.
    Probe,
    /// Ask the server about a model.
    Describe {
        /// Its name.
        name: String,
    },
    /// Ask the server for its models.
    List {
        /// Why.
        reason: ModelsReason,
    },
    /// Download a model.
    Pull {
        /// Its name.
        name: String,
    },
    /// Stop the download.
    StopPull,
    /// Start the server program, then probe.
    StartServer,
}

/// Something to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Memory {
    /// What the person said.
    Said(String),
    /// The model they chose.
    Model(String),
}

//! What goes into the machine.
//!
//! An answer has the name of the effect that it answers: `Reached` comes of `Reach`, `Ran` of `Run`; where it is another, the
//! variant says so.

use crate::OpenedSession;
use agent_policy::Facts;
use agent_protocol::{
    Action, BackgroundCommand, CallId, Chunk, Failure, FileReceipt, FiringId, HookRun, Host, JournalState, LoadedModel,
    ModelCard, ModelEvent, ModelsReason, NearbyServer, Op, Outcome, PortCard, Preview, PullState, ReachId, Reacher,
    Record, ReplyId, SaidId, ServerCard, ServerError, SessionCard, SessionId, TurnId, UndoFile, UndoPlan, UndoneFile,
};
use std::path::PathBuf;

#[derive(Debug)]
pub enum Input {
    Start,
    Op(Op),
    Minutes,
    /// The last face left.
    Leave,
    Call(CallInput),
    /// Something of the model server.
    Server(ServerInput),
    /// Something about the session and its files.
    Session(SessionInput),
}

/// About calls, and about commands that go on beside them.
#[derive(Debug)]
pub enum CallInput {
    Reached {
        call: CallId,
        /// What it would look at, and as what it was understood.
        result: Result<Reached, Failure>,
        /// What policy wants to know about that.
        facts: Facts,
    },
    /// Answers `Effect::Plan`, `Effect::Amend` and `Effect::Again`.
    Planned {
        call: CallId,
        result: Result<Planned, Failure>,
        /// What policy wants to know about that.
        facts: Facts,
    },
    /// A running call put something out.
    Output {
        call: CallId,
        chunk: Chunk,
    },
    /// A command wants to reach a host; answered by `Effect::LetReach`.
    Reaches {
        reach: ReachId,
        by: Reacher,
        host: Host,
        /// The command could read files whose names say that they hold secrets.
        sees_secrets: bool,
    },
    /// It wants that no longer: the command, or its connection, has ended.
    ReachOver {
        reach: ReachId,
    },
    /// Answers `Effect::ListPorts` and `Effect::Forward`.
    Ports {
        ports: Vec<PortCard>,
        /// Why what was asked for did not happen.
        fault: Option<String>,
    },
    /// Answers `Effect::ListFiles`.
    FileNames {
        /// Those changed last first, the others by name.
        names: Vec<String>,
        more: bool,
    },
    /// Something changed with the commands in the background.
    Jobs {
        /// All of them, oldest first.
        jobs: Vec<BackgroundCommand>,
    },
    /// Protected files were changed by what goes on beside the calls: commands in the background, language servers.
    Tampered {
        /// By the names a person would use.
        names: Vec<String>,
    },
    Ran {
        call: CallId,
        outcome: Outcome,
    },
    Tried {
        action: Action,
        /// What policy wants to know about it.
        facts: Facts,
    },
}

/// What the model server says, and how it stands with it.
#[derive(Debug)]
pub enum ServerInput {
    /// The model server said something.
    Model {
        reply: ReplyId,
        event: ModelEvent,
    },
    Probed {
        result: Result<ServerCard, ServerError>,
        /// Could we start it here?
        can_start: bool,
    },
    /// Follows `Probed` where nothing answers, and the user named no server: these run on this machine.
    Nearby {
        /// At least one.
        servers: Vec<NearbyServer>,
    },
    Described {
        name: String,
        /// What is known of it.
        result: Result<ModelCard, ServerError>,
        /// How it lies in the server's memory, if it does.
        loaded: Option<LoadedModel>,
    },
    /// Answers `Effect::Load`.
    Preloaded {
        name: String,
        result: Result<(), ServerError>,
    },
    /// Answers `Effect::LookLoaded`.
    Loaded {
        result: Result<Vec<LoadedModel>, ServerError>,
    },
    Rendered {
        /// The request as it would be sent.
        request: String,
        /// What the server makes of it.
        result: Result<String, ServerError>,
    },
    DescribedOnly {
        name: String,
        /// What is known of it.
        result: Result<ModelCard, ServerError>,
        /// How it lies in memory.
        loaded: Option<LoadedModel>,
    },
    ToldLoaded {
        result: Result<Vec<LoadedModel>, ServerError>,
    },
    Removed {
        name: String,
        result: Result<(), ServerError>,
    },
    Listed {
        /// Why they were asked for.
        reason: ModelsReason,
        result: Result<Vec<ModelCard>, ServerError>,
    },
    /// Answers `Effect::Pull`, again and again until it is over.
    Pulled {
        name: String,
        state: PullState,
    },
    /// Answers `Effect::StartServer` when that failed, in words.
    NotStarted {
        why: String,
    },
}

/// What is kept of the session, and what became of its files.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "each lives for a moment")]
pub enum SessionInput {
    /// Whether what happens is written down; comes when that changes.
    Journal { state: JournalState },
    HooksRan {
        /// The number that it was given.
        firing: FiringId,
        /// How each went, in their order; those that were not run any more are not told.
        runs: Vec<HookRun>,
    },
    SessionsListed {
        /// Those of this project first.
        sessions: Vec<SessionCard>,
        /// The time now, in seconds since 1970.
        now: i64,
    },
    /// Answers `Effect::OpenSession`, `Effect::CopySession` and `Effect::ForkSession`.
    SessionOpened {
        /// All of it, or why not, in words.
        result: Result<Box<OpenedSession>, String>,
    },
    PageRead {
        /// The session that was asked for.
        session: SessionId,
        turn: TurnId,
        /// What stands in the journal from its beginning on, up to the next one; or why it cannot be told, in words.
        result: Result<Vec<Record>, String>,
    },
    ReadBack {
        /// As it was asked for.
        said: SaidId,
        /// All that was written down so far, or why it cannot be told, in words.
        result: Result<Vec<Record>, String>,
    },
    Exported {
        /// What is to be written, and what policy wants to know about that; or why it cannot be, in words.
        result: Result<(Action, Facts), String>,
    },
    Written {
        /// The file, or why it was not written.
        result: Result<PathBuf, String>,
    },
    AgainstHead {
        /// Those that are not as in the commit, or why git is not asked, in words.
        result: Result<Vec<UndoFile>, String>,
    },
    /// Answers `Effect::PlanUndo` and `Effect::PlanPart`.
    UndoPlanned { plan: UndoPlan },
    /// Answers `Effect::Restore`.
    Undone {
        /// What became of each file.
        files: Vec<UndoneFile>,
    },
    LookedAfter {
        /// Those that are not as they were.
        files: Vec<FileReceipt>,
    },
}

/// What a call reaches for.
#[derive(Debug, Clone)]
pub struct Reached {
    /// What it would look at, for policy.
    pub action: Action,
    /// The tool it is carried out by.
    pub name: String,
    /// The offered tools that it does the work of, where it is not offered itself; empty when it is.
    pub stands_for: Vec<String>,
    /// What was changed in the model's words, one thing an entry; empty when nothing was.
    pub notes: Vec<String>,
}

/// What a call would do.
#[derive(Debug, Clone)]
pub struct Planned {
    pub action: Action,
    pub preview: Preview,
}

impl From<CallInput> for Input {
    fn from(inner: CallInput) -> Self {
        Input::Call(inner)
    }
}

impl From<ServerInput> for Input {
    fn from(inner: ServerInput) -> Self {
        Input::Server(inner)
    }
}

impl From<SessionInput> for Input {
    fn from(inner: SessionInput) -> Self {
        Input::Session(inner)
    }
}

impl From<Op> for Input {
    fn from(op: Op) -> Self {
        Input::Op(op)
    }
}

//! What goes into the machine and what comes out.

use crate::OpenedSession;
use agent_policy::{Facts, Kept, Permit};
use agent_protocol::{
    Action, CallId, ChatRequest, Chunk, Event, ExportFormat, Failure, FileReceipt, FileState, Host, JobCard, JobId,
    JournalState, LoadedModel, ModelCard, ModelEvent, ModelProfile, ModelsReason, Op, Outcome, PortCard, Preview,
    Profile, Proposal, PullState, ReachId, Reacher, Record, ReplyId, Restoring, SaidId, SessionCard, SessionId,
    ToolCall, Trouble, TurnId, UndoDirection, UndoPlan, UndoneFile,
};
use std::path::PathBuf;

/// Something happened.
#[derive(Debug)]
pub enum Input {
    /// The session begins.
    Start,
    /// A face wants something.
    Op(Op),
    /// Some minutes have passed.
    Minutes,
    /// The last face left.
    Leave,
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
    /// Answers `Effect::Plan`, `Effect::Amend` and `Effect::Again`.
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
    /// A command wants to reach a host; answered by `Effect::LetReach`.
    Reaches {
        /// The wish.
        reach: ReachId,
        /// Which command.
        by: Reacher,
        /// The host.
        host: Host,
        /// The command could read files whose names say that they hold secrets.
        sees_secrets: bool,
    },
    /// It wants that no longer: the command, or its connection, has ended.
    ReachOver {
        /// The wish.
        reach: ReachId,
    },
    /// Answers `Effect::ListPorts` and `Effect::Forward`.
    Ports {
        /// By number.
        ports: Vec<PortCard>,
        /// Why what was asked for did not happen.
        fault: Option<String>,
    },
    /// Something changed with the commands in the background.
    Jobs {
        /// All of them, oldest first.
        jobs: Vec<JobCard>,
    },
    /// Protected files were changed by what goes on beside the calls: commands in the background, language servers.
    Tampered {
        /// By the names a person would use.
        names: Vec<String>,
    },
    /// Answers `Effect::Run`.
    Ran {
        /// Which call.
        call: CallId,
        /// How it ended.
        outcome: Outcome,
    },
    /// Answers `Effect::Try`.
    Tried {
        /// The action.
        action: Action,
        /// What policy wants to know about it.
        facts: Facts,
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
        /// How it lies in the server's memory, if it does.
        loaded: Option<LoadedModel>,
    },
    /// Answers `Effect::Load`.
    Preloaded {
        /// The model's name.
        name: String,
        /// Whether that went well.
        result: Result<(), Trouble>,
    },
    /// Answers `Effect::LookLoaded`.
    Loaded {
        /// The models in memory.
        result: Result<Vec<LoadedModel>, Trouble>,
    },
    /// Answers `Effect::Render`.
    Rendered {
        /// The request as it would be sent.
        request: String,
        /// What the server makes of it.
        result: Result<String, Trouble>,
    },
    /// Answers `Effect::DescribeOnly`.
    DescribedOnly {
        /// The model's name.
        name: String,
        /// What is known of it.
        result: Result<ModelCard, Trouble>,
        /// How it lies in memory.
        loaded: Option<LoadedModel>,
    },
    /// Answers `Effect::TellLoaded`.
    ToldLoaded {
        /// The models in memory.
        result: Result<Vec<LoadedModel>, Trouble>,
    },
    /// Answers `Effect::RemoveModel`.
    Removed {
        /// The model's name.
        name: String,
        /// Whether that went well.
        result: Result<(), Trouble>,
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
    /// Whether what happens is written down; comes when that changes.
    Journal {
        /// How it stands.
        state: JournalState,
    },
    /// Answers `Effect::ListSessions`.
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
    /// Answers `Effect::ReadPage`.
    PageRead {
        /// The session that was asked for.
        session: SessionId,
        /// Which turn.
        turn: TurnId,
        /// What stands in the journal from its beginning on, up to the next one; or why it cannot be told, in words.
        result: Result<Vec<Record>, String>,
    },
    /// Answers `Effect::ReadBack`.
    ReadBack {
        /// As it was asked for.
        said: SaidId,
        /// All that was written down so far, or why it cannot be told, in words.
        result: Result<Vec<Record>, String>,
    },
    /// Answers `Effect::Export`.
    Exported {
        /// What is to be written, and what policy wants to know about that; or why it cannot be, in words.
        result: Result<(Action, Facts), String>,
    },
    /// Answers `Effect::Write`.
    Written {
        /// The file, or why it was not written.
        result: Result<PathBuf, String>,
    },
    /// Answers `Effect::PlanUndo`.
    UndoPlanned {
        /// What would change.
        plan: UndoPlan,
    },
    /// Answers `Effect::Restore`.
    Undone {
        /// What became of each file.
        files: Vec<UndoneFile>,
    },
    /// Answers `Effect::LookAfter`.
    LookedAfter {
        /// Those that are not as they were.
        files: Vec<FileReceipt>,
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
    /// Carry out calls to the tools of these groups from now on, and to no others.
    Offer {
        /// Their names.
        groups: Vec<String>,
    },
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
    /// Plan the job that ran last once more: with another reach, or as things are now.
    Again {
        /// Which call.
        call: CallId,
        /// The reach.
        profile: Profile,
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
    /// Let a command reach the host it wants, or not.
    LetReach {
        /// The wish.
        reach: ReachId,
        /// The answer.
        allowed: bool,
    },
    /// List the ports on which something listens in the sandbox.
    ListPorts,
    /// Lead a port of this machine into one of the sandbox, or no longer.
    Forward {
        /// The port in the sandbox.
        port: u16,
        /// Or no longer.
        open: bool,
    },
    /// End a command in the background.
    StopJob {
        /// Which; `None`: all of them.
        job: Option<JobId>,
    },
    /// Drop the planned job.
    Forget(CallId),
    /// Keep something for the next session.
    Remember(Memory),
    /// Write this down, before anything that follows is carried out.
    Record {
        /// What.
        records: Vec<Record>,
        /// It must be on disk before something is changed for it.
        sync: bool,
    },
    /// What is written down next is another session.
    CloseJournal,
    /// List the kept sessions.
    ListSessions,
    /// Open a kept session, to go on with it.
    OpenSession {
        /// Which.
        id: SessionId,
    },
    /// The same with a copy of it.
    CopySession {
        /// Of which.
        id: SessionId,
    },
    /// The same with a copy of the session that is open.
    ForkSession {
        /// From before this was said; `None`: all of it.
        said: Option<SaidId>,
        /// Its words; comes back.
        next: Option<String>,
    },
    /// Read what is written down of one turn.
    ReadPage {
        /// The session: the one that is open.
        session: SessionId,
        /// Which turn.
        turn: TurnId,
    },
    /// Read all that is written down, to go back to before this was said.
    ReadBack {
        /// What was said.
        said: SaidId,
    },
    /// Write the session out.
    Export {
        /// How.
        format: ExportFormat,
        /// Where.
        path: Option<String>,
    },
    /// Write a file for the person.
    Write {
        /// Leave to do it.
        permit: Permit,
    },
    /// Find out what an undo would change.
    PlanUndo {
        /// Back or forth; comes back.
        direction: UndoDirection,
        /// What was said; comes back.
        said: SaidId,
        /// Files with how we left them, and how they would be.
        wanted: Vec<Restoring>,
    },
    /// Bring files back.
    Restore {
        /// Leave to do it.
        permit: Permit,
    },
    /// Look what became of files.
    LookAfter {
        /// Each as it was.
        before: Vec<(PathBuf, FileState)>,
    },
    /// Find out what policy wants to know about an action that nobody means to carry out.
    Try {
        /// The action.
        action: Action,
    },
    /// Look whether the server is there.
    Probe,
    /// Ask the server about a model.
    Describe {
        /// Its name.
        name: String,
    },
    /// Have the model loaded with the options of this request, while the person still types.
    Load {
        /// The request; its messages do not matter.
        request: Box<ChatRequest>,
    },
    /// Let the model stay in memory for longer, if it still lies there just so.
    Renew {
        /// The request; its messages do not matter.
        request: Box<ChatRequest>,
        /// The window it lies there with, as far as is known.
        window: u64,
    },
    /// Ask the server what it has in memory.
    LookLoaded,
    /// Ask what this request would look like, on the wire and to the model.
    Render {
        /// The request.
        request: Box<ChatRequest>,
    },
    /// Ask the server about a model that is not to be used.
    DescribeOnly {
        /// Its name.
        name: String,
    },
    /// Ask the server what it has in memory, because a face wants to know.
    TellLoaded,
    /// Remove a model from the server's disk.
    RemoveModel {
        /// Its name.
        name: String,
    },
    /// Let the server take a model out of its memory.
    Release {
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
#[derive(Debug, Clone, PartialEq)]
pub enum Memory {
    /// What the person said.
    Said(String),
    /// The model they chose.
    Chosen(String),
    /// The rules they made for good.
    Permissions(Kept),
    /// They trust this project: what is found in it may be read and used.
    Trusted,
    /// What was learned of a model.
    Model(Box<ModelProfile>),
}

//! What comes out of the machine.

use agent_policy::{HookPermit, Kept, OwnPermit, Permit};
use agent_protocol::{
    Action, BackgroundId, CallId, ChatRequest, Event, ExportFormat, FileState, FiringId, HookInput, Levers, LinesBack,
    ModelProfile, ModelsReason, Profile, Proposal, ReachId, Record, ReplyId, Restoring, SaidId, SessionId, ToolCall,
    TurnId, UndoDirection,
};
use std::path::PathBuf;

#[derive(Debug)]
pub enum Effect {
    Emit(Event),
    /// Keep something for the next session.
    Remember(Memory),
    Call(CallEffect),
    /// Something with the model server.
    Server(ServerEffect),
    /// Something with the session and its files.
    Session(SessionEffect),
}

/// What is done with calls, and with commands that go on beside them.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "each lives for a moment")]
pub enum CallEffect {
    /// Ask a tool what a call would look at.
    Reach(ToolCall),
    /// Carry out calls to the tools of these groups from now on, and to no others.
    Offer {
        groups: Vec<String>,
    },
    /// Do what is done around the model in use just so from now on.
    Adapt(Box<Levers>),
    /// Let the tool look and plan.
    Plan {
        call: ToolCall,
        permit: Permit,
    },
    /// Put the user's proposal into the planned job.
    Amend {
        call: CallId,
        /// What they want instead.
        proposal: Proposal,
    },
    /// Plan the job that ran last once more: with another reach, or as things are now.
    Again {
        call: CallId,
        profile: Profile,
    },
    /// Carry out the planned job.
    Run {
        call: CallId,
        permit: Permit,
        /// Bytes its result may take.
        room: usize,
    },
    /// Run a command of the user's own, outside the sandbox; answered like `Run`, and stopped like it.
    RunOwn {
        call: CallId,
        permit: OwnPermit,
        /// Bytes its result may take.
        room: usize,
    },
    /// End the running job; it still answers with `Ran`.
    Stop(CallId),
    /// Let a command reach the host it wants, or not.
    LetReach {
        reach: ReachId,
        allowed: bool,
    },
    /// List the ports on which something listens in the sandbox.
    ListPorts,
    /// List the names of the project's files for the user.
    ListFiles,
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
        job: Option<BackgroundId>,
    },
    Forget(CallId),
    /// Find out what policy wants to know about an action that nobody means to carry out.
    Try {
        action: Action,
    },
}

/// What the model server is asked.
#[derive(Debug)]
pub enum ServerEffect {
    /// Ask the model for a reply.
    CallModel {
        reply: ReplyId,
        request: Box<ChatRequest>,
    },
    /// Stop listening to the reply, which cancels it.
    HangUp,
    /// Look whether the server is there.
    Probe,
    /// Ask the server about a model.
    Describe {
        name: String,
    },
    /// Have the model loaded with the options of this request, while the user still types.
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
        request: Box<ChatRequest>,
    },
    /// Ask the server about a model that is not to be used.
    DescribeOnly {
        name: String,
    },
    /// Ask the server what it has in memory, because a face wants to know.
    TellLoaded,
    /// Remove a model from the server's disk.
    RemoveModel {
        name: String,
    },
    /// Let the server take a model out of its memory.
    Release {
        name: String,
    },
    /// Ask the server for its models.
    List {
        reason: ModelsReason,
    },
    Pull {
        name: String,
    },
    StopPull,
    /// Start the server program, then probe.
    StartServer,
}

/// What is kept of the session, and what is done with its files.
#[derive(Debug)]
pub enum SessionEffect {
    /// Write this down, before anything that follows is carried out.
    Record {
        records: Vec<Record>,
        /// It must be on disk before something is changed for it.
        sync: bool,
    },
    /// Run these hooks, one after the other, as long as none says that it ends here.
    FireHooks {
        firing: FiringId,
        permits: Vec<HookPermit>,
        input: Box<HookInput>,
    },
    /// End them with all they started; nothing answers any more.
    StopHooks(FiringId),
    /// What is written down next is another session.
    CloseJournal,
    ListSessions,
    /// Open a kept session, to go on with it.
    OpenSession {
        id: SessionId,
    },
    /// The same with a copy of it.
    CopySession {
        id: SessionId,
    },
    /// The same with a copy of the session that is open.
    ForkSession {
        /// From before this was said; `None`: all of it.
        said: Option<SaidId>,
        next: Option<String>,
    },
    /// Read what is written down of one turn.
    ReadPage {
        /// The session: the one that is open.
        session: SessionId,
        turn: TurnId,
    },
    /// Read all that is written down, to go back to before this was said.
    ReadBack {
        said: SaidId,
    },
    Export {
        format: ExportFormat,
        path: Option<String>,
    },
    /// Write a file for the user.
    Write {
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
    /// Find out what taking a part of a file's changes back would change; answered like `PlanUndo`.
    PlanPart {
        /// What was said; comes back.
        said: SaidId,
        /// The file: as it was shown, and as it was before.
        file: Restoring,
        /// The lines that become what they were; none: all of it does.
        lines: Vec<LinesBack>,
    },
    /// Hold these files against the last commit.
    AgainstHead {
        /// Absolute.
        paths: Vec<PathBuf>,
    },
    Restore {
        permit: Permit,
    },
    /// Look what became of files.
    LookAfter {
        before: Vec<(PathBuf, FileState)>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Memory {
    Said(String),
    /// What they are writing in this project.
    Draft {
        project: PathBuf,
        text: String,
    },
    Chosen(String),
    /// The rules they made for good.
    Permissions(Kept),
    /// They trust this project: what is found in it may be read and used.
    Trusted,
    /// What was learned of a model.
    Model(Box<ModelProfile>),
}

impl From<CallEffect> for Effect {
    fn from(inner: CallEffect) -> Self {
        Effect::Call(inner)
    }
}

impl From<ServerEffect> for Effect {
    fn from(inner: ServerEffect) -> Self {
        Effect::Server(inner)
    }
}

impl From<SessionEffect> for Effect {
    fn from(inner: SessionEffect) -> Self {
        Effect::Session(inner)
    }
}

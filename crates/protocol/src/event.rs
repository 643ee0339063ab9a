//! Facts in order. A face that replays them from the start can draw everything.

use crate::lossy;
use crate::{
    AskId, CallId, Chunk, ContextReport, Enclosure, FitReason, Fitting, Grant, JobCard, JournalState, LoadedModel,
    MemoryCard, Mode, ModelCard, ModelProfile, ModelsReason, Outcome, Phase, PortCard, Preview, Probe, ProbeFinding,
    PullState, Question, Receipt, Reused, SaidId, ServerState, SessionCard, SessionId, SetAside, Settlement, SkillCard,
    Think, Todo, ToolCall, ToolGroup, ToolSpec, Trouble, TurnEndReason, TurnId, UndoDirection, UndoPlan, UndoTurn,
    UndoneFile, Usage, WindowState,
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The first of all: where and with what this session runs.
    Opened {
        /// The project folder, links resolved.
        #[serde(serialize_with = "lossy::path")]
        project: PathBuf,
        /// The server's address.
        host: String,
        /// The mode it starts in.
        mode: Mode,
        /// What the model is offered.
        tools: Vec<ToolSpec>,
        /// What holds commands in.
        enclosure: Enclosure,
        /// The server is somewhere else and is talked to in the clear: others on the way can read along.
        exposed: bool,
    },
    /// What the person said in earlier sessions, oldest first.
    Said {
        /// One entry a message.
        history: Vec<String>,
    },
    /// How it stands with the server.
    Server {
        /// How.
        state: ServerState,
    },
    /// The installed models.
    Models {
        /// All of them.
        models: Vec<ModelCard>,
        /// Why they are shown.
        reason: ModelsReason,
    },
    /// This model is talked to from now on.
    ModelSet {
        /// What is known of it.
        card: ModelCard,
        /// The window asked for, in tokens.
        window: u64,
    },
    /// The model is loaded, and this is the window it got. Comes again only where that changed.
    WindowMeasured {
        /// What is known of it.
        window: WindowState,
    },
    /// What is known of one installed model.
    ModelDescribed {
        /// Its name, as it was asked for.
        name: String,
        /// What is known; `None`: it is not known, for this reason.
        card: Option<ModelCard>,
        /// Why nothing is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<Trouble>,
        /// How it lies in memory, if it does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        loaded: Option<LoadedModel>,
    },
    /// What the server has in memory.
    Loaded {
        /// All of it.
        models: Vec<LoadedModel>,
        /// Why it is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<Trouble>,
    },
    /// A model is gone from the server's disk, or is not.
    ModelRemoved {
        /// Its name.
        name: String,
        /// Why it is still there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<Trouble>,
    },
    /// How much the model thinks from now on.
    ThinkSet {
        /// So much; `None`: as the server decides.
        think: Option<Think>,
    },
    /// A download.
    Pulling {
        /// Of which model.
        name: String,
        /// How far it is.
        state: PullState,
    },
    /// A turn begins with these words.
    TurnStarted {
        /// Its number.
        turn: TurnId,
        /// What the person said; empty where a turn that broke off is taken up again.
        text: String,
    },
    /// What was queued goes out in the middle of a turn: shown like the words a turn begins with.
    Steered {
        /// What the person said.
        text: String,
    },
    /// All that waits to be said, oldest first; empty when nothing does.
    Queued {
        /// One entry a message.
        texts: Vec<String>,
    },
    /// What was queued is taken back.
    Unqueued {
        /// All of it, joined by blank lines; empty when it had gone out already.
        text: String,
    },
    /// What we are waiting for.
    Waiting {
        /// What.
        phase: Phase,
    },
    /// A piece of thinking.
    Thinking {
        /// The piece.
        text: String,
    },
    /// A piece of the answer.
    Text {
        /// The piece.
        text: String,
    },
    /// A reply is complete.
    Replied {
        /// The server's counts.
        usage: Usage,
        /// How much of the prompt it did not have to read again, where that can be told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reused: Option<Reused>,
    },
    /// The conversation is being made shorter; nothing of what was shown before goes away.
    Fitting {
        /// Why.
        reason: FitReason,
    },
    /// The conversation was made shorter by one step.
    Fitted {
        /// Which.
        how: Fitting,
        /// Tokens before, estimated.
        before: u64,
        /// Tokens after, estimated.
        after: u64,
    },
    /// Where the tokens go.
    Context {
        /// All of it.
        report: Box<ContextReport>,
    },
    /// What the model would be sent next.
    Prompt {
        /// The request, exactly as it would be sent: JSON.
        request: String,
        /// The text the server makes of it for the model, where it tells.
        rendered: Option<String>,
        /// Why it does not tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trouble: Option<Trouble>,
    },
    /// One question of the examination is put to the model.
    Examining {
        /// Which.
        probe: Probe,
    },
    /// One question of the examination is answered.
    Probed {
        /// How.
        finding: ProbeFinding,
    },
    /// The examination is over.
    Diagnosed {
        /// What is known of the model now; kept for later sessions.
        profile: Box<ModelProfile>,
    },
    /// How the model gets its tools from now on, and what they cost.
    Offered {
        /// How.
        by: ToolsBy,
        /// What each tool takes of the prompt, in the order they are offered.
        costs: Vec<ToolCost>,
        /// All groups of tools there are.
        #[serde(default)]
        groups: Vec<ToolGroup>,
    },
    /// What there is to do, all of it; empty when there is no list any more.
    Todos {
        /// In the model's order.
        items: Vec<Todo>,
    },
    /// Commands in the background: all that were started in this session, the ended ones too. Comes again where that changed.
    Jobs {
        /// Oldest first.
        jobs: Vec<JobCard>,
    },
    /// The ports on which something listens in the sandbox.
    Ports {
        /// By number.
        ports: Vec<PortCard>,
    },
    /// The skills there are.
    Skills {
        /// By name.
        skills: Vec<SkillCard>,
    },
    /// What is remembered of earlier sessions, as it was when this one began.
    Memory {
        /// That for all projects first.
        files: Vec<MemoryCard>,
    },
    /// Something that happened while a second agent works on a task. Of its events these come so: what it writes, thinks and
    /// calls, and how that ended. Its questions come as plain `Asked` and `Settled`.
    Delegated {
        /// The call that gave it the task.
        call: CallId,
        /// What happened.
        event: Box<Event>,
    },
    /// Something the model wrote is neither shown as its answer nor acted upon.
    SetAside {
        /// What it wrote.
        text: String,
        /// Why.
        why: SetAside,
    },
    /// The model wants this done.
    Proposed {
        /// The call.
        call: ToolCall,
    },
    /// A proposed call is carried out in other words than the model's. Comes before its question, if there is one.
    Understood {
        /// Which.
        call: CallId,
        /// The tool it is carried out by.
        name: String,
        /// What was changed, one thing an entry: `path was read as file_path`.
        notes: Vec<String>,
    },
    /// A question stands open.
    Asked {
        /// The question.
        question: Question,
    },
    /// A question is closed.
    Settled {
        /// Which.
        ask: AskId,
        /// How.
        settlement: Settlement,
    },
    /// A call is being carried out.
    Running {
        /// Which.
        call: CallId,
        /// What it does.
        preview: Preview,
    },
    /// A running call has put something out.
    Output {
        /// Which.
        call: CallId,
        /// The piece.
        chunk: Chunk,
    },
    /// A call has ended. Comes once for every `Proposed`.
    Finished {
        /// Which.
        call: CallId,
        /// How.
        outcome: Outcome,
    },
    /// How full the window is.
    Window {
        /// Tokens in it: the last prompt and reply, as the server counted them, and an estimate of what was added since.
        used: u64,
        /// Tokens it holds.
        of: u64,
    },
    /// The turn is over.
    TurnEnded {
        /// Which.
        turn: TurnId,
        /// Why.
        reason: TurnEndReason,
        /// Counts summed over its replies; the prompt is that of the last one, for it holds the earlier ones.
        usage: Usage,
    },
    /// What the turn really did. Comes right before its `TurnEnded`, where there is something to tell.
    Receipt {
        /// Which turn.
        turn: TurnId,
        /// All of it.
        receipt: Receipt,
    },
    /// Another session is open now: a face forgets what it showed and shows these events. Nothing in them waits for an
    /// answer any more.
    Restored {
        /// What is known of it.
        card: SessionCard,
        /// What happened in it so far.
        events: Vec<Event>,
    },
    /// The session that was asked for is not opened; all is as it was.
    NotRestored {
        /// Why, in words that name the next step.
        why: String,
    },
    /// What happened in a turn that is over, once more. Nothing in it waits for an answer.
    Page {
        /// The session it is a turn of.
        session: SessionId,
        /// Which turn.
        turn: TurnId,
        /// From its `TurnStarted` to its `TurnEnded`, as far as it was written down.
        events: Vec<Event>,
    },
    /// It cannot be told what happened in a turn.
    NoPage {
        /// The session it is a turn of.
        session: SessionId,
        /// Which turn.
        turn: TurnId,
        /// Why, in words.
        why: String,
    },
    /// Whether what happens is written down; comes again where that changed.
    Journal {
        /// How it stands.
        state: JournalState,
    },
    /// The kept sessions: those of this project first, the newest first.
    Sessions {
        /// All of them.
        sessions: Vec<SessionCard>,
        /// The time now, in seconds since 1970.
        now: i64,
    },
    /// The session has this title from now on.
    Renamed {
        /// The title.
        title: String,
    },
    /// What can be undone and redone, oldest first.
    Undoable {
        /// One entry for each thing said for which something was changed.
        turns: Vec<UndoTurn>,
    },
    /// What undoing or redoing would change.
    UndoPlanned {
        /// All of it.
        plan: Box<UndoPlan>,
    },
    /// Changes were taken back, or made again.
    Undone {
        /// Back or forth.
        direction: UndoDirection,
        /// Back to before this was said, or forth to after it.
        said: SaidId,
        /// One entry a file.
        files: Vec<UndoneFile>,
    },
    /// The conversation went back to before this was said.
    Rewound {
        /// What was said.
        said: SaidId,
        /// Its words, to be said again in other words.
        text: String,
    },
    /// The mode is another now.
    ModeChanged {
        /// This one.
        mode: Mode,
    },
    /// The rules that hold.
    Permissions {
        /// One entry a rule, those of this session last.
        grants: Vec<Grant>,
    },
    /// What would become of a command.
    Tried {
        /// The shell line.
        command: String,
        /// What.
        verdict: TriedVerdict,
        /// Why, in words.
        why: String,
    },
    /// The conversation was forgotten on the person's wish.
    Cleared,
    /// Something to know.
    Notice {
        /// How much it matters.
        level: NoticeLevel,
        /// In words.
        text: String,
    },
    /// The session is over (the person declined the folder, say); a face leaves now.
    Closed,
}

impl Event {
    /// What happened, also where it happened while an agent worked on a task.
    pub fn of_agent(&self) -> &Event {
        match self {
            Event::Delegated { event, .. } => event.of_agent(),
            event => event,
        }
    }
}

/// What would become of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriedVerdict {
    /// It would run.
    Runs,
    /// The person would be asked.
    Asks,
    /// It would be refused.
    Refused,
}

/// How the model gets its tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolsBy {
    /// The server offers them in the model's own form.
    Server,
    /// They are described in the system message, and called in text.
    Text,
}

/// What one tool takes of the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCost {
    /// The tool.
    pub name: String,
    /// Tokens, estimated from the length of its description and schema.
    pub tokens: u64,
}

/// How much a notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeLevel {
    /// Good to know.
    Info,
    /// Better not overlooked.
    Warning,
}

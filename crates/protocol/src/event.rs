//! Facts in order. A face that replays them from the start can draw everything.

mod context;
mod server;
mod turn;

pub use context::{ContextEvent, ToolCost, ToolsBy};
pub use server::{OverruledOption, ServerEvent};
pub use turn::TurnEvent;

use crate::kinds::kinds;
use crate::lossy;
use crate::{
    AskId, BackgroundCommand, CallId, Chunk, HookFiring, JournalState, ListEvent, Mode, Outcome, Preview, Question,
    SaidId, SandboxSupport, SessionCard, SessionId, Settlement, ToolCall, ToolSpec, TurnId, UndoDirection, UndoPart,
    UndoPlan, UndoneFile,
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use strum::VariantNames;

/// One fact, of one of a few kinds. Written down without its kind: what `type` says tells it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged, remote = "Self")]
pub enum Event {
    /// What happens in a turn.
    Turn(TurnEvent),
    /// What happens to calls, and what they may do.
    Call(CallEvent),
    /// What happens to the conversation as the model sees it.
    Context(ContextEvent),
    /// What is known of the server and of its models.
    Server(ServerEvent),
    /// What happens to the session as a whole.
    Session(SessionEvent),
    /// What somebody wished to be shown.
    List(ListEvent),
}

kinds!(Event, "type", { Turn: TurnEvent, Call: CallEvent, Context: ContextEvent, Server: ServerEvent, Session: SessionEvent, List: ListEvent });

impl Event {
    /// What happened, also where it happened while an agent worked on a task.
    pub fn of_agent(&self) -> &Event {
        match self {
            Event::Call(CallEvent::Delegated { event, .. }) => event.of_agent(),
            event => event,
        }
    }
}

/// What happens to calls, and what they may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "type", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CallEvent {
    /// Commands in the background: all that were started in this session, the ended ones too. Comes again where that changed.
    Jobs {
        /// Oldest first.
        jobs: Vec<BackgroundCommand>,
    },
    /// Something that happened while a second agent works on a task. Of its events these come so: what it writes, thinks and
    /// calls, and how that ended. Its questions come as plain `Asked` and `Settled`.
    Delegated {
        /// The call that gave it the task.
        call: CallId,
        event: Box<Event>,
    },
    /// The model wants this done.
    Proposed {
        call: ToolCall,
    },
    /// A proposed call is carried out in other words than the model's. Comes before its question, if there is one.
    Understood {
        call: CallId,
        /// The tool it is carried out by.
        name: String,
        /// What was changed, one thing an entry: `path was read as file_path`.
        notes: Vec<String>,
    },
    Asked {
        question: Question,
    },
    Settled {
        ask: AskId,
        settlement: Settlement,
    },
    /// A call is being carried out.
    Running {
        call: CallId,
        preview: Preview,
    },
    /// A running call has put something out.
    Output {
        call: CallId,
        chunk: Chunk,
    },
    /// A call has ended. Comes once for every `Proposed`.
    Finished {
        call: CallId,
        outcome: Outcome,
    },
    /// The mode is another now.
    ModeChanged {
        mode: Mode,
    },
    /// What would become of a command.
    Tried {
        /// The shell line.
        command: String,
        verdict: TriedVerdict,
        why: String,
    },
}

/// What happens to the session as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "type", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SessionEvent {
    /// The first of all: where and with what this session runs.
    Opened {
        /// The project folder, links resolved.
        #[serde(serialize_with = "lossy::path")]
        project: PathBuf,
        host: String,
        /// The mode it starts in.
        mode: Mode,
        /// What the model is offered.
        tools: Vec<ToolSpec>,
        /// What holds commands in. Its name on the wire is that of the first version.
        #[serde(rename = "enclosure")]
        sandbox: SandboxSupport,
        /// The server is somewhere else and is talked to in the clear: others on the way can read along.
        exposed: bool,
    },
    /// What git has checked out in the project folder is known, or is another now.
    CheckedOut {
        /// The branch, or the first digits of the commit; none outside of a repository.
        name: Option<String>,
    },
    /// What the user said in earlier sessions, oldest first.
    Said {
        history: Vec<String>,
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
        turn: TurnId,
        /// From its `TurnStarted` to its `TurnEnded`, as far as it was written down.
        events: Vec<Event>,
    },
    /// It cannot be told what happened in a turn.
    NoPage {
        /// The session it is a turn of.
        session: SessionId,
        turn: TurnId,
        why: String,
    },
    /// Whether what happens is written down; comes again where that changed.
    Journal {
        state: JournalState,
    },
    /// The session has this title from now on.
    Renamed {
        title: String,
    },
    /// What undoing or redoing would change.
    UndoPlanned {
        plan: Box<UndoPlan>,
    },
    /// Changes were taken back, or made again.
    Undone {
        direction: UndoDirection,
        /// Back to before this was said, or forth to after it.
        said: SaidId,
        files: Vec<UndoneFile>,
        /// It was only this part of what was changed in one file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<UndoPart>,
    },
    /// The conversation went back to before this was said.
    Rewound {
        said: SaidId,
        /// Its words, to be said again in other words.
        text: String,
    },
    HookRan {
        /// Which, at what, and what came of it.
        firing: HookFiring,
    },
    Notice {
        level: NoticeLevel,
        text: String,
    },
    /// The session is over (the user declined the folder, say); a face leaves now.
    Closed,
}

/// What would become of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriedVerdict {
    Runs,
    /// The user would be asked.
    Asks,
    Refused,
}

/// How much a notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeLevel {
    Info,
    /// Better not overlooked.
    Warning,
}

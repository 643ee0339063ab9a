//! Facts in order. A face that replays them from the start can draw everything.

use crate::{
    AskId, CallId, Chunk, Mode, ModelCard, Outcome, Preview, Question, Rule, Stuck, ToolCall, ToolSpec, Trouble,
    TurnId, Usage,
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
        project: PathBuf,
        /// The server's address.
        host: String,
        /// The mode it starts in.
        mode: Mode,
        /// What the model is offered.
        tools: Vec<ToolSpec>,
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
    },
    /// How the model gets its tools from now on, and what they cost.
    Offered {
        /// How.
        by: ToolsBy,
        /// What each tool takes of the prompt, in the order they are offered.
        costs: Vec<ToolCost>,
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
        /// Tokens in it: the last prompt and reply, as the server counted them.
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
    /// The mode is another now.
    ModeChanged {
        /// This one.
        mode: Mode,
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

/// Why something was set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetAside {
    /// A result that the model made up after its own call.
    Invented,
    /// It was written after a call, without having seen the result.
    AfterCall,
    /// A call in the text beside others that the server sent; nobody could tell whether it was meant as well.
    Beside,
    /// A call that is cut off: something that is needed is not there.
    CutOff,
    /// A call that cannot be read.
    Unreadable,
}

impl SetAside {
    /// What became of it, for people.
    pub fn words(self) -> &'static str {
        match self {
            SetAside::Invented => "left out: a result the model made up",
            SetAside::AfterCall => "left out: written after its call, before the result",
            SetAside::Beside => "left out: a call in the text, beside those the server sent",
            SetAside::CutOff => "a call was cut off and is not run",
            SetAside::Unreadable => "a call could not be read and is not run",
        }
    }

    /// The same with how much it is, where that says something. Of an invented result often only its first mark is
    /// there, for nobody goes on listening to it.
    pub fn told(self, text: &str) -> String {
        match (self, text.trim().lines().count()) {
            (SetAside::Invented, 0 | 1) => "left out: the model began to make up a result".to_owned(),
            (SetAside::AfterCall | SetAside::Beside, 1) => format!("{} (1 line)", self.words()),
            (SetAside::Invented | SetAside::AfterCall | SetAside::Beside, lines) => {
                format!("{} ({lines} lines)", self.words())
            }
            (SetAside::CutOff | SetAside::Unreadable, _) => self.words().to_owned(),
        }
    }
}

/// How it stands with the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ServerState {
    /// It is being looked for.
    Looking,
    /// It is being started by us.
    Starting,
    /// It answers.
    Up {
        /// Its version, as it says.
        version: String,
    },
    /// It does not.
    Down {
        /// Why.
        trouble: Trouble,
        /// Could we start it here?
        can_start: bool,
    },
}

/// Why the list of models is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum ModelsReason {
    /// The person asked.
    Asked,
    /// None is chosen yet.
    NoneChosen,
    /// The chosen one is not installed.
    Missing {
        /// Its name.
        name: String,
    },
}

/// How far a download is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum PullState {
    /// Under way.
    Progress {
        /// The server's word for the step.
        status: String,
        /// Bytes here.
        done: u64,
        /// Bytes in all; 0 while unknown.
        total: u64,
    },
    /// Finished.
    Done,
    /// Stopped by the person. What is here stays for the next try.
    Stopped,
    /// It failed.
    Failed {
        /// Why.
        trouble: Trouble,
    },
}

/// What is waited for. A face counts the time since the event itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// The request is on its way.
    Sending,
    /// The server loads the model.
    Loading,
    /// The model reads the prompt, or waits for its turn.
    Reading,
    /// Tokens are arriving.
    Writing,
    /// Tokens are arriving that look like a call; nothing of it is shown before it is complete. Comes with each piece.
    WritingCall {
        /// The tool, as soon as its name is there.
        name: Option<String>,
        /// So many bytes of it are here.
        bytes: u64,
    },
    /// Nothing has arrived for a while in the middle of a reply: a stall, or a long call being written.
    Silent {
        /// For so long, in seconds, when this was said.
        secs: u64,
    },
    /// It failed in a way that may pass; another try follows.
    Retrying {
        /// Which try comes next, from 2.
        attempt: u32,
        /// After this pause, in milliseconds.
        wait_ms: u64,
        /// What failed.
        trouble: Trouble,
    },
}

/// How a question was closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Settlement {
    /// Yes.
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
    /// The turn was interrupted.
    Withdrawn,
}

/// Why a turn ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum TurnEndReason {
    /// The model had nothing more to do.
    Done,
    /// The reply reached the length limit or the end of the window.
    Length,
    /// The person interrupted.
    Interrupted,
    /// The step limit was reached and not lifted.
    StepLimit,
    /// The model went in circles.
    Repeating,
    /// The model did not get on.
    Stuck {
        /// In which way.
        how: Stuck,
    },
    /// Something failed; what had arrived is kept.
    Broken {
        /// What.
        trouble: Trouble,
    },
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

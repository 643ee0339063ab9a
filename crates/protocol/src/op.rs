//! What a face may ask of the loop. If the answer follows from events already sent, it is not an `Op`.

use crate::kinds::kinds;
use crate::lossy;
use crate::{
    Answer, AskId, BackgroundId, DiffBase, ExportFormat, FileState, Image, LinesBack, ListOp, Mode, Piece, Piped,
    RewindWhat, Rule, SaidId, SessionId, Think, ToolsBy, TurnId, UndoChoice, UndoDirection,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use strum::VariantNames;

/// One wish of a face, of one of a few kinds. Written down without its kind: what `op` says tells it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged, remote = "Self")]
pub enum Op {
    Turn(TurnOp),
    /// Wishes about calls, and about what they may do.
    Call(CallOp),
    /// Wishes about the conversation as the model sees it.
    Context(ContextOp),
    /// Wishes about the server and its models.
    Server(ServerOp),
    /// Wishes about the session as a whole.
    Session(SessionOp),
    /// Wishes to be shown something.
    List(ListOp),
}

kinds!(Op, "op", { Turn: TurnOp, Call: CallOp, Context: ContextOp, Server: ServerOp, Session: SessionOp, List: ListOp });

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "op", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TurnOp {
    /// The user says something; answered by `Started`, and by `Ended` when the turn is over. While the model works it is
    /// queued: answered by `Queued`, and by `Steered` or `Started` when it goes out.
    Say { text: String },
    /// The same about text that they did not write; answered alike. It goes to the model below their words, between marks, and of one
    /// too long for the window its beginning and its end.
    SayWith {
        text: String,
        /// What came along with them.
        input: Piped,
    },
    /// The user calls a slash command that somebody wrote; answered as `Say` is. Before the model is asked, the commands in it
    /// are run as `run_command` would run them for the model: each is judged, asked about and kept in the sandbox like any
    /// other, answered by `Proposed` to `Finished`, and its output stands where it stood.
    SayPieces {
        pieces: Vec<Piece>,
        /// What came along with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<Piped>,
        /// Pictures that came along with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
    },
    /// The user shows pictures with what they say; answered as `Say` is. A model that does not understand pictures is shown
    /// none, and a notice says so.
    SayShowing {
        text: String,
        /// What came along with them besides.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<Piped>,
        images: Vec<Image>,
    },
    /// Take back what is queued; answered by `Unqueued`.
    Unqueue,
    /// Stop the model or the running tool, now; at a question: refuse it and end the turn. Answered by `Ended`; nothing comes
    /// where nothing is under way.
    Interrupt,
    /// Most of the time that the turn may take is over: the model is told so with its next results. Nothing answers it.
    TimeShort,
    /// The time that the turn may take is over: the same as `Interrupt`, and `Ended` says for what reason.
    TimeUp,
    /// Look for the server again; answered by `Server`. Where a turn broke off, take it up again: answered by `Started`.
    Retry,
}

impl TurnOp {
    /// Words, with what comes along with them.
    pub fn said(text: String, input: Option<Piped>, images: Vec<Image>) -> Self {
        match input {
            input if !images.is_empty() => TurnOp::SayShowing { text, input, images },
            Some(input) => TurnOp::SayWith { text, input },
            None => TurnOp::Say { text },
        }
    }
}

/// Wishes about calls, and about what they may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "op", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CallOp {
    /// The answer to a question; answered by `Settled`, and then by what comes of it.
    Reply { ask: AskId, answer: Answer },
    /// Change the mode; answered by `ModeChanged` with the mode that is in force then, and a notice where it is not this one.
    SetMode { mode: Mode },
    /// Offer these groups of tools from now on, and no others; answered by `Offered`.
    SetGroups { groups: Vec<String> },
    /// Stop a command in the background; answered by `Jobs`.
    StopJob {
        /// Which; `None`: all of them.
        job: Option<BackgroundId>,
    },
    /// Lead a port of this machine into one of the sandbox, or no longer; answered by `Ports`, or a notice.
    Forward {
        /// The port in the sandbox.
        port: u16,
        /// Or no longer.
        open: bool,
    },
    /// Carry out one call that no model made, as a turn of its own: it is judged, asked about and told like any other, and
    /// no model is asked afterwards. For faces that offer the tools to others. Answered by `Started`, `Proposed`, `Finished`
    /// and `Ended`.
    Call { name: String, arguments: Value },
    /// Run a command of the user's own, which they typed themselves: in their shell, outside the sandbox, as a turn of its
    /// own in which no model is asked. Answered by `Started`, `Proposed`, `Running`, `Finished` and `Ended`.
    Shell {
        /// The shell line.
        command: String,
        /// The model is told of it, and of its output, with what is said next.
        told: bool,
    },
    /// Save something for later sessions of this project; asked about and answered like `Call`.
    Remember {
        /// One line.
        fact: String,
    },
    /// Take a rule back; answered by `Permissions`.
    Revoke { rule: Rule },
    /// Would this command ask? Answered by `Tried`; nothing is run.
    Try {
        /// The shell line.
        command: String,
    },
}

/// Wishes about the conversation as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "op", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ContextOp {
    /// Forget the conversation and begin anew; answered by `Cleared`, after `Ended` where a turn was under way.
    Clear,
    /// Make the conversation shorter now; answered by `Fitted`, or a notice.
    Compact {
        /// What the user wants the summary to keep; may be empty.
        instructions: String,
    },
}

/// Wishes about the server and its models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "op", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ServerOp {
    /// List the installed models; answered by `Models`.
    Models,
    /// Talk to this model from now on, and remember the choice; answered by `ModelSet`, or `Models` where it is not there.
    SetModel {
        /// Its name on the server.
        name: String,
    },
    /// Tell about one installed model; answered by `ModelDescribed`.
    DescribeModel {
        /// Its name on the server.
        name: String,
    },
    /// Tell which models the server has in memory; answered by `Loaded`.
    Loaded,
    /// Remove a model from the server's disk; answered by `ModelRemoved`.
    RemoveModel {
        /// Its name on the server.
        name: String,
    },
    /// How much the model thinks from the next request on; `None` leaves it to the server. Answered by `ThinkSet`.
    SetThink { think: Option<Think> },
    /// Work with this model in another form, and keep that for it; `None` leaves it to the program. Answered by `Offered`.
    SetForm { form: Option<ToolsBy> },
    /// Examine the model with a few short requests; answered by `Examining`, `Probed` and `Diagnosed`.
    Examine,
    /// Download a model; answered by `Pulling`, again and again until it is over.
    Pull {
        /// Its name in the library.
        name: String,
    },
    /// Stop the download; answered by `Pulling`.
    StopPull,
    /// Start the server program on this machine; answered by `Server`, or a notice where it cannot be started.
    StartServer,
}

/// Wishes about the session as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(tag = "op", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SessionOp {
    /// Go on with a kept session in place of this one; answered by `Restored`, or `NotRestored`.
    Open { id: SessionId },
    /// Give the session a name; answered by `Renamed`.
    Rename {
        /// The name; empty: back to its first words.
        title: String,
    },
    /// Keep what is being written, to be there again at the next start in this project. Nothing answers it.
    KeepDraft {
        /// All of it; nothing: it was sent, or put away.
        text: String,
    },
    /// Go on in a copy of this session; answered by `Restored`.
    Fork {
        /// From before this was said; `None`: from where it stands.
        said: Option<SaidId>,
    },
    /// Tell once more what happened in a turn that is over, from what is written down; answered by `Page`, or `NoPage`.
    Page {
        /// The session it is a turn of: the one that is open.
        session: SessionId,
        turn: TurnId,
    },
    /// Write the session out into a new file; answered by a notice.
    Export {
        format: ExportFormat,
        /// Where; relative to the project. `None`: a name is found in the project folder.
        path: Option<String>,
    },
    /// Show what undoing or redoing would change; answered by `UndoPlanned`.
    PlanUndo {
        direction: UndoDirection,
        /// Back to before this was said, or forth to after it.
        said: SaidId,
    },
    /// Show what taking only a part of one file's changes back would change; answered by `UndoPlanned`. `Undo` then does that.
    PlanPart {
        /// Against how the file was before this was said.
        said: SaidId,
        /// The file, as named in the plan of all that was changed since.
        #[serde(serialize_with = "lossy::path")]
        path: PathBuf,
        /// Whose lines come back. Against `HEAD`, the file is named as in the last answer to `AgainstHead`.
        #[serde(default)]
        base: DiffBase,
        /// As it is now, in that plan: where something else lies there by then, nothing of it is done.
        now: FileState,
        /// The lines that become what they were; none: the whole file does.
        lines: Vec<LinesBack>,
    },
    /// Do what `UndoPlanned` showed last; answered by `Undone`. Nothing is done where that was another plan.
    Undo {
        direction: UndoDirection,
        said: SaidId,
        /// For files that somebody else changed since.
        choices: Vec<UndoChoice>,
    },
    /// Go back to before this was said; answered by `Rewound`. Files go as `UndoPlanned` showed last.
    Rewind {
        said: SaidId,
        what: RewindWhat,
        /// For files that somebody else changed since.
        #[serde(default)]
        choices: Vec<UndoChoice>,
    },
}

//! Plain data that every crate speaks, and [`sanitize`]: the only way from foreign text to a terminal.
//!
//! All data can be written down and read back (serde), so a front end may as well be another program. Nothing here
//! *does* anything: no clock, no disk, no decisions.

mod action;
mod bench;
mod changed;
mod content;
mod diff;
mod event;
mod file_state;
mod foreign;
mod hook;
mod host_pattern;
mod ids;
mod job;
mod kinds;
mod known;
mod levers;
mod list;
mod lossy;
mod memory;
mod mention;
mod message;
mod model;
mod op;
mod outcome;
mod own_command;
mod piece;
mod profile;
mod question;
mod reach;
mod receipt;
mod record;
mod sandbox;
pub mod sanitize;
mod server;
mod server_card;
mod server_error;
mod server_words;
mod session;
mod set_aside;
mod tool;
mod turn;
mod window;

pub use action::{Action, Change, Changes, Mode, SessionAct, Todo, TodoStatus};
pub use bench::BenchResult;
pub use changed::{
    ConflictChoice, Cover, CoverScope, DiffBase, FileChange, FolderReceipt, LeftOut, LinesBack, UndoChoice,
    UndoConflict, UndoDirection, UndoFile, UndoMerge, UndoPart, UndoPlan, UndoTurn, UndoneFile,
};
pub use content::{Content, MessagePart, PartOrigin};
pub use diff::{CONTEXT_LINES, FileDiff, LineMark};
pub use event::{
    CallEvent, ContextEvent, Event, NoticeLevel, OverruledOption, ServerEvent, SessionEvent, ToolCost, ToolsBy,
    TriedVerdict, TurnEvent,
};
pub use file_state::{Digest, FileState, Restoring, Unkept};
pub use foreign::{Piped, fenced};
pub use hook::{
    Hook, HookCall, HookDecision, HookEvent, HookFate, HookFault, HookFile, HookFiring, HookInput, HookOrigin, HookRun,
    HookSaid,
};
pub use host_pattern::HostPattern;
pub use ids::{AskId, BackgroundId, CallId, FiringId, ReachId, ReplyId, SaidId, TurnId};
pub use job::{BackgroundCommand, BackgroundState, SkillCard};
pub use known::{Calibration, Examined, ModelProfile, Probe, ProbeFinding, ProbeVerdict, Tuned};
pub use levers::{EditForm, LeverChanges, Levers, SyntaxGate};
pub use list::{ListEvent, ListOp};
pub use memory::{MemoryCard, MemoryScope};
pub use mention::{Mention, mention_at, mentions};
pub use message::{Image, Message, ModelCall, Role};
pub use model::{CLOUD_MARK, ChatRequest, ModelCard, ModelEvent, Think, Usage};
pub use op::{CallOp, ContextOp, Op, ServerOp, SessionOp, TurnOp};
pub use outcome::{Chunk, Failure, FailureKind, Outcome, Status, Stream};
pub use own_command::OwnCommand;
pub use piece::Piece;
pub use profile::Profile;
pub use question::{
    Answer, Cause, CommandPart, Finding, Grant, Lasts, PartText, Preview, PreviewBody, Proposal, Question, Rule,
    RuleOffer, Stuck, Subject,
};
pub use reach::{Host, PartEnd, PortCard, Reacher};
pub use receipt::{CommandReceipt, FileFate, FileReceipt, Receipt};
pub use record::{Record, Setting};
pub use sandbox::{Blocked, SandboxKind, SandboxReport, SandboxSupport, parts_words};
pub use server::{ModelsReason, NearbyServer, PullState, ServerState};
pub use server_card::{Capability, ServerCard, ServerProgram, WindowsBy};
pub use server_error::{ServerError, ServerErrorScope};
pub use server_words::{is_about_pictures, server_words};
pub use session::{ExportFormat, JournalState, RewindWhat, SessionCard, SessionId};
pub use set_aside::SetAside;
pub use tool::{FILE_BLOCKS, Origin, ToolCall, ToolGroup, ToolSpec, Way};
pub use turn::{Phase, ReadingEstimate, Settlement, TurnEndReason};
pub use window::{
    Checked, Compaction, CompactionReason, ContextPart, ContextReport, LoadedModel, LoadedWeights, PartKind, Reused,
    WindowChoice, WindowState,
};

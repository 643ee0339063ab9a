//! Where the turn stands, and what comes next. Only names it: each phase lives in the room that it is called after.

use crate::CallEffect;
use crate::context::ContextUsage;
use crate::conversation::compaction::Then;
use crate::conversation::request::{Asked, SummaryWish};
use crate::out::Out;
use crate::server::exam::Exam;
use crate::server::measure::Expected;
use crate::turn::guards::loop_guard::Halt;
use crate::turn::guards::thinking_bound::ThinkingBound;
use crate::turn::guards::unusable_reply::UnusableReply;
use crate::turn::phases::received::Received;
use crate::turn::phases::work::Working;
use crate::turn::queue::Waiting;
use agent_policy::{Held, Permit};
use agent_protocol::{
    AskId, CompactionReason, FileReceipt, FiringId, Outcome, Preview, ReplyId, Rule, SaidId, ServerError, Think,
    ToolCall, TurnEndReason, UndoDirection, UndoPart, UndoneFile,
};
#[derive(Debug, Default)]
pub(crate) enum Phase {
    #[default]
    Idle,
    Listening(Box<Listening>),
    /// Calls are being carried out.
    Working(Box<Working>),
    /// The model summarises what came before.
    Summarising(Box<Summarising>),
    Examining(Box<Examining>),
    /// The turn is over, for this reason, but for a look at what it did.
    LookingAfter(Box<TurnEndReason>),
    /// The same, but for a look whether it could be begun again.
    LookingBack {
        reason: Box<TurnEndReason>,
        files: Vec<FileReceipt>,
    },
    /// Hooks are heard before something begins or ends.
    Hooking(Box<Hooking>),
    /// Files are being brought back.
    Undoing(Box<Undoing>),
    /// The conversation is read as it was before this was said.
    GoingBack(SaidId),
    /// The user is asked whether to go on.
    Halted {
        ask: AskId,
        halt: Halt,
    },
}

#[derive(Debug)]
pub(crate) enum Next {
    /// Nothing, until something arrives.
    Rest(Phase),
    /// What is queued begins a turn, if nothing stands in the way.
    GoOn,
    /// The same; where nothing is queued, the model is loaded while the user still types.
    GoOnOrLoad,
    /// A turn begins with these words, which hooks have heard.
    Begin(Box<Waiting>),
    /// A turn that broke off is taken up, or one begins with what is queued.
    Resume,
    /// The model is asked for its next reply.
    Ask,
    /// The same in one of several ways, whether it fits or not.
    AskAs(Asked),
    /// The conversation is made shorter by the next step that was not tried yet.
    MakeRoom(CompactionReason, Then),
    /// The model is asked for a summary, which keeps what these words of the user want kept.
    Summarise {
        instructions: String,
        then: Then,
    },
    /// A list that is made by rule stands for what came before: the user agreed, or need not.
    Shorten(Then),
    /// The calls of a reply are carried out.
    Work(Vec<ToolCall>),
    /// The call may look at what it reached for.
    Look(Box<Working>, Permit),
    /// The call may do what it planned.
    Run(Box<Working>, Permit, Preview),
    /// The user is asked whether it may.
    AskToRun(Box<Working>, Held, Preview),
    /// The call has its result.
    Result(Box<Working>, Outcome),
    /// The call gives a task to an agent of this kind.
    Delegate {
        working: Box<Working>,
        agent: String,
        task: String,
    },
    /// The turn runs long or in circles: the model is told once, then the user is asked.
    Halt(Halt),
    /// The user is asked whether to go on.
    AskAbout(Halt),
    /// The reply cannot be used.
    Recover(UnusableReply),
    /// Nor is there a way left that was not tried.
    NoWayLeft(String),
    End(TurnEndReason),
    /// The same, because the server is in trouble.
    Broken(ServerError),
    /// What it did is known.
    Settle(TurnEndReason, Vec<FileReceipt>),
    /// The conversation goes back to before this was said.
    GoBack(SaidId),
}

/// A plain yes or no, with all that went with it.
pub(crate) enum Verdict {
    /// With a rule to keep, and a word for the model.
    Yes { remember: Option<Rule>, word: Option<String> },
    /// With a word for the model.
    No { word: Option<String> },
}

/// The reply that is arriving.
#[derive(Debug)]
pub(crate) struct Listening {
    pub(crate) reply: ReplyId,
    pub(crate) asked: Asked,
    pub(crate) heard: Received,
    /// What the prompt is expected to be.
    pub(crate) expected: Expected,
    /// Where its thinking is closed; none: nowhere.
    pub(crate) bound: Option<ThinkingBound>,
    /// Tokens of one call beyond which it is ended; none: it may be as long as it gets.
    pub(crate) longest_call: Option<u64>,
    /// What was asked of its thinking.
    pub(crate) think: Option<Think>,
}

/// The model writes a summary.
#[derive(Debug)]
pub(crate) struct Summarising {
    pub(crate) reply: ReplyId,
    pub(crate) heard: Received,
    pub(crate) then: Then,
    pub(crate) wish: SummaryWish,
    pub(crate) called: bool,
    /// What the prompt is expected to be.
    pub(crate) expected: Expected,
}

#[derive(Debug)]
pub(crate) struct Examining {
    pub(crate) exam: Exam,
    /// The question that is being answered.
    pub(crate) open: Option<(ReplyId, Received)>,
    /// Learns what the model's tokens hold, apart from the conversation.
    pub(crate) gauge: ContextUsage,
    /// The exam waits for a look at what is loaded.
    pub(crate) looking: bool,
    /// A question was answered by the model, and not by trouble.
    pub(crate) judged: bool,
    /// The server went away, or answered nothing: what was found until then is no verdict on the model.
    pub(crate) lost: Option<ServerError>,
}

/// What waits until hooks have ended.
#[derive(Debug)]
pub(crate) enum Hooking {
    /// The first so many messages that are queued.
    Prompt { firing: FiringId, messages: usize },
    /// The end of the turn, for this reason; what became of these files is known.
    TurnEnd { firing: FiringId, reason: TurnEndReason, files: Vec<FileReceipt> },
}

impl Hooking {
    pub(crate) fn is_prompt(&self) -> bool {
        matches!(self, Hooking::Prompt { .. })
    }

    /// The firing that is waited for.
    pub(crate) fn firing(&self) -> FiringId {
        match self {
            Hooking::Prompt { firing, .. } | Hooking::TurnEnd { firing, .. } => *firing,
        }
    }
}

/// Files are being brought back.
#[derive(Debug)]
pub(crate) struct Undoing {
    pub(crate) direction: UndoDirection,
    pub(crate) said: SaidId,
    /// Only this part of what was changed in one file.
    pub(crate) part: Option<UndoPart>,
    /// What stays as it is, and why.
    pub(crate) left: Vec<UndoneFile>,
    pub(crate) then: After,
}

/// What comes when files were brought back.
#[derive(Debug)]
pub(crate) enum After {
    Rest,
    /// The conversation goes back as well.
    GoBack,
    /// The task is begun again; a try that changed these files is over.
    Anew(Vec<FileReceipt>),
    End(Box<TurnEndReason>),
}

impl Phase {
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self, Phase::Idle)
    }

    /// Does a question to the user stand open?
    pub(crate) fn is_asking(&self) -> bool {
        match self {
            Phase::Halted { .. } => true,
            Phase::Working(working) => working.is_asking(),
            Phase::Idle
            | Phase::Listening(_)
            | Phase::Summarising(_)
            | Phase::Examining(_)
            | Phase::LookingAfter(_)
            | Phase::LookingBack { .. }
            | Phase::Hooking(_)
            | Phase::Undoing(_)
            | Phase::GoingBack(_) => false,
        }
    }
}

impl Next {
    /// Nothing is under way any more.
    pub(crate) fn idle() -> Next {
        Next::Rest(Phase::Idle)
    }

    /// Nothing comes of the current call, and nobody is told; on to the next.
    pub(crate) fn pass_over(working: &Working, out: &mut Out) -> Next {
        out.carry_out(CallEffect::Forget(working.current.id));
        Next::Work(working.waiting.iter().cloned().collect())
    }

    /// The call goes on when an answer arrives.
    pub(crate) fn working(working: Box<Working>) -> Next {
        Next::Rest(Phase::Working(working))
    }
}

impl Then {
    /// The conversation is shorter now.
    pub(crate) fn next(self) -> Next {
        match self {
            Then::Ask => Next::Ask,
            Then::End => Next::End(TurnEndReason::Done),
        }
    }
}

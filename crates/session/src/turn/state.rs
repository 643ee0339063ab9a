//! What the turn part keeps beside its phase: the rules, what waits to be said, and what is counted over one turn.

use crate::conversation::Conversation;
use crate::server::Server;
use crate::server::offer::Offered;
use crate::turn::done::Done;
use crate::turn::file_work::{FileWork, FruitlessCalls};
use crate::turn::guards::loop_guard::LoopGuard;
use crate::turn::guards::progress::Progress;
use crate::turn::guards::thinking_bound::ThinkingWork;
use crate::turn::guards::unusable_reply::Rescue;
use crate::turn::phases::hook_state::Hooks;
use crate::turn::phases::tries::Tries;
use crate::turn::phases::work::Working;
use crate::turn::program_calls::check_state::{CheckHabits, Checking};
use crate::turn::queue::Queue;
use crate::{Keep, Limits, Settings, Trust};
use agent_dialects::Form;
use agent_policy::{Invocation, Policy};
use agent_protocol::{AskId, BackgroundCommand, MemoryCard, SaidId, TurnId, Usage};

/// Replies with calls that one task may take, where as many are left of the turn; then the agent answers with what it has.
const MOST_STEPS: u32 = 50;

/// What is kept from phase to phase.
#[derive(Debug)]
pub(crate) struct Turn {
    limits: Limits,
    /// Is somebody there to be asked, and is what they grant kept?
    pub(crate) keep: Keep,
    pub(crate) policy: Policy,
    pub(crate) queue: Queue,
    /// What is counted over the turn at hand.
    pub(crate) counts: Counts,
    /// Replies whose calls came to nothing, as long as none of this session did anything.
    pub(crate) fruitless: FruitlessCalls,
    /// What is kept of checks from turn to turn.
    pub(crate) checks: CheckHabits,
    /// What waits while an agent works on a task.
    pub(crate) paused: Option<Box<PausedTurn>>,
    /// A question of the start stands open.
    pub(crate) opening: Option<Opening>,
    /// Whether what was found in the folder may be used.
    pub(crate) trust: Trust,
    /// What is remembered of earlier sessions.
    pub(crate) memory: Vec<MemoryCard>,
    /// A session is being opened; nothing begins before it is.
    pub(crate) resuming: Option<Resuming>,
    /// The commands in the background, as they were told last.
    pub(crate) jobs: Vec<BackgroundCommand>,
    /// How their lines were read.
    pub(crate) background: Vec<Invocation>,
    pub(crate) hooks: Hooks,
    /// Clear as soon as the turn is over.
    pub(crate) clear_wanted: bool,
    /// What interrupts the turn at hand is that its time is over.
    pub(crate) time_is_up: bool,
}

/// What is counted over one turn.
#[derive(Debug)]
pub(crate) struct Counts {
    pub(crate) id: TurnId,
    pub(crate) usage: Usage,
    pub(crate) guard: LoopGuard,
    pub(crate) progress: Progress,
    pub(crate) thinking: ThinkingWork,
    /// Most of the time is over that it may take, and the model was not told yet.
    pub(crate) time_is_short: bool,
    /// What was tried since the last reply that could be used.
    pub(crate) rescue: Rescue,
    /// Something to tell the model with the results.
    pub(crate) remark: Option<String>,
    pub(crate) asked: String,
    /// What was said since; what it attaches is read before the model is asked again.
    pub(crate) attaches: Option<String>,
    /// Commands of slash commands among what was said; they are run before the model is asked again.
    pub(crate) expands: Vec<String>,
    /// What it did so far.
    pub(crate) done: Done,
    /// How what it changed was checked.
    pub(crate) check: Checking,
    /// How often it was begun anew.
    pub(crate) tries: Tries,
    /// What came of it, where the model works by files.
    pub(crate) files: FileWork,
    /// It is one call that no model made, and none hears of it.
    pub(crate) from_outside: bool,
    /// It is a command of the user's own, and this becomes of it.
    pub(crate) own_command: Option<AfterOwn>,
    /// A hook kept it from ending.
    pub(crate) hooks_went_on: bool,
    /// Hooks have nothing more to say about its end.
    pub(crate) end_heard: bool,
}

/// What becomes of a command that the user ran themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterOwn {
    /// The model is told of it with what is said next.
    Told,
    /// It stays between the user and their shell.
    NotTold,
}

/// What waits while an agent works on a task.
#[derive(Debug)]
pub(crate) struct PausedTurn {
    pub(crate) working: Box<Working>,
    pub(crate) counts: Counts,
    pub(crate) offered: Offered,
    /// How tools went; `None`: by the server.
    pub(crate) form: Option<Form>,
    /// The agent was told to end.
    pub(crate) told_to_end: bool,
}

/// An open question of the start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Opening {
    pub(crate) ask: AskId,
    pub(crate) about: About,
}

/// What is asked at the start.
#[derive(Debug, Clone, Copy)]
pub(crate) enum About {
    /// Is this folder meant?
    Folder,
    /// Is what was found in it trusted?
    Trust,
    /// May what the chosen model is sent leave this machine?
    Cloud,
}

/// A session is being opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resuming {
    AtStart,
    Later,
}

impl Turn {
    pub(crate) fn new(settings: &Settings, policy: Policy) -> Self {
        Turn {
            limits: settings.limits,
            keep: settings.keep,
            policy,
            queue: Queue::default(),
            counts: Counts::new(TurnId(0)),
            fruitless: FruitlessCalls::default(),
            checks: CheckHabits::default(),
            paused: None,
            opening: None,
            trust: settings.trust.clone(),
            memory: settings.memory.clone(),
            resuming: None,
            jobs: Vec::new(),
            background: Vec::new(),
            hooks: Hooks::new(settings.hooks.clone()),
            clear_wanted: false,
            time_is_up: false,
        }
    }

    /// Where the turn at hand is stopped.
    pub(crate) fn limits(&self) -> Limits {
        match &self.paused {
            Some(aside) => Limits { steps: aside.counts.guard.left(&self.limits).min(MOST_STEPS), ..self.limits },
            None => self.limits,
        }
    }

    /// Replies with calls that are left of the turn at hand.
    pub(crate) fn steps_left(&self) -> u32 {
        self.counts.guard.left(&self.limits())
    }
}

impl Counts {
    pub(crate) fn new(id: TurnId) -> Self {
        Counts {
            id,
            usage: Usage::default(),
            guard: LoopGuard::default(),
            progress: Progress::default(),
            thinking: ThinkingWork::default(),
            time_is_short: false,
            rescue: Rescue::default(),
            remark: None,
            asked: String::new(),
            attaches: None,
            expands: Vec::new(),
            done: Done::default(),
            check: Checking::default(),
            tries: Tries::starting_at(SaidId(0)),
            files: FileWork::default(),
            from_outside: false,
            own_command: None,
            hooks_went_on: false,
            end_heard: false,
        }
    }

    /// A reply of so many tokens is complete.
    pub(crate) fn used(&mut self, usage: Usage) {
        self.usage = sum(self.usage, usage);
    }
}

/// Counts added up where they add up; the prompt is that of the last reply, for it holds the earlier ones.
pub(crate) fn sum(before: Usage, reply: Usage) -> Usage {
    let add = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0) + b.unwrap_or(0)),
    };
    Usage {
        prompt_tokens: reply.prompt_tokens.or(before.prompt_tokens),
        cached_tokens: reply.cached_tokens.or(before.cached_tokens),
        reply_tokens: add(before.reply_tokens, reply.reply_tokens),
        load_ns: add(before.load_ns, reply.load_ns),
        prompt_ns: add(before.prompt_ns, reply.prompt_ns),
        reply_ns: add(before.reply_ns, reply.reply_ns),
        total_ns: add(before.total_ns, reply.total_ns),
    }
}

/// Bytes that the result of a call from outside may take: no window of a model that we know of limits it.
const ROOM_OUTSIDE: usize = 48 * 1_024;

/// Bytes that one result may take.
pub(crate) fn room(turn: &Turn, conversation: &Conversation, server: &Server) -> usize {
    if turn.counts.from_outside { ROOM_OUTSIDE } else { conversation.room(server) }
}

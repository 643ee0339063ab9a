//! Notices when a turn runs long or goes in circles. Decides nothing: it only counts.
//!
//! What is noticed here is told to the model twice in a turn, in words; after that the user is asked. A turn that only
//! runs long is not the model's fault: there the user is asked at once.

use crate::Limits;
use crate::context::grouped;
use crate::conversation::compaction::Then;
use agent_protocol::{FileReceipt, ModelCall, Outcome, Stuck};

/// So often the model is warned of one thing before the user is asked, or a turn that nobody watches ends.
const WARNINGS: usize = 2;

/// The counts of one turn.
#[derive(Debug, Default)]
pub(crate) struct LoopGuard {
    /// Since the user let it go on.
    steps: u32,
    /// From the beginning.
    pub(crate) taken: u32,
    last: Option<Done>,
    before_last: Option<Done>,
    repeats: u32,
    /// Results in a row that equal the one before the last, and not the last.
    alternating: u32,
    /// The longest run since the last look, and whose it was: another call in the same reply does not hide it.
    longest: (u32, String),
    /// The same for two calls by turns.
    longest_alternating: u32,
    reminded: Vec<Option<Stuck>>,
}

/// A call with its result.
#[derive(Debug, Clone, PartialEq)]
struct Done {
    name: String,
    arguments: serde_json::Value,
    told: String,
}

/// Something to stop at before going on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Halt {
    Steps(u32),
    /// This tool, so many times with the same result.
    Repeat(String, u32),
    /// The conversation of so many tokens fills the window of so many, and no summary helps.
    Full {
        tokens: u64,
        window: u64,
        then: Then,
    },
    /// The model does not get on, in one of the ways that have a name.
    Stuck(Stuck),
    /// The same, by a count: so many looks, steps or tokens.
    Counted(Stuck, u64),
    /// The check still fails in this way after a try that changed these files.
    Again {
        failing: String,
        files: Vec<FileReceipt>,
    },
}

impl LoopGuard {
    /// One more reply with calls.
    pub(crate) fn stepped(&mut self) {
        self.steps += 1;
        self.taken += 1;
    }

    /// So many more were made by an agent, for this turn.
    pub(crate) fn stepped_by_agent(&mut self, taken: u32) {
        self.steps += taken;
        self.taken += taken;
    }

    /// So many more may be made until the turn is stopped at.
    pub(crate) fn left(&self, limits: &Limits) -> u32 {
        limits.steps.saturating_sub(self.steps)
    }

    pub(crate) fn ran(&mut self, call: &ModelCall, outcome: &Outcome) {
        let done = Done { name: call.name.clone(), arguments: call.arguments.clone(), told: outcome.told.clone() };
        let same = self.last.as_ref() == Some(&done);
        let by_turns = !same && self.before_last.as_ref() == Some(&done);
        self.repeats = if same { self.repeats + 1 } else { 1 };
        self.alternating = if by_turns { self.alternating + 1 } else { 0 };
        self.longest_alternating = self.longest_alternating.max(self.alternating);
        if self.repeats > self.longest.0 {
            self.longest = (self.repeats, done.name.clone());
        }
        self.before_last = self.last.replace(done);
    }

    /// What to stop at, if anything.
    pub(crate) fn pull(&mut self, limits: &Limits) -> Option<Halt> {
        let (times, name) = std::mem::take(&mut self.longest);
        // Two calls that made three pairs are four results that equal the one before the last.
        let pairs = (std::mem::take(&mut self.longest_alternating) + 2) / 2;
        if times >= limits.repeats {
            return Some(Halt::Repeat(name, times));
        }
        if pairs >= limits.alternations.max(2) {
            return Some(Halt::Stuck(Stuck::Alternating));
        }
        self.longest = (self.repeats, name);
        (self.steps >= limits.steps).then(|| Halt::Steps(std::mem::take(&mut self.steps)))
    }

    /// May the model be told of this? A few times in a turn for each kind. Its run goes on: the next of its kind counts.
    pub(crate) fn may_tell(&mut self, halt: &Halt) -> bool {
        let kind = match halt {
            Halt::Steps(_) | Halt::Full { .. } | Halt::Again { .. } => return false,
            Halt::Repeat(..) => None,
            Halt::Stuck(how) | Halt::Counted(how, _) => Some(*how),
        };
        // A model that says nothing to one warning says nothing to the next.
        let most = if kind == Some(Stuck::Silent) { 1 } else { WARNINGS };
        let may = self.reminded.iter().filter(|earlier| **earlier == kind).count() < most;
        if may {
            self.reminded.push(kind);
        }
        may
    }

    /// The user let it go on: the counts of circles begin anew.
    pub(crate) fn let_go(&mut self) {
        (self.last, self.before_last, self.repeats, self.alternating) = (None, None, 0, 0);
    }
}

impl Halt {
    /// What the model is told.
    pub(crate) fn words_for_model(&self) -> String {
        match self {
            Halt::Steps(steps) => format!("you have taken {steps} steps"),
            Halt::Full { .. } => "the conversation fills the window".to_owned(),
            Halt::Again { failing, .. } => format!("the check still fails: {failing}"),
            Halt::Repeat(name, times) => format!(
                "you called {name} {} with the same arguments, and the result is the same each time; use what you \
                 have, do something else, or say what stands in your way",
                so_often(*times)
            ),
            Halt::Stuck(how) => how_for_model(*how).to_owned(),
            Halt::Counted(how, count) => counted_for_model(*how, *count),
        }
    }

    /// What the user is told.
    pub(crate) fn describe(&self) -> String {
        match self {
            Halt::Steps(steps) => {
                format!("the model has taken {steps} steps in this turn; yes lets it take as many again")
            }
            Halt::Repeat(name, times) => {
                format!("the model called {name} {} with the same result; it may be going in circles", so_often(*times))
            }
            Halt::Full { tokens, window, .. } => format!(
                "the conversation has {} tokens of the {} that the window holds, and no summary made it shorter; \
                 approving puts a rule-based one in its place: what you said, files and commands",
                grouped(*tokens),
                grouped(*window)
            ),
            Halt::Counted(Stuck::Looking, count) => {
                format!("the model's last {count} replies opened no new file and changed nothing")
            }
            Halt::Counted(Stuck::Idle, count) => format!("the model has taken {count} steps that brought nothing new"),
            Halt::Counted(Stuck::Endless, count) => {
                format!("the model wrote {} tokens of one call, and was stopped", grouped(*count))
            }
            Halt::Stuck(how) | Halt::Counted(how, _) => format!("the model {}", how.words()),
            Halt::Again { failing, files } => format!(
                "the check still fails: {failing}; yes brings {} back to how {} before and lets the model try another way, \
                 and the better of the two tries stays",
                if let [one] = files.as_slice() { one.shown_path.clone() } else { format!("{} files", files.len()) },
                if files.len() == 1 { "it was" } else { "they were" }
            ),
        }
    }
}

fn so_often(times: u32) -> String {
    if times == 1 { "once".to_owned() } else { format!("{times} times") }
}

fn counted_for_model(how: Stuck, count: u64) -> String {
    match how {
        Stuck::Looking => format!(
            "your last {count} replies changed nothing and opened no file that you had not seen; make the change now, or say what \
             is missing"
        ),
        Stuck::Idle => format!(
            "{count} steps in a row brought nothing new: no file was changed, and nothing was read or said that you had not \
             seen; do something else, or say what stands in your way"
        ),
        Stuck::Endless => {
            format!("your call was ended after {} tokens, and nothing of it was run; write it in parts", grouped(count))
        }
        Stuck::Alternating | Stuck::Babbling | Stuck::Silent | Stuck::Announcing | Stuck::Unreadable => {
            how_for_model(how).to_owned()
        }
    }
}

fn how_for_model(how: Stuck) -> &'static str {
    match how {
        Stuck::Alternating => {
            "you make the same two calls by turns, and their results stay the same; use what you have, do something \
             else, or say what stands in your way"
        }
        Stuck::Babbling => "you repeated the same words and were stopped; go on with the task in a few words",
        Stuck::Silent => "your last reply was empty; make the next call, or give your answer in words",
        Stuck::Announcing => {
            "you said what you would do, and made no call; if you meant to do it now, make the call; if you only meant to \
             say it, give your answer again in full"
        }
        Stuck::Unreadable => "your call could not be read",
        Stuck::Looking => "you look and change nothing; make the change now, or say what is missing",
        Stuck::Idle => "your steps bring nothing new; do something else, or say what stands in your way",
        Stuck::Endless => "your call was ended, for it had no end; write it in parts",
    }
}

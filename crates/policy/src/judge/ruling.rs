//! What a kind of action comes to: leave that needs no question, a question, or a refusal.

use super::Invocation;
use crate::Leave;
use agent_protocol::{Cause, CommandPart, Host, Profile, RuleOffer};
use std::collections::HashMap;
use std::path::PathBuf;

/// What becomes of a kind of action, said by the room that judges it: the action itself is not needed for that.
pub(super) enum Ruling {
    Allow(Free),
    Ask(Asking),
    Deny(String),
}

/// Leave that needs no question.
pub(super) struct Free {
    pub(super) because: String,
    pub(super) leave: Leave,
    /// A command that is proved to only read: what it is run as.
    pub(super) reads_only: Option<String>,
    /// What is set for it.
    pub(super) env: Vec<(String, String)>,
    /// How far out it runs at least.
    pub(super) least: Profile,
    /// Places outside the project in which it may write.
    pub(super) places: Vec<PathBuf>,
    /// Files that it cannot change, whatever the sandbox lets it write.
    pub(super) kept: Vec<PathBuf>,
    /// How its line was read.
    pub(super) invocation: Option<Invocation>,
}

impl Free {
    pub(super) fn because(words: &str) -> Self {
        Free {
            because: words.into(),
            leave: Leave::Rule,
            reads_only: None,
            env: Vec::new(),
            least: Profile::ReadOnly,
            places: Vec::new(),
            kept: Vec::new(),
            invocation: None,
        }
    }
}

/// What is asked about an action, and what a yes would mean.
#[derive(Debug)]
pub(super) struct Asking {
    pub(super) why: String,
    pub(super) cause: Cause,
    pub(super) offers: Vec<RuleOffer>,
    pub(super) warnings: Vec<String>,
    pub(super) parts: Vec<CommandPart>,
    /// Where the programs of the parts were found.
    pub(super) programs: HashMap<String, PathBuf>,
    /// What is set for it.
    pub(super) env: Vec<(String, String)>,
    /// Hosts that a yes lets it reach.
    pub(super) hosts: Vec<Host>,
    /// Places outside the project in which a yes lets it write, for this run.
    pub(super) places: Vec<PathBuf>,
    /// A yes lets it run at least so far out, for it could do nothing otherwise.
    pub(super) least: Profile,
    /// Files that it cannot change, whatever the sandbox lets it write.
    pub(super) kept: Vec<PathBuf>,
    /// How its line was read, where it is a command.
    pub(super) invocation: Option<Invocation>,
}

impl Asking {
    pub(super) fn because(why: impl Into<String>) -> Self {
        Asking {
            why: why.into(),
            cause: Cause::Always,
            offers: Vec::new(),
            warnings: Vec::new(),
            parts: Vec::new(),
            programs: HashMap::new(),
            env: Vec::new(),
            hosts: Vec::new(),
            places: Vec::new(),
            least: Profile::ReadOnly,
            kept: Vec::new(),
            invocation: None,
        }
    }

    /// What only a person decides.
    pub(super) fn for_you(why: &str) -> Self {
        Asking { cause: Cause::Never, ..Asking::because(why) }
    }
}

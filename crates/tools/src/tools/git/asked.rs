//! What is asked of git: the arguments of `git_operation`, read and held against each other.

use super::operands;
use crate::arguments::{Arguments, plain};
use agent_protocol::{Failure, FailureKind};

/// Commits that a log shows when nothing is said, and at most.
const USUAL_COUNT: u64 = 20;
const MOST_COUNT: u64 = 1_000;

/// What git is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Status,
    Add,
    Commit,
    Push,
    Pull,
    Diff,
    Log,
    Branch,
    Checkout,
    Stash,
    Show,
}

use Operation::{Add, Branch, Checkout, Commit, Diff, Log, Pull, Push, Show, Stash, Status};

/// Every operation by its name, and other words for it.
const OPERATIONS: &[(Operation, &str, &[&str])] = &[
    (Status, "status", &[]),
    (Add, "add", &["stage"]),
    (Commit, "commit", &[]),
    (Push, "push", &[]),
    (Pull, "pull", &[]),
    (Diff, "diff", &[]),
    (Log, "log", &["history"]),
    (Branch, "branch", &["branches"]),
    (Checkout, "checkout", &["switch"]),
    (Stash, "stash", &[]),
    (Show, "show", &[]),
];

/// What is done with a stash or a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GitAct {
    Push,
    Pop,
    Apply,
    List,
    Show,
    Drop,
    Create,
    Delete,
}

const ACTS: &[(GitAct, &str)] = &[
    (GitAct::Push, "push"),
    (GitAct::Pop, "pop"),
    (GitAct::Apply, "apply"),
    (GitAct::List, "list"),
    (GitAct::Show, "show"),
    (GitAct::Drop, "drop"),
    (GitAct::Create, "create"),
    (GitAct::Delete, "delete"),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GitRequest {
    pub(super) operation: Operation,
    pub(super) files: Vec<String>,
    pub(super) message: Option<String>,
    pub(super) branch: Option<String>,
    /// A commit, or a range of them.
    pub(super) commit: Option<String>,
    pub(super) remote: Option<String>,
    pub(super) act: Option<GitAct>,
    pub(super) count: u64,
    pub(super) staged: bool,
    pub(super) create: bool,
}

impl GitRequest {
    /// Nothing but this.
    pub(super) fn plain(operation: Operation) -> Self {
        GitRequest {
            operation,
            files: Vec::new(),
            message: None,
            branch: None,
            commit: None,
            remote: None,
            act: None,
            count: USUAL_COUNT,
            staged: false,
            create: false,
        }
    }

    /// What `arguments` of `git_operation` say.
    pub(super) fn read(arguments: &Arguments) -> Result<Self, Failure> {
        let (operation, act) = what(arguments)?;
        let named = |parameter: &str, check: fn(&str, &str) -> Result<String, Failure>| {
            let given = arguments.optional_text(parameter)?;
            given.filter(|given| !given.trim().is_empty()).map(|given| check(parameter, &given)).transpose()
        };
        let mut asked = GitRequest {
            files: files(arguments, "files")?,
            message: arguments.optional_text("message")?.filter(|message| !message.trim().is_empty()),
            branch: named("branch", operands::name)?,
            commit: named("commit", operands::commit)?,
            remote: named("remote", operands::name)?,
            act,
            count: arguments.optional_number("count")?.unwrap_or(USUAL_COUNT).clamp(1, MOST_COUNT),
            staged: arguments.flag("staged")?,
            create: arguments.flag("create")?,
            ..GitRequest::plain(operation)
        };
        if arguments.flag("all")? && asked.operation == Add && asked.files.is_empty() {
            asked.files.push(".".into());
        } else if arguments.flag("all")? && asked.operation == Commit {
            return Err(not_staged());
        }
        asked.whole()?;
        Ok(asked)
    }

    /// Is there all that it takes?
    fn whole(&self) -> Result<(), Failure> {
        match self.operation {
            Add if self.files.is_empty() => lacking("add needs `files`: which ones to stage, `.` for all"),
            Commit if self.message.is_none() => lacking("commit needs `message`: what the commit is about"),
            Commit if !self.files.is_empty() => Err(not_staged()),
            Checkout if self.create && (self.branch.is_none() || !self.files.is_empty()) => {
                lacking("to create a branch give only its name as `branch`, and a `commit` to begin at if need be")
            }
            Checkout if self.target().is_none() && self.files.is_empty() => {
                lacking("checkout needs `branch`, or `files` whose changes are to be discarded")
            }
            Branch if self.act == Some(GitAct::Delete) && self.branch.is_none() => {
                lacking("to delete a branch name it as `branch`")
            }
            Status | Add | Commit | Push | Pull | Diff | Log | Branch | Checkout | Stash | Show => Ok(()),
        }
    }

    /// The branch or commit that is gone to or shown.
    pub(super) fn target(&self) -> Option<&str> {
        self.commit.as_deref().or(self.branch.as_deref())
    }
}

/// The operation; some models call it by the argument that says what to do with a stash.
fn what(arguments: &Arguments) -> Result<(Operation, Option<GitAct>), Failure> {
    let said = arguments.optional_text("operation")?;
    let act = arguments.optional_text("action")?;
    let found = |word: &str| {
        let word = plain(word.trim().strip_prefix("git ").unwrap_or(word));
        let is = |(_, name, others): &&(Operation, &str, &[&str])| *name == word || others.contains(&word.as_str());
        OPERATIONS.iter().find(is).map(|(operation, ..)| *operation)
    };
    match (said, act) {
        (Some(said), act) => {
            let operation = found(&said).ok_or_else(|| unknown(&format!("`operation` {said:?} is not possible")))?;
            let act = act.map(|act| read_act(operation, &act)).transpose()?;
            Ok((operation, act.flatten()))
        }
        (None, Some(act)) => {
            Ok((found(&act).ok_or_else(|| unknown(&format!("`operation` {act:?} is not possible")))?, None))
        }
        (None, None) => Err(unknown("git_operation needs `operation`")),
    }
}

/// What is to be done with a stash or a branch; with anything else it says the same once more.
fn read_act(operation: Operation, act: &str) -> Result<Option<GitAct>, Failure> {
    let taken: &[GitAct] = match operation {
        Stash => &[GitAct::Push, GitAct::Pop, GitAct::Apply, GitAct::List, GitAct::Show, GitAct::Drop],
        Branch => &[GitAct::List, GitAct::Create, GitAct::Delete],
        Status | Add | Commit | Push | Pull | Diff | Log | Checkout | Show => return Ok(None),
    };
    let word = plain(act);
    let word = if word == "save" { "push" } else { word.as_str() };
    let names = || ACTS.iter().filter(|(act, _)| taken.contains(act));
    let found = names().find(|(_, name)| *name == word);
    let known: Vec<&str> = names().map(|(_, name)| *name).collect();
    let message = || format!("`action` {act:?} is not possible; it is one of {}", known.join(", "));
    found.map(|(act, _)| Some(*act)).ok_or_else(|| Failure::new(FailureKind::InvalidArguments, message()))
}

/// The files that `parameter` names.
pub(super) fn files(arguments: &Arguments, parameter: &str) -> Result<Vec<String>, Failure> {
    let given = arguments.texts(parameter)?.into_iter();
    given.filter(|given| !given.trim().is_empty()).map(|given| operands::file(&given)).collect()
}

fn unknown(what: &str) -> Failure {
    let known: Vec<&str> = OPERATIONS.iter().map(|(_, name, _)| *name).collect();
    let message = format!("{what}; it is one of {}; all else is for run_command", known.join(", "));
    Failure::new(FailureKind::InvalidArguments, message)
}

fn lacking(message: &str) -> Result<(), Failure> {
    Err(Failure::new(FailureKind::InvalidArguments, message))
}

fn not_staged() -> Failure {
    let message = "commit takes what is staged and no files: stage them with operation add, then commit without files";
    Failure::new(FailureKind::InvalidArguments, message)
}

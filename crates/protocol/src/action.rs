//! What a call would do to the world, in the few words that `policy` needs.

use crate::Digest;
use crate::lossy::{self, is_false};
use crate::{Profile, Restoring};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How much is asked before something happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Every write and every command asks first.
    #[default]
    Safe,
    /// As safe mode, but for edits of files inside the project, which happen without a question.
    #[serde(alias = "accept-edits")]
    AcceptEdits,
    /// Nothing is changed: the model only looks, and ends with a plan that the user decides on.
    Plan,
    /// Nothing inside the project waits; what leaves it still asks.
    Unsafe,
}

impl Mode {
    /// What it is called in a sentence: `safe mode`.
    pub fn words(self) -> &'static str {
        match self {
            Mode::Safe => "safe mode",
            Mode::AcceptEdits => "accept-edits mode",
            Mode::Plan => "plan mode",
            Mode::Unsafe => "unsafe mode",
        }
    }
}

/// One effect on the world. Paths are absolute and resolved (links followed).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Action {
    /// Looks at files or folders; changes nothing.
    Read {
        /// What is looked at. A folder stands for everything below it.
        #[serde(serialize_with = "lossy::paths")]
        paths: Vec<PathBuf>,
    },
    Write {
        /// Every file with what it will hold.
        changes: Changes,
    },
    /// Brings files back to how they were, or forth again.
    Restore {
        /// Every file with what must be there and what will be.
        files: Vec<Restoring>,
    },
    Run {
        /// The shell line, exactly as it will be handed to `sh -c`; where there is `argv`, how a shell would be told it.
        command: String,
        /// The program and its arguments, started without a shell. Empty: a shell reads `command`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        argv: Vec<String>,
        /// The folder it runs in.
        #[serde(serialize_with = "lossy::path")]
        cwd: PathBuf,
        /// Seconds after which it is ended.
        timeout_secs: u64,
        /// How far it may reach.
        #[serde(default)]
        profile: Profile,
        /// It goes on while the model does: until it ends, is stopped, or the session is over. Then `timeout_secs` is 0.
        #[serde(default, skip_serializing_if = "is_false")]
        background: bool,
        /// What it reads on its standard input.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<String>,
    },
    /// Gets something from the net.
    Fetch {
        /// The whole address: `https` or `http`, without credentials, its host as it goes over the wire (punycode).
        url: String,
        /// What is sent besides the address: the words of a search. Empty: nothing.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        sends: String,
    },
    /// Calls a tool of somebody else's server.
    Call {
        /// The server, by its name in the user's settings.
        server: String,
        /// The tool, by the server's own name for it.
        tool: String,
        /// Its arguments, exactly as they will be sent: JSON.
        arguments: String,
    },
    /// Touches nothing but the session itself.
    Session { act: SessionAct },
}

impl Action {
    /// What a look looks at; empty for every other action.
    pub fn looked_at(&self) -> &[PathBuf] {
        if let Action::Read { paths } = self { paths } else { &[] }
    }

    /// What a write changes, one entry a file; empty for every other action.
    pub fn changes(&self) -> &[Change] {
        if let Action::Write { changes } = self { &changes.0 } else { &[] }
    }

    /// The files that are brought back; empty for every other action.
    pub fn restored(&self) -> &[Restoring] {
        if let Action::Restore { files } = self { files } else { &[] }
    }

    /// Every path that it looks at, changes or brings back. A command names none: what it touches is not known.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let looked_at = self.looked_at().iter().map(PathBuf::as_path);
        let changed = self.changes().iter().map(|change| change.path.as_path());
        looked_at.chain(changed).chain(self.restored().iter().map(|file| file.path.as_path()))
    }
}

/// What touches nothing but the session itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum SessionAct {
    /// Writes down what there is to do.
    Todo {
        /// The whole list.
        items: Vec<Todo>,
    },
    /// Puts a plan before the user.
    Propose { plan: String },
    /// Gives a task to a second agent, with a conversation of its own; all it does is judged like the first one's.
    Delegate {
        /// Which kind of agent: `explore`.
        agent: String,
        description: String,
        /// What it is told.
        prompt: String,
    },
    Inquire {
        question: String,
        /// Answers to choose from; another may always be given.
        choices: Vec<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// Given by the model, unique in its list.
    pub id: String,
    /// What is to be done.
    pub content: String,
    pub status: TodoStatus,
}

/// How far a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    /// Not begun.
    Pending,
    /// Being done; one at a time.
    InProgress,
    Completed,
}

/// Files with what was there and what will be there. A permit covers exactly this text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Changes(pub Vec<Change>);

/// One file of [`Changes`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The file, links resolved.
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    /// Digest of the bytes that were there when the change was planned; `None`: there was no file.
    pub before: Option<Digest>,
    /// The bytes that will be there, as text; `None`: the file is deleted.
    pub after: Option<String>,
}

//! One question, one answer, for every approval of every kind.

use crate::{Action, AskId, CallId};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A question to the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Its number; the answer carries it back.
    pub id: AskId,
    /// The call that is waiting, if one is.
    pub call: Option<CallId>,
    /// What it is about.
    pub subject: Subject,
    /// What would happen, to be looked at before answering.
    pub preview: Preview,
    /// Why it is asked, in words.
    pub why: String,
    /// What "don't ask again" would mean, spelled out; empty where it is not offered.
    pub offers: Vec<RuleOffer>,
}

/// What a question is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Subject {
    /// May this happen?
    Action {
        /// What would happen.
        action: Action,
    },
    /// The turn has taken many steps; may it take as many again?
    Steps {
        /// So many.
        steps: u32,
    },
    /// The same call came with the same result again and again; go on?
    Repeat {
        /// The tool.
        name: String,
        /// How often.
        times: u32,
    },
    /// The model does not get on by itself; go on?
    Stuck {
        /// In which way.
        how: Stuck,
    },
    /// Started in a folder that is hardly a project; is that meant?
    Folder {
        /// The folder.
        path: PathBuf,
    },
}

/// Ways in which a model gets stuck. It is told once, in words, before the person is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stuck {
    /// Two calls by turns, with the same two results.
    Alternating,
    /// The same few words again and again in one reply.
    Babbling,
    /// Nothing, where something had to be answered.
    Silent,
    /// A plan announced, and no call made.
    Announcing,
    /// Calls that can be read in no way, also when told so and when held to a schema.
    Unreadable,
}

impl Stuck {
    /// What is the matter with the model, for people.
    pub fn words(self) -> &'static str {
        match self {
            Stuck::Alternating => "makes the same two calls by turns, with the same results",
            Stuck::Babbling => "repeats the same words again and again",
            Stuck::Silent => "answers with nothing",
            Stuck::Announcing => "says what it will do, and does not do it",
            Stuck::Unreadable => "writes calls that cannot be read",
        }
    }
}

/// The person's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// Yes.
    Yes {
        /// Don't ask again for what this rule names. Must be one of the question's offers.
        #[serde(default)]
        remember: Option<Rule>,
        /// A word to the model with it.
        #[serde(default)]
        word: Option<String>,
    },
    /// No; the turn goes on and the model is told.
    No {
        /// Advice that goes back to the model.
        #[serde(default)]
        word: Option<String>,
    },
    /// Something else instead: planned, judged and asked again.
    Instead {
        /// What.
        proposal: Proposal,
    },
}

/// What a person puts in place of the model's proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "proposal", rename_all = "snake_case")]
pub enum Proposal {
    /// The whole text the file shall hold.
    Text {
        /// The file, as named in the preview.
        path: PathBuf,
        /// Its text.
        text: String,
    },
    /// The command to run.
    Command {
        /// The shell line.
        command: String,
    },
}

/// Something that need not be asked again in this session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Rule {
    /// Exactly this command in this folder.
    Command {
        /// The shell line, byte for byte.
        command: String,
        /// The folder.
        cwd: PathBuf,
    },
    /// Changes to this file.
    File {
        /// The file, links resolved.
        path: PathBuf,
    },
    /// Looking at this path.
    Look {
        /// The file or folder, links resolved.
        path: PathBuf,
    },
}

/// A rule that can be had with a Yes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleOffer {
    /// The rule.
    pub rule: Rule,
    /// What it means, in words a person reads before choosing it.
    pub words: String,
}

/// What a call is about to do, to look at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    /// In words: `Edit src/main.rs`, `Run cargo test`, `Read src/lib.rs`.
    pub title: String,
    /// The thing itself.
    pub body: PreviewBody,
}

/// The part of a preview that is looked at closely.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PreviewBody {
    /// The title says it all.
    Plain,
    /// Files before and after.
    Diff {
        /// One entry a file.
        files: Vec<FileDiff>,
    },
    /// A command.
    Command {
        /// The shell line.
        command: String,
        /// The folder it runs in.
        cwd: PathBuf,
        /// Seconds after which it is ended.
        timeout_secs: u64,
    },
}

/// One file before and after; any face can draw it its own way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDiff {
    /// The file, links resolved.
    pub path: PathBuf,
    /// As a person would name it: relative to the project where it lies inside.
    pub shown_path: String,
    /// Its text now; `None`: there is no such file yet.
    pub before: Option<String>,
    /// Its text then; `None`: it will be deleted.
    pub after: Option<String>,
    /// Something to know besides: how an edit matched, that line ends are CRLF.
    pub note: Option<String>,
}

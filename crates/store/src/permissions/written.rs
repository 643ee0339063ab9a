//! The form of a file of rules. Nothing unknown may stand in it.

use crate::Folder;
use agent_policy::{RuleVerdict, StandingReach, StandingRule};
use agent_protocol::HostPattern;
use serde::Deserialize;
use std::path::PathBuf;
use toml::Spanned;

/// A file of rules, as it is written.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenRules {
    /// What becomes of commands that are proved to only read.
    #[serde(default)]
    pub read_only: WrittenReadOnly,
    /// The rules, each with where it stands.
    #[serde(default, rename = "rule")]
    pub rules: Vec<Spanned<WrittenRule>>,
    /// What commands may reach, each with where it stands.
    #[serde(default, rename = "reach")]
    pub reaches: Vec<Spanned<WrittenReach>>,
}

/// What becomes of commands that are proved to only read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrittenReadOnly {
    /// They ask like all others.
    #[default]
    Ask,
    /// They run without a question.
    Always,
}

/// One rule, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenRule {
    /// Decoded words that a command begins with.
    pub words: Vec<String>,
    pub verdict: WrittenVerdict,
    /// Commands that it must be about.
    #[serde(default, rename = "match")]
    pub matches: Vec<String>,
    /// Commands that it must not be about.
    #[serde(default)]
    pub not_match: Vec<String>,
    /// The folder of the project it holds in, and how it is known again.
    pub project: Option<PathBuf>,
    /// The number of that folder's device.
    pub device: Option<u64>,
    /// The number of that folder's inode.
    pub inode: Option<u64>,
    /// When that folder was made, in nanoseconds since 1970, where its file system says so.
    pub born: Option<i64>,
    /// Where the program was found.
    pub program: Option<PathBuf>,
    /// The day it was made.
    pub since: Option<String>,
    /// The command it was made for.
    pub example: Option<String>,
}

/// What commands of a project may reach, as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenReach {
    /// Decoded words that a command begins with; none: any command of the project.
    #[serde(default)]
    pub words: Vec<String>,
    /// Which hosts; none: the network as a whole.
    pub hosts: Vec<HostPattern>,
    /// The folder of the project it holds in, and how it is known again.
    pub project: PathBuf,
    /// The number of that folder's device.
    pub device: u64,
    /// The number of that folder's inode.
    pub inode: u64,
    /// When that folder was made, in nanoseconds since 1970, where its file system says so.
    pub born: Option<i64>,
    /// Where the program was found that the words begin with.
    pub program: Option<PathBuf>,
    /// The day it was made.
    pub since: Option<String>,
    /// The command it was made for.
    pub example: Option<String>,
}

/// What follows from a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrittenVerdict {
    /// It runs without a question.
    Allow,
    /// It asks in every mode.
    Ask,
    Deny,
}

impl WrittenRules {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }
}

impl WrittenReach {
    pub fn standing(&self) -> StandingReach {
        StandingReach {
            words: self.words.clone(),
            program: self.program.clone(),
            hosts: self.hosts.clone(),
            since: self.since.clone(),
            example: self.example.clone(),
        }
    }

    /// Does it hold in this very folder?
    pub(crate) fn is_of(&self, folder: &Folder) -> bool {
        self.project.to_string_lossy() == folder.shown()
            && folder.is_known_as(Some(self.device), Some(self.inode), self.born)
    }
}

impl WrittenRule {
    pub fn standing(&self) -> StandingRule {
        StandingRule {
            verdict: match self.verdict {
                WrittenVerdict::Allow => RuleVerdict::Allow,
                WrittenVerdict::Ask => RuleVerdict::Ask,
                WrittenVerdict::Deny => RuleVerdict::Deny,
            },
            words: self.words.clone(),
            program: self.program.clone(),
            since: self.since.clone(),
            example: self.example.clone(),
        }
    }

    /// Does it allow something in this very folder?
    pub(crate) fn is_of(&self, folder: &Folder) -> bool {
        let of = |path: &PathBuf| path.to_string_lossy() == folder.shown();
        self.verdict == WrittenVerdict::Allow
            && self.project.as_ref().is_some_and(of)
            && folder.is_known_as(self.device, self.inode, self.born)
    }
}

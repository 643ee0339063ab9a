//! A command that is judged, and what is kept of how it was read.

use crate::Facts;
use crate::danger;
use crate::shell::{self, Proof};
use agent_protocol::{CommandPart, Host, Profile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A command with what was found out about it.
pub(super) struct JudgedCommand<'a> {
    pub(super) line: &'a str,
    /// Git, started without a shell and with variables of ours: the same text as a line for the shell is another thing.
    pub(super) direct_git: bool,
    pub(super) cwd: &'a Path,
    pub(super) profile: Profile,
    pub(super) reading: shell::CommandReading,
    pub(super) warnings: Vec<String>,
    /// It is given something to read, which its line does not say: a rule about the line is not about that.
    pub(super) fed: bool,
    /// It goes on without a limit of time, and nothing of it can be undone: a yes to a run that ends is not about that.
    pub(super) background: bool,
    pub(super) facts: &'a Facts,
}

impl JudgedCommand<'_> {
    pub(super) fn reads_only(&self) -> bool {
        matches!(self.reading.proof, Proof::ReadsOnly { .. })
    }

    /// Its line says all there is to it: that is what a rule about lines was given for.
    pub(super) fn is_all_said(&self) -> bool {
        !self.fed && !self.background
    }

    /// It commits, or calls git by a word that may stand for a commit.
    pub(super) fn may_commit(&self) -> bool {
        danger::commits(self.line) || danger::calls_strange_git(self.line)
    }
}

/// A command line as it was read when it was judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invocation {
    pub(super) line: String,
    pub(super) cwd: PathBuf,
    pub(super) parts: Vec<CommandPart>,
    pub(super) programs: BTreeMap<String, PathBuf>,
    /// It is given something to read, which its line does not say.
    pub(super) fed: bool,
    /// Hosts that the yes to it named.
    pub(super) hosts: Vec<Host>,
}

impl Invocation {
    pub(super) fn of(command: &JudgedCommand<'_>) -> Self {
        let parts = command.reading.parts.clone();
        let names = parts.iter().filter_map(|part| part.words.first());
        let found = names.filter_map(|name| Some((name.clone(), command.facts.program(name)?.to_owned())));
        Invocation {
            line: command.line.to_owned(),
            cwd: command.cwd.to_owned(),
            programs: found.collect(),
            parts,
            fed: command.fed,
            hosts: Vec::new(),
        }
    }

    /// The same with the hosts that the yes to it names.
    pub(super) fn with(self, hosts: Vec<Host>) -> Self {
        Invocation { hosts, ..self }
    }

    /// A line of which nothing but its text is known.
    pub fn unread(line: &str) -> Self {
        Invocation { line: line.to_owned(), ..Invocation::default() }
    }

    /// The line.
    pub fn line(&self) -> &str {
        &self.line
    }

    /// What it may reach now beside what it could: the answer to a question while it runs.
    pub fn let_reach(&mut self, hosts: Vec<Host>) {
        self.hosts.extend(hosts);
    }

    /// What has to be allowed for it to be: all but what is proved to only read.
    pub(super) fn wanting(&self) -> impl Iterator<Item = &CommandPart> {
        self.parts.iter().filter(|part| part.why_not.is_some())
    }
}

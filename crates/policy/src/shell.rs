//! Reads a command strictly: which programs it starts with which words, and whether that is proved to only read.
//!
//! Knows the plain part of the shell language and nothing else. What it cannot read it does not guess at.
//!
//! **Invariant.** What is proved is the line that comes with the proof, written anew from the words that were read; the
//! text those were read from is not run.

mod canon;
mod claims;
mod ends;
mod lexer;
mod paths;
mod pathspec;
mod readers;
mod terminal;
mod unfinished;
mod walk;
mod words;

use crate::{Facts, Query};
use agent_protocol::CommandPart;
pub use canon::spelled;
use claims::Claim;
pub use ends::{Watched, watched};
use lexer::LexFault;
pub use readers::STILL_GIT;
use std::collections::HashSet;
use std::path::Path;
pub use terminal::needs_terminal;
use walk::WalkStep;

/// What runs without a sandbox as well: programs too simple for a mistake about them to do harm.
const CORE: &[&str] = &["ls", "cat", "head", "tail", "wc", "pwd", "echo", "stat", "file"];

/// What is to be known of the places around a command. Paths are absolute and resolved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'a> {
    /// The project folder.
    pub(crate) root: &'a Path,
    /// Where the command starts.
    pub(crate) cwd: &'a Path,
    /// May git be run unasked here?
    pub(crate) trusted: bool,
    pub(crate) home: Option<&'a Path>,
    /// Is there a sandbox that keeps a wrong proof from doing harm? Without one only the simplest programs are proved.
    pub(crate) sandboxed: bool,
}

/// What came of reading a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandReading {
    /// One entry a program; empty where the command is not of the plain part of the language.
    pub(crate) parts: Vec<CommandPart>,
    /// What the whole is.
    pub(crate) proof: Proof,
}

/// Is it proved that a command only reads?
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Proof {
    /// It is, when it is run as this `line` with these variables.
    ReadsOnly { line: String, env: Vec<(String, String)> },
    /// It is not, and this is why, in words that follow "it is not proved to only read: ".
    No(String),
    /// It is no command: something is missing at its end. In words for the model.
    Incomplete(String),
}

/// The variables of a git that is started without a shell in `cwd` and `reaches` a server or not.
///
/// # Errors
/// It is not known what would have to be overruled; why, for the model.
pub(crate) fn git_environment(cwd: &Path, reaches: bool, facts: &Facts) -> Result<Vec<(String, String)>, String> {
    let unknown = |why: &str| format!("it is not known what git would run here: {why}; use run_command for it");
    let git = facts
        .git(cwd)
        .ok_or_else(|| unknown("git did not answer in time and in few words, or there is no sandbox to ask it in"))?;
    match git.findings.iter().find(|finding| readers::hides_others(finding)) {
        Some(finding) => Err(unknown(finding)),
        None => Ok(readers::at_work(&git.findings, reaches)),
    }
}

/// Is `name` a program of the table, whatever it is given? Git is not: most of it changes things.
pub(crate) fn is_reader(name: &str) -> bool {
    readers::is_reader(name)
}

/// What must be known of the world before `command`, started in `cwd`, can be read.
pub(crate) fn queries(command: &str, cwd: &Path) -> Vec<Query> {
    let Ok(script) = lexer::lex(command) else { return Vec::new() };
    let mut seen = HashSet::new();
    let mut queries = Vec::new();
    for step in walk::walk(&script, cwd) {
        let program = step.program.iter().filter(|program| !walk::BUILTIN.contains(&program.name.as_str()));
        let program = program.map(|program| Query::Program(program.name.clone()));
        let asked = program.chain(step.claims.iter().flat_map(Claim::queries));
        queries.extend(asked.filter(|query| seen.insert(query.clone())));
    }
    queries
}

/// Reads `command`.
pub(crate) fn read(command: &str, site: &Site<'_>, facts: &Facts) -> CommandReading {
    let script = match lexer::lex(command) {
        Ok(script) => script,
        Err(LexFault::NotPlain(why)) => return CommandReading { parts: Vec::new(), proof: Proof::No(why) },
        Err(LexFault::Incomplete(why)) => return CommandReading { parts: Vec::new(), proof: Proof::Incomplete(why) },
    };
    let steps = walk::walk(&script, site.cwd);
    let mut astray = false;
    let mut parts = Vec::new();
    for step in &steps {
        let proved =
            if astray { Err("it runs after a `cd` that is not proved".into()) } else { prove(step, site, facts) };
        astray |= proved.is_err() && step.program.as_ref().is_ok_and(|program| program.name == "cd");
        let words = step.simple.words.iter().map(|word| word.text.clone()).collect();
        parts.push(CommandPart { words, why_not: proved.err() });
    }
    let proof = match parts.iter().find(|part| part.why_not.is_some()) {
        Some(part) => Proof::No(why_not(part, parts.len())),
        None => Proof::ReadsOnly { line: canon::line(&steps, facts), env: environment(&steps, facts) },
    };
    CommandReading { parts, proof }
}

/// Is it so that this one only reads? If not, why.
fn prove(step: &WalkStep<'_>, site: &Site<'_>, facts: &Facts) -> Result<(), String> {
    let program = step.program.as_ref().map_err(Clone::clone)?;
    if let Err(why) = &step.uses {
        return Err(why.clone());
    }
    if !site.sandboxed && !CORE.contains(&program.name.as_str()) {
        return Err(format!("`{}` is not run unasked without a sandbox", program.name));
    }
    if !site.cwd.starts_with(site.root) {
        return Err("it starts outside the project".into());
    }
    let found = program.spelled.as_deref().or_else(|| facts.program(&program.name));
    if found.is_some_and(|found| found.starts_with(site.root)) {
        return Err(format!("`{}` is found inside the project", program.name));
    }
    step.claims.iter().try_for_each(|claim| claim.check(site, facts))
}

fn why_not(part: &CommandPart, parts: usize) -> String {
    let why = part.why_not.as_deref().unwrap_or_default();
    match part.words.first() {
        Some(name) if parts > 1 && !why.contains(&format!("`{name}")) => format!("`{name}`: {why}"),
        Some(_) | None => why.into(),
    }
}

/// What is set for it, so that git obeys nothing.
fn environment(steps: &[WalkStep<'_>], facts: &Facts) -> Vec<(String, String)> {
    let folders: Vec<&Path> = steps.iter().flat_map(|step| &step.claims).filter_map(Claim::git_folder).collect();
    let git = steps.iter().filter_map(|step| step.program.as_ref().ok()).any(|program| program.name == "git");
    if !git {
        return Vec::new();
    }
    let mut keys: Vec<String> = Vec::new();
    for key in folders.iter().filter_map(|folder| facts.git(folder)).flat_map(|git| &git.keys) {
        if !keys.contains(key) {
            keys.push(key.clone());
        }
    }
    readers::environment(&keys)
}

#[cfg(test)]
mod tests;

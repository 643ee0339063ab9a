//! What a command starts, as far as its words tell: so that it can be looked at again before it does.
//!
//! Does not look at files: which of them are scripts is found out by who can.

use super::ground::lead;
use super::known::{SHELLS, name, unversioned};
use super::script::{ScriptPart, ScriptWord};
use super::walk;
use crate::danger::Places;
use crate::shell::is_reader;
use std::path::{Path, PathBuf};

/// So many things are told of at most.
const MOST: usize = 64;

/// Programs that run the file they are given.
const INTERPRETERS: &[&str] = &[
    "python", "pypy", "node", "nodejs", "deno", "bun", "perl", "ruby", "php", "lua", "Rscript", "pwsh", "tsx",
    "ts-node",
];

/// Something that a command starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Started {
    /// A program that is looked for by its name.
    Program(String),
    /// A program or script at this path, which is absolute and not resolved.
    File(PathBuf),
    /// What is at this path, if it can be run or is a script.
    Maybe(PathBuf),
}

/// What `command` starts in `cwd`, each thing once.
pub fn started(command: &str, cwd: &Path, home: Option<&Path>) -> Vec<Started> {
    let open = super::WritablePlaces::default();
    let places = Places { root: cwd, cwd, home, own: &[], guarded: &[], open, facts: None };
    let mut all: Vec<Started> = Vec::new();
    walk(command, &places, |part, folder| {
        for one in by_part(part, folder) {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        (all.len() >= MOST).then_some(())
    });
    all.truncate(MOST);
    all
}

fn by_part(part: &ScriptPart, folder: Option<&Path>) -> Vec<Started> {
    let Some((program, words)) = part.words.split_first() else { return Vec::new() };
    let mut started = Vec::new();
    let path = |word: &ScriptWord| lead(word, folder).filter(|_| word.pattern.is_none());
    if program.text.contains('/') {
        started.extend(path(program).map(Started::File));
    } else if !program.unknown && program.pattern.is_none() {
        started.push(Started::Program(program.text.clone()));
    }
    let program = name(program);
    if is_reader(program) {
        return started;
    }
    let first = words.iter().position(|word| !word.text.starts_with('-'));
    let script = first
        .filter(|at| runs_a_file(program) && !words[..*at].last().is_some_and(|flag| is_before_code(program, flag)));
    for (at, word) in words.iter().enumerate() {
        if Some(at) == script {
            started.extend(path(word).map(Started::File));
        } else if let Some((_, value)) = word.text.split_once('=') {
            let value = ScriptWord { text: value.into(), ..word.clone() };
            started.extend(path(&value).map(Started::Maybe));
        } else if !word.text.starts_with('-') {
            started.extend(path(word).map(Started::Maybe));
        }
    }
    started
}

/// Is the word after this flag code, or a module, instead of a file: `sh -ec`, `perl -pe`, `python -m`?
fn is_before_code(program: &str, flag: &ScriptWord) -> bool {
    let text = flag.text.as_str();
    if SHELLS.contains(&unversioned(program)) {
        return !text.starts_with("--") && text.contains('c');
    }
    matches!(text, "--eval" | "--print") || !text.starts_with("--") && text.ends_with(['c', 'e', 'E', 'p', 'r', 'm'])
}

fn runs_a_file(program: &str) -> bool {
    let bare = unversioned(program);
    SHELLS.contains(&bare) || INTERPRETERS.contains(&bare) || matches!(program, "." | "source")
}

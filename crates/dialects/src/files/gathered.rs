//! The calls of a reply, until it is over: only then is it known which text of a file counts.

use super::defines::definitions;
use super::judge::Change;
use crate::piece::{Fault, Found, Lost, Piece, Repair};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// What these calls are read as.
pub(super) const DIALECT: &str = agent_protocol::FILE_BLOCKS;

/// What was read so far.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    entries: Vec<Entry>,
    paths: HashSet<String>,
}

#[derive(Debug)]
enum Entry {
    Change { change: Change, raw: String, repairs: Vec<Repair> },
    Lost { why: Fault, raw: String },
}

impl Gathered {
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The paths that are written to so far.
    pub(super) fn paths(&self) -> &HashSet<String> {
        &self.paths
    }

    pub(super) fn add(&mut self, changes: Vec<Change>, raw: &str, repairs: &[Repair]) {
        for change in changes {
            self.paths.insert(change.path().to_owned());
            self.entries.push(Entry::Change { change, raw: raw.to_owned(), repairs: repairs.to_vec() });
        }
    }

    pub(super) fn lose(&mut self, why: Fault, raw: String) {
        self.entries.push(Entry::Lost { why, raw });
    }

    /// The calls, in order. Of several texts for one file the last one counts, unless they are different parts of it.
    pub(super) fn pieces(&mut self) -> Vec<Piece> {
        let entries = std::mem::take(&mut self.entries);
        let replaced = replaced(&entries);
        let left = entries.into_iter().enumerate().filter(|(at, _)| !replaced.contains(at));
        left.map(|(_, entry)| piece(entry)).collect()
    }
}

/// Which of `entries` a later one replaces.
fn replaced(entries: &[Entry]) -> HashSet<usize> {
    let mut later: HashMap<&str, Vec<HashSet<String>>> = HashMap::new();
    let mut replaced = HashSet::new();
    for (at, entry) in entries.iter().enumerate().rev() {
        let Entry::Change { change: Change::Write { path, content }, .. } = entry else { continue };
        let defined: HashSet<String> = definitions(content).into_iter().collect();
        let later = later.entry(path).or_default();
        if later.iter().rev().take(MOST_LATER).any(|later| is_replaced(&defined, later)) {
            replaced.insert(at);
        }
        later.push(defined);
    }
    replaced
}

/// So many of the texts that follow for the same file are compared, so that time stays linear.
const MOST_LATER: usize = 32;

/// Does a text that defines `later` replace one that defines `earlier`?
fn is_replaced(earlier: &HashSet<String>, later: &HashSet<String>) -> bool {
    let is_part = later.len() < earlier.len() && later.is_subset(earlier);
    !is_part && (!earlier.is_disjoint(later) || earlier.is_empty())
}

fn piece(entry: Entry) -> Piece {
    match entry {
        Entry::Change { change, raw, repairs } => match change {
            Change::Write { path, content } => {
                let arguments =
                    [("path", Value::from(path)), ("content", Value::from(content)), ("fill", Value::from(true))];
                call("write_file", arguments, raw, repairs)
            }
            Change::Edit { path, old, new } => {
                let arguments =
                    [("path", Value::from(path)), ("old_string", Value::from(old)), ("new_string", Value::from(new))];
                call("edit_file", arguments, raw, repairs)
            }
        },
        Entry::Lost { why, raw } => {
            Piece::Lost(Lost { why, name: Some("write_file".to_owned()), dialect: DIALECT, raw })
        }
    }
}

/// A call with its arguments.
pub(super) fn call<const N: usize>(
    name: &str,
    arguments: [(&str, Value); N],
    raw: String,
    repairs: Vec<Repair>,
) -> Piece {
    let arguments: Map<String, Value> = arguments.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Piece::Call(Found { name: name.to_owned(), arguments, dialect: DIALECT, raw, repairs })
}

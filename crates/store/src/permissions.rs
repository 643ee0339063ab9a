//! The user's rules for good, in a file of theirs that they may edit as well.
//!
//! Knows the form of the file; what a rule means, and which layer may say what, is for others to know.

mod rewrite;
mod written;

pub use written::{WrittenReach, WrittenReadOnly, WrittenRule, WrittenRules, WrittenVerdict};

use crate::place::{guard, guard_file, make_folder, replace};
use crate::{Folder, StoreError};
use agent_policy::Kept;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

const WHAT: &str = "your rules";

/// The rules of one project in the user's file.
#[derive(Debug, Clone)]
pub struct Permissions {
    file: PathBuf,
    project: Folder,
}

impl Permissions {
    /// Those of `project` in `file`, which need not be there yet.
    pub fn new(file: impl Into<PathBuf>, project: Folder) -> Self {
        Permissions { file: file.into(), project }
    }

    /// What the `rules` of the file say for this project.
    pub fn kept(&self, rules: &WrittenRules) -> Kept {
        let ours = rules.rules.iter().map(|rule| rule.get_ref()).filter(|rule| rule.is_of(&self.project));
        let reaches = rules.reaches.iter().map(|reach| reach.get_ref()).filter(|reach| reach.is_of(&self.project));
        Kept {
            rules: ours.map(WrittenRule::standing).collect(),
            reaches: reaches.map(WrittenReach::standing).collect(),
            read_only: rules.read_only == WrittenReadOnly::Always,
        }
    }

    /// Writes `kept` in place of what the file holds for this project; all else in it stays as it is.
    ///
    /// # Errors
    /// When the file cannot be read or written, or when others could have written it: to save it then would make
    /// what they wrote the user's own.
    pub fn save(&self, kept: &Kept) -> Result<(), StoreError> {
        // A link is kept, and what it leads to is written.
        let file = fs::canonicalize(&self.file).unwrap_or_else(|_| self.file.clone());
        let write = |source| StoreError::Write { what: WHAT, path: file.clone(), source };
        let folder = file.parent().ok_or_else(|| write(io::ErrorKind::NotFound.into()))?;
        make_folder(folder).map_err(write)?;
        guard(folder)?;
        guard_file(&file)?;
        // Two sessions that save at once would each lose what the other wrote.
        let lock = File::open(folder).map_err(write)?;
        lock.lock().map_err(write)?;
        let text = text_of(&file).map_err(write)?;
        let rewritten = rewrite::rewrite(&text, &self.project, kept)
            .map_err(|why| StoreError::Unreadable { path: file.clone(), why })?;
        if rewritten == text { Ok(()) } else { replace(&file, &rewritten).map_err(write) }
    }
}

fn text_of(file: &Path) -> io::Result<String> {
    match fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

#[cfg(test)]
mod tests;

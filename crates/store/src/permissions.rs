//! The user's rules for good, in a file of theirs that they may edit as well.
//!
//! Knows the form of the file; what a rule means, and which layer may say what, is for others to know.

mod rewrite;
mod written;

pub use written::{WrittenReach, WrittenReadOnly, WrittenRule, WrittenRules, WrittenVerdict};

use crate::{Folder, StoreError, user_file};
use agent_policy::Kept;
use std::path::PathBuf;

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
        user_file::change(&self.file, WHAT, |text, path| {
            let unreadable = |why| StoreError::Unreadable { path: path.to_owned(), why };
            rewrite::rewrite(text, &self.project, kept).map_err(unreadable)
        })
    }
}

#[cfg(test)]
mod tests;

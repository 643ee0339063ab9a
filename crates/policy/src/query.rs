//! Questions of fact: what `judge` wants to know of the world, asked here and answered by `tools`.

use agent_protocol::Action;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// One question of fact.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Query {
    /// What kind of thing is at this path?
    Kind(PathBuf),
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// Nothing.
    Missing,
    /// A regular file with so many names (hard links).
    File {
        /// At least 1.
        names: u64,
    },
    /// A folder.
    Folder,
    /// A pipe, socket or device: opening it may hang or do something.
    Special,
}

/// The answers. What was not asked is not known, and what is not known is taken for the worst.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    kinds: HashMap<PathBuf, PathKind>,
}

impl Facts {
    /// Writes down that `path` is of `kind`.
    pub fn set_kind(&mut self, path: PathBuf, kind: PathKind) {
        self.kinds.insert(path, kind);
    }

    /// What is at `path`, if it was asked.
    pub fn kind(&self, path: &Path) -> Option<PathKind> {
        self.kinds.get(path).copied()
    }
}

/// What must be known before `action` can be judged.
pub fn queries(action: &Action) -> Vec<Query> {
    match action {
        Action::Read { paths } => paths.iter().cloned().map(Query::Kind).collect(),
        Action::Write { changes } => changes.0.iter().map(|change| Query::Kind(change.path.clone())).collect(),
        Action::Run { cwd, .. } => vec![Query::Kind(cwd.clone())],
    }
}

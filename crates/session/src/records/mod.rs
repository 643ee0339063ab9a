//! What is kept of a session: what was said, what was changed and can be undone, what is written down, and how that comes
//! back.

pub mod export;
pub(crate) mod recorder;
pub(crate) mod resume;
pub(crate) mod said;
pub(crate) mod undo;

use crate::context::KnownWork;
use crate::records::said::Sayings;
use crate::records::undo::UndoLog;
use agent_protocol::{DiffBase, FileChange, FileState, UndoPlan};
use std::path::PathBuf;

/// The records of the session that is open.
#[derive(Debug, Default)]
pub(crate) struct Records {
    pub(crate) sayings: Sayings,
    pub(crate) log: UndoLog,
    /// What the user saw last of what an undo would change.
    pub(crate) undo_plan: Option<UndoPlan>,
    /// What the last commit held of the files that this session changed, when the user saw that last.
    pub(crate) committed: Vec<(PathBuf, FileState)>,
    /// What the part is held against that was planned last.
    pub(crate) base: DiffBase,
    /// This session was there before.
    pub(crate) resumed: bool,
    /// A command ran in an earlier turn.
    pub(crate) ran_before: bool,
    /// The last command and what the model was told of it.
    pub(crate) last_command: Option<(String, String)>,
}

impl Records {
    /// What the program knows of the work, whatever the model says of it.
    pub(crate) fn known_work(&self) -> KnownWork {
        KnownWork { changed: self.log.changed_lines(), last_command: self.last_command.clone() }
    }

    /// These files were changed for what was said last.
    pub(crate) fn changed(&mut self, changes: &[FileChange]) {
        let said = self.sayings.current();
        self.log.changed(said, self.sayings.text(said).unwrap_or_default(), changes);
    }
}

//! May these files be brought back to how they were?

use super::{Asking, Policy, Ruling};
use agent_protocol::Restoring;

impl Policy {
    /// Never without the user, in any mode and by no rule: they have seen what it changes, and chosen it.
    pub(super) fn judge_restore(&self, files: &[Restoring]) -> Ruling {
        if let Some(file) = files.iter().find(|file| self.own(&file.path) && !self.is_memory_file(&file.path)) {
            return Ruling::Deny(format!("{} is this program's own; it is not changed this way", file.path.display()));
        }
        Ruling::Ask(Asking::because("only you take changes back"))
    }
}

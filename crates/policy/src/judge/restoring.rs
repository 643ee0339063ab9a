//! May these files be brought back to how they were?

use super::{Held, Policy, Verdict};
use agent_protocol::Action;

impl Policy {
    /// Never without the person, in any mode and by no rule: they have seen what it changes, and chosen it.
    pub(super) fn judge_restore(&self, action: Action) -> Verdict {
        let Action::Restore { files } = &action else { unreachable!("only what is brought back is judged here") };
        if let Some(file) = files.iter().find(|file| self.own(&file.path) && !self.is_memory_file(&file.path)) {
            return Verdict::Deny(format!("{} is this program's own; it is not changed this way", file.path.display()));
        }
        Verdict::Ask(Held::new(action, "only you take changes back"))
    }
}

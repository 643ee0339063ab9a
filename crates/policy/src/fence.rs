//! What a command may use up. How it is held there is `sandbox`'s work.

use agent_protocol::Action;
use std::time::Duration;

/// The longest any command may run, whatever it asked for.
const LONGEST: Duration = Duration::from_secs(600);

/// The limits within which an action is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fence {
    time: Duration,
}

impl Fence {
    /// The limits for `action`.
    pub(crate) fn around(action: &Action) -> Self {
        let time = match action {
            Action::Run { timeout_secs, .. } => {
                Duration::from_secs(*timeout_secs).clamp(Duration::from_secs(1), LONGEST)
            }
            Action::Read { .. } | Action::Write { .. } => LONGEST,
        };
        Fence { time }
    }

    /// After this long a command is ended with all it started.
    pub fn time(&self) -> Duration {
        self.time
    }
}

//! A yes to what was not all on the screen is asked for twice: the same key again, at the same question, with nothing else
//! written in between.

use super::Approval;
use agent_protocol::sanitize::figures::counted;
use std::time::Duration;

/// A second yes so soon after the first is the same press.
const SAME_PRESS: Duration = Duration::from_millis(300);

/// At which key the user was told that there is more than they have seen, and when.
#[derive(Debug, Default)]
pub(super) struct ToldOfMore(Option<(char, Duration)>);

impl ToldOfMore {
    pub(super) fn forget(&mut self) {
        self.0 = None;
    }

    /// Is this the second press of the key? The first press of another one begins anew.
    fn again(&mut self, key: char, now: Duration) -> bool {
        match self.0 {
            Some((told, at)) if told == key => now >= at + SAME_PRESS,
            Some(_) | None => {
                self.0 = Some((key, now));
                false
            }
        }
    }
}

impl Approval {
    /// Was everything on the screen that a yes is said to? If not, the user is told so, once: the next press of the same
    /// key counts.
    pub(super) fn was_read(&mut self, key: char, now: Duration) -> bool {
        let (unread, keys) = (self.scroll.unread(), self.scroll.to_unread());
        if unread == 0 || self.told_of_more.again(key, now) {
            return true;
        }
        self.hint = Some(format!("{}: {keys} to read, {key} again to approve all the same", not_shown(unread)).into());
        false
    }
}

/// That so many lines were never on the screen.
pub(super) fn not_shown(lines: usize) -> String {
    format!("{} not shown", counted(lines, "line"))
}

//! When a dialog that came unbidden may hear keys: not before the user can have seen it.

use std::time::Duration;

/// Keys in this time after the dialog became visible mean something else.
const UNSEEN: Duration = Duration::from_millis(500);
/// Someone in the middle of a word needs a pause as long before the next key is an answer.
const STILL_TYPING: Duration = Duration::from_millis(500);
/// A key held down, or hammered, is not an answer either.
const STILL_HELD: Duration = Duration::from_millis(200);

/// The lock of one dialog. Locked until it has been drawn.
#[derive(Debug, Default)]
pub(crate) struct Lock {
    shown: Option<Duration>,
    last_key: Option<Duration>,
    open: bool,
    pub(crate) typing: bool,
}

impl Lock {
    /// The dialog has been drawn; the user was `typing` a message when it came, or not.
    pub(crate) fn shown(&mut self, now: Duration, typing: bool) {
        if self.shown.is_none() {
            (self.shown, self.typing) = (Some(now), typing);
        }
    }

    /// The user was away: what they see now they see for the first time.
    pub(crate) fn again(&mut self) {
        *self = Lock::default();
    }

    /// Does a key count that is pressed now?
    pub(crate) fn hears(&mut self, now: Duration) -> bool {
        if self.open {
            return true;
        }
        let quiet = if self.typing { STILL_TYPING } else { STILL_HELD };
        let seen = self.shown.is_some_and(|shown| now >= shown + UNSEEN);
        let quiet = self.last_key.is_none_or(|last| now >= last + quiet);
        self.last_key = Some(now);
        self.open = seen && quiet;
        self.open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn nothing_is_heard_before_it_is_drawn_and_in_the_first_half_second() {
        let mut lock = Lock::default();
        assert!(!lock.hears(at(5_000)));
        lock.shown(at(6_000), false);
        assert!(!lock.hears(at(6_100)));
        assert!(lock.hears(at(6_500)));
    }

    #[test]
    fn a_key_held_down_never_answers() {
        let mut lock = Lock::default();
        lock.shown(at(0), false);
        assert!((0..100).all(|press| !lock.hears(at(press * 30))));
        assert!(lock.hears(at(3_300)));
    }

    #[test]
    fn someone_typing_has_to_pause_first() {
        let mut lock = Lock::default();
        lock.shown(at(0), true);
        assert!((0..10).all(|press| !lock.hears(at(press * 250))));
        assert!(lock.hears(at(2_800)));
    }

    #[test]
    fn coming_back_begins_anew() {
        let mut lock = Lock::default();
        lock.shown(at(0), false);
        assert!(lock.hears(at(600)));
        lock.again();
        lock.shown(at(1_000), false);
        assert!(!lock.hears(at(1_100)));
    }
}

//! What we and a supervisor tell each other, as bytes in two pipes.
//!
//! **Invariant.** Nothing here allocates: the supervisor uses it too.

#![expect(unsafe_code, reason = "only bare system calls are left to a supervisor")]

use super::raw::{call, number};
use std::os::fd::RawFd;

/// What we tell it: the time is up.
pub(super) const TIME_IS_UP: u8 = b't';
/// What we tell it: nobody waits any more.
pub(super) const NOBODY_WAITS: u8 = b'n';
/// What we tell it: all have to stand still.
pub(super) const STAND_STILL: u8 = b's';
/// What we tell it: all go on.
pub(super) const GO_ON: u8 = b'g';

/// What it tells us, as bytes in a pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// The leader has this id.
    Leader(i32),
    /// It could not be started: at which step, and the system's number for why.
    Failed(u8, i32),
    /// All is over. The leader's status as `wait` gives it, and what else there is to say.
    Over(i32, Rest),
}

/// What else there is to say at the end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Rest {
    /// The leader ended only after it was asked to.
    pub(super) asked: bool,
    /// Others were still there, and were ended.
    pub(super) remained: bool,
    /// Others are still there.
    pub(super) escaped: bool,
}

/// Bytes of a [`Word`].
pub(super) const WORD: usize = 6;

impl Word {
    pub(super) fn bytes(self) -> [u8; WORD] {
        let (kind, detail, number) = match self {
            Word::Leader(id) => (b'l', 0, id),
            Word::Failed(step, error) => (b'f', step, error),
            Word::Over(status, rest) => {
                (b'o', u8::from(rest.asked) | u8::from(rest.remained) << 1 | u8::from(rest.escaped) << 2, status)
            }
        };
        let [a, b, c, d] = number.to_le_bytes();
        [kind, detail, a, b, c, d]
    }

    pub(super) fn read(bytes: [u8; WORD]) -> Option<Self> {
        let [kind, detail, number @ ..] = bytes;
        let number = i32::from_le_bytes(number);
        let has = |bit: u8| detail & bit != 0;
        match kind {
            b'l' => Some(Word::Leader(number)),
            b'f' => Some(Word::Failed(detail, number)),
            b'o' => Some(Word::Over(number, Rest { asked: has(1), remained: has(2), escaped: has(4) })),
            _ => None,
        }
    }

    /// Writes it; a pipe that nobody reads is no misfortune.
    pub(super) fn send(self, pipe: RawFd) {
        let bytes = self.bytes();
        // SAFETY: the bytes live through the call.
        unsafe { call(libc::SYS_write, [number(pipe), bytes.as_ptr() as usize, bytes.len(), 0, 0]) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_through_the_pipe_unchanged() {
        let rests = [(false, false, false), (true, false, true), (false, true, false)]
            .map(|(asked, remained, escaped)| Rest { asked, remained, escaped });
        let words = rests.map(|rest| Word::Over(-7, rest)).into_iter().chain([Word::Leader(77), Word::Failed(2, 38)]);
        for word in words {
            assert_eq!(Word::read(word.bytes()), Some(word));
        }
    }
}

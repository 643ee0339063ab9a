//! When what is held is read again.
//!
//! Reading costs what is held, so it is done where something has come that may end it, or where as much again has come
//! or more. The first is paid for by the bytes that arrive. So no input takes more than linear time. As every reading is
//! prefix-monotone, when it is done changes nothing but how soon it is known.

use super::Splitter;
use crate::args::closer;

/// A byte that arrives pays for so many bytes read again.
const PAY: usize = 2;

/// Paid in advance: blocks up to some hundred bytes are read again at every chance.
pub(super) const ADVANCE: usize = 1 << 16;

/// Up to this size what is held is read whenever something comes.
const SMALL: usize = 16;

/// Up to this size it is read more seldom where it is known what ends it: most calls are complete by then.
const MEDIUM: usize = 512;

/// Longer than any closing mark.
const LONGEST_MARK: usize = 64;

/// What has to come before what is held is read again.
#[derive(Debug)]
pub(super) struct Wait {
    /// How much was held when it was read.
    read: usize,
    /// What may end it; empty: any closing character.
    marks: &'static [&'static str],
    is_here: bool,
}

impl Splitter {
    /// Nothing more can be said before more has come.
    pub(super) fn wait(&mut self) {
        let marks = std::mem::take(&mut self.ends_by);
        self.wait = Some(Wait { read: self.held.len(), marks, is_here: false });
    }

    /// `new` bytes have come: are they worth reading?
    pub(super) fn is_due(&mut self, new: usize) -> bool {
        self.credit = self.credit.saturating_add(new * PAY);
        let Some(wait) = &mut self.wait else { return true };
        let cost = self.held.len();
        // Where it is known what ends it, only what turns out to be no call, or a call without its end, is found by size.
        let growth = if wait.marks.is_empty() || cost > MEDIUM { 2 } else { 4 };
        if cost <= SMALL || cost >= growth * wait.read {
            return true;
        }
        wait.is_here = wait.is_here || wait.ends_in(&self.held, new);
        if !wait.is_here || self.credit < cost {
            return false;
        }
        self.credit -= cost;
        true
    }
}

impl Wait {
    fn ends_in(&self, held: &str, new: usize) -> bool {
        let old = held.len() - new;
        if self.marks.is_empty() {
            let closing = |byte: &u8| matches!(byte, b'>' | b'}' | b']' | b')' | b'\n' | b'`');
            return held.as_bytes()[old..].iter().any(closing);
        }
        let from = held.floor_char_boundary(old.saturating_sub(LONGEST_MARK));
        closer(&held[from..], self.marks).is_some_and(|(at, len)| from + at + len > old)
    }
}

//! Passes live output on: gathered into pieces that a screen can follow, at most twenty a second and each of bounded size,
//! or whole and at once, for whoever keeps it.
//!
//! What is skipped here is skipped only on the screen, and said.

use std::time::Duration;
use tokio::time::Instant;

/// The least time between two pieces.
const PAUSE: Duration = Duration::from_millis(50);
/// The most bytes of one piece: the newest.
const PIECE: usize = 16 * 1024;

/// How output is passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// As a screen can follow.
    Screen,
    /// All of it, as it comes.
    Whole,
}

/// Where pieces gather and leave.
pub(crate) struct Live<F> {
    sink: F,
    pace: Pace,
    pending: Vec<u8>,
    skipped: usize,
    next: Instant,
}

impl<F: FnMut(String)> Live<F> {
    pub(crate) fn new(pace: Pace, sink: F) -> Self {
        Live { sink, pace, pending: Vec::new(), skipped: 0, next: Instant::now() }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        if self.pace == Pace::Whole {
            return self.flush();
        }
        let excess = self.pending.len().saturating_sub(PIECE);
        self.skipped += excess;
        self.pending.drain(..excess);
    }

    /// When the next piece should leave; `None` while there is nothing to say.
    pub(crate) fn due(&self) -> Option<Instant> {
        (self.pace == Pace::Screen && !self.pending.is_empty()).then_some(self.next)
    }

    /// Lets go what is complete; the beginning of a character waits for its rest.
    pub(crate) fn flush(&mut self) {
        self.next = Instant::now() + PAUSE;
        let held_back = unfinished(&self.pending);
        let rest = self.pending.split_off(self.pending.len() - held_back);
        let piece = std::mem::replace(&mut self.pending, rest);
        self.send(&piece);
    }

    pub(crate) fn finish(&mut self) {
        let piece = std::mem::take(&mut self.pending);
        self.send(&piece);
    }

    fn send(&mut self, piece: &[u8]) {
        if piece.is_empty() {
            return;
        }
        let text = String::from_utf8_lossy(piece);
        match std::mem::take(&mut self.skipped) {
            0 => (self.sink)(text.into_owned()),
            skipped => (self.sink)(format!("\n[… {skipped} bytes came too fast to be shown]\n{text}")),
        }
    }
}

/// Bytes at the end that begin a character without completing it: 0 to 3.
fn unfinished(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let byte = bytes[bytes.len() - back];
        let needs = match byte {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            0x80..=0xBF => continue,
            _ => return 0,
        };
        return if needs > back { back } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn a_character_cut_in_two_leaves_in_one_piece() {
        let pieces = RefCell::new(Vec::new());
        let mut live = Live::new(Pace::Screen, |text| pieces.borrow_mut().push(text));
        for byte in "aé→🦀".as_bytes() {
            live.push(&[*byte]);
            live.flush();
        }
        live.finish();
        assert_eq!(*pieces.borrow(), ["a", "é", "→", "🦀"]);
    }

    #[test]
    fn a_broken_character_at_the_end_is_replaced() {
        let pieces = RefCell::new(Vec::new());
        let mut live = Live::new(Pace::Screen, |text| pieces.borrow_mut().push(text));
        live.push(b"a\xe2\x86");
        live.flush();
        live.finish();
        assert_eq!(*pieces.borrow(), ["a", "\u{fffd}"]);
    }

    #[test]
    fn what_comes_too_fast_is_skipped_and_said() {
        let pieces = RefCell::new(Vec::new());
        let mut live = Live::new(Pace::Screen, |text| pieces.borrow_mut().push(text));
        live.push(&vec![b'x'; PIECE + 7]);
        live.flush();
        let expected = format!("\n[… 7 bytes came too fast to be shown]\n{}", "x".repeat(PIECE));
        assert_eq!(*pieces.borrow(), [expected]);
    }

    #[test]
    fn whoever_keeps_it_gets_all_of_it_at_once() {
        let pieces = RefCell::new(Vec::new());
        let mut live = Live::new(Pace::Whole, |text| pieces.borrow_mut().push(text));
        let long = "x".repeat(3 * PIECE);
        live.push(long.as_bytes());
        live.push(b"a\xe2\x86");
        assert_eq!(live.due(), None);
        assert_eq!(*pieces.borrow(), [long.as_str(), "a"]);
        live.push(b"\x92");
        live.finish();
        assert_eq!(*pieces.borrow(), [&long, "a", "→"]);
    }

    #[test]
    fn the_first_piece_is_due_at_once_and_the_next_after_a_pause() {
        let mut live = Live::new(Pace::Screen, |_| ());
        assert_eq!(live.due(), None);
        live.push(b"a");
        assert!(live.due().unwrap() <= Instant::now());
        let before = Instant::now();
        live.flush();
        assert_eq!(live.due(), None);
        live.push(b"b");
        assert!(live.due().unwrap() >= before + PAUSE);
    }
}

//! Gathers live output into pieces that a screen can follow: at most twenty a second, each of bounded size.
//!
//! The whole output is kept elsewhere; what is skipped here is skipped only on the screen, and said.

use std::time::Duration;
use tokio::time::Instant;

/// The least time between two pieces.
const PAUSE: Duration = Duration::from_millis(50);
/// The most bytes of one piece: the newest.
const PIECE: usize = 16 * 1024;

/// Where pieces gather and leave.
pub(crate) struct Live<F> {
    sink: F,
    pending: Vec<u8>,
    skipped: usize,
    next: Instant,
}

impl<F: FnMut(String)> Live<F> {
    pub(crate) fn new(sink: F) -> Self {
        Live { sink, pending: Vec::new(), skipped: 0, next: Instant::now() }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        let excess = self.pending.len().saturating_sub(PIECE);
        self.skipped += excess;
        self.pending.drain(..excess);
    }

    /// When the next piece should leave; `None` while there is nothing to say.
    pub(crate) fn due(&self) -> Option<Instant> {
        (!self.pending.is_empty()).then_some(self.next)
    }

    /// Lets go what is complete; the beginning of a character waits for its rest.
    pub(crate) fn flush(&mut self) {
        self.next = Instant::now() + PAUSE;
        let held_back = unfinished(&self.pending);
        let rest = self.pending.split_off(self.pending.len() - held_back);
        let piece = std::mem::replace(&mut self.pending, rest);
        self.send(&piece);
    }

    /// Lets go everything.
    pub(crate) fn finish(mut self) {
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
        let mut live = Live::new(|text| pieces.borrow_mut().push(text));
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
        let mut live = Live::new(|text| pieces.borrow_mut().push(text));
        live.push(b"a\xe2\x86");
        live.flush();
        live.finish();
        assert_eq!(*pieces.borrow(), ["a", "\u{fffd}"]);
    }

    #[test]
    fn what_comes_too_fast_is_skipped_and_said() {
        let pieces = RefCell::new(Vec::new());
        let mut live = Live::new(|text| pieces.borrow_mut().push(text));
        live.push(&vec![b'x'; PIECE + 7]);
        live.flush();
        let expected = format!("\n[… 7 bytes came too fast to be shown]\n{}", "x".repeat(PIECE));
        assert_eq!(*pieces.borrow(), [expected]);
    }

    #[test]
    fn the_first_piece_is_due_at_once_and_the_next_after_a_pause() {
        let mut live = Live::new(|_| ());
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

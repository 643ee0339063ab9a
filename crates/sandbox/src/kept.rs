//! Keeps the beginning and the end of an output of any length in little memory, and counts what lies between.

use std::collections::VecDeque;

/// Bytes kept of the beginning.
const HEAD: usize = 64 * 1024;
/// Bytes kept of the end.
const TAIL: usize = 192 * 1024;

/// What was kept of an output. Bytes that are no UTF-8 are replaced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// The beginning; all of it where nothing was lost.
    pub head: String,
    /// What is missing between `head` and `tail`.
    pub lost: Lost,
    /// The end; empty where nothing was lost.
    pub tail: String,
}

/// A gap in an output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lost {
    /// So many bytes.
    pub bytes: u64,
    /// So many line ends among them.
    pub lines: u64,
}

/// Takes an output in as it comes.
#[derive(Debug, Default)]
pub(crate) struct Keeper {
    head: Vec<u8>,
    lost: Lost,
    tail: VecDeque<u8>,
}

impl Keeper {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let (head, tail) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(tail);
        let excess = self.tail.len().saturating_sub(TAIL);
        self.lost.bytes += excess as u64;
        self.lost.lines += self.tail.drain(..excess).filter(|byte| *byte == b'\n').count() as u64;
    }

    pub(crate) fn finish(mut self) -> Kept {
        if self.lost.bytes == 0 {
            self.head.extend(std::mem::take(&mut self.tail));
        }
        Kept { head: text(self.head), lost: self.lost, tail: text(self.tail.into()) }
    }
}

fn text(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_output_is_kept_whole_also_across_the_border() {
        let mut keeper = Keeper::default();
        let text = "é".repeat((HEAD + TAIL) / 2);
        for piece in text.as_bytes().chunks(4099) {
            keeper.push(piece);
        }
        assert_eq!(keeper.finish(), Kept { head: text, ..Kept::default() });
    }

    #[test]
    fn a_long_output_keeps_both_ends_and_counts_the_rest() {
        let mut keeper = Keeper::default();
        let lines = 100_000_u64;
        for number in 0..lines {
            keeper.push(format!("{number:07}\n").as_bytes());
        }
        let kept = keeper.finish();
        assert_eq!((kept.head.len(), kept.tail.len()), (HEAD, TAIL));
        assert!(kept.head.starts_with("0000000\n") && kept.tail.ends_with("0099999\n"));
        assert_eq!(kept.lost.lines, lines - ((HEAD + TAIL) / 8) as u64);
        assert_eq!(kept.lost.bytes, kept.lost.lines * 8);
    }

    #[test]
    fn one_huge_piece_keeps_its_ends_too() {
        let mut keeper = Keeper::default();
        keeper.push(&vec![b'x'; 1_000_000]);
        let kept = keeper.finish();
        assert_eq!(kept.lost, Lost { bytes: (1_000_000 - HEAD - TAIL) as u64, lines: 0 });
    }
}

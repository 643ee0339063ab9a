//! Cuts a stream of bytes into lines, as NDJSON has them.
//!
//! Works on bytes: a network read may end inside a character. Does not look at what a line says.

use agent_protocol::ServerError;
use bytes::{Bytes, BytesMut};

/// The longest line that is read. Ollama's own client allows as much.
pub(crate) const LINE_LIMIT: usize = 8 * 1024 * 1024;

/// So much may come in one answer that says nothing, in bytes. A server that is alive sends a line end now and then; lines
/// without words come with each token of a call that it holds back.
const NOTHING_LIMIT: usize = 32 * 1024 * 1024;

/// A line that says nothing counts for so many bytes at least: reading it is work, however short it is.
const LEAST_LINE: usize = 32;

/// What came without saying anything. Without an end to it, a server that sends line ends as fast as it can would keep a
/// whole core reading them.
#[derive(Debug, Default)]
pub(crate) struct Nothing {
    bytes: usize,
}

impl Nothing {
    /// One more line of so many bytes.
    ///
    /// # Errors
    /// That is more than is listened to.
    pub(crate) fn take(&mut self, line: usize) -> Result<(), ServerError> {
        self.bytes = self.bytes.saturating_add(line.max(LEAST_LINE));
        if self.bytes <= NOTHING_LIMIT {
            return Ok(());
        }
        Err(ServerError::Garbage { line: "nothing but lines that say nothing, without end".to_owned() })
    }
}

/// A line is longer than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Bytes that are not a whole line yet.
pub(crate) struct Lines {
    waiting: BytesMut,
    /// So many of them hold no line end, so that long lines are searched once only.
    searched: usize,
    limit: usize,
}

impl Lines {
    /// Lines of at most `limit` bytes.
    pub(crate) fn up_to(limit: usize) -> Lines {
        Lines { waiting: BytesMut::new(), searched: 0, limit }
    }

    /// Takes in what has arrived.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
    }

    /// The next whole line without its end; `None` until more arrives.
    pub(crate) fn next(&mut self) -> Option<Result<Bytes, TooLong>> {
        match self.waiting[self.searched..].iter().position(|&byte| byte == b'\n') {
            Some(offset) => {
                let mut line = self.waiting.split_to(self.searched + offset + 1);
                line.truncate(line.len() - 1);
                self.searched = 0;
                Some(if line.len() > self.limit { Err(TooLong) } else { Ok(line.freeze()) })
            }
            None => {
                self.searched = self.waiting.len();
                (self.searched > self.limit).then_some(Err(TooLong))
            }
        }
    }

    /// What stands after the last line end, at the end of all.
    pub(crate) fn rest(&mut self) -> Bytes {
        self.searched = 0;
        self.waiting.split().freeze()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]], limit: usize) -> (Vec<Result<Bytes, TooLong>>, Bytes) {
        let mut lines = Lines::up_to(limit);
        let mut found = Vec::new();
        for piece in pieces {
            lines.push(piece);
            while let Some(line) = lines.next() {
                found.push(line.clone());
                if line.is_err() {
                    return (found, Bytes::new());
                }
            }
        }
        (found, lines.rest())
    }

    #[test]
    fn lines_end_at_newlines_and_the_rest_is_kept() {
        let (lines, rest) = read(&[b"one\n\ntw", b"o\nthr", b"ee"], 10);
        assert_eq!(lines, [Ok("one".into()), Ok("".into()), Ok("two".into())]);
        assert_eq!(rest, "three");
    }

    #[test]
    fn a_line_at_the_limit_passes_and_one_byte_more_does_not() {
        assert_eq!(read(&[b"1234\n"], 4).0, [Ok("1234".into())]);
        assert_eq!(read(&[b"12345\n"], 4).0, [Err(TooLong)]);
        assert_eq!(read(&[b"12345"], 4).0, [Err(TooLong)], "also without its end");
    }

    proptest! {
        #[test]
        fn wherever_the_bytes_are_cut_the_lines_are_the_same(
            text in "[aé\n]{0,60}", cuts in proptest::collection::vec(0usize..60, 0..6),
        ) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&pieces, 12), read(&[bytes], 12));
        }
    }
}

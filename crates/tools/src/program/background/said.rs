//! What a command in the background has said: all of it up to some megabytes, of more the beginning and the end, and what
//! lies between counted. Positions are bytes from the very beginning, also of what is not kept any more.

use agent_sandbox::{Kept, Lost};

/// Bytes kept of the beginning.
const HEAD: usize = 1024 * 1024;
/// Bytes kept of the end at least.
const TAIL: usize = 3 * 1024 * 1024;
/// So many more are kept before they go, all at once: the rest has to move up.
const SLACK: usize = 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct SaidInBackground {
    head: String,
    /// The beginning is full; what comes now goes to the end.
    full: bool,
    tail: String,
    pub(super) total: u64,
    lost: Lost,
}

impl SaidInBackground {
    pub(super) fn push(&mut self, text: &str) {
        self.total += text.len() as u64;
        let room = if self.full { 0 } else { HEAD - self.head.len() };
        let (head, rest) = text.split_at(text.floor_char_boundary(room));
        self.head.push_str(head);
        self.full |= !rest.is_empty();
        self.tail.push_str(rest);
        if self.tail.len() <= TAIL + SLACK {
            return;
        }
        let excess = self.tail.ceil_char_boundary(self.tail.len().saturating_sub(TAIL));
        let gone = self.tail.drain(..excess);
        self.lost.bytes += gone.as_str().len() as u64;
        self.lost.lines += gone.filter(|c| *c == '\n').count() as u64;
    }

    /// What was said from position `from` on, as far as it is kept.
    pub(super) fn since(&self, from: u64) -> Kept {
        let tail_at = self.total - self.tail.len() as u64;
        let below = |text: &str, at: u64| {
            let at = usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
            text[text.ceil_char_boundary(at)..].to_owned()
        };
        if from >= tail_at {
            return Kept { head: below(&self.tail, from - tail_at), ..Kept::default() };
        }
        if self.lost.bytes == 0 {
            return Kept { head: below(&self.head, from) + &self.tail, ..Kept::default() };
        }
        if from < self.head.len() as u64 {
            return Kept { head: below(&self.head, from), lost: self.lost, tail: self.tail.clone() };
        }
        // How many lines there were from there on is not known.
        Kept { head: String::new(), lost: Lost { bytes: tail_at - from, lines: 0 }, tail: self.tail.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> SaidInBackground {
        let mut said = SaidInBackground::default();
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.ceil_char_boundary(4099.min(rest.len())));
            said.push(piece);
            rest = after;
        }
        said
    }

    #[test]
    fn a_little_is_kept_whole_and_told_from_any_position() {
        let text = "é\n".repeat((HEAD + TAIL) / 4);
        let said = said(&text);
        assert_eq!(said.since(0), Kept { head: text.clone(), ..Kept::default() });
        for from in [1, 2, 3, HEAD - 1, HEAD, HEAD + 1, text.len() - 3, text.len(), text.len() + 9] {
            let at = text.ceil_char_boundary(from.min(text.len()));
            assert_eq!(said.since(from as u64).head, text[at..], "{from}");
        }
    }

    #[test]
    fn a_chatty_one_stays_bounded_and_what_is_lost_is_counted() {
        let mut said = SaidInBackground::default();
        let line = "0123456\n";
        for _ in 0..1_000_000 {
            said.push(line);
        }
        let all = said.since(0);
        assert_eq!(all.head.len(), HEAD);
        assert!((TAIL..=TAIL + SLACK).contains(&all.tail.len()), "{}", all.tail.len());
        assert_eq!(all.lost.bytes, 8_000_000 - (all.head.len() + all.tail.len()) as u64);
        assert_eq!(all.lost.lines, all.lost.bytes / 8);
        assert!(said.head.capacity() <= 2 * HEAD && said.tail.capacity() <= 2 * (TAIL + SLACK));
    }

    #[test]
    fn from_within_the_gap_only_the_rest_of_it_is_missing() {
        let said = said(&"x".repeat(8_000_000));
        let kept = said.since(2_000_000);
        assert!(kept.head.is_empty() && kept.tail.len() >= TAIL);
        assert_eq!(kept.lost, Lost { bytes: (6_000_000 - kept.tail.len()) as u64, lines: 0 });
    }
}

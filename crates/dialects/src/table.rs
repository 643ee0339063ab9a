//! What a dialect is, and where each may begin.

use crate::dialects::TABLE;
use crate::page::{Page, Reading};
use std::sync::LazyLock;

/// One way of writing calls, or marks around them.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// Its name, for people.
    pub(crate) name: &'static str,
    /// What it begins with. Empty: it begins with the name of a tool.
    pub(crate) openers: &'static [&'static str],
    /// Marks that may stand after its calls and mean nothing by themselves.
    pub(crate) tails: &'static [&'static str],
    pub(crate) place: Place,
    pub(crate) proof: Proof,
    pub(crate) read: fn(&Page<'_>) -> Reading,
}

/// Where an opener counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Anywhere,
    /// As the first thing on its line.
    LineStart,
}

/// What makes it a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// A mark that nothing else uses.
    Mark,
    /// Only its looks: it has to be the last thing of the answer, and its name has to be offered.
    Looks,
}

/// By the first byte of an opener: the dialects it may begin, as places in the table.
pub(crate) struct Index {
    /// Openers that count anywhere.
    pub(crate) anywhere: [Vec<(&'static str, usize)>; 256],
    /// First and second bytes of them.
    pairs: Vec<bool>,
    /// Bytes that begin one of them, and those that matter to Markdown.
    pub(crate) stops: [bool; 256],
    /// Openers that count at the start of a line, too.
    pub(crate) line_start: [Vec<(&'static str, usize)>; 256],
    /// Dialects that begin with the name of a tool.
    pub(crate) named: Vec<usize>,
    /// All tails, longest first.
    pub(crate) tails: Vec<&'static str>,
}

impl Index {
    /// Does `text` begin with an opener that counts anywhere, as far as it goes?
    pub(crate) fn may_begin(&self, text: &str) -> bool {
        let (first, second) = match text.as_bytes() {
            [] => return false,
            [first] => (*first, None),
            [first, second, ..] => (*first, Some(*second)),
        };
        if second.is_some_and(|second| !self.pairs[pair(first, second)]) {
            return false;
        }
        let begins = |opener: &str| text.starts_with(opener) || opener.starts_with(text);
        self.anywhere[usize::from(first)].iter().any(|(opener, _)| begins(opener))
    }
}

fn pair(first: u8, second: u8) -> usize {
    usize::from(first) << 8 | usize::from(second)
}

pub(crate) static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut anywhere: [Vec<(&'static str, usize)>; 256] = std::array::from_fn(|_| Vec::new());
    let mut line_start: [Vec<(&'static str, usize)>; 256] = std::array::from_fn(|_| Vec::new());
    let (mut named, mut tails) = (Vec::new(), Vec::new());
    for (place, dialect) in TABLE.iter().enumerate() {
        if dialect.openers.is_empty() {
            named.push(place);
        }
        for opener in dialect.openers {
            let first = usize::from(opener.as_bytes()[0]);
            line_start[first].push((*opener, place));
            if dialect.place == Place::Anywhere {
                anywhere[first].push((*opener, place));
            }
        }
        tails.extend_from_slice(dialect.tails);
    }
    tails.sort_by_key(|tail| std::cmp::Reverse(tail.len()));
    tails.dedup();
    let stops =
        std::array::from_fn(|byte| !anywhere[byte].is_empty() || matches!(u8::try_from(byte), Ok(b'\n' | b'`')));
    let mut pairs = vec![false; 1 << 16];
    for (opener, _) in anywhere.iter().flatten() {
        match opener.as_bytes() {
            [] => {}
            [first] => pairs[pair(*first, 0)..=pair(*first, u8::MAX)].fill(true),
            [first, second, ..] => pairs[pair(*first, *second)] = true,
        }
    }
    Index { anywhere, pairs, stops, line_start, named, tails }
});

//! What may begin where: the openers and tails of all dialects, to be looked up.

use crate::dialects::TABLE;
use crate::page::Ahead;
use crate::piece::Found;
use crate::table::{OpenerPlace, Proof};
use crate::trie::Trie;
use std::sync::LazyLock;

/// What may begin where.
pub(crate) struct Index {
    /// Openers that count anywhere.
    anywhere: Trie,
    /// These and those that count at the start of a line.
    line_start: Trie,
    /// The dialect of each opener, as a place in the table.
    places: Vec<usize>,
    /// Bytes that begin an opener anywhere, and those that matter to Markdown.
    pub(crate) stops: [bool; 256],
    /// Dialects that begin with the name of a tool.
    pub(crate) named: Vec<usize>,
    /// All tails, longest first.
    pub(crate) tails: Vec<&'static str>,
    tail: Trie,
}

/// An opener at the beginning of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opener {
    /// It is there, so many bytes long, and this dialect's.
    Is { place: usize, len: usize },
    /// The text ends where one may go on.
    Perhaps,
}

impl Index {
    /// Does `text` begin with an opener that counts anywhere, as far as it goes?
    pub(crate) fn may_begin(&self, text: &str) -> bool {
        self.anywhere.may_begin(text)
    }

    /// The openers `text` begins with, in the order of the table.
    pub(crate) fn openers(&self, text: &str, line_start: bool) -> impl Iterator<Item = Opener> {
        let begins = if line_start { &self.line_start } else { &self.anywhere }.begins(text);
        let perhaps = begins.perhaps.unwrap_or(usize::MAX);
        let (before, after): (Vec<_>, Vec<_>) = begins.with.into_iter().partition(|(number, _)| *number < perhaps);
        let is = |(number, len): (usize, usize)| Opener::Is { place: self.places[number], len };
        let perhaps = begins.perhaps.map(|_| Opener::Perhaps);
        before.into_iter().map(is).chain(perhaps).chain(after.into_iter().map(is))
    }

    /// Does `text` begin with a tail?
    pub(crate) fn tail(&self, text: &str) -> Ahead {
        match self.tail.longest(text) {
            Ok(len) => Ahead::Yes(len),
            Err(true) => Ahead::Maybe,
            Err(false) => Ahead::No,
        }
    }
}

pub(crate) static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let (mut anywhere, mut line_start, mut places) = (Vec::new(), Vec::new(), Vec::new());
    let (mut named, mut tails) = (Vec::new(), Vec::new());
    for (place, dialect) in TABLE.iter().enumerate() {
        if dialect.openers.is_empty() {
            named.push(place);
        }
        for opener in dialect.openers {
            line_start.push((*opener, places.len()));
            if dialect.place == OpenerPlace::Anywhere {
                anywhere.push((*opener, places.len()));
            }
            places.push(place);
        }
        tails.extend_from_slice(dialect.tails);
    }
    tails.sort_by_key(|tail| std::cmp::Reverse(tail.len()));
    tails.dedup();
    let mut stops = [false; 256];
    let firsts = anywhere.iter().map(|(opener, _)| opener.as_bytes()[0]);
    firsts.chain([b'\n', b'`']).for_each(|byte| stops[usize::from(byte)] = true);
    let (anywhere, line_start) = (Trie::new(anywhere), Trie::new(line_start));
    let tail = Trie::new(tails.iter().map(|tail| (*tail, 0)));
    Index { anywhere, line_start, places, stops, named, tails, tail }
});

impl Found {
    /// Was it recognised by a mark that nothing else uses, and not by its looks alone?
    pub fn is_marked(&self) -> bool {
        TABLE.iter().any(|dialect| dialect.name == self.dialect && dialect.proof == Proof::Mark)
    }
}

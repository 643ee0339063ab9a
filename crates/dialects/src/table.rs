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
    /// Openers that count at the start of a line, too.
    pub(crate) line_start: [Vec<(&'static str, usize)>; 256],
    /// Dialects that begin with the name of a tool.
    pub(crate) named: Vec<usize>,
    /// All tails, longest first.
    pub(crate) tails: Vec<&'static str>,
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
    Index { anywhere, line_start, named, tails }
});

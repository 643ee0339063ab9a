//! What a dialect is, and where each may begin.

use crate::page::{Page, Reading};

/// One way of writing calls, or marks around them.
#[derive(Debug)]
pub(crate) struct Dialect {
    pub(crate) name: &'static str,
    /// What it begins with. Empty: it begins with the name of a tool.
    pub(crate) openers: &'static [&'static str],
    /// Marks that may stand after its calls and mean nothing by themselves.
    pub(crate) tails: &'static [&'static str],
    pub(crate) place: OpenerPlace,
    pub(crate) proof: Proof,
    pub(crate) parse_page: fn(&Page<'_>) -> Reading,
}

impl Dialect {
    /// One that is proved by its openers, wherever they stand.
    pub(crate) const fn marked(
        name: &'static str,
        openers: &'static [&'static str],
        parse_page: fn(&Page<'_>) -> Reading,
    ) -> Self {
        Dialect { name, openers, tails: &[], place: OpenerPlace::Anywhere, proof: Proof::Mark, parse_page }
    }

    /// One that begins a line, and that only its looks prove.
    pub(crate) const fn looking(
        name: &'static str,
        openers: &'static [&'static str],
        parse_page: fn(&Page<'_>) -> Reading,
    ) -> Self {
        Dialect { proof: Proof::Looks, ..Dialect::marked(name, openers, parse_page).at_line_start() }
    }

    /// The same with marks that may stand after its calls.
    pub(crate) const fn tails(self, tails: &'static [&'static str]) -> Self {
        Dialect { tails, ..self }
    }

    /// The same, but an opener counts only as the first thing on its line.
    pub(crate) const fn at_line_start(self) -> Self {
        Dialect { place: OpenerPlace::LineStart, ..self }
    }
}

/// Where an opener counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenerPlace {
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

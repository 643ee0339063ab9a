//! The pieces in which a case arrives.

use super::case::Case;
use super::cuts::{self, Chance};
use super::reading;
use agent_dialects::{Piece, Tools};
use serde::Deserialize;

/// What is known of the pieces of a case.
#[derive(Deserialize)]
pub(crate) struct Ways {
    pub(crate) id: String,
    #[serde(default)]
    prefill: Option<String>,
    #[serde(default)]
    chunks: Option<Vec<String>>,
}

impl Ways {
    /// Reads a case in the given pieces. What stood in the prompt already is a piece of its own.
    pub(crate) fn read(&self, case: &Case, tools: &Tools, way: &[&str]) -> Vec<Piece> {
        let pieces = self.prefill.as_deref().into_iter().chain(way.iter().copied());
        reading::read(tools, case.start(), pieces)
    }

    /// Character by character, as recorded, and in three random splits.
    pub(crate) fn all<'a>(&'a self, case: &'a Case) -> Vec<Vec<&'a str>> {
        let mut ways = vec![cuts::characters(&case.input).collect()];
        ways.extend(self.chunks.as_ref().map(|chunks| chunks.iter().map(String::as_str).collect::<Vec<_>>()));
        let mut chance = Chance::of(&self.id);
        ways.extend([3, 12, 60].map(|most| cuts::random(&case.input, most, &mut chance)));
        ways
    }
}

//! TypeScript, with and without JSX. Its own tag query holds only what JavaScript lacks, so both are used.

use super::javascript::{JSX, LACKING, SHARED};
use super::rules::Rules;

/// What neither query holds.
const OWN: &str = include_str!("queries/typescript.scm");

pub(super) static RULES: Rules = Rules {
    name: "TypeScript",
    syntax: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    tags: &[tree_sitter_javascript::TAGS_QUERY, tree_sitter_typescript::TAGS_QUERY, LACKING, OWN],
    ..SHARED
};

pub(super) static TSX: Rules = Rules {
    name: "TSX",
    syntax: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    tags: &[tree_sitter_javascript::TAGS_QUERY, tree_sitter_typescript::TAGS_QUERY, LACKING, JSX, OWN],
    ..SHARED
};

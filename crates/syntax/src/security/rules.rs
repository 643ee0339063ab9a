//! The rules, by language, as `rules.toml` lists them.

use super::rule::{Rule, Table};
use serde::Deserialize;
use std::sync::LazyLock;

/// The tables of `rules.toml`, read when the first of them is used.
pub(super) static TABLES: LazyLock<Tables> =
    LazyLock::new(|| toml::from_str(include_str!("rules.toml")).expect("the tests read it, too"));

/// One table for each language; those of `ci` hold for more than one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tables {
    pub(super) rust: Table,
    pub(super) python: Table,
    pub(super) script: Table,
    pub(super) go: Table,
    pub(super) c: Table,
    pub(super) java: Table,
    pub(super) shell: Table,
    pub(super) php: Table,
    pub(super) ruby: Table,
    pub(super) ci: Table,
    pub(super) docker: Table,
    pub(super) workflow: Table,
    pub(super) settings: Table,
}

/// The rule called `name` of `table`, for what no expression can find.
///
/// # Panics
/// Where there is none, which every test of what asks for it would show.
pub(super) fn named(table: &'static Table, name: &str) -> &'static Rule {
    table.rules().iter().find(|rule| rule.name == name).expect("rules.toml lists what the code asks for")
}

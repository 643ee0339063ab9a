//! Names that other programs obey: whoever writes there has something run, or tells an agent what to do.
//!
//! The names stand in `config/protected_names.toml`, each with the program that obeys it.

use super::fold::{begins, is};
use serde::Deserialize;
use std::sync::LazyLock;

/// The names, parsed when the first one is looked at.
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../../config/protected_names.toml")).expect("the protected names are valid TOML")
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    protected: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    #[serde(rename = "where")]
    place: Place,
    /// In lower case, separated by blanks; `*` at the start or end is any beginning or end.
    names: String,
    why: String,
    /// Which program obeys it: for whoever reads or changes the table.
    #[cfg_attr(not(test), expect(dead_code))]
    source: String,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Place {
    /// At any depth of a project, with all that lies below.
    Anywhere,
    /// A folder and a name in it, at any depth.
    Within,
    Home,
    System,
    /// Runs without being called by name, and is no more protected for that.
    OnBuild,
}

/// Why one of these `names` (folded, outermost first) is protected wherever it stands.
pub(super) fn by_name(names: &[String]) -> Option<&'static str> {
    let within = |pair: &[String]| {
        let [parent, name] = pair else { return None };
        let inside = |place: &str| {
            place.split_once('/').is_some_and(|(folder, wanted)| is(parent, folder) && fits(wanted, name))
        };
        reason(Place::Within, inside)
    };
    let alone = names.iter().find_map(|name| reason(Place::Anywhere, |wanted| fits(wanted, name)));
    alone.or_else(|| names.windows(2).find_map(within))
}

/// Why a path of these `names` (folded, outermost first) is protected for where it lies: in the user's home, or in the
/// system. Those names of it that are `above` the project count for nothing: a project that itself lies in such a place
/// is the user's choice.
pub(super) fn by_place(names: &[String], above: usize, home: Option<&[String]>) -> Option<&'static str> {
    let lies = |place: &str, from: &[String]| {
        let length = place.split('/').count();
        let rest = names.strip_prefix(from).filter(|rest| rest.len() >= length && from.len() + length > above);
        rest.is_some_and(|rest| place.split('/').zip(rest).all(|(wanted, name)| wanted == name))
    };
    let at_home = |home: &[String]| reason(Place::Home, |place| lies(place, home));
    home.and_then(at_home).or_else(|| reason(Place::System, |place| lies(place, &[])))
}

/// The places of the system, for tests that hold each of them.
#[cfg(test)]
pub(super) fn places_of_the_system() -> impl Iterator<Item = &'static str> {
    let rows = TABLE.protected.iter().filter(|row| row.place == Place::System);
    rows.flat_map(|row| row.names.split_ascii_whitespace())
}

/// Why the file of this name (folded) runs without being called by name.
pub(super) fn on_build(name: &str) -> Option<&'static str> {
    reason(Place::OnBuild, |wanted| fits(wanted, name))
}

/// The reason of the first row for this place with a name that `holds`.
fn reason(place: Place, holds: impl Fn(&str) -> bool) -> Option<&'static str> {
    let rows = TABLE.protected.iter().filter(|row| row.place == place);
    rows.into_iter().find(|row| row.names.split_ascii_whitespace().any(&holds)).map(|row| row.why.as_str())
}

fn fits(wanted: &str, folded: &str) -> bool {
    match (wanted.strip_prefix('*'), wanted.split_once('*')) {
        (Some(end), _) => folded.ends_with(end),
        (None, Some((start, ""))) => begins(folded, start),
        (None, Some((start, end))) => {
            folded.len() >= start.len() + end.len() && folded.starts_with(start) && folded.ends_with(end)
        }
        (None, None) => is(folded, wanted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_names_in_lower_case_a_reason_and_a_source() {
        for Row { names, why, source, .. } in &TABLE.protected {
            assert!(!names.trim().is_empty() && names.to_lowercase() == *names, "{names}");
            assert!(!why.is_empty() && !why.ends_with('.') && !source.is_empty(), "{names}");
        }
    }
}

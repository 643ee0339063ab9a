//! How much a model may think: the levels, as they are typed, chosen and shown.

use agent_protocol::Think;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// `None`: as the server decides.
    pub(crate) think: Option<Think>,
    pub(crate) name: &'static str,
    pub(crate) words: &'static str,
}

const fn known(think: Option<Think>, name: &'static str, words: &'static str) -> Level {
    Level { think, name, words }
}

/// Every level, as they are offered.
pub(crate) const LEVELS: &[Level] = &[
    known(None, "auto", "as the server decides: what can think does"),
    known(Some(Think::Off), "off", "not at all; answers come soonest"),
    known(Some(Think::On), "on", "as the model likes"),
    known(Some(Think::Low), "low", "a little"),
    known(Some(Think::Medium), "medium", "some"),
    known(Some(Think::High), "high", "much"),
    known(Some(Think::Max), "max", "as much as it can"),
];

/// The level that is set so.
pub(crate) fn level(think: Option<Think>) -> &'static Level {
    LEVELS.iter().find(|level| level.think == think).expect("every level is in the table: a test goes through them")
}

/// The level a person names.
pub(crate) fn named(name: &str) -> Option<&'static Level> {
    LEVELS.iter().find(|level| level.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::{level, named};
    use agent_protocol::Think;

    #[test]
    fn every_level_has_a_name_of_its_own() {
        let all = [Think::Off, Think::On, Think::Low, Think::Medium, Think::High, Think::Max].map(Some);
        for think in all.into_iter().chain([None]) {
            assert_eq!(named(level(think).name).map(|level| level.think), Some(think));
        }
        assert_eq!((named("HIGH").map(|level| level.name), named("lots")), (Some("high"), None));
    }
}

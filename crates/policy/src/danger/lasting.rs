//! What a lasting yes to a command's first words covers of the words that follow.
//!
//! A runner's flags can start other programs, read other settings or go to another folder. So of each program that is
//! known only the flags listed as harmless are covered, of any other program none; whatever else looks like a flag or
//! sets a variable asks anew. Names of tests, paths and the like are covered, except where they choose what is run.

mod reading;
mod runners;

use super::known::{known_as, unversioned};
use super::prefix::{launched_at, prefix};
use super::starters::{names_a_script, starts_what_follows};
use reading::FlagReading;
pub(super) use reading::{harmless_flags, is_listed};

/// What becomes of a command under a lasting yes to certain words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Covered {
    /// The yes is about other commands.
    No,
    /// It is about this one, but for this word.
    All,
    /// It is about commands like this one, but not with this word.
    Except(String),
}

/// Does a lasting yes to `agreed` words cover a program with these `words`? Both decoded, the program first.
pub(crate) fn covered(words: &[String], agreed: &[String]) -> Covered {
    // What starts the program is agreed to as it stands; its own flags come behind.
    let at = launched_at(agreed);
    if agreed.is_empty() || !words.starts_with(&agreed[..=at]) {
        return Covered::No;
    }
    match (FlagReading::new(words, agreed, at).outcome(), names_a_script(&words[at..])) {
        (Covered::All, _) if at == 0 && starts_what_follows(words) => Covered::No,
        (Covered::All, Some(script)) => Covered::Except(script.clone()),
        (outcome, _) => outcome,
    }
}

/// Runners of tests, which run the project's own code whichever of them is started.
const OF_TESTS: &[&str] =
    &["pytest", "unittest", "tox", "nox", "jest", "vitest", "mocha", "rspec", "rake", "phpunit", "gradle", "mvn"];

/// Does it run the project's own tests, so that it is one whether the project brings the program along?
pub(crate) fn runs_tests(words: &[String]) -> bool {
    let own = &words[launched_at(words)..];
    own.first().is_some_and(|program| OF_TESTS.contains(&known_as(program)))
}

/// The `words` of a program that the project brings along, as they would be of the one that was `agreed` to by its name;
/// `None` where that is another, or one that runs more than the project's tests.
pub(crate) fn by_name(words: &[String], agreed: &[String]) -> Option<Vec<String>> {
    let (program, rest) = words.split_first()?;
    let name = agreed.first()?;
    let same = unversioned(known_as(program)) == unversioned(known_as(name));
    let brought_along = program.contains('/') && !name.contains('/') && prefix(words).is_some();
    let renamed: Vec<String> = std::iter::once(name).chain(rest).cloned().collect();
    (same && brought_along && runs_tests(agreed)).then_some(renamed)
}

/// The words that a lasting yes to a program with these `words` may name: the least that says what it does, and what
/// would ask anew without being named. `None` for what starts other programs or runs code it is given.
pub(crate) fn offered(words: &[String]) -> Option<Vec<String>> {
    let mut offered = prefix(words)?;
    loop {
        match covered(words, &offered) {
            Covered::All => return Some(offered),
            Covered::No => return None,
            Covered::Except(_) if offered.len() == words.len() => return None,
            // Words stand where they stand: all that comes before is named, too.
            Covered::Except(_) => offered = words[..=offered.len()].to_vec(),
        }
    }
}

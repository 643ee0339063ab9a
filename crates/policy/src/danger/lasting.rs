//! What a lasting yes to a command's first words covers of the words that follow.
//!
//! A runner's flags can start other programs, read other settings or go to another folder. So of each program that is
//! known only the flags listed as harmless are covered, of any other program none; whatever else looks like a flag or
//! sets a variable asks anew. Names of tests, paths and the like are covered, except where they choose what is run.

mod reading;
mod runners;

use super::prefix::{launched_at, prefix};
use reading::Reading;
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
    Reading::new(words, agreed, at).outcome()
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

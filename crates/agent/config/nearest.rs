//! The word a person probably meant.

use strsim::damerau_levenshtein;

/// Fewer letters than this are the beginning of too many words.
const BEGINNING: usize = 3;

/// The nearest of `valid` to `wrong`, if any is near enough to be meant.
pub(crate) fn nearest<'a>(wrong: &str, valid: &[&'a str]) -> Option<&'a str> {
    let far = |word: &str| (damerau_levenshtein(wrong, word), wrong.len().abs_diff(word.len()));
    let best = valid.iter().copied().min_by_key(|word| far(word))?;
    let near = far(best).0 <= 1 + wrong.chars().count() / 3;
    // A word that was left half-way is further away than it seems.
    let begun = valid.iter().copied().find(|word| wrong.len() >= BEGINNING && word.starts_with(wrong));
    if near { Some(best) } else { begun }
}

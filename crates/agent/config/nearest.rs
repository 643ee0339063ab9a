//! The word a person probably meant.

use strsim::damerau_levenshtein;

/// The nearest of `valid` to `wrong`, if any is near enough to be meant.
pub(crate) fn nearest<'a>(wrong: &str, valid: &[&'a str]) -> Option<&'a str> {
    let far = |word: &str| (damerau_levenshtein(wrong, word), wrong.len().abs_diff(word.len()));
    let best = valid.iter().copied().min_by_key(|word| far(word))?;
    (far(best).0 <= 1 + wrong.chars().count() / 3).then_some(best)
}

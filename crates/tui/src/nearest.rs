//! Finds the word a person probably meant. Knows nothing of commands or keys.

use strsim::damerau_levenshtein;

/// The candidate fewest slips away from `word`, the one of its length first; `None` when none is close enough to be a
/// slip of the fingers.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let far = |candidate: &str| (damerau_levenshtein(word, candidate), word.len().abs_diff(candidate.len()));
    let best = candidates.into_iter().min_by_key(|candidate| far(candidate))?;
    (far(best).0 <= 1 + word.chars().count() / 3).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word() {
        assert_eq!(nearest("modle", ["model", "clear", "exit"]), Some("model"));
        assert_eq!(nearest("claer", ["model", "clear", "exit"]), Some("clear"));
    }

    #[test]
    fn of_two_as_near_the_one_of_its_length_is_meant() {
        assert_eq!(nearest("sage", ["page2", "safe"]), Some("safe"));
        assert_eq!(nearest("alp", ["al", "alt"]), Some("alt"));
    }

    #[test]
    fn another_word_finds_nothing() {
        assert_eq!(nearest("zebra-crossing", ["model", "clear", "exit"]), None);
    }
}

//! Finds the word a person probably meant. Knows nothing of commands or keys.

/// The candidate fewest edits away from `word`; `None` when none is close enough to be a slip of the fingers.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(edits, candidate)| *edits <= 1 + candidate.chars().count() / 3)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions and replacements that turn `left` into `right`.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, letter) in left.chars().enumerate() {
        let mut corner = row[0];
        row[0] = line + 1;
        for (column, other) in right.iter().enumerate() {
            let replaced = corner + usize::from(letter != *other);
            corner = row[column + 1];
            row[column + 1] = replaced.min(corner + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
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
    fn another_word_finds_nothing() {
        assert_eq!(nearest("zebra-crossing", ["model", "clear", "exit"]), None);
    }
}

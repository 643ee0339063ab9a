//! The word a person probably meant.

/// The nearest of `valid` to `wrong`, if any is near enough to be meant.
pub(crate) fn nearest<'a>(wrong: &str, valid: &[&'a str]) -> Option<&'a str> {
    let ranked = valid.iter().map(|word| (distance(wrong, word), *word));
    ranked.min().filter(|(distance, _)| *distance <= 1 + wrong.chars().count() / 3).map(|(_, word)| word)
}

/// Letters to insert, delete or change.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

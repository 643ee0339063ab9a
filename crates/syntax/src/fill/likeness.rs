//! How much of one line is in another.

/// Longest part of a line that is compared, in characters.
const LONGEST: usize = 200;

/// Pairs of characters that a line must have for another to have grown from it.
const SEED: usize = 5;

/// How alike two lines are, in hundredths: twice the pairs of characters that they share, of all that they have. One of
/// which the other holds most is alike, too, if less so.
pub(super) fn likeness(one: &str, other: &str) -> usize {
    let (mut one, mut other) = (pairs(one), pairs(other));
    if one.is_empty() || other.is_empty() {
        return 0;
    }
    let (all, least) = (one.len() + other.len(), one.len().min(other.len()));
    one.sort_unstable();
    other.sort_unstable();
    let (mut at, mut shared) = (0, 0);
    for pair in one {
        while other.get(at).is_some_and(|next| *next < pair) {
            at += 1;
        }
        if other.get(at) == Some(&pair) {
            shared += 1;
            at += 1;
        }
    }
    let grown = if least >= SEED { 70 * shared / least } else { 0 };
    grown.max(200 * shared / all)
}

fn pairs(line: &str) -> Vec<(char, char)> {
    let chars: Vec<char> = line.trim().chars().take(LONGEST).collect();
    chars.windows(2).map(|two| (two[0], two[1])).collect()
}

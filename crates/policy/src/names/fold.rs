//! Names as file systems fold them: two names that some file system takes for one are one here.

use std::ops::RangeInclusive;

/// Characters that HFS+ and ext4's case folding leave out of a comparison (`Default_Ignorable_Code_Point` of Unicode).
const IGNORED: &[RangeInclusive<char>] = &[
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fff8}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

/// The most characters of a name that NTFS keeps in its short one.
const SHORT: usize = 6;

/// `name` without what some file system overlooks in it: case, ignored characters, a stream (`:x`), and the dots and
/// blanks at its end.
pub(super) fn folded(name: &str) -> String {
    if name.is_ascii() {
        return trimmed(&name.to_ascii_lowercase());
    }
    let seen = name.chars().filter(|character| !IGNORED.iter().any(|range| range.contains(character)));
    // Up and down again: letters with several small forms (`ſ`, the sign of the Kelvin) meet in one.
    let folded: String = seen.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    trimmed(&folded)
}

fn trimmed(folded: &str) -> String {
    let named = folded.split(':').next().unwrap_or_default();
    named.trim_end_matches(['.', ' ']).to_owned()
}

/// Is `folded` this `name` (small letters), or the short name (`git~1`) that NTFS may know it by?
pub(super) fn is(folded: &str, name: &str) -> bool {
    folded == name || is_short(folded, name)
}

/// Does `folded` begin with `start` (small letters), or may it be the short name of something that does?
pub(super) fn begins(folded: &str, start: &str) -> bool {
    folded.starts_with(start) || is_short(folded, start)
}

fn is_short(folded: &str, name: &str) -> bool {
    let Some((stem, rest)) = folded.split_once('~') else { return false };
    let number = rest.split('.').next().unwrap_or_default();
    if number.is_empty() || !number.chars().all(|digit| digit.is_ascii_digit()) {
        return false;
    }
    let bare = name.trim_start_matches('.');
    let bare = bare.rsplit_once('.').map_or(bare, |(stem, _)| stem);
    let short: String = bare.chars().filter(|character| *character != '.').take(SHORT).collect();
    stem == short
}

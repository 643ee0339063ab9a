//! Characters that a person does not see, or that show something else than what is run.

use std::ops::RangeInclusive;

/// The characters, and what they are.
const HIDDEN: &[(RangeInclusive<char>, &str)] = &[
    ('\0'..='\0', "a NUL character"),
    ('\r'..='\r', "a carriage return"),
    ('\u{1}'..='\u{8}', "a control character"),
    ('\u{b}'..='\u{1f}', "a control character"),
    ('\u{7f}'..='\u{9f}', "a control character"),
    ('\u{ad}'..='\u{ad}', "an invisible character"),
    ('\u{61c}'..='\u{61c}', "a character that changes the direction of text"),
    ('\u{180e}'..='\u{180e}', "an invisible character"),
    ('\u{200b}'..='\u{200d}', "an invisible character"),
    ('\u{200e}'..='\u{200f}', "a character that changes the direction of text"),
    ('\u{2028}'..='\u{2029}', "a separator of lines that shells do not know"),
    ('\u{202a}'..='\u{202e}', "a character that changes the direction of text"),
    ('\u{2060}'..='\u{2064}', "an invisible character"),
    ('\u{2066}'..='\u{206f}', "a character that changes the direction of text"),
    ('\u{feff}'..='\u{feff}', "an invisible character"),
    ('\u{fff9}'..='\u{fffb}', "an invisible character"),
    ('\u{e0000}'..='\u{e007f}', "an invisible tag"),
];

/// The first hidden character of `text`: which, and what it is.
pub(super) fn hidden(text: &str) -> Option<(char, &'static str)> {
    let known = |character| HIDDEN.iter().find(|(range, _)| range.contains(&character)).map(|(_, what)| *what);
    // Nearly all text is of characters that no row is about.
    let plain = |character: &char| !matches!(character, ' '..='~' | '\n' | '\t');
    text.chars().filter(plain).find_map(|character| Some((character, known(character)?)))
}

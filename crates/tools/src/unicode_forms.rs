//! Texts that read the same and are written with other characters: composed or decomposed letters, spaces of several kinds,
//! characters that cannot be seen.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// `text` composed, with plain spaces and without what cannot be seen: texts that read the same become the same.
pub(crate) fn folded(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !is_invisible(c) && plain_space(c) == c;
    if text.is_ascii() || text.chars().all(is_plain) && is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return text.into();
    }
    text.chars().filter(|c| !is_invisible(*c)).nfc().map(plain_space).collect::<String>().into()
}

/// A blank for each kind of space; everything else as it is.
pub(crate) fn plain_space(c: char) -> char {
    match c {
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        _ => c,
    }
}

/// It takes no place on a screen: joiners and breaks without width, marks of direction, choices between two looks.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_the_same_becomes_the_same() {
        for (one, other) in [
            ("caf\u{e9}", "cafe\u{301}"),
            ("각", "\u{1100}\u{1161}\u{11a8}"),
            ("10.11\u{202f}AM", "10.11 AM"),
            ("a\u{a0}b", "a b"),
            ("in\u{200b}visible\u{feff}", "invisible"),
            ("⚠\u{fe0f}", "⚠"),
            ("e\u{323}\u{302}", "\u{1ec7}"),
        ] {
            assert_eq!(folded(one), folded(other), "{one:?}");
        }
        for (one, other) in [("café", "cafe"), ("a b", "ab"), ("A", "a"), ("ﬁ", "fi"), ("가", "각")] {
            assert_ne!(folded(one), folded(other), "{one:?}");
        }
        assert!(matches!(folded("naïve 🦀"), Cow::Borrowed(_)));
    }
}

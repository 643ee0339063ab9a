//! Which characters draw something, which join what stands before them, and which only do something.
//!
//! Sources: Unicode 17 `DefaultIgnorableCodePoint`, `Bidi_Control` and the Hangul syllable types, shortened to ranges
//! where unassigned neighbours do not matter. What joins what is asked of the segmentation.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// What a character is to the sanitiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Plain,
    /// `\n`.
    Break,
    /// `\t`.
    Tab,
    /// C0, DEL or C1.
    Control,
    /// Draws nothing, or changes how others are drawn.
    Hidden,
    /// U+200D, which makes one emoji of two.
    Joiner,
    /// U+FE0E and U+FE0F, which choose between text and emoji form.
    Variation,
    /// Stands on the character before it.
    Combining,
    /// A part of a Korean syllable that joins the part before it.
    Hangul(Hangul),
}

/// The kind of `c`.
pub(super) fn kind(c: char) -> Kind {
    match c {
        ' '..='~' => Kind::Plain,
        '\n' => Kind::Break,
        '\t' => Kind::Tab,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Kind::Control,
        '\u{200d}' => Kind::Joiner,
        '\u{fe0e}' | '\u{fe0f}' => Kind::Variation,
        _ if hidden(c) => Kind::Hidden,
        '\u{ff9e}' | '\u{ff9f}' => Kind::Plain,
        _ => match (c.width(), hangul(c)) {
            (Some(0), Some(part @ (Hangul::Vowel | Hangul::Trailing))) => Kind::Hangul(part),
            (Some(0), _) if joins(c) => Kind::Combining,
            (Some(0), _) => Kind::Hidden,
            (Some(_), _) => Kind::Plain,
            (None, _) => Kind::Control,
        },
    }
}

/// Does `c` stand on the letter before it? Tables of widths and of graphemes differ about the newest characters.
fn joins(c: char) -> bool {
    let mut pair = String::from("a");
    pair.push(c);
    pair.graphemes(true).nth(1).is_none()
}

/// Does `c` draw nothing of its own, or reorder what stands around it?
fn hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Is `c` a picture that emoji sequences are made of? The segmentation says so itself, so that both are of one mind:
/// a joiner between two such pictures makes one grapheme of them.
pub(super) fn pictographic(c: char) -> bool {
    // Below the first of them; spares the common letters the long way.
    if c < '©' {
        return false;
    }
    let sequence = String::from_iter([c, '\u{200d}', '👩']);
    sequence.graphemes(true).nth(1).is_none()
}

/// The parts of Korean syllables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hangul {
    Leading,
    Vowel,
    Trailing,
    /// A whole syllable that can still take a trailing consonant.
    Open,
    /// A whole syllable with its trailing consonant.
    Closed,
}

impl Hangul {
    /// Does `next` join this part? (UAX 29, GB6 to GB8.)
    pub(super) fn takes(self, next: Hangul) -> bool {
        match self {
            Hangul::Leading => next != Hangul::Trailing,
            Hangul::Vowel | Hangul::Open => matches!(next, Hangul::Vowel | Hangul::Trailing),
            Hangul::Trailing | Hangul::Closed => next == Hangul::Trailing,
        }
    }
}

/// The Korean part that `c` is.
pub(super) fn hangul(c: char) -> Option<Hangul> {
    match c {
        '\u{1100}'..='\u{115e}' | '\u{a960}'..='\u{a97c}' => Some(Hangul::Leading),
        '\u{1161}'..='\u{11a7}' | '\u{d7b0}'..='\u{d7c6}' => Some(Hangul::Vowel),
        '\u{11a8}'..='\u{11ff}' | '\u{d7cb}'..='\u{d7fb}' => Some(Hangul::Trailing),
        '\u{ac00}'..='\u{d7a3}' if (u32::from(c) - 0xac00).is_multiple_of(28) => Some(Hangul::Open),
        '\u{ac00}'..='\u{d7a3}' => Some(Hangul::Closed),
        _ => None,
    }
}

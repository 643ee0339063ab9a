//! Characters that read the same: the kinds of quotes, dashes and blanks, the forms of Unicode, and what cannot be seen.

use crate::unicode_forms::{folded, is_invisible, plain_space};
use std::borrow::Cow;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// The plain one of its kind.
pub(super) fn plain_of(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' => '\'',
        '“' | '”' | '„' | '‟' | '″' => '"',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        _ => plain_space(c),
    }
}

/// `text` with plain ones only; as many characters as before.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.chars().all(|c| plain_of(c) == c) {
        return text.into();
    }
    text.chars().map(plain_of).collect::<String>().into()
}

/// A character as a reader sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glyph<'a> {
    /// The same for all that read the same.
    pub(super) key: Cow<'a, str>,
    /// As it is written, with what cannot be seen beside it.
    pub(super) text: &'a str,
    /// Where it stands, without that.
    pub(super) place: Range<usize>,
}

/// The same, composed and without what cannot be seen.
pub(super) fn plain_form(line: &str) -> Cow<'_, str> {
    match folded(line) {
        Cow::Borrowed(line) => plain(line),
        Cow::Owned(line) => plain(&line).into_owned().into(),
    }
}

/// The characters of `text`. What cannot be seen belongs to the one before it, or to the first.
pub(super) fn glyphs(text: &str) -> Vec<Glyph<'_>> {
    let (mut glyphs, mut start): (Vec<Glyph<'_>>, usize) = (Vec::new(), 0);
    for (at, written) in text.grapheme_indices(true) {
        let (key, end) = (plain_form(written), at + written.len());
        match glyphs.last_mut() {
            Some(last) if key.is_empty() => last.text = &text[start..end],
            None if key.is_empty() => {}
            Some(_) | None => {
                start = if glyphs.is_empty() { 0 } else { at };
                let seen = written.trim_end_matches(is_invisible).len();
                glyphs.push(Glyph { key, text: &text[start..end], place: at..at + seen });
            }
        }
    }
    glyphs
}

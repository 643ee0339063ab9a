//! Quotation marks, and the question whether one ends its string.
//!
//! In strict JSON every plain mark ends its string, and a mark that strict JSON would accept as the end is always
//! accepted here. One that leads nowhere is taken to stand inside the string.
//!
//! **Invariant.** A look ahead goes over at most two more marks of the same kind, so reading stays linear.

use super::cursor::{Look, past, past_space};

/// How a string is quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    /// `"…"`
    Double,
    /// `'…'`
    Single,
    /// `“…”`
    Smart,
    /// `‘…’`
    SmartSingle,
}

impl Quote {
    /// The mark that stands at `at`, and its length.
    pub(super) fn mark_at(bytes: &[u8], at: usize) -> Option<(Quote, usize)> {
        match (bytes.get(at)?, bytes.get(at + 1), bytes.get(at + 2)) {
            (b'"', _, _) => Some((Quote::Double, 1)),
            (b'\'', _, _) => Some((Quote::Single, 1)),
            (0xE2, Some(0x80), Some(0x98..=0x9B)) => Some((Quote::SmartSingle, 3)),
            (0xE2, Some(0x80), Some(0x9C..=0x9F)) => Some((Quote::Smart, 3)),
            _ => None,
        }
    }

    /// May a string that begins with this mark end with `other`?
    pub(super) fn may_end_with(self, other: Quote) -> bool {
        match self {
            Quote::Double | Quote::Single => self == other,
            Quote::Smart => matches!(other, Quote::Smart | Quote::Double),
            Quote::SmartSingle => matches!(other, Quote::SmartSingle | Quote::Single),
        }
    }
}

/// Where a string stands that is a value inside brackets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) bytes: &'a [u8],
    /// The open brackets, the innermost last. Never empty.
    pub(super) open: &'a [u8],
    /// The kind of mark that the string began with.
    pub(super) quote: Quote,
}

impl Around<'_> {
    /// Does a string end with the mark just before `after`?
    pub(super) fn ends(self, after: usize) -> Look {
        let next = past_space(self.bytes, after);
        match self.bytes.get(next) {
            None => Look::End,
            Some(b'/' | b'#') => self.comment_ends(next),
            Some(b'"' | b'\'' | 0xE2) if next > after => self.next_item(after, next),
            Some(_) => self.punctuation(next),
        }
    }

    fn punctuation(self, at: usize) -> Look {
        match self.bytes.get(at) {
            None => Look::End,
            Some(b',') => self.after_comma(past_space(self.bytes, at + 1)),
            Some(b'}' | b']') => self.closer(at),
            Some(_) => Look::No,
        }
    }

    fn in_object(self) -> bool {
        self.open.last() == Some(&b'{')
    }

    fn after_comma(self, at: usize) -> Look {
        match self.bytes.get(at) {
            None => Look::End,
            // What a comment holds is not looked at here.
            Some(b'/' | b'#' | b',' | b'}' | b']') => Look::Yes,
            Some(_) if self.in_object() => key(self.bytes, at),
            Some(b'{' | b'[') => Look::Yes,
            Some(_) if Quote::mark_at(self.bytes, at).is_some() => Look::Yes,
            Some(_) => word_then(self.bytes, at, b",]"),
        }
    }

    /// A bracket after the string: right where it closes what is open, and what follows fits what is around that.
    fn closer(self, at: usize) -> Look {
        let closer = self.bytes.get(at).copied().unwrap_or_default();
        let opener = opener(closer);
        let next = past_space(self.bytes, at + 1);
        if self.open.last() != Some(&opener) {
            // A bracket is missing before this one; where none is open for it, it may only stand at the very end.
            return match self.bytes.get(next) {
                _ if self.open.contains(&opener) => Look::Yes,
                None => Look::End,
                Some(_) => Look::No,
            };
        }
        let Some(outer) = self.open.len().checked_sub(2).and_then(|outer| self.open.get(outer)) else {
            return Look::Yes;
        };
        match self.bytes.get(next) {
            None => Look::End,
            Some(b',' | b'}' | b']' | b'/' | b'#') => Look::Yes,
            Some(_) if *outer == b'{' => key(self.bytes, next),
            Some(byte) => Look::when(matches!(byte, b'{' | b'[')),
        }
    }

    /// A second string after white space: the next item of an object, or of a list with one item a line.
    fn next_item(self, after: usize, next: usize) -> Look {
        if self.in_object() {
            return quoted_then(self.bytes, next, b":");
        }
        let lines = self.bytes.get(after..next).is_some_and(|space| space.contains(&b'\n'));
        if lines { quoted_then(self.bytes, next, b",]") } else { Look::No }
    }

    /// A comment after the string counts if it holds no mark that could end the string.
    fn comment_ends(self, at: usize) -> Look {
        let block = self.bytes.get(at..at + 2) == Some(b"/*");
        let mut end = at + if block { 2 } else { 1 };
        match (self.bytes.get(at), self.bytes.get(at + 1)) {
            (Some(b'/'), None) => return Look::End,
            (Some(b'/'), Some(b'/' | b'*')) | (Some(b'#'), _) => {}
            _ => return Look::No,
        }
        loop {
            match self.bytes.get(end) {
                None => return Look::End,
                Some(b'*') if block && self.bytes.get(end + 1) == Some(&b'/') => {
                    return self.punctuation(past_space(self.bytes, end + 2));
                }
                Some(b'\n') if !block => return self.punctuation(past_space(self.bytes, end)),
                Some(_) if self.mark(end) => return Look::No,
                Some(_) => end += 1,
            }
        }
    }

    fn mark(self, at: usize) -> bool {
        Quote::mark_at(self.bytes, at).is_some_and(|(quote, _)| self.quote.may_end_with(quote))
    }
}

/// The bracket that `closer` closes.
pub(super) fn opener(closer: u8) -> u8 {
    if closer == b'}' { b'{' } else { b'[' }
}

/// Part of a key without quotation marks.
pub(super) fn in_bare_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-')
}

/// Part of a value without quotation marks.
pub(super) fn in_bare_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'/' | b'+')
}

/// Does a key stand at `at`, colon and all? A bare one must have something like a value after it, as prose has colons.
fn key(bytes: &[u8], at: usize) -> Look {
    if Quote::mark_at(bytes, at).is_some() {
        return quoted_then(bytes, at, b":");
    }
    let end = past(bytes, at, in_bare_key);
    let colon = past_space(bytes, end);
    let value = past_space(bytes, colon + 1);
    match (bytes.get(colon), bytes.get(value)) {
        (None, _) => Look::End,
        (Some(b':'), None) if end > at => Look::End,
        (Some(b':'), Some(b'{' | b'[')) if end > at => Look::Yes,
        (Some(b':'), Some(_)) if end > at && Quote::mark_at(bytes, value).is_some() => Look::Yes,
        (Some(b':'), Some(_)) if end > at => word_then(bytes, value, b",}"),
        (Some(_), _) => Look::No,
    }
}

/// A quoted string on one line at `at`, and one of `wanted` after it.
fn quoted_then(bytes: &[u8], at: usize, wanted: &[u8]) -> Look {
    let Some((quote, length)) = Quote::mark_at(bytes, at) else { return Look::No };
    let mut end = at + length;
    loop {
        match bytes.get(end) {
            None => return Look::End,
            Some(b'\n') => return Look::No,
            Some(b'\\') => end += 2,
            Some(_) => match Quote::mark_at(bytes, end) {
                Some((other, length)) if quote.may_end_with(other) => {
                    let next = bytes.get(past_space(bytes, end + length));
                    return next.map_or(Look::End, |next| Look::when(wanted.contains(next)));
                }
                Some((_, length)) => end += length,
                None => end += 1,
            },
        }
    }
}

/// A word or number at `at`, and one of `wanted` after it.
fn word_then(bytes: &[u8], at: usize, wanted: &[u8]) -> Look {
    let end = past(bytes, at, in_bare_word);
    match bytes.get(past_space(bytes, end)) {
        None => Look::End,
        Some(next) => Look::when(end > at && wanted.contains(next)),
    }
}

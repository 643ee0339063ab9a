//! Line ends: a text with LF ends only and the way back, and which ends new text shall get.

use std::cell::LazyCell;
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnd {
    Lf,
    CrLf,
}

impl LineEnd {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
        }
    }

    /// The line ends that are there in `place`; `None` where it has none.
    pub(super) fn within(place: &str) -> Option<Self> {
        match (place.contains("\r\n"), place.contains('\n')) {
            (true, _) => Some(LineEnd::CrLf),
            (false, true) => Some(LineEnd::Lf),
            (false, false) => None,
        }
    }

    /// Those of most lines of `text`.
    pub(super) fn mostly(text: &str) -> Self {
        let crlf = text.matches("\r\n").count();
        if crlf * 2 > text.matches('\n').count() { LineEnd::CrLf } else { LineEnd::Lf }
    }
}

/// `content` with the line ends that `before` mostly has, where `content` itself has no CRLF.
pub(crate) fn with_ends_of(before: &str, content: &str) -> String {
    match LineEnd::mostly(before) {
        LineEnd::CrLf if !content.contains('\r') => content.replace('\n', "\r\n"),
        LineEnd::CrLf | LineEnd::Lf => content.into(),
    }
}

/// Does `text` mostly end its lines with CRLF?
pub(crate) fn is_crlf(text: &str) -> bool {
    LineEnd::mostly(text) == LineEnd::CrLf
}

/// A text with LF line ends only, and the way back.
pub(super) struct Flat {
    pub(super) text: String,
    /// Where in `text` the line ends are that were CRLF.
    shortened: Vec<usize>,
}

impl Flat {
    pub(super) fn new(original: &str) -> Self {
        let shortened = original.match_indices("\r\n").enumerate().map(|(before, (index, _))| index - before).collect();
        Flat { text: original.replace("\r\n", "\n"), shortened }
    }

    /// `original` with other texts, LF ends, in places of the flat text, which are in order and do not overlap.
    pub(super) fn put(&self, original: &str, places: Vec<(Range<usize>, String)>) -> String {
        let mut result = String::with_capacity(original.len());
        let (mut done, usual) = (0, LazyCell::new(|| LineEnd::mostly(original)));
        for (place, new) in places {
            let place = self.original(place.start)..self.original(place.end);
            result.push_str(&original[done..place.start]);
            match LineEnd::within(&original[place.clone()]).unwrap_or_else(|| *usual) {
                LineEnd::Lf => result.push_str(&new),
                LineEnd::CrLf => result.push_str(&new.replace('\n', "\r\n")),
            }
            done = place.end;
        }
        result.push_str(&original[done..]);
        result
    }

    /// Where the byte at `index` of the flat text is in the original.
    fn original(&self, index: usize) -> usize {
        index + self.shortened.partition_point(|end| *end < index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_content_keeps_the_ends_of_the_file() {
        assert_eq!(with_ends_of("a\r\nb\r\n", "x\ny\n"), "x\r\ny\r\n");
        assert_eq!(with_ends_of("a\nb\r\nc\n", "x\ny\n"), "x\ny\n");
        assert_eq!(with_ends_of("a\r\n", "x\r\ny\n"), "x\r\ny\n");
    }
}

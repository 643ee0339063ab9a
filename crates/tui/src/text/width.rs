//! How many columns a text takes, by grapheme, exactly as the screen's buffer will count them.

use ratatui::buffer::CellWidth;
use ratatui::text::{Line, Span};
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;

/// Calls `visit` with start, grapheme and width of every grapheme of `text`.
pub(crate) fn each_grapheme<'a>(text: &'a str, mut visit: impl FnMut(usize, &'a str, usize)) {
    if text.is_ascii() {
        // Nine texts in ten; a byte is a grapheme then.
        return (0..text.len()).for_each(|at| visit(at, &text[at..at + 1], 1));
    }
    for (at, grapheme) in text.grapheme_indices(true) {
        visit(at, grapheme, usize::from(grapheme.cell_width()));
    }
}

/// The columns `text` takes.
pub(crate) fn width(text: &str) -> usize {
    let mut sum = 0;
    each_grapheme(text, |_, _, width| sum += width);
    sum
}

/// The columns `line` takes.
pub(crate) fn line_width(line: &Line<'_>) -> usize {
    spans_width(&line.spans)
}

/// The columns `spans` take, one after the other.
pub(crate) fn spans_width(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| width(&span.content)).sum()
}

/// `text`, cut with `…` where it takes more than `room` columns.
pub(crate) fn shorten(text: &str, room: usize) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let (mut used, mut end) = (0, 0);
    each_grapheme(text, |at, grapheme, width| {
        used += width;
        if used < room {
            end = at + grapheme.len();
        }
    });
    Cow::Owned(format!("{}…", text[..end].trim_end()))
}

#[cfg(test)]
mod tests {
    use super::{shorten, width};

    #[test]
    fn graphemes_count_as_the_screen_counts_them() {
        for (text, columns) in
            [("abc", 3), ("漢字", 4), ("e\u{301}", 1), ("👨\u{200d}👩\u{200d}👧", 2), ("🇩🇪", 2), ("", 0)]
        {
            assert_eq!(width(text), columns, "{text}");
        }
    }

    #[test]
    fn shortening_keeps_graphemes_whole() {
        assert_eq!(shorten("abcdef", 6), "abcdef");
        assert_eq!(shorten("abcdef", 4), "abc…");
        assert_eq!(shorten("漢字漢字", 5), "漢字…");
    }
}

//! Breaks styled lines to a width: between words where it can, between graphemes where it must.
//!
//! Nothing is ever cut off; what does not fit goes to the next line.

use super::width::{each_grapheme, spans_width};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::ops::Range;

/// Where a line may be broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Break {
    /// Between words; the spaces there are dropped. For prose.
    Words,
    /// Anywhere; nothing is dropped. For code, where every space counts.
    Anywhere,
}

/// `line` broken between words to `width` columns; lines after the first are indented by `hanging`.
pub(crate) fn wrap(line: &Line<'static>, width: u16, hanging: u16) -> Vec<Line<'static>> {
    let spans =
        line.spans.iter().map(|span| Span::styled(span.content.clone(), line.style.patch(span.style))).collect();
    let hanging = if hanging < width { hanging } else { 0 };
    let indent = Span::raw(" ".repeat(usize::from(hanging)));
    let rows = wrap_spans(spans, usize::from(width), usize::from(width - hanging), Break::Words);
    let indented = |(number, mut row): (usize, Vec<Span<'static>>)| {
        if number > 0 && hanging > 0 {
            row.insert(0, indent.clone());
        }
        Line::from(row)
    };
    rows.into_iter().enumerate().map(indented).collect()
}

/// `spans` broken into rows: the first `first` columns wide, the others `rest`. At least one row.
pub(crate) fn wrap_spans(
    spans: Vec<Span<'static>>,
    first: usize,
    rest: usize,
    breaks: Break,
) -> Vec<Vec<Span<'static>>> {
    if spans_width(&spans) <= first {
        return vec![spans];
    }
    let text: String = spans.iter().map(|span| span.content.as_ref()).collect();
    let rows = break_rows(&text, first.max(1), rest.max(1), breaks);
    rows.into_iter().map(|row| pick(&spans, row)).collect()
}

/// A break that could be taken: the row would end at the byte `end`, the next begin with the grapheme `next`.
#[derive(Clone, Copy)]
struct Chance {
    end: usize,
    next: usize,
}

/// One grapheme: where it begins, and its width.
struct Piece<'a> {
    at: usize,
    text: &'a str,
    width: usize,
}

/// Byte ranges of the rows of `text`.
fn break_rows(text: &str, first: usize, rest: usize, breaks: Break) -> Vec<Range<usize>> {
    let mut pieces = Vec::with_capacity(text.len());
    each_grapheme(text, |at, text, width| pieces.push(Piece { at, text, width }));
    let mut rows = Vec::new();
    let (mut start, mut room) = (0, first);
    while let Some(Chance { end, next }) = row_end(&pieces, start, room, breaks) {
        rows.push(pieces[start].at..end);
        (start, room) = (next, rest);
    }
    if start < pieces.len() {
        let end = if breaks == Break::Words { text.trim_end_matches(' ').len() } else { text.len() };
        rows.push(pieces[start].at..end.max(pieces[start].at));
    }
    rows
}

/// Where the row that begins with the grapheme `start` has to be broken; `None`: the rest fits.
fn row_end(pieces: &[Piece<'_>], start: usize, room: usize, breaks: Break) -> Option<Chance> {
    let mut chance = None;
    let mut used = 0;
    for (index, piece) in pieces.iter().enumerate().skip(start) {
        if breaks == Break::Words && index > start {
            chance = later_chance(chance, &pieces[index - 1], piece, index).or(chance);
        }
        let hangs = breaks == Break::Words && piece.text == " ";
        if used + piece.width > room && !hangs && index > start {
            return Some(chance.unwrap_or(Chance { end: piece.at, next: index }));
        }
        used += piece.width;
    }
    None
}

/// The chance to break right before or, at a space, right after the grapheme at hand.
fn later_chance(chance: Option<Chance>, previous: &Piece<'_>, piece: &Piece<'_>, index: usize) -> Option<Chance> {
    if piece.text == " " {
        let end = match chance {
            Some(chance) if previous.text == " " && chance.next == index => chance.end,
            _ => piece.at,
        };
        return Some(Chance { end, next: index + 1 });
    }
    let wide = (piece.width == 2 || previous.width == 2) && previous.text != " ";
    (wide && !holds(previous.text, piece.text)).then_some(Chance { end: piece.at, next: index })
}

/// May no line begin between these two, though one of them is wide?
fn holds(previous: &str, next: &str) -> bool {
    let closes = "、。，．）」』】！？：；ー…";
    let opens = "（「『【([{";
    closes.contains(next) || opens.contains(previous) || next.chars().all(|c| c.is_ascii_punctuation())
}

/// The part `row` of `spans`.
fn pick(spans: &[Span<'static>], row: Range<usize>) -> Vec<Span<'static>> {
    let mut picked: Vec<Span<'static>> = Vec::new();
    let mut at = 0;
    for span in spans {
        let (from, to) = (row.start.max(at), row.end.min(at + span.content.len()));
        if from < to {
            append(&mut picked, &span.content[from - at..to - at], span.style);
        }
        at += span.content.len();
    }
    picked
}

/// Adds `text` to `spans`, to the last one where the style is the same.
pub(crate) fn append(spans: &mut Vec<Span<'static>>, text: &str, style: Style) {
    match spans.last_mut() {
        Some(last) if last.style == style => last.content.to_mut().push_str(text),
        _ => spans.push(Span::styled(text.to_owned(), style)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Break, wrap, wrap_spans};
    use ratatui::style::{Modifier, Style};
    use ratatui::text::{Line, Span};

    fn words(text: &str, width: u16, hanging: u16) -> Vec<String> {
        wrap(&Line::from(text.to_owned()), width, hanging).iter().map(ToString::to_string).collect()
    }

    fn anywhere(text: &str, width: usize) -> Vec<String> {
        let rows = wrap_spans(vec![Span::raw(text.to_owned())], width, width, Break::Anywhere);
        rows.into_iter().map(|row| Line::from(row).to_string()).collect()
    }

    #[test]
    fn words_stay_whole_and_later_lines_hang() {
        assert_eq!(words("the quick brown fox", 10, 0), ["the quick", "brown fox"]);
        assert_eq!(words("the quick brown fox", 10, 2), ["the quick", "  brown", "  fox"]);
        assert_eq!(words("", 10, 2), [""]);
    }

    #[test]
    fn a_long_word_fits_the_narrower_rows_too() {
        assert_eq!(words("ab abcdefgh", 9, 6), ["ab", "      abc", "      def", "      gh"]);
    }

    #[test]
    fn spaces_at_a_break_are_dropped_and_leading_ones_stay() {
        assert_eq!(words("  ab   cd", 5, 0), ["  ab", "cd"]);
        assert_eq!(words("abcde ", 5, 0), ["abcde"]);
        assert_eq!(words("ab cd ", 5, 0), ["ab cd"]);
    }

    #[test]
    fn a_word_that_is_too_long_is_broken_not_cut() {
        assert_eq!(words("see abcdefghij now", 6, 0), ["see", "abcdef", "ghij", "now"]);
    }

    #[test]
    fn wide_letters_never_stick_out() {
        assert_eq!(words("漢字漢字漢", 5, 0), ["漢字", "漢字", "漢"]);
        assert_eq!(words("漢字。漢", 4, 0), ["漢", "字。", "漢"]);
        assert_eq!(words("👨\u{200d}👩\u{200d}👧👨\u{200d}👩\u{200d}👧", 3, 0).len(), 2);
    }

    #[test]
    fn code_keeps_every_space() {
        assert_eq!(anywhere("ab  cd  ", 3), ["ab ", " cd", "  "]);
    }

    #[test]
    fn styles_survive_the_break() {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let line = Line::from(vec![Span::raw("one "), Span::styled("two three", bold)]);
        let rows = wrap(&line, 8, 0);
        assert_eq!(rows[0].spans, vec![Span::raw("one "), Span::styled("two", bold)]);
        assert_eq!(rows[1].spans, vec![Span::styled("three", bold)]);
    }

    #[test]
    fn a_grapheme_over_two_spans_stays_one() {
        let rows = wrap_spans(vec![Span::raw("ab"), Span::raw("\u{301}c")], 2, 2, Break::Anywhere);
        assert_eq!(rows.len(), 2);
    }
}

//! A text of any length, seen through a few rows: only what is in view is cleaned and broken, whatever its length.
//!
//! It is cut into pieces: its lines, and what is left of long lines at every so many bytes. Places are counted in pieces
//! and their rows, so nobody has to know how many rows there are in all.

use super::wrap::{Break, wrap_spans};
use crate::clean::clean_line;
use ratatui::text::{Line, Span};

/// Bytes of a piece, about: enough for a screen, and little enough to be laid out in no time.
const PIECE: usize = 4_096;

/// The text, and what is in view.
#[derive(Debug)]
pub(crate) struct LongText {
    text: String,
    top: Place,
    columns: usize,
    page: usize,
}

/// A row: the byte at which its piece begins, and which row of the piece it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    piece: usize,
    row: usize,
}

impl LongText {
    pub(crate) fn new(text: String) -> Self {
        LongText { text, top: Place::default(), columns: 1, page: 1 }
    }

    /// The rows in view, `page` at most; and how many percent of the text lie above and below them.
    pub(crate) fn lay_out(&mut self, columns: usize, page: usize) -> (Vec<Line<'static>>, u64, u64) {
        self.page = page.max(1);
        self.widen(columns);
        self.top = self.top.min(self.lowest());
        let (mut rows, mut at) = (Vec::new(), Some(self.top.piece));
        let mut skip = self.top.row;
        while let Some(piece) = at.filter(|_| rows.len() < self.page) {
            rows.extend(self.rows(piece).into_iter().skip(std::mem::take(&mut skip)));
            at = self.next(piece);
        }
        let is_all = rows.len() <= self.page && at.is_none();
        rows.truncate(self.page);
        let percent = |bytes: usize| (bytes as u64 * 100).div_ceil(self.text.len().max(1) as u64);
        let below = if is_all { 0 } else { percent(self.text.len() - at.unwrap_or(self.text.len())).max(1) };
        let above = if self.top == Place::default() { 0 } else { percent(self.top.piece).max(1) };
        (rows, above, below)
    }

    /// Is all of it seen in so many rows?
    pub(crate) fn fits(&mut self, columns: usize, rows: usize) -> bool {
        self.widen(columns);
        let (mut count, mut at) = (0, Some(0));
        while let Some(piece) = at.filter(|_| count <= rows) {
            count += self.count(piece);
            at = self.next(piece);
        }
        count <= rows
    }

    /// Another width has other pieces; the place stays, about.
    fn widen(&mut self, columns: usize) {
        if self.columns != columns.max(1) {
            self.columns = columns.max(1);
            self.top = Place { piece: self.holding(self.top.piece), row: 0 };
        }
    }

    pub(crate) fn page(&self) -> usize {
        self.page
    }

    /// Moves what is in view; negative is up.
    pub(crate) fn by(&mut self, lines: i32) {
        let far = usize::try_from(lines.unsigned_abs()).unwrap_or(usize::MAX);
        let to = if lines < 0 { self.back(self.top, far) } else { self.on(self.top, far) };
        self.top = to.min(self.lowest());
    }

    pub(crate) fn go_to_start(&mut self) {
        self.top = Place::default();
    }

    pub(crate) fn go_to_end(&mut self) {
        self.top = self.lowest();
    }

    /// The place at the top when the last row is at the bottom.
    fn lowest(&self) -> Place {
        let piece = self.before(self.text.len()).unwrap_or(0);
        self.back(Place { piece, row: self.count(piece) - 1 }, self.page - 1)
    }

    /// So many rows further on, or the last row.
    fn on(&self, from: Place, mut rows: usize) -> Place {
        let Place { mut piece, mut row } = from;
        loop {
            let left = self.count(piece) - 1 - row;
            match self.next(piece) {
                Some(next) if rows > left => {
                    rows -= left + 1;
                    (piece, row) = (next, 0);
                }
                _ => return Place { piece, row: row + rows.min(left) },
            }
        }
    }

    /// So many rows back, or the first row.
    fn back(&self, from: Place, mut rows: usize) -> Place {
        let Place { mut piece, mut row } = from;
        while rows > row {
            let Some(before) = self.before(piece) else { return Place::default() };
            rows -= row + 1;
            (piece, row) = (before, self.count(before) - 1);
        }
        Place { piece, row: row - rows }
    }

    fn count(&self, piece: usize) -> usize {
        self.rows(piece).len()
    }

    /// The rows of the piece that begins there; one at least.
    fn rows(&self, piece: usize) -> Vec<Line<'static>> {
        let text = clean_line(&self.text[piece..self.end(piece)]).into_owned();
        let rows = wrap_spans(vec![Span::raw(text)], self.columns, self.columns, Break::Anywhere);
        rows.into_iter().map(Line::from).collect()
    }

    /// Where the piece that begins there ends.
    fn end(&self, piece: usize) -> usize {
        // Whole rows, as long as each letter is a byte and takes a column.
        let size = (PIECE / self.columns).max(1) * self.columns;
        let most = self.text.floor_char_boundary(piece.saturating_add(size.max(4)));
        self.text[piece..most].find('\n').map_or(most, |length| piece + length)
    }

    /// Where the piece after it begins.
    fn next(&self, piece: usize) -> Option<usize> {
        let end = self.end(piece);
        let next = end + usize::from(self.text[end..].starts_with('\n'));
        (next < self.text.len()).then_some(next)
    }

    /// Where the piece begins that ends before `start`.
    fn before(&self, start: usize) -> Option<usize> {
        let last = start.checked_sub(1)?;
        let inside = if self.text.as_bytes()[last] == b'\n' { last } else { start };
        let mut piece = self.text[..inside].rfind('\n').map_or(0, |at| at + 1);
        while let Some(next) = self.next(piece).filter(|next| *next < start) {
            piece = next;
        }
        Some(piece)
    }

    /// Where the piece begins that holds this byte.
    fn holding(&self, byte: usize) -> usize {
        let mut piece = self.text[..byte].rfind('\n').map_or(0, |at| at + 1);
        while let Some(next) = self.next(piece).filter(|next| *next <= byte) {
            piece = next;
        }
        piece
    }
}

#[cfg(test)]
mod tests {
    use super::LongText;

    fn shown(text: &mut LongText, columns: usize, page: usize) -> Vec<String> {
        text.lay_out(columns, page).0.iter().map(ToString::to_string).collect()
    }

    /// Every row, found by going down one at a time.
    fn walked(text: &str, columns: usize) -> Vec<String> {
        let mut text = LongText::new(text.to_owned());
        let mut rows = shown(&mut text, columns, 1);
        while text.lay_out(columns, 1).2 > 0 {
            text.by(1);
            rows.extend(shown(&mut text, columns, 1));
        }
        rows
    }

    #[test]
    fn every_row_is_shown_once_and_nothing_commands_the_terminal() {
        assert_eq!(walked("one\n\n three four\u{1b}\r\nfive\n", 6), ["one", "", " three", " four␛", "␍", "five"]);
        assert_eq!(walked("", 6), [""]);
        assert_eq!(walked("\n\n", 6), ["", ""]);
    }

    #[test]
    fn a_line_of_many_pieces_is_broken_as_if_it_were_one() {
        let line: String = (0..5_000).map(|number| format!("{number} ")).collect();
        let rows = walked(&line, 30);
        assert!(rows[..rows.len() - 1].iter().all(|row| row.len() == 30));
        assert_eq!(rows.concat(), line);
        let exact = "x".repeat(super::PIECE) + "\ny";
        assert_eq!(walked(&exact, 1_024), ["x".repeat(1_024).as_str(); 4].into_iter().chain(["y"]).collect::<Vec<_>>());
    }

    #[test]
    fn up_leads_back_over_the_same_rows() {
        let text: String =
            (0..400).map(|number| "w".repeat(number % 90) + if number % 3 == 0 { "\n" } else { "é" }).collect();
        let whole = walked(&text, 40);
        let mut text = LongText::new(text);
        shown(&mut text, 40, 1);
        text.go_to_end();
        let mut back = shown(&mut text, 40, 1);
        while text.lay_out(40, 1).1 > 0 {
            text.by(-1);
            back.extend(shown(&mut text, 40, 1));
        }
        back.reverse();
        assert_eq!(back, whole);
    }

    #[test]
    fn a_page_ends_with_the_last_row_and_another_width_keeps_the_place() {
        let lines: String = (1..=100).map(|number| format!("line {number}\n")).collect();
        let mut text = LongText::new(lines);
        assert_eq!(shown(&mut text, 20, 3), ["line 1", "line 2", "line 3"]);
        text.by(1_000);
        assert_eq!(shown(&mut text, 20, 3), ["line 98", "line 99", "line 100"]);
        text.by(-40);
        assert_eq!(shown(&mut text, 20, 2)[0], "line 58");
        assert_eq!(shown(&mut text, 4, 2), ["line", " 58"]);
        text.go_to_start();
        assert_eq!(text.lay_out(20, 100).0.len(), 100);
        assert_eq!((text.lay_out(20, 100).1, text.lay_out(20, 100).2), (0, 0));
    }

    #[test]
    fn millions_of_letters_in_one_line_are_looked_at_from_both_ends() {
        let mut text = LongText::new("字a".repeat(2_000_000) + "end");
        assert_eq!(shown(&mut text, 80, 40).len(), 40);
        text.go_to_end();
        assert!(shown(&mut text, 80, 40)[39].ends_with("end"));
        text.by(-1_000);
        assert_eq!(text.lay_out(80, 40).0.len(), 40);
    }
}

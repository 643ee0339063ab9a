//! Knows what the terminal shows and writes only what a new frame changes.
//!
//! Writes to memory; `Terminal` sends it off. Besides cell by cell, a frame can differ by a *slide*: rows that moved up
//! or down as a whole. The terminal moves those itself, which is what keeps a streaming answer cheap.

use super::ink::{self, Pen};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Rows `top..bottom` probably moved up by `lines` since the last frame (down, if negative). Only a hint: whatever it
/// gets wrong is drawn over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slide {
    pub(crate) top: u16,
    pub(crate) bottom: u16,
    pub(crate) lines: i32,
}

/// A noncharacter: a cell that holds it differs from every cell to be drawn.
const NEVER_DRAWN: &str = "\u{fdd0}";

/// What the terminal shows, and the page that comes next.
pub(crate) struct Screen {
    shown: Buffer,
    next: Buffer,
    cursor: Cursor,
    known: Known,
    ink: Pen,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cursor {
    Unknown,
    Hidden,
    At(Position),
}

/// Do we know what the terminal shows?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Yes,
    No,
}

impl Screen {
    pub(crate) fn new(size: Size) -> Self {
        let page = Buffer::empty(Rect::from((Position::ORIGIN, size)));
        Screen { shown: page.clone(), next: page, cursor: Cursor::Unknown, known: Known::No, ink: Pen::default() }
    }

    /// From now on the terminal has this size and shows we do not know what.
    pub(crate) fn resize(&mut self, size: Size) {
        *self = Screen::new(size);
    }

    pub(crate) fn size(&self) -> Size {
        self.next.area.as_size()
    }

    /// The terminal shows we do not know what.
    pub(crate) fn forget(&mut self) {
        self.resize(self.size());
    }

    pub(crate) fn page(&mut self) -> &mut Buffer {
        self.next.reset();
        &mut self.next
    }

    /// Appends to `out` what turns the shown page into the next one; nothing when they are alike.
    pub(crate) fn write(&mut self, cursor: Option<Position>, slide: Option<Slide>, out: &mut Vec<u8>) {
        let mut body = Vec::new();
        self.begin_anew(&mut body);
        if let Some(slide) = slide.and_then(|slide| self.worth(slide)) {
            self.slide(slide, &mut body);
        }
        self.distrust_doubtful_rows();
        for (x, y, cell) in self.shown.diff_iter(&self.next) {
            self.ink.put(Position::new(x, y), cell, &mut body);
        }
        self.ink.rest(&mut body);
        std::mem::swap(&mut self.shown, &mut self.next);
        let wanted = cursor.map_or(Cursor::Hidden, Cursor::At);
        if body.is_empty() && wanted == self.cursor {
            return;
        }
        // Synchronized update: a terminal that knows it shows the frame at once, others ignore it.
        out.extend_from_slice(b"\x1b[?2026h");
        out.extend_from_slice(&body);
        self.place(wanted, out);
        out.extend_from_slice(b"\x1b[?2026l");
    }

    /// Appends to `out` what lets the first `rows` of the screen go up into the terminal's scrollback, with all of it moving. The
    /// next frame puts right what should have stayed.
    pub(crate) fn let_go(&mut self, rows: u16, out: &mut Vec<u8>) {
        let height = self.shown.area.height;
        let rows = rows.min(height);
        if rows == 0 {
            return;
        }
        // Only a line feed in the last row of the whole screen keeps what leaves it, in every terminal.
        ink::say(out, format_args!("\x1b[{height};1H"));
        out.extend(std::iter::repeat_n(b'\n', usize::from(rows)));
        let moved = self.row(rows).start;
        self.shown.content.rotate_left(moved);
        let blank = self.shown.content.len() - moved..;
        self.shown.content[blank].fill(Cell::EMPTY);
    }

    /// The page that is shown, to be changed in parts.
    pub(crate) fn shown_again(&mut self) -> &mut Buffer {
        self.next.clone_from(&self.shown);
        &mut self.next
    }

    /// Where terminals disagree about the width of a character, a row that changes is written whole: what such a
    /// character left beside its place is then written over.
    fn distrust_doubtful_rows(&mut self) {
        for row in 0..self.next.area.height {
            let cells = self.row(row);
            let doubtful = |page: &Buffer| page.content[cells.clone()].iter().any(|cell| is_doubtful(cell.symbol()));
            if !self.same(row, row) && (doubtful(&self.shown) || doubtful(&self.next)) {
                self.shown.content[cells].fill(Cell::new(NEVER_DRAWN));
            }
        }
    }

    fn begin_anew(&mut self, out: &mut Vec<u8>) {
        if self.known == Known::Yes {
            return;
        }
        self.known = Known::Yes;
        self.shown.reset();
        self.ink = Pen::default();
        // Not 2J: some terminals put what that clears into their scrollback.
        out.extend_from_slice(b"\x1b[0m\x1b[H\x1b[J");
    }

    fn place(&mut self, wanted: Cursor, out: &mut Vec<u8>) {
        if let Cursor::At(position) = wanted {
            ink::go(position, out);
        }
        match (self.cursor, wanted) {
            (Cursor::At(_), Cursor::At(_)) | (Cursor::Hidden, Cursor::Hidden) => {}
            (_, Cursor::At(_)) => out.extend_from_slice(b"\x1b[?25h"),
            (_, _) => out.extend_from_slice(b"\x1b[?25l"),
        }
        self.cursor = wanted;
    }

    /// `slide`, cut to the screen, if more rows arrive in place by it than stand already.
    fn worth(&self, slide: Slide) -> Option<Slide> {
        let bottom = slide.bottom.min(self.next.area.height);
        let distance = i32::from(bottom) - i32::from(slide.top);
        if slide.lines == 0 || slide.lines.abs() >= distance {
            return None;
        }
        let row_before = |row: u16| u16::try_from(i32::from(row) + slide.lines).ok();
        let inside = |row: u16| row >= slide.top && row < bottom;
        let moved = (slide.top..bottom)
            .filter(|row| {
                row_before(*row).filter(|before| inside(*before)).is_some_and(|before| self.same(before, *row))
            })
            .count();
        let standing = (slide.top..bottom).filter(|row| self.same(*row, *row)).count();
        (moved > standing).then_some(Slide { bottom, ..slide })
    }

    fn same(&self, before: u16, after: u16) -> bool {
        self.shown.content[self.row(before)] == self.next.content[self.row(after)]
    }

    fn row(&self, row: u16) -> std::ops::Range<usize> {
        let width = usize::from(self.next.area.width);
        let start = usize::from(row) * width;
        start..start + width
    }

    fn slide(&mut self, slide: Slide, out: &mut Vec<u8>) {
        let lines = slide.lines.unsigned_abs();
        let letter = if slide.lines > 0 { 'S' } else { 'T' };
        ink::say(out, format_args!("\x1b[{};{}r\x1b[{lines}{letter}\x1b[r", slide.top + 1, slide.bottom));
        let area = self.row(slide.top).start..self.row(slide.bottom - 1).end;
        let cells = &mut self.shown.content[area];
        let moved = usize::from(self.next.area.width) * lines as usize;
        let blank = if slide.lines > 0 {
            cells.rotate_left(moved);
            cells.len() - moved..cells.len()
        } else {
            cells.rotate_right(moved);
            0..moved
        };
        cells[blank].fill(Cell::EMPTY);
    }
}

/// Would a terminal that does not join characters give `symbol` another width than one that does?
fn is_doubtful(symbol: &str) -> bool {
    !symbol.is_ascii() && symbol.chars().filter_map(|letter| letter.width()).sum::<usize>() != symbol.width()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::{Color, Modifier, Style};

    fn lines(count: u16) -> std::num::NonZeroU16 {
        count.try_into().unwrap()
    }

    /// A screen with a terminal that reads what it writes.
    struct Bench {
        screen: Screen,
        terminal: vt100::Parser,
    }

    impl Bench {
        fn new() -> Self {
            Bench { screen: Screen::new(Size::new(20, 6)), terminal: vt100::Parser::new(lines(6), lines(20), 0) }
        }

        /// Draws `rows` and gives back how many bytes it took.
        fn draw(&mut self, rows: &[&str], slide: Option<Slide>) -> usize {
            self.paint(slide, |page| {
                for (y, row) in (0..).zip(rows) {
                    page.set_string(0, y, row, Style::new());
                }
            })
        }

        fn paint(&mut self, slide: Option<Slide>, paint: impl FnOnce(&mut Buffer)) -> usize {
            paint(self.screen.page());
            let mut bytes = Vec::new();
            self.screen.write(Some(Position::new(1, 2)), slide, &mut bytes);
            self.terminal.process(&bytes);
            bytes.len()
        }

        fn rows(&self) -> Vec<String> {
            self.terminal.screen().rows(0, 20).map(|row| row.trim_end().to_owned()).collect()
        }
    }

    #[test]
    fn the_terminal_shows_what_was_drawn() {
        let mut bench = Bench::new();
        bench.draw(&["hello", "", "third row"], None);
        bench.draw(&["hallo", "new"], None);
        assert_eq!(bench.rows(), ["hallo", "new", "", "", "", ""]);
        assert_eq!(bench.terminal.screen().cursor_position(), (2, 1));
    }

    #[test]
    fn a_frame_like_the_last_one_writes_nothing() {
        let mut bench = Bench::new();
        bench.draw(&["hello"], None);
        assert_eq!(bench.draw(&["hello"], None), 0);
    }

    #[test]
    fn wide_and_joined_characters_keep_their_places() {
        let mut bench = Bench::new();
        bench.draw(&["日本語 text", "e\u{301}a 👩‍👩‍👧 b", "plain"], None);
        bench.draw(&["日x語 text", "e\u{301}b 👩‍👩‍👧 c", "日本"], None);
        let rows = bench.rows();
        assert_eq!(
            (&rows[0][..], &rows[2][..]),
            ("日x 語 text".replace(' ', "").replace("text", " text").as_str(), "日本")
        );
        bench.draw(&["ab日", "", "日本x"], None);
        assert_eq!(bench.rows(), ["ab日", "", "日本x", "", "", ""]);
    }

    #[test]
    fn rows_that_moved_up_are_moved_by_the_terminal() {
        let slide = Slide { top: 1, bottom: 5, lines: 1 };
        let before = ["title", "line one of it", "line two of it", "line three", "line four", "status"];
        let after = ["title", "line two of it", "line three", "line four", "line five", "status"];
        let (mut with, mut without) = (Bench::new(), Bench::new());
        with.draw(&before, None);
        without.draw(&before, None);
        assert!(with.draw(&after, Some(slide)) < without.draw(&after, None));
        assert_eq!(with.rows(), after);
        assert_eq!(without.rows(), after);
    }

    #[test]
    fn rows_that_moved_down_are_moved_by_the_terminal() {
        let slide = Slide { top: 0, bottom: 5, lines: -2 };
        let mut bench = Bench::new();
        bench.draw(&["one", "two", "three", "four", "five", "status"], None);
        bench.draw(&["x", "y", "one", "two", "three", "status"], Some(slide));
        assert_eq!(bench.rows(), ["x", "y", "one", "two", "three", "status"]);
    }

    #[test]
    fn rows_that_are_let_go_are_kept_above_the_screen() {
        let mut bench = Bench { terminal: vt100::Parser::new(lines(6), lines(20), 100), ..Bench::new() };
        bench.draw(&["one", "two", "three", "four", "prompt", "status"], None);
        let mut bytes = Vec::new();
        bench.screen.let_go(2, &mut bytes);
        bench.terminal.process(&bytes);
        bench.draw(&["three", "four", "five", "six", "prompt", "status"], None);
        assert_eq!(bench.rows(), ["three", "four", "five", "six", "prompt", "status"]);
        bench.terminal.screen_mut().set_scrollback(2);
        assert_eq!(bench.rows()[..2], ["one", "two"]);
    }

    #[test]
    fn a_wrong_hint_does_no_harm() {
        for lines in [-9, -3, 1, 2, 5, 6, 100] {
            let mut bench = Bench::new();
            bench.draw(&["a", "b", "c", "d", "e", "f"], None);
            bench.draw(&["a", "c", "d", "q", "e", "f"], Some(Slide { top: 1, bottom: 9, lines }));
            assert_eq!(bench.rows(), ["a", "c", "d", "q", "e", "f"], "{lines}");
        }
    }

    #[test]
    fn styles_arrive_and_end_where_they_end() {
        let mut bench = Bench::new();
        let red = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD | Modifier::REVERSED);
        bench.paint(None, |page| {
            page.set_string(0, 0, "ab", red);
            page.set_string(2, 0, "cd", Style::new().add_modifier(Modifier::BOLD));
            page.set_string(4, 0, "ef", Style::new().bg(Color::Indexed(200)).fg(Color::Rgb(1, 2, 3)));
            page.set_string(6, 0, "gh", Style::new());
        });
        let look = |x| {
            let cell = bench.terminal.screen().cell(0, x).unwrap();
            (cell.bold(), cell.inverse(), cell.fgcolor(), cell.bgcolor())
        };
        use vt100::Color::{Default, Idx, Rgb};
        assert_eq!(look(0), (true, true, Idx(1), Default));
        assert_eq!(look(2), (true, false, Default, Default));
        assert_eq!(look(4), (false, false, Rgb(1, 2, 3), Idx(200)));
        assert_eq!(look(6), (false, false, Default, Default));
    }

    #[test]
    fn after_a_resize_everything_is_drawn_again() {
        let mut bench = Bench::new();
        bench.draw(&["hello"], None);
        bench.terminal.process(b"\x1b[Hgarbage");
        bench.screen.forget();
        bench.draw(&["hello"], None);
        assert_eq!(bench.rows()[0], "hello");
    }
}

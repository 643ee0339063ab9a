//! Draws the composer.

use super::{Completed, Completion, Composer, Rows, Writing};
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::width::{shorten, width};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Before what was found.
const PROMPT: &str = "› ";
/// Before the first row while letters are keys of vi.
const NORMAL: &str = "N ";
/// Columns before every row.
const INDENT: u16 = 2;
/// Completions shown at most.
const MOST_COMPLETIONS: usize = 24;
/// Names of files shown at most.
const MOST_NAMES: usize = 10;
/// From this width on there is room for what may follow a command.
const ROOMY: u16 = 60;
/// Columns of the names of commands, with what may follow and without.
const LONGEST_NAME: usize = 17;
const LONGEST_BARE_NAME: usize = 11;

impl Composer {
    /// Breaks the text for an area so wide; says how many rows it wants.
    pub(crate) fn lay_out(&mut self, width: u16) -> usize {
        self.columns = width.saturating_sub(INDENT);
        self.rows = Rows::of(&self.editor, self.columns);
        if self.search.is_some() { 2 } else { self.rows.count() }
    }

    /// Draws it and says where the cursor stands.
    pub(crate) fn draw(&self, palette: Palette, area: Rect, buf: &mut Buffer) -> Option<Position> {
        if area.width <= INDENT || area.height == 0 {
            return None;
        }
        if self.search.is_some() {
            return Some(self.draw_search(palette, area, buf));
        }
        let style = if self.writing == Writing::Shell { palette.warn() } else { palette.accent() };
        let prompt = if self.is_in_normal_mode() { NORMAL } else { self.writing.prompt() };
        buf.set_string(area.x, area.y, prompt, style);
        let inner = Rect { x: area.x + INDENT, width: area.width - INDENT, ..area };
        if self.is_empty() {
            buf.set_stringn(inner.x, inner.y, self.writing.invitation(), usize::from(inner.width), palette.dim());
        }
        Some(self.rows.draw(&self.editor, palette, inner, buf))
    }

    /// Draws the beginning of the draft in one row, while something else takes the keys.
    pub(crate) fn draw_behind(&self, palette: Palette, area: Rect, buf: &mut Buffer) {
        let text = self.editor.whole();
        let shown = shorten(&clean_line(&text), usize::from(area.width.saturating_sub(INDENT))).into_owned();
        let prompt = self.writing.prompt();
        buf.set_stringn(area.x, area.y, format!("{prompt}{shown}"), usize::from(area.width), palette.dim());
    }

    /// Draws the commands the text may become over the lowest rows of `area`.
    pub(crate) fn draw_completions(&self, palette: Palette, area: Rect, buf: &mut Buffer) {
        let Some((chosen, _)) = self.chosen() else { return };
        let completions = self.completions();
        let most =
            if completions.iter().any(|one| one.what == Completed::Name) { MOST_NAMES } else { MOST_COMPLETIONS };
        let room = usize::from(area.height).min(most);
        // Where not all have room, the last row says how many more there are.
        let rows = if completions.len() > room { room.saturating_sub(1) } else { completions.len() };
        let first = (chosen + 1).saturating_sub(rows);
        let count = u16::try_from(completions.len().min(room)).unwrap_or(0);
        let area = Rect { y: area.bottom() - count, height: count, ..area };
        let roomy = area.width >= ROOMY;
        let name = |completion: &Completion| match roomy {
            true => format!("{} {}", completion.line, completion.argument).trim_end().to_owned(),
            false => completion.line.clone(),
        };
        let column = if roomy { LONGEST_NAME } else { LONGEST_BARE_NAME };
        for ((number, completion), row) in completions.iter().enumerate().skip(first).take(rows).zip(area.rows()) {
            let (mark, style) = if number == chosen {
                (" › ", palette.accent().patch(palette.strong()))
            } else {
                ("   ", palette.text())
            };
            let name = match completion.what {
                Completed::Command => format!("{mark}/{:<column$} ", name(completion)),
                Completed::Name => format!("{mark}{} ", file_name(&completion.line, area.width)),
            };
            let words =
                shorten(&completion.words, usize::from(area.width).saturating_sub(width(&name) + 1)).into_owned();
            // What stood there must not shine through.
            row.positions().for_each(|place| buf[place].reset());
            buf.set_line(
                row.x,
                row.y,
                &Line::from_iter([Span::styled(name, style), Span::styled(words, palette.dim())]),
                row.width,
            );
        }
        if completions.len() > room && room > 0 {
            let row = Rect { y: area.bottom() - 1, height: 1, ..area };
            Composer::draw_more(first, completions.len() - first - rows, palette, row, buf);
        }
    }

    /// How many completions stand above and below those that are shown.
    fn draw_more(above: usize, below: usize, palette: Palette, row: Rect, buf: &mut Buffer) {
        row.positions().for_each(|place| buf[place].reset());
        let words = match (above, below) {
            (0, below) => format!("   {below} more ↓"),
            (above, 0) => format!("   {above} more ↑"),
            (above, below) => format!("   {above} more ↑, {below} more ↓"),
        };
        buf.set_stringn(row.x, row.y, words, usize::from(row.width), palette.dim());
    }

    fn draw_search(&self, palette: Palette, area: Rect, buf: &mut Buffer) -> Position {
        let search = self.search.iter();
        let query = search.clone().map(|search| search.query.as_str()).next().unwrap_or_default();
        let found = search.filter_map(|search| search.found).find_map(|place| self.history.entry(place));
        let label = "search your messages: ";
        let room = usize::from(area.width).saturating_sub(width(label) + 1);
        let query = shorten(&clean_line(query), room).into_owned();
        let (x, _) = buf.set_stringn(area.x, area.y, label, usize::from(area.width), palette.accent());
        let (x, y) = buf.set_stringn(x, area.y, &query, room, Style::new());
        let (text, style) = match found {
            Some(entry) => (format!("{PROMPT}{}", clean_line(entry)), palette.text()),
            None if query.is_empty() => ("type a part of it".to_owned(), palette.dim()),
            None => ("no message holds that".to_owned(), palette.dim()),
        };
        if area.height > 1 {
            let shown = shorten(&text, usize::from(area.width)).into_owned();
            buf.set_stringn(area.x, area.y + 1, shown, usize::from(area.width), style);
        }
        Position::new(x.min(area.right() - 1), y)
    }
}

/// The end of a long name says more than its beginning.
fn file_name(name: &str, columns: u16) -> String {
    let name = clean_line(&format!("@{name}")).into_owned();
    let (most, letters) = (usize::from(columns).saturating_sub(12), name.chars().count());
    if letters <= most {
        return name;
    }
    let end: String = name.chars().skip(letters + 2 - most.max(2)).collect();
    format!("@…{end}")
}

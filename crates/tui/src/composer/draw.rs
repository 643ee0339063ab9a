//! Draws the composer.

use super::Completion;
use super::{Composer, Rows};
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::width::{shorten, width};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Before the first row, and as many columns before the others.
const PROMPT: &str = "› ";
const INDENT: u16 = 2;
/// Completions shown at most.
const MOST_COMPLETIONS: usize = 24;
/// From this width on there is room for what may follow a command.
const ROOMY: u16 = 60;
/// Columns of the names of commands, with what may follow and without.
const LONGEST_NAME: usize = 17;
const LONGEST_BARE_NAME: usize = 11;
/// Shown while nothing is written.
const INVITATION: &str = "what shall we do?";

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
        buf.set_string(area.x, area.y, PROMPT, palette.accent());
        let inner = Rect { x: area.x + INDENT, width: area.width - INDENT, ..area };
        if self.is_empty() {
            buf.set_stringn(inner.x, inner.y, INVITATION, usize::from(inner.width), palette.dim());
        }
        Some(self.rows.draw(&self.editor, palette, inner, buf))
    }

    /// Draws the beginning of the draft in one row, while something else takes the keys.
    pub(crate) fn draw_behind(&self, palette: Palette, area: Rect, buf: &mut Buffer) {
        let text = self.editor.whole();
        let shown = shorten(&clean_line(&text), usize::from(area.width.saturating_sub(INDENT))).into_owned();
        buf.set_stringn(area.x, area.y, format!("{PROMPT}{shown}"), usize::from(area.width), palette.dim());
    }

    /// Draws the commands the text may become over the lowest rows of `area`.
    pub(crate) fn draw_completions(&self, palette: Palette, area: Rect, buf: &mut Buffer) {
        let Some((chosen, _)) = self.chosen() else { return };
        let completions = self.completions();
        let room = usize::from(area.height).min(MOST_COMPLETIONS);
        let first = (chosen + 1).saturating_sub(room);
        let count = u16::try_from(completions.len().min(room)).unwrap_or(0);
        let area = Rect { y: area.bottom() - count, height: count, ..area };
        let roomy = area.width >= ROOMY;
        let name = |completion: &Completion| match roomy {
            true => format!("{} {}", completion.line, completion.argument).trim_end().to_owned(),
            false => completion.line.clone(),
        };
        let column = if roomy { LONGEST_NAME } else { LONGEST_BARE_NAME };
        for ((number, completion), row) in completions.iter().enumerate().skip(first).zip(area.rows()) {
            let (mark, style) = if number == chosen {
                (" › ", palette.accent().patch(palette.strong()))
            } else {
                ("   ", palette.text())
            };
            let name = format!("{mark}/{:<column$} ", name(completion));
            let words =
                shorten(completion.words, usize::from(area.width).saturating_sub(width(&name) + 1)).into_owned();
            // What stood there must not shine through.
            row.positions().for_each(|place| buf[place].reset());
            buf.set_line(
                row.x,
                row.y,
                &Line::from_iter([Span::styled(name, style), Span::styled(words, palette.dim())]),
                row.width,
            );
        }
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

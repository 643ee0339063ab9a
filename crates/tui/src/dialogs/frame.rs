//! The one frame all dialogs share: a rule with the title, what stands fixed, what scrolls, and the keys.
//!
//! Knows no dialog. Keys come first where room is short: a question whose answers cannot be read is no question.

use crate::clean::clean_line;
use crate::keymap::Deed;
use crate::palette::Palette;
use crate::text::width::{line_width, shorten, width};
use crate::text::wrap::wrap;
use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Columns left free on each side.
const MARGIN: u16 = 1;
/// Rows of what scrolls that are worth more than what stands fixed.
const LEAST_BODY: usize = 3;

/// With so many rows, one is left blank before the keys in any case.
const ROOMY: usize = 14;

/// How far the body is scrolled.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Scroll {
    top: usize,
    page: usize,
    last_top: usize,
}

impl Scroll {
    pub(crate) fn by(&mut self, lines: i32) {
        let lines = isize::try_from(lines).unwrap_or(0);
        self.top = self.top.saturating_add_signed(lines).min(self.last_top);
    }

    /// Lets a key scroll; says whether it did.
    pub(crate) fn key(&mut self, press: Press) -> bool {
        let page = i32::try_from(self.page.saturating_sub(1).max(1)).unwrap_or(i32::MAX);
        match (press.chord.code, press.deed) {
            (KeyCode::PageUp, _) | (_, Some(Deed::PageUp)) => self.by(-page),
            (KeyCode::PageDown, _) | (_, Some(Deed::PageDown)) => self.by(page),
            (KeyCode::Home, _) | (_, Some(Deed::ToStart)) => self.top = 0,
            (KeyCode::End, _) | (_, Some(Deed::ToEnd)) => self.top = self.last_top,
            (KeyCode::Up, _) => self.by(-1),
            (KeyCode::Down, _) => self.by(1),
            _ => return false,
        }
        true
    }

    /// Fits the scroll to `count` lines in `page` rows, `keep` in view.
    fn settle(&mut self, count: usize, page: usize, keep: Option<usize>) {
        self.page = page;
        self.last_top = count.saturating_sub(page);
        if let Some(keep) = keep {
            self.top = self.top.clamp((keep + 1).saturating_sub(page), keep);
        }
        self.top = self.top.min(self.last_top);
    }
}

/// A key as it reaches a dialog.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Press {
    pub(crate) chord: crate::keymap::Chord,
    pub(crate) deed: Option<Deed>,
}

impl Press {
    /// Is it the key that closes things?
    pub(crate) fn closes(self) -> bool {
        self.chord.is(KeyCode::Esc) || self.deed == Some(Deed::Interrupt)
    }
}

/// What a dialog wants to show.
pub(crate) struct Parts<'a> {
    pub(crate) title: Span<'static>,
    pub(crate) head: Vec<Line<'static>>,
    pub(crate) body: &'a [Line<'static>],
    pub(crate) foot: Vec<Line<'static>>,
    /// Rows of the head that stay where there is hardly room.
    pub(crate) stays: usize,
    /// A row of the body to be kept in view.
    pub(crate) keep: Option<usize>,
    /// Where the cursor stands: a part, a row in it, a column.
    pub(crate) cursor: Option<(Part, usize, u16)>,
}

/// A part of the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Head,
    Body,
    Foot,
}

/// A dialog laid out: its rows from the rule on down.
#[derive(Debug, Default)]
pub(crate) struct Laid {
    pub(crate) rows: Vec<Line<'static>>,
    cursor: Option<Position>,
    /// Could all the keys be shown?
    pub(crate) keys_whole: bool,
}

/// The columns a part of a dialog has in an area so wide.
pub(crate) fn inner(width: u16) -> u16 {
    width.saturating_sub(2 * MARGIN)
}

/// Lays `parts` out in at most `most` rows of `width` columns.
pub(crate) fn fit(parts: Parts<'_>, scroll: &mut Scroll, width: u16, most: u16, palette: Palette) -> Laid {
    let Parts { title, mut head, body, mut foot, stays, keep, cursor } = parts;
    let most = usize::from(most).saturating_sub(1);
    let for_body = body.len().min(LEAST_BODY + 1);
    let for_foot = most.saturating_sub(for_body).max(1);
    let keys_whole = foot.len() <= for_foot;
    foot.truncate(for_foot);
    let gap = usize::from(most >= ROOMY || head.len() + body.len() + foot.len() < most);
    let for_head = most.saturating_sub(foot.len() + gap);
    // Two rows of the body are its first line and how many follow.
    head.truncate(for_head.saturating_sub(for_body).max(stays.min(for_head.saturating_sub(for_body.min(2)))));
    let room = most.saturating_sub(foot.len() + gap + head.len());
    let scrolls = body.len() > room;
    let page = if scrolls { room.saturating_sub(1) } else { body.len() };
    scroll.settle(body.len(), page, keep);
    let mut rows = vec![rule(title, width, palette)];
    rows.extend(head.iter().cloned().map(indented));
    let first_of_body = rows.len();
    rows.extend(body.iter().skip(scroll.top).take(page).cloned().map(indented));
    if scrolls && room > 0 {
        rows.push(indented(more(scroll.top, body.len() - page - scroll.top, palette)));
    }
    rows.extend((0..gap).map(|_| Line::default()));
    let first_of_foot = rows.len();
    rows.extend(foot.into_iter().map(indented));
    let cursor = cursor.and_then(|(part, row, column)| {
        let row = match part {
            Part::Head => Some(1 + row).filter(|row| *row <= head.len()),
            Part::Body => row.checked_sub(scroll.top).filter(|row| *row < page).map(|row| first_of_body + row),
            Part::Foot => Some(first_of_foot + row).filter(|row| *row < rows.len()),
        };
        Some(Position::new(MARGIN + column.min(inner(width).saturating_sub(1)), u16::try_from(row?).ok()?))
    });
    Laid { rows, cursor, keys_whole }
}

impl Laid {
    pub(crate) fn height(&self) -> u16 {
        u16::try_from(self.rows.len()).unwrap_or(u16::MAX)
    }

    /// Draws it and says where the cursor stands.
    pub(crate) fn draw(&self, area: Rect, buf: &mut Buffer) -> Option<Position> {
        for (line, row) in self.rows.iter().zip(area.rows()) {
            buf.set_line(row.x, row.y, line, row.width);
        }
        self.cursor.map(|cursor| Position::new(area.x + cursor.x, area.y + cursor.y))
    }
}

/// A rule across, with a title in it.
pub(crate) fn rule(title: Span<'static>, columns: u16, palette: Palette) -> Line<'static> {
    let room = usize::from(columns).saturating_sub(6);
    let title = Span::styled(shorten(&title.content, room).into_owned(), title.style);
    let rest = usize::from(columns).saturating_sub(width(&title.content) + 5);
    Line::from(vec![
        Span::styled("── ", palette.dim()),
        title,
        Span::styled(format!(" {}", "─".repeat(rest + 1)), palette.dim()),
    ])
}

fn more(above: usize, below: usize, palette: Palette) -> Line<'static> {
    let lines = |count| if count == 1 { "1 more line".to_owned() } else { format!("{count} more lines") };
    let text = match (above, below) {
        (0, below) => format!("↓ {} · pgdn", lines(below)),
        (above, 0) => format!("↑ {} · pgup", lines(above)),
        (above, below) => format!("↑ {above} and ↓ {} · pgup pgdn", lines(below)),
    };
    Line::styled(text, palette.warn())
}

fn indented(mut line: Line<'static>) -> Line<'static> {
    line.spans.insert(0, Span::raw(" ".repeat(usize::from(MARGIN))));
    line
}

/// Foreign text as lines of a dialog: cleaned, and wrapped to `columns`.
pub(crate) fn paragraph(text: &str, style: Style, columns: u16) -> Vec<Line<'static>> {
    text.lines().flat_map(|line| wrap(&Line::styled(clean_line(line).into_owned(), style), columns, 0)).collect()
}

/// Keys with what they do, flowing over as many rows as they need; nothing is cut.
pub(crate) fn choices(choices: &[(String, String)], columns: u16, palette: Palette) -> Vec<Line<'static>> {
    let mut rows: Vec<Line<'static>> = Vec::new();
    for (key, words) in choices {
        let choice = Line::from(vec![
            Span::styled(key.clone(), palette.accent().patch(palette.strong())),
            Span::raw(format!(" {}", clean_line(words))),
        ]);
        let fits = |row: &&mut Line<'static>| line_width(row) + 3 + line_width(&choice) <= usize::from(columns);
        if let Some(row) = rows.last_mut().filter(fits) {
            row.spans.push(Span::raw("   "));
            row.spans.extend(choice.spans);
        } else {
            let hanging = u16::try_from(width(key) + 1).unwrap_or(0);
            rows.extend(wrap(&choice, columns, hanging));
        }
    }
    rows
}

/// A pair for [`choices`].
pub(crate) fn choice(key: impl Into<String>, words: impl Into<String>) -> (String, String) {
    (key.into(), words.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Colour;

    const PALETTE: Palette = Palette { colour: Colour::Off };

    fn text(rows: &[Line<'_>]) -> Vec<String> {
        rows.iter().map(|row| row.to_string().trim_end().to_owned()).collect()
    }

    fn laid(body: usize, most: u16) -> Vec<String> {
        laid_with(body, most, 0)
    }

    fn laid_with(body: usize, most: u16, stays: usize) -> Vec<String> {
        let body: Vec<Line<'static>> = (1..=body).map(|number| Line::from(format!("body {number}"))).collect();
        let parts = Parts {
            title: Span::raw("Title"),
            head: vec![Line::from("head 1"), Line::from("head 2")],
            body: &body,
            foot: vec![Line::from("keys")],
            stays,
            keep: None,
            cursor: None,
        };
        text(&fit(parts, &mut Scroll::default(), 20, most, PALETTE).rows)
    }

    #[test]
    fn everything_is_shown_where_there_is_room() {
        assert_eq!(laid(2, 20), ["── Title ───────────", " head 1", " head 2", " body 1", " body 2", "", " keys"]);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        assert_eq!(laid(9, 8)[3..], [" body 1", " body 2", " body 3", " ↓ 6 more lines · pgdn", " keys"]);
    }

    #[test]
    fn keys_and_body_come_before_the_head() {
        assert_eq!(
            laid(9, 6),
            ["── Title ───────────", " body 1", " body 2", " body 3", " ↓ 6 more lines · pgdn", " keys"]
        );
    }

    #[test]
    fn what_has_to_stay_of_the_head_stays_before_all_of_the_body_does() {
        assert_eq!(
            laid_with(9, 6, 1),
            ["── Title ───────────", " head 1", " body 1", " body 2", " ↓ 7 more lines · pgdn", " keys"]
        );
    }

    #[test]
    fn long_choices_are_wrapped_and_never_cut() {
        let all = [choice("y", "yes once"), choice("a", "yes, and don't ask again for this file"), choice("n", "no")];
        assert_eq!(
            text(&choices(&all, 22, PALETTE)),
            ["y yes once", "a yes, and don't ask", "  again for this file", "n no"]
        );
        assert_eq!(text(&choices(&all[..1], 22, PALETTE)), ["y yes once"]);
    }
}

//! The one frame all dialogs share: a rule with the title, what stands fixed, what scrolls, and the keys.
//!
//! Knows no dialog. Keys come first where room is short: a question whose answers cannot be read is no question.

pub(crate) use super::body::Body;
use super::body::Scrolling;
use super::press::{Press, Step};
use super::seen::Seen;
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::width::{line_width, shorten, width};
use crate::text::wrap::wrap;
use agent_protocol::sanitize::figures::plural;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::ops::Range;

/// Columns left free on each side.
const MARGIN: u16 = 1;
/// Rows of what scrolls that are worth more than what stands fixed.
const LEAST_BODY: usize = 3;

/// With so many rows, one is left blank before the keys in any case.
const ROOMY: usize = 14;

/// How far the body is scrolled.
#[derive(Debug, Default, Clone)]
pub(crate) struct Scroll {
    top: usize,
    page: usize,
    last_top: usize,
    /// Lines that have to be read before an answer.
    must: usize,
    /// Those of them that have been on the screen, as they were laid out: so many lines of the body, in so many columns.
    seen: Seen,
    seen_in: (usize, u16),
    /// Lines that scroll above the body: what found no room in the head.
    lead: usize,
    /// The row of the dialog in which the first line stands that is shown.
    first_row: usize,
}

impl Scroll {
    pub(crate) fn by(&mut self, lines: i32) {
        let lines = isize::try_from(lines).unwrap_or(0);
        self.top = self.top.saturating_add_signed(lines).min(self.last_top);
    }

    /// Lets this line be the first that is shown, as far as there are lines below it.
    pub(crate) fn to(&mut self, line: usize) {
        self.top = line;
    }

    /// Lets this line of the body be the first that is shown, as far as there are lines below it. Its first line brings
    /// what stands above the body.
    pub(crate) fn go_to_body(&mut self, line: usize) {
        let line = if line == 0 { 0 } else { line + self.lead };
        self.top = line.min(self.last_top);
    }

    /// The same for a body that is about to be another: how far down it goes is found out when it is laid out.
    pub(crate) fn begin_with_body(&mut self, line: usize) {
        self.top = if line == 0 { 0 } else { line + self.lead };
    }

    /// The lines of the body that are on the screen.
    pub(crate) fn shown_of_body(&self) -> Range<usize> {
        self.top_of_body()..(self.top + self.page).saturating_sub(self.lead)
    }

    /// The first line of the body that is shown.
    pub(crate) fn top_of_body(&self) -> usize {
        self.top.saturating_sub(self.lead)
    }

    /// The line of the body in the middle of what is shown.
    pub(crate) fn middle_of_body(&self) -> usize {
        self.top_of_body() + self.page / 2
    }

    /// The line of the body that stands in this row of the dialog, counted from its rule.
    pub(crate) fn line_in(&self, row: u16) -> Option<usize> {
        let line = usize::from(row).checked_sub(self.first_row).filter(|line| *line < self.page)?;
        (self.top + line).checked_sub(self.lead)
    }

    /// Is this line of the body on the screen?
    pub(crate) fn shows(&self, line: usize) -> bool {
        (self.top..self.top + self.page).contains(&(line + self.lead))
    }

    /// Lets a key scroll; says whether it did.
    pub(crate) fn key(&mut self, press: Press) -> bool {
        match press.step(self.page) {
            Some(Step::By(lines)) => self.by(lines),
            Some(Step::ToStart) => self.top = 0,
            Some(Step::ToEnd) => self.top = self.last_top,
            None => return false,
        }
        true
    }

    /// Is there nothing more below?
    pub(crate) fn is_at_end(&self) -> bool {
        self.top >= self.last_top
    }

    /// Lines that should have been read and have not been on the screen yet.
    pub(crate) fn unread(&self) -> usize {
        self.seen.missing(0..self.must)
    }

    /// The keys that lead to them.
    pub(crate) fn to_unread(&self) -> &'static str {
        let on_screen = self.on_screen();
        let (above, below) = (self.seen.missing(on_screen.end..self.must), self.seen.missing(0..on_screen.start));
        match (above, below) {
            (0, _) => "PgDn",
            (_, 0) => "PgUp",
            (_, _) => "PgUp PgDn",
        }
    }

    /// What is on the screen of what has to be read, counted from its end.
    fn on_screen(&self) -> Range<usize> {
        let from_end = |line: usize| self.must.saturating_sub(line);
        from_end(self.top + self.page)..from_end(self.top)
    }

    /// Keeps in mind which lines of the body, and of what scrolls above it, have been seen. Whoever has seen them all at
    /// one width has at any other; a part of them is other lines there, but for those that the body itself knows to be `read`.
    fn read(&mut self, body: usize, columns: u16, read: impl FnOnce() -> Vec<Range<usize>>) {
        if self.seen_in != (body, columns) {
            let all = self.must > 0 && self.unread() == 0;
            let from_end = |lines: &Range<usize>| body.saturating_sub(lines.end)..body.saturating_sub(lines.start);
            self.seen = if all { Seen::all() } else { Seen::of(read().iter().rev().map(from_end).collect()) };
            self.seen_in = (body, columns);
        }
        self.must = self.lead + body;
        self.seen.add(self.on_screen());
        // What stands fixed above them is seen in any case, should it have to scroll later.
        self.seen.add(self.must..usize::MAX);
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

/// What a dialog wants to show.
pub(crate) struct Parts<'a> {
    pub(crate) title: Span<'static>,
    pub(crate) head: Vec<Line<'static>>,
    pub(crate) body: Body<'a>,
    pub(crate) foot: Vec<Line<'static>>,
    /// Rows of the head that stay where there is hardly room.
    pub(crate) stays: usize,
    /// What becomes of the rows of the head for which there is no room.
    pub(crate) cut: Cut,
    /// A row of the body to be kept in view.
    pub(crate) keep: Option<usize>,
    /// Where the cursor stands: a part, a row in it, a column.
    pub(crate) cursor: Option<(Part, usize, u16)>,
}

impl<'a> Parts<'a> {
    /// A title, what scrolls, and the keys; nothing that stands fixed.
    pub(crate) fn new(title: Span<'static>, body: impl Into<Body<'a>>, foot: Vec<Line<'static>>) -> Self {
        Parts {
            title,
            head: Vec::new(),
            body: body.into(),
            foot,
            stays: 0,
            cut: Cut::Dropped,
            keep: None,
            cursor: None,
        }
    }
}

/// What becomes of what does not fit of the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It is left out: it only explains.
    Dropped,
    /// It scrolls with the body: what should stay above it, the rest below it.
    Scrolled,
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
}

/// The columns a part of a dialog has in an area so wide.
pub(crate) fn inner(width: u16) -> u16 {
    width.saturating_sub(2 * MARGIN)
}

/// Takes what does not fit into `room` rows out of the head.
fn cut(head: &mut Vec<Line<'static>>, room: usize, stays: usize, cut: Cut) -> (Vec<Line<'static>>, Vec<Line<'static>>) {
    let rest = head.split_off(room.min(head.len()));
    let written = |line: &Line<'_>| line.width() > 0;
    if cut == Cut::Dropped || !rest.iter().any(written) {
        return (Vec::new(), Vec::new());
    }
    let mut lead = rest;
    let tail = lead.split_off(stays.saturating_sub(head.len()).min(lead.len()));
    let last = tail.iter().rposition(written).map_or(0, |last| last + 1);
    let gap = (last > 0).then(Line::default);
    (lead, gap.into_iter().chain(tail.into_iter().take(last)).collect())
}

/// Lays `parts` out in at most `most` rows of `width` columns.
pub(crate) fn fit(parts: Parts<'_>, scroll: &mut Scroll, width: u16, most: u16, palette: Palette) -> Laid {
    let Parts { title, mut head, body, mut foot, stays, cut: manner, keep, cursor } = parts;
    let most = usize::from(most).saturating_sub(1);
    let for_body = body.len().min(LEAST_BODY + 1);
    // A line and how many follow.
    let least = if manner == Cut::Scrolled { 2 } else { for_body.min(2) };
    let for_foot = most.saturating_sub(if manner == Cut::Scrolled { least } else { for_body }).max(1);
    foot.truncate(for_foot);
    let gap = usize::from(most >= ROOMY || head.len() + body.len() + foot.len() < most);
    let for_head = most.saturating_sub(foot.len() + gap);
    // A blank row is worth less than a row that says something.
    if head.len() + body.len() == for_head + 1 && head.last().is_some_and(|line| line.width() == 0) {
        head.pop();
    }
    let for_head = match head.len() + body.len() <= for_head {
        true => head.len(),
        false => for_head.saturating_sub(for_body.max(least)).max(stays.min(for_head.saturating_sub(least))),
    };
    let (lead, tail) = cut(&mut head, for_head, stays, manner);
    let scrolling = Scrolling { lead, body, tail };
    let (before, count) = (scrolling.lead.len(), scrolling.len());
    let room = most.saturating_sub(foot.len() + gap + head.len());
    let scrolls = count > room;
    let page = if scrolls { room.saturating_sub(1) } else { count };
    scroll.settle(count, page, keep.map(|keep| before + keep));
    scroll.lead = before;
    scroll.read(body.len(), width, || body.read());
    let mut rows = vec![rule(title, width, palette)];
    rows.extend(head.iter().cloned().map(indented));
    let first_of_body = rows.len();
    scroll.first_row = first_of_body;
    rows.extend(scrolling.page(scroll.top, page).into_iter().map(indented));
    if scrolls && room > 0 {
        rows.push(indented(more(scroll.top, count - page - scroll.top, palette)));
    }
    rows.extend((0..gap).map(|_| Line::default()));
    let first_of_foot = rows.len();
    rows.extend(foot.into_iter().map(indented));
    let cursor = cursor.and_then(|(part, row, column)| {
        let row = match part {
            Part::Head => Some(1 + row).filter(|row| *row <= head.len()),
            Part::Body => {
                (before + row).checked_sub(scroll.top).filter(|row| *row < page).map(|row| first_of_body + row)
            }
            Part::Foot => Some(first_of_foot + row).filter(|row| *row < rows.len()),
        };
        Some(Position::new(MARGIN + column.min(inner(width).saturating_sub(1)), u16::try_from(row?).ok()?))
    });
    Laid { rows, cursor }
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
    let lines = |count| format!("{count} more {}", plural(count, "line"));
    let text = match (above, below) {
        (0, below) => format!("↓ {} · PgDn", lines(below)),
        (above, 0) => format!("↑ {} · PgUp", lines(above)),
        (above, below) => format!("↑ {above} and ↓ {} · PgUp PgDn", lines(below)),
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
    choices_with(choices, None, columns, palette)
}

/// The same, with the one at this place selected.
pub(crate) fn choices_with(
    choices: &[(String, String)],
    selected: Option<usize>,
    columns: u16,
    palette: Palette,
) -> Vec<Line<'static>> {
    let mut rows: Vec<Line<'static>> = Vec::new();
    for (place, (key, words)) in choices.iter().enumerate() {
        let marked = if selected == Some(place) { Modifier::REVERSED } else { Modifier::empty() };
        let choice = Line::from(vec![
            Span::styled(key.clone(), palette.accent().patch(palette.strong()).add_modifier(marked)),
            Span::styled(format!(" {}", clean_line(words)), Style::new().add_modifier(marked)),
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

    fn the_palette() -> Palette {
        Palette::plain()
    }

    fn text(rows: &[Line<'_>]) -> Vec<String> {
        rows.iter().map(|row| row.to_string().trim_end().to_owned()).collect()
    }

    fn laid(body: usize, most: u16) -> Vec<String> {
        laid_with(body, most, 0)
    }

    fn laid_with(body: usize, most: u16, stays: usize) -> Vec<String> {
        let body: Vec<Line<'static>> = (1..=body).map(|number| Line::from(format!("body {number}"))).collect();
        let head = vec![Line::from("head 1"), Line::from("head 2")];
        let parts = Parts { head, stays, ..Parts::new(Span::raw("Title"), &body, vec![Line::from("keys")]) };
        text(&fit(parts, &mut Scroll::default(), 20, most, the_palette()).rows)
    }

    fn numbered(word: &str, count: usize) -> Vec<Line<'static>> {
        (1..=count).map(|number| Line::from(format!("{word} {number}"))).collect()
    }

    fn scrolled(scroll: &mut Scroll, most: u16, stays: usize) -> Vec<String> {
        let (head, body) = (numbered("head", 3), numbered("body", 4));
        let plain = Parts::new(Span::raw("Title"), &body, vec![Line::from("keys")]);
        let parts = Parts { head, stays, cut: Cut::Scrolled, ..plain };
        text(&fit(parts, scroll, 20, most, the_palette()).rows[1..])
    }

    #[test]
    fn what_finds_no_room_above_the_body_scrolls_with_it_and_is_counted() {
        let mut scroll = Scroll::default();
        let first = scrolled(&mut scroll, 6, 1);
        assert_eq!(first, [" head 1", " body 1", " body 2", " ↓ 5 more lines · PgDn", " keys"]);
        assert_eq!(scroll.unread(), 2);
        scroll.by(3);
        let last = scrolled(&mut scroll, 6, 1);
        assert_eq!(last, [" head 1", " body 4", "", " ↑ 3 and ↓ 2 more lines · PgUp PgDn", " keys"]);
        assert_eq!(scroll.unread(), 1, "body 3 was jumped over");
        scroll.by(-1);
        scrolled(&mut scroll, 6, 1);
        assert_eq!(scroll.unread(), 0, "the head explains; only the body has to be read");
        let warnings = scrolled(&mut Scroll::default(), 6, 3);
        assert_eq!(warnings, [" head 1", " head 2", " head 3", " ↓ 4 more lines · PgDn", " keys"]);
    }

    #[test]
    fn what_was_read_at_one_width_counts_as_read_at_another() {
        let mut scroll = Scroll { page: 3, ..Scroll::default() };
        scroll.read(5, 40, Vec::new);
        assert_eq!(scroll.unread(), 2);
        scroll.top = 2;
        scroll.read(8, 20, Vec::new);
        assert_eq!(scroll.unread(), 5, "a part of it is another part there");
        for top in [0, 5] {
            scroll.top = top;
            scroll.read(8, 20, Vec::new);
        }
        scroll.read(20, 10, Vec::new);
        assert_eq!(scroll.unread(), 0);
    }

    #[test]
    fn what_was_jumped_over_was_not_read() {
        let mut scroll = Scroll { page: 3, ..Scroll::default() };
        let mut show = |top| {
            scroll.top = top;
            scroll.read(10, 40, Vec::new);
            (scroll.unread(), scroll.to_unread())
        };
        assert_eq!([show(0), show(7), show(4)], [(7, "PgDn"), (4, "PgUp"), (1, "PgUp")]);
        assert_eq!([show(1), show(7)], [(0, "PgDn"), (0, "PgDn")]);
        scroll = Scroll { page: 2, top: 4, ..Scroll::default() };
        scroll.read(10, 40, Vec::new);
        assert_eq!((scroll.unread(), scroll.to_unread()), (8, "PgUp PgDn"));
    }

    #[test]
    fn what_stood_fixed_is_read_when_it_has_to_scroll() {
        let mut scroll = Scroll { page: 4, ..Scroll::default() };
        scroll.read(4, 40, Vec::new);
        (scroll.lead, scroll.top) = (3, 3);
        scroll.read(4, 40, Vec::new);
        assert_eq!(scroll.unread(), 0);
    }

    #[test]
    fn everything_is_shown_where_there_is_room() {
        assert_eq!(laid(2, 20), ["── Title ───────────", " head 1", " head 2", " body 1", " body 2", "", " keys"]);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        assert_eq!(laid(9, 8)[3..], [" body 1", " body 2", " body 3", " ↓ 6 more lines · PgDn", " keys"]);
    }

    #[test]
    fn keys_and_body_come_before_the_head() {
        assert_eq!(
            laid(9, 6),
            ["── Title ───────────", " body 1", " body 2", " body 3", " ↓ 6 more lines · PgDn", " keys"]
        );
    }

    #[test]
    fn what_has_to_stay_of_the_head_stays_before_all_of_the_body_does() {
        assert_eq!(
            laid_with(9, 6, 1),
            ["── Title ───────────", " head 1", " body 1", " body 2", " ↓ 7 more lines · PgDn", " keys"]
        );
    }

    #[test]
    fn long_choices_are_wrapped_and_never_cut() {
        let all = [
            choice("y", "approve once"),
            choice("a", "approve, and don't ask again for this file"),
            choice("n", "reject"),
        ];
        assert_eq!(
            text(&choices(&all, 22, the_palette())),
            ["y approve once", "a approve, and don't", "  ask again for this", "  file   n reject"]
        );
        assert_eq!(text(&choices(&all[..1], 22, the_palette())), ["y approve once"]);
    }
}

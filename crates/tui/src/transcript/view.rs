//! The part in view: where it is, how it moves, how it is drawn.
//!
//! Drawing changes nothing: [`Transcript::layout`] finds the places, [`Transcript::draw`] only copies rows.

use super::cells::{Place, Room};
use super::{Entry, Transcript};
use crate::text::width::width as columns;
use agent_protocol::sanitize::figures::plural;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;
use std::ops::Range;

/// The column on the right that stays free for the scroll bar.
const BAR: u16 = 1;

/// Rows above and below the view that are kept laid out: what is farther away is let go, for it costs far more memory
/// than its text.
pub(super) const NEAR: usize = 200;

/// The last entries are kept through a layout whatever is in view: they have just come.
const RECENT: usize = 16;

#[derive(Default)]
pub(super) struct View {
    width: u16,
    height: u16,
    /// The first row in view.
    pub(super) top: usize,
    pub(super) total: usize,
    pace: Pace,
    /// The entries whose rows were kept at the last layout.
    pub(super) held: Range<usize>,
}

/// An entry, and how many rows of it are above the view; where it begins below the first row in view, less than none.
pub(super) type Anchor = (usize, isize);

/// Whether the view follows what comes.
#[derive(Clone, Copy, Default, PartialEq)]
enum Pace {
    #[default]
    Following,
    Staying,
}

impl View {
    /// The first row when the last one is at the bottom.
    fn lowest(&self) -> usize {
        self.total.saturating_sub(usize::from(self.height))
    }

    /// Is any row of `entry` in view?
    pub(super) fn shows(&self, entry: &Entry) -> bool {
        entry.start < self.top + usize::from(self.height) && self.top < entry.start + entry.height
    }

    /// The rows in view, and so many before and after them.
    pub(super) fn around(&self, rows: usize) -> Range<usize> {
        self.top.saturating_sub(rows)..self.top + usize::from(self.height) + rows
    }

    fn below(&self) -> usize {
        self.lowest() - self.top.min(self.lowest())
    }
}

impl Transcript {
    /// Lays out what is not settled at this size; called before [`Transcript::draw`].
    pub(crate) fn layout(&mut self, width: u16, height: u16) {
        let anchor = self.anchor();
        if width != self.view.width {
            self.unselect();
        }
        self.view.width = width;
        self.view.height = height;
        let columns = usize::from(width.saturating_sub(BAR));
        let held = self.view.held.start..self.view.held.end.max(self.entries.len().saturating_sub(RECENT));
        for (index, entry) in self.entries.iter_mut().enumerate() {
            let fold = entry.fold.unwrap_or(self.details);
            let room = Room { width: columns, fold, key: Some(&self.details_key) };
            entry.height = entry.cell.lay_out(room, &mut entry.laid);
            // At another width all of them are laid out anew; they must not be there all at once.
            if !held.contains(&index) {
                entry.cell.hold(room, &(0..0), &mut entry.laid);
            }
        }
        self.find_places();
        self.return_to(anchor);
        self.settle_pace();
        self.hold_what_is_near(columns);
        self.want_pages();
        self.let_pages_go();
    }

    /// Lays out one entry, whose rows are not needed yet.
    pub(super) fn lay_out_entry(&mut self, index: usize) {
        let entry = &mut self.entries[index];
        let fold = entry.fold.unwrap_or(self.details);
        let columns = usize::from(self.view.width.saturating_sub(BAR));
        let room = Room { width: columns, fold, key: Some(&self.details_key) };
        entry.height = entry.cell.lay_out(room, &mut entry.laid);
        entry.cell.hold(room, &(0..0), &mut entry.laid);
    }

    /// Finds each entry its rows, one below the other.
    pub(super) fn find_places(&mut self) {
        let mut end = 0;
        let mut before: Option<Place> = None;
        for entry in &mut self.entries {
            let here = entry.cell.place(entry.height);
            entry.start = end + usize::from(entry.height > 0 && gap(before, here));
            if entry.height > 0 {
                end = entry.start + entry.height;
                before = Some(here);
            }
        }
        self.view.total = end;
    }

    /// Keeps the rows in view and those around them, and lets all others go.
    fn hold_what_is_near(&mut self, columns: usize) {
        let near = self.view.around(NEAR);
        let first = self.entries.partition_point(|entry| entry.start + entry.height <= near.start);
        let after = self.entries.partition_point(|entry| entry.start < near.end);
        let before = std::mem::replace(&mut self.view.held, first..after);
        let last = self.entries.len().min(before.end.max(after));
        for (index, entry) in self.entries.iter_mut().enumerate().take(last).skip(before.start.min(first)) {
            let fold = entry.fold.unwrap_or(self.details);
            let room = Room { width: columns, fold, key: Some(&self.details_key) };
            let rows = match (first..after).contains(&index) {
                true => near.start.saturating_sub(entry.start)..near.end.saturating_sub(entry.start).min(entry.height),
                false => 0..0,
            };
            entry.cell.hold(room, &rows, &mut entry.laid);
        }
    }

    /// How many rows are there to be drawn.
    #[cfg(test)]
    pub(super) fn laid_rows(&self) -> usize {
        let rows = |entry: &Entry| (0..entry.height).filter(|row| entry.cell.has_row(*row, &entry.laid)).count();
        self.entries.iter().map(rows).sum()
    }

    /// Draws the part in view.
    pub(crate) fn draw(&self, area: Rect, buf: &mut Buffer) {
        let mut entries = self.entries_from(self.view.top).peekable();
        for (row, y) in (self.view.top..self.view.total).zip(area.top()..area.bottom()) {
            while entries.next_if(|entry| entry.start + entry.height <= row).is_some() {}
            let Some(entry) = entries.peek().filter(|entry| entry.start <= row) else { continue };
            if let Some(line) = entry.cell.row(row - entry.start, &entry.laid) {
                let indent = u16::try_from(entry.cell.indent()).unwrap_or(0);
                buf.set_line(area.x + indent, y, line, area.width.saturating_sub(indent));
            }
        }
        self.draw_selection(area, buf);
        if self.view.below() > 0 && !area.is_empty() {
            self.draw_bar(area, buf);
            self.draw_mark(area, buf);
        }
    }

    /// Moves the view; negative is up.
    pub(crate) fn scroll_by(&mut self, lines: i32) {
        let far = usize::try_from(lines.unsigned_abs()).unwrap_or(usize::MAX);
        let top = if lines < 0 { self.view.top.saturating_sub(far) } else { self.view.top.saturating_add(far) };
        self.view.top = top.min(self.view.lowest());
        self.settle_pace();
    }

    /// To the first line.
    pub(crate) fn scroll_to_start(&mut self) {
        self.view.top = 0;
        self.settle_pace();
    }

    /// To the last line, and follow what comes.
    pub(crate) fn scroll_to_end(&mut self) {
        self.view.top = self.view.lowest();
        self.settle_pace();
    }

    /// Does the view follow what comes?
    pub(crate) fn following(&self) -> bool {
        self.view.pace == Pace::Following
    }

    /// Lines a page scroll moves: a page, but for two lines to find one's place by.
    pub(crate) fn page(&self) -> i32 {
        i32::from(self.view.height.saturating_sub(2).max(1))
    }

    /// The first line in view, counted from the start.
    pub(crate) fn top(&self) -> usize {
        self.view.top
    }

    pub(crate) fn total(&self) -> usize {
        self.view.total
    }

    /// The rows to the last one that are all here, and not only in the journal.
    pub(crate) fn here(&self) -> Range<usize> {
        let away = self.entries.iter().rfind(|entry| entry.cell.away().is_some());
        away.map_or(0, |entry| entry.start + entry.height)..self.view.total
    }

    /// Draws these rows from the top of `area` on, over what stands there, laid out anew; none for what is not here.
    pub(crate) fn draw_rows(&self, rows: Range<usize>, area: Rect, buf: &mut Buffer) {
        let columns = usize::from(area.width.saturating_sub(BAR));
        let after = usize::from(area.height).min(rows.len()) + rows.start;
        for row in (0..after - rows.start).filter_map(|row| u16::try_from(row).ok()) {
            buf.set_style(Rect { y: area.y + row, height: 1, ..area }, Style::reset());
            buf.set_string(area.x, area.y + row, " ".repeat(usize::from(area.width)), Style::reset());
        }
        for Entry { cell, fold, start, .. } in self.entries_from(rows.start).take_while(|entry| entry.start < after) {
            let laid =
                cell.rows(Room { width: columns, fold: fold.unwrap_or(self.details), key: Some(&self.details_key) });
            let indent = u16::try_from(cell.indent()).unwrap_or(0);
            let below = laid.iter().zip(*start..).filter(|(_, row)| (rows.start..after).contains(row));
            for (line, row) in below {
                let y = area.y + u16::try_from(row - rows.start).unwrap_or(u16::MAX);
                buf.set_line(area.x + indent, y, line, area.width.saturating_sub(indent));
            }
        }
    }

    /// The last `lines` lines as plain text, safe to print: laid out anew, for colours and keys are gone there.
    pub(crate) fn tail(&self, lines: usize, width: u16) -> Vec<String> {
        let columns = usize::from(width.saturating_sub(BAR));
        let mut tail = Vec::new();
        let mut below: Option<Place> = None;
        for Entry { cell, fold, .. } in self.entries.iter().rev() {
            if tail.len() >= lines {
                break;
            }
            let rows = cell.rows(Room { width: columns, fold: fold.unwrap_or(self.details), key: None });
            if rows.is_empty() {
                continue;
            }
            let here = cell.place(rows.len());
            tail.extend(below.filter(|&below| gap(Some(here), below)).map(|_| String::new()));
            let indent = " ".repeat(cell.indent());
            tail.extend(rows.iter().rev().map(|row| format!("{indent}{row}").trim_end().to_owned()));
            below = Some(here);
        }
        tail.truncate(lines);
        let begun = tail.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        tail.truncate(begun);
        tail.reverse();
        tail
    }

    /// The entries from the one that ends below `row` on.
    pub(super) fn entries_from(&self, row: usize) -> impl Iterator<Item = &Entry> {
        let first = self.entries.partition_point(|entry| entry.start + entry.height <= row);
        self.entries[first..].iter().filter(|entry| entry.height > 0)
    }

    /// The first entry in view, which stays where it is; one that is not here only where nothing else is in view.
    pub(super) fn anchor(&self) -> Option<Anchor> {
        let (top, end) = (self.view.top, self.view.top + usize::from(self.view.height));
        let seen = |entry: &Entry| entry.height > 0 && entry.start + entry.height > top;
        let here = |entry: &Entry| seen(entry) && entry.start < end && entry.cell.away().is_none();
        let index = self.entries.iter().position(here).or_else(|| self.entries.iter().position(seen))?;
        Some((index, top.cast_signed() - self.entries[index].start.cast_signed()))
    }

    /// Puts the view where the anchor is as it was.
    pub(super) fn return_to(&mut self, anchor: Option<Anchor>) {
        self.view.top = match (self.view.pace, anchor) {
            (Pace::Staying, Some((index, above))) => {
                let entry = &self.entries[index];
                let above = above.min(entry.height.cast_signed());
                entry.start.saturating_add_signed(above).min(self.view.lowest())
            }
            (Pace::Following, _) | (Pace::Staying, None) => self.view.lowest(),
        };
    }

    fn settle_pace(&mut self) {
        self.view.pace = if self.view.below() == 0 { Pace::Following } else { Pace::Staying };
    }

    fn draw_bar(&self, area: Rect, buf: &mut Buffer) {
        let (height, total) = (usize::from(area.height), self.view.total);
        let length = (height * height / total).max(1);
        let from = self.view.top * (height - length) / self.view.lowest().max(1);
        for y in (from..from + length).filter_map(|y| u16::try_from(y).ok()) {
            buf.set_string(area.right() - BAR, area.y + y, "┃", self.palette.dim());
        }
    }

    /// `↓ 12 more lines`, over the end of the last row.
    fn draw_mark(&self, area: Rect, buf: &mut Buffer) {
        let noun = plural(self.view.below(), "line");
        let words = format!(" ↓ {} more {noun} ", self.view.below());
        let long = u16::try_from(columns(&words)).unwrap_or(u16::MAX);
        if area.height > 0 && long + BAR < area.width {
            let style = self.palette.accent().add_modifier(Modifier::REVERSED);
            let x = area.right() - BAR - long;
            let before = &mut buf[(x - 1, area.bottom() - 1)];
            if columns(before.symbol()) > 1 {
                // Half of a wide letter would be covered.
                before.set_symbol(" ");
            }
            buf.set_span(x, area.bottom() - 1, &Span::styled(words, style), long);
        }
    }
}

/// Does a blank line stand between two cells? Calls of one line stand together like a list, what a turn did and how it
/// ended like one thing.
fn gap(above: Option<Place>, below: Place) -> bool {
    let together = |above| matches!((above, below), (Place::Listed, Place::Listed) | (Place::Receipt, Place::End));
    above.is_some_and(|above| !together(above))
}

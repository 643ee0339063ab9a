//! One thing of a diff as lines, and how many these are.

use super::compare::{CodeRow, DiffRow};
use super::draw::{HunkStands, Manner};
use super::layout::{Item, Placed};
use super::{DiffView, Manners, Review, split};
use crate::text::ink::Run;
use ratatui::text::Line;

/// A side of a row of two, with its number.
type Half<'a> = Option<(&'a CodeRow, usize)>;

impl DiffView {
    /// How many lines an item takes. Most take one, and are not drawn to find that out.
    pub(super) fn height(&self, item: &Item, manners: &Manners) -> usize {
        let one = if manners.is_split { &manners.half } else { &manners.whole };
        let fits = match item {
            Item::Row(row) => self.code(*row).is_some_and(|code| is_short(&code.text, &manners.whole)),
            Item::Beside(..) => {
                let mut sides = item.rows().into_iter().flatten().filter_map(|row| self.code(row));
                sides.all(|code| is_short(&code.text, &manners.half))
            }
            Item::Same { file, line, .. } => {
                self.whole.as_ref().is_some_and(|whole| is_short(whole.line(*file, *line), one))
            }
            Item::Blank => true,
            Item::Hunk { .. } | Item::Skipped(_) | Item::Folded { .. } => false,
        };
        if fits { 1 } else { self.draw(&Placed { item: item.clone(), line: 0, hunk: None }, manners).len() }
    }

    pub(super) fn draw(&self, placed: &Placed, manners: &Manners) -> Vec<Line<'static>> {
        let whole = &manners.whole;
        let is_out = placed.hunk.is_some_and(|hunk| self.hunks.is_out(hunk));
        let lines = match &placed.item {
            Item::Blank => vec![Line::default()],
            Item::Hunk { hunk, .. } => {
                return whole.hunk(&self.hunks.heading(*hunk), *hunk == self.hunks.at(), self.stands(*hunk));
            }
            Item::Row(row) => match self.rows.get(*row) {
                Some(DiffRow::Code(code)) => whole.code(code, code.number, self.inks_in(code, is_out)),
                Some(row) => whole.draw(row),
                None => Vec::new(),
            },
            Item::Beside(left, right) => {
                let left = left.and_then(|(row, number)| Some((self.code(row)?, number)));
                self.beside((left, right.and_then(|row| self.code(row))), is_out, manners)
            }
            Item::Same { file, line, left } => {
                let Some(code) = self.whole.as_ref().map(|whole| whole.row(*file, *line)) else { return Vec::new() };
                match manners.is_split {
                    false => whole.code(&code, code.number, self.inks_of(&code)),
                    true => self.beside((Some((&code, *left)), Some(&code)), is_out, manners),
                }
            }
            Item::Skipped(unchanged) => whole.draw(&DiffRow::Fold(unchanged.clone())),
            Item::Folded { lines, .. } => whole.folded(lines.len()),
        };
        if is_out { lines.into_iter().map(|line| whole.left_out(line)).collect() } else { lines }
    }

    fn beside(
        &self,
        (left, right): (Half<'_>, Option<&CodeRow>),
        is_out: bool,
        manners: &Manners,
    ) -> Vec<Line<'static>> {
        let left_inks = left.map_or(&[][..], |(code, _)| self.inks_in(code, is_out));
        let right_inks = right.map_or(&[][..], |code| self.inks_in(code, is_out));
        split::beside(&manners.half, (left, right), (left_inks, right_inks), self.palette.dim(), manners.width)
    }

    /// Lines of a hunk that is left out are there to be read, and no more.
    fn inks_in(&self, code: &CodeRow, is_out: bool) -> &[Run] {
        if is_out { &[] } else { self.inks_of(code) }
    }

    fn stands(&self, hunk: usize) -> HunkStands {
        match (self.review, self.hunks.is_out(hunk)) {
            (Review::Visit, _) => HunkStands::There,
            (Review::Read | Review::Choose, true) => HunkStands::Out,
            (Review::Read | Review::Choose, false) => HunkStands::In,
        }
    }

    /// The line of a file that is the row of this number.
    fn code(&self, row: usize) -> Option<&CodeRow> {
        match self.rows.get(row) {
            Some(DiffRow::Code(code)) => Some(code),
            Some(DiffRow::Header { .. } | DiffRow::Note(_) | DiffRow::Warning(_)) => None,
            Some(DiffRow::Fold(_) | DiffRow::Hunk) | None => None,
        }
    }
}

/// Does a text stand in one row, as far as that can be told without measuring it?
fn is_short(text: &str, manner: &Manner) -> bool {
    text.len() <= manner.room() && text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n'))
}

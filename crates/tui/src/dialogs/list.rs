//! What the lists of dialogs share: how keys choose a row, how it is marked, and a table of words with figures.

use super::Press;
use crate::palette::Palette;
use crate::text::Lines;
use crossterm::event::KeyCode;
use ratatui::style::Style;

/// The row of `count` that a key goes to from the chosen one, by one or by so many rows of a page; `None`: no such key.
pub(super) fn stepped(press: Press, chosen: usize, count: usize, page: usize) -> Option<usize> {
    let last = count.saturating_sub(1);
    Some(match press.chord.code {
        KeyCode::Up => chosen.saturating_sub(1),
        KeyCode::Down => (chosen + 1).min(last),
        KeyCode::PageUp => chosen.saturating_sub(page),
        KeyCode::PageDown => chosen.saturating_add(page).min(last),
        _ => return None,
    })
}

/// The row of `count` that the wheel goes to from the chosen one; so many lines up, if negative.
pub(super) fn rolled(chosen: usize, lines: i32, count: usize) -> usize {
    let lines = isize::try_from(lines).unwrap_or(0);
    chosen.saturating_add_signed(lines).min(count.saturating_sub(1))
}

/// As [`stepped`], where the keys to the start and to the end belong to the list and a page takes all of it.
pub(super) fn moved(press: Press, chosen: usize, count: usize) -> Option<usize> {
    match press.chord.code {
        KeyCode::Home => Some(0),
        KeyCode::End => Some(count.saturating_sub(1)),
        _ => stepped(press, chosen, count, usize::MAX),
    }
}

/// The mark before a row, and its style.
pub(super) fn mark(chosen: bool, palette: Palette) -> (&'static str, Style) {
    if chosen { ("› ", palette.accent().patch(palette.strong())) } else { ("  ", palette.text()) }
}

/// The lines of all rows, of which `draw` is told whether they are chosen, and the line that is to be kept in view.
pub(super) fn lines<T>(
    rows: impl IntoIterator<Item = T>,
    chosen: usize,
    draw: impl Fn(T, bool) -> Lines,
) -> (Lines, Option<usize>) {
    let (mut lines, mut keep) = (Vec::new(), None);
    for (number, row) in rows.into_iter().enumerate() {
        lines.extend(draw(row, number == chosen));
        if number == chosen {
            keep = lines.len().checked_sub(1);
        }
    }
    (lines, keep)
}

pub(super) const GAP: usize = 2;

/// The figures that have room beside words, in their order, each with its width. `by_weight`: the weightiest first; where
/// room is short the others are not shown.
pub(super) fn figures<F: Copy + Ord>(by_weight: &[F], mut room: usize, widest: impl Fn(F) -> usize) -> Vec<(F, usize)> {
    let mut figures = Vec::new();
    for &figure in by_weight {
        let width = widest(figure);
        if width > 0 {
            let Some(left) = room.checked_sub(GAP + width) else { break };
            room = left;
            figures.push((figure, width));
        }
    }
    figures.sort();
    figures
}

/// Which figures there is room for beside the words of each row, and how wide everything is.
pub(super) struct FigureTable<F> {
    pub(super) words: usize,
    pub(super) figures: Vec<(F, usize)>,
}

impl<F: Copy + Ord> FigureTable<F> {
    /// `longest`: columns of the longest words, which get `least` before a figure gets any.
    pub(super) fn new(
        by_weight: &[F],
        longest: usize,
        least: usize,
        columns: usize,
        widest: impl Fn(F) -> usize,
    ) -> Self {
        let mark = 2;
        let room = columns.saturating_sub(mark + longest.min(least.max(columns / 2)));
        let figures = figures(by_weight, room, widest);
        let taken: usize = figures.iter().map(|(_, width)| GAP + width).sum();
        FigureTable { words: longest.min(columns.saturating_sub(mark + taken)), figures }
    }
}

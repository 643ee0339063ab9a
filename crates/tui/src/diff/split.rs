//! A diff side by side: what was on the left, what will be on the right, replaced lines beside each other.

use super::compare::{CodeRow, DiffRow, Side};
use super::draw::Manner;
use crate::text::ink::Run;
use crate::text::width::line_width;
use ratatui::text::{Line, Span};

/// From this width on two columns have room for code.
pub(crate) const LEAST: u16 = 140;

/// Between the columns.
const RULE: &str = " │ ";

/// What stands in one row: something across both columns, or a line on one side or on both.
pub(super) enum Item<'a> {
    Across(&'a DiffRow),
    Beside(Option<(&'a CodeRow, usize)>, Option<&'a CodeRow>),
}

/// The rows, paired: each removed line with the added one that takes its place. With the left ones goes their number there.
pub(super) fn items(rows: &[DiffRow]) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    // Lines that were added less those that were removed so far: by so much the numbers of both sides differ.
    let (mut added, mut removed) = (0, 0);
    let mut gone: Vec<&CodeRow> = Vec::new();
    let mut came: Vec<&CodeRow> = Vec::new();
    for row in rows {
        match row {
            DiffRow::Code(code) if code.side == Side::Removed => {
                if !came.is_empty() {
                    pair(&mut gone, &mut came, &mut items);
                }
                removed += 1;
                gone.push(code);
            }
            DiffRow::Code(code) if code.side == Side::Added => {
                added += 1;
                came.push(code);
            }
            DiffRow::Code(code) => {
                pair(&mut gone, &mut came, &mut items);
                items.push(Item::Beside(Some((code, (code.number + removed).saturating_sub(added))), Some(code)));
            }
            DiffRow::Header { .. } => {
                pair(&mut gone, &mut came, &mut items);
                (added, removed) = (0, 0);
                items.push(Item::Across(row));
            }
            DiffRow::Note(_) | DiffRow::Warning(_) | DiffRow::Fold(_) | DiffRow::Hunk => {
                pair(&mut gone, &mut came, &mut items);
                items.push(Item::Across(row));
            }
        }
    }
    pair(&mut gone, &mut came, &mut items);
    items
}

fn pair<'a>(gone: &mut Vec<&'a CodeRow>, came: &mut Vec<&'a CodeRow>, items: &mut Vec<Item<'a>>) {
    for at in 0..gone.len().max(came.len()) {
        items.push(Item::Beside(gone.get(at).map(|code| (*code, code.number)), came.get(at).copied()));
    }
    gone.clear();
    came.clear();
}

/// Columns of one side.
pub(super) fn half(width: u16) -> u16 {
    width.saturating_sub(RULE.chars().count() as u16) / 2
}

/// The two sides as lines; `manner` is for one side.
pub(super) fn beside(
    manner: &Manner,
    (left, right): (Option<(&CodeRow, usize)>, Option<&CodeRow>),
    (left_inks, right_inks): (&[Run], &[Run]),
    rule: ratatui::style::Style,
    width: u16,
) -> Vec<Line<'static>> {
    let left = left.map_or(Vec::new(), |(code, number)| manner.code(code, number, left_inks));
    let right = right.map_or(Vec::new(), |code| manner.code(code, code.number, right_inks));
    let columns = usize::from(half(width));
    (0..left.len().max(right.len()))
        .map(|at| {
            let mut line = left.get(at).cloned().unwrap_or_default();
            let rest = columns.saturating_sub(line_width(&line));
            line.spans.push(Span::raw(" ".repeat(rest)));
            line.spans.push(Span::styled(RULE, rule));
            line.spans.extend(right.get(at).cloned().unwrap_or_default().spans);
            line
        })
        .collect()
}

//! A diff side by side: what was on the left, what will be on the right, replaced lines beside each other.

use super::compare::CodeRow;
use super::draw::Manner;
use crate::text::ink::Run;
use crate::text::width::line_width;
use ratatui::text::{Line, Span};

/// From this width on two columns have room for code.
pub(crate) const LEAST: u16 = 140;

const RULE: &str = " │ ";

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

//! Lines of code as rows: in their colours, broken anywhere, never cut.

use super::ink::{Run, paint};
use super::wrap::{Break, wrap_spans};
use crate::palette::Palette;
use ratatui::style::Style;
use ratatui::text::Span;

/// Columns by which code is set off from the prose around it.
pub(crate) const INDENT: usize = 2;

/// One clean line of code as rows of at most `width` columns, indented by [`INDENT`].
pub(crate) fn code_rows(line: &str, runs: &[Run], width: usize, palette: Palette) -> Vec<Vec<Span<'static>>> {
    let spans = paint(line, runs, Style::new(), palette);
    let room = width.saturating_sub(INDENT);
    let mut rows = wrap_spans(spans, room, room, Break::Anywhere);
    for row in &mut rows {
        row.insert(0, Span::raw(" ".repeat(INDENT)));
    }
    rows
}

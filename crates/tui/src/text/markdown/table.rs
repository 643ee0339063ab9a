//! Tables fitted to the width: columns shrink and their words wrap; where that is too narrow, each row becomes a list.

use crate::palette::Palette;
use crate::text::width::spans_width;
use crate::text::wrap::{Break, wrap_spans};
use pulldown_cmark::Alignment;
use ratatui::text::Span;

/// Columns a cell has at least.
const LEAST: usize = 6;

/// Columns between two cells: ` │ `.
const SEPARATOR: usize = 3;

type Row = Vec<Span<'static>>;

pub(super) struct Table {
    alignments: Vec<Alignment>,
    /// All rows, the head first. A cell is a list of lines.
    rows: Vec<Vec<Vec<Row>>>,
    current: Vec<Vec<Row>>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Table { alignments, rows: Vec::new(), current: Vec::new() }
    }

    /// Adds a cell to the row at hand.
    pub(super) fn cell(&mut self, lines: Vec<Row>) {
        self.current.push(lines);
    }

    /// Ends the row at hand.
    pub(super) fn end_row(&mut self) {
        let mut row = std::mem::take(&mut self.current);
        row.resize(self.alignments.len(), vec![Vec::new()]);
        self.rows.push(row);
    }
}

/// The rows that `table` takes on a screen of `width` columns.
pub(super) fn lay_out(mut table: Table, width: usize, palette: Palette) -> Vec<Row> {
    let Some(head) = table.rows.first_mut() else { return Vec::new() };
    for span in head.iter_mut().flatten().flatten() {
        span.style = palette.strong().patch(span.style);
    }
    let natural: Vec<usize> = (0..table.alignments.len()).map(|column| natural_width(&table, column)).collect();
    match fit(&natural, width) {
        Some(widths) => grid(table, &widths, palette),
        None => records(table, width),
    }
}

fn natural_width(table: &Table, column: usize) -> usize {
    let cells = table.rows.iter().filter_map(|row| row.get(column));
    cells.flatten().map(|line| spans_width(line)).max().unwrap_or(0).max(1)
}

/// Widths of the columns that together fit: narrow ones keep theirs, the others share what is left.
fn fit(natural: &[usize], width: usize) -> Option<Vec<usize>> {
    let mut left = width.checked_sub(SEPARATOR * natural.len().saturating_sub(1))?;
    let mut order: Vec<usize> = (0..natural.len()).collect();
    order.sort_by_key(|&column| natural[column]);
    let mut widths = vec![0; natural.len()];
    for (placed, &column) in order.iter().enumerate() {
        let share = left / (natural.len() - placed);
        widths[column] = natural[column].min(share);
        left -= widths[column];
        if widths[column] < natural[column].min(LEAST) {
            return None;
        }
    }
    Some(widths)
}

fn grid(table: Table, widths: &[usize], palette: Palette) -> Vec<Row> {
    let ruled: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
    let rule = vec![Span::styled(ruled.join("─┼─"), palette.dim())];
    let laid: Vec<Vec<Row>> =
        table.rows.into_iter().map(|row| grid_row(row, widths, &table.alignments, palette)).collect();
    // Where rows take several lines, rules keep them apart.
    let tall = laid.iter().skip(1).any(|row| row.len() > 1);
    let last = laid.len() - 1;
    let mut rows = Vec::new();
    for (number, row) in laid.into_iter().enumerate() {
        rows.extend(row);
        if number == 0 || tall && number < last {
            rows.push(rule.clone());
        }
    }
    rows
}

/// One row of the table, as many lines as its tallest cell.
fn grid_row(cells: Vec<Vec<Row>>, widths: &[usize], alignments: &[Alignment], palette: Palette) -> Vec<Row> {
    let cells: Vec<Vec<Row>> = cells
        .into_iter()
        .zip(widths)
        .map(|(lines, &width)| {
            lines.into_iter().flat_map(|line| wrap_spans(line, width, width, Break::Words)).collect()
        })
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let mut columns: Vec<_> = cells.into_iter().map(Vec::into_iter).collect();
    let mut rows = Vec::with_capacity(height);
    for _ in 0..height {
        let mut row = Vec::new();
        for (number, column) in columns.iter_mut().enumerate() {
            if number > 0 {
                row.push(Span::styled(" │ ", palette.dim()));
            }
            let last = number + 1 == widths.len();
            align(column.next().unwrap_or_default(), widths[number], alignments[number], last, &mut row);
        }
        rows.push(row);
    }
    rows
}

fn align(content: Row, width: usize, alignment: Alignment, last: bool, row: &mut Row) {
    let free = width.saturating_sub(spans_width(&content));
    let before = match alignment {
        Alignment::Right => free,
        Alignment::Center => free / 2,
        Alignment::Left | Alignment::None => 0,
    };
    let pad = |columns: usize| (columns > 0).then(|| Span::raw(" ".repeat(columns)));
    row.extend(pad(before));
    row.extend(content);
    if !last {
        row.extend(pad(free - before));
    }
}

/// Each row as a list of `head: cell` lines, a blank line between rows.
fn records(table: Table, width: usize) -> Vec<Row> {
    let mut rows = table.rows.into_iter();
    let head = rows.next().unwrap_or_default();
    let mut laid = Vec::new();
    for record in rows {
        if !laid.is_empty() {
            laid.push(Vec::new());
        }
        for (name, cell) in head.iter().zip(record) {
            let mut line: Row = name.concat();
            line.push(Span::raw(": "));
            line.extend(cell.into_iter().flatten());
            laid.extend(wrap_spans(line, width, width, Break::Words));
        }
    }
    laid
}

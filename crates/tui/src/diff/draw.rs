//! How the rows of a diff look: number, sign, code. Signs and words carry the meaning, colours only help.

use super::compare::{CodeRow, DiffRow, Side};
use crate::palette::{Palette, on_ground};
use crate::text::ink::{Run, paint};
use crate::text::wrap::{Break, append, wrap_spans};
use agent_protocol::sanitize::figures::counted;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::ops::Range;

/// Columns beside the number of a line: its sign, and the blanks around that.
const GUTTER: usize = 3;

/// How it stands with a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HunkStands {
    /// It is taken in, and can be left out.
    In,
    Out,
    /// It is there, and nobody is asked about it.
    There,
}

/// The measures and colours of one diff.
pub(super) struct Manner {
    palette: Palette,
    width: usize,
    /// Columns of the line numbers.
    digits: usize,
}

impl Manner {
    /// For `width` columns and line numbers up to `highest`.
    pub(super) fn new(palette: Palette, width: u16, highest: usize) -> Self {
        Manner { palette, width: usize::from(width), digits: highest.to_string().len().max(2) }
    }

    /// One row as lines; long ones are broken, never cut.
    pub(super) fn draw(&self, row: &DiffRow) -> Vec<Line<'static>> {
        match row {
            DiffRow::Header { path, added, removed } => self.header(path, *added, *removed),
            DiffRow::Note(note) => self.aside(Span::styled(note.clone(), self.palette.dim())),
            DiffRow::Fold(lines) => {
                self.aside(Span::styled(format!("⋯ {} unchanged lines", lines.count()), self.palette.dim()))
            }
            DiffRow::Warning(words) => self.warning(words),
            // Who goes through hunks draws their headings by `hunk`.
            DiffRow::Hunk => Vec::new(),
            DiffRow::Code(code) => self.code(code, code.number, &[]),
        }
    }

    /// The heading of a hunk: which it is, whether it is looked at, and whether it is left out. Signs say so without colour.
    pub(super) fn hunk(&self, words: &str, is_looked_at: bool, stands: HunkStands) -> Vec<Line<'static>> {
        let style = match (is_looked_at, stands) {
            (true, _) => self.palette.accent().patch(self.palette.strong()),
            (false, HunkStands::Out) => self.palette.warn(),
            (false, HunkStands::In | HunkStands::There) => self.palette.dim(),
        };
        let sign = if is_looked_at { "▸" } else { " " };
        let mark = match stands {
            HunkStands::In => "✓ ",
            HunkStands::Out => "✗ ",
            HunkStands::There => "",
        };
        let words = vec![Span::styled(format!("{sign} {mark}{words}"), style)];
        lines(wrap_spans(words, self.width, self.width, Break::Words))
    }

    /// Lines of a whole file that are folded, and can be opened.
    pub(super) fn folded(&self, lines: usize) -> Vec<Line<'static>> {
        self.aside(Span::styled(format!("… {} …", counted(lines as u64, "line")), self.palette.accent()))
    }

    /// Columns that a line of a file has.
    pub(super) fn room(&self) -> usize {
        self.width.saturating_sub(self.digits + GUTTER).max(1)
    }

    /// A line of a hunk that is left out.
    pub(super) fn left_out(&self, mut line: Line<'static>) -> Line<'static> {
        for span in &mut line.spans {
            span.style = self.palette.dim().add_modifier(Modifier::CROSSED_OUT);
        }
        line
    }

    fn header(&self, path: &str, added: usize, removed: usize) -> Vec<Line<'static>> {
        let mut spans = vec![Span::styled(path.to_owned(), self.palette.strong()), Span::raw("  ")];
        spans.extend(counts(added, removed, self.palette));
        lines(wrap_spans(spans, self.width, self.width, Break::Words))
    }

    /// Words beside the code, under the signs.
    fn aside(&self, text: Span<'static>) -> Vec<Line<'static>> {
        let room = self.width.saturating_sub(self.digits + 1);
        let mut rows = wrap_spans(vec![text], room, room, Break::Words);
        rows.iter_mut().for_each(|row| row.insert(0, Span::raw(" ".repeat(self.digits + 1))));
        lines(rows)
    }

    /// From the margin on, with a sign: it must not be taken for a line of the file.
    fn warning(&self, words: &str) -> Vec<Line<'static>> {
        let style = self.palette.bad().patch(self.palette.strong());
        let room = self.width.saturating_sub(2);
        let mut rows = wrap_spans(vec![Span::styled(words.to_owned(), style)], room, room, Break::Words);
        for (number, row) in rows.iter_mut().enumerate() {
            row.insert(0, Span::styled(if number == 0 { "! " } else { "  " }, style));
        }
        lines(rows)
    }

    /// A line of a file, by this number.
    pub(super) fn code(&self, code: &CodeRow, number: usize, inks: &[Run]) -> Vec<Line<'static>> {
        let (sign, style, numbers, ground) = match code.side {
            Side::Both => (' ', Style::new(), self.palette.dim(), Style::new()),
            Side::Removed => ('-', self.palette.bad(), self.palette.bad(), self.palette.removed()),
            Side::Added => ('+', self.palette.good(), self.palette.good(), self.palette.added()),
        };
        let gutter = format!("{:>digits$} {sign} ", number, digits = self.digits);
        let room = self.room();
        let spans = emphasise(paint(&code.text, inks, style, self.palette), &code.changed, loud());
        let spans = emphasise(spans, &code.doubtful, self.palette.warn().add_modifier(Modifier::REVERSED));
        let mut rows = wrap_spans(spans, room, room, Break::Anywhere);
        let margin = " ".repeat(gutter.len());
        for (number, row) in rows.iter_mut().enumerate() {
            let left = if number == 0 { Span::styled(gutter.clone(), numbers) } else { Span::raw(margin.clone()) };
            row.insert(0, left);
        }
        lines(rows).into_iter().map(|line| on_ground(line, ground, self.width)).collect()
    }
}

/// `+3 −1`, each in its colour.
pub(crate) fn counts(added: usize, removed: usize, palette: Palette) -> Vec<Span<'static>> {
    vec![
        Span::styled(format!("+{added}"), palette.good()),
        Span::raw(" "),
        Span::styled(format!("−{removed}"), palette.bad()),
    ]
}

/// What stands out also where there is no colour.
fn loud() -> Style {
    Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
}

/// `spans` with the bytes in `ranges` in a style of their own.
fn emphasise(spans: Vec<Span<'static>>, ranges: &[Range<usize>], loud: Style) -> Vec<Span<'static>> {
    if ranges.is_empty() {
        return spans;
    }
    let mut out = Vec::new();
    let mut at = 0;
    for span in spans {
        let end = at + span.content.len();
        let mut cuts = vec![at];
        cuts.extend(ranges.iter().flat_map(|range| [range.start, range.end]).filter(|&cut| at < cut && cut < end));
        cuts.push(end);
        for pair in cuts.windows(2) {
            let inside = ranges.iter().any(|range| range.start <= pair[0] && pair[1] <= range.end);
            let style = if inside { span.style.patch(loud) } else { span.style };
            append(&mut out, span.content.get(pair[0] - at..pair[1] - at).unwrap_or_default(), style);
        }
        at = end;
    }
    out
}

fn lines(rows: Vec<Vec<Span<'static>>>) -> Vec<Line<'static>> {
    rows.into_iter().map(Line::from).collect()
}

//! Plain text that grows at its end: each line is cleaned and broken once, only the unfinished one again.

use super::wrap::{Break, wrap_spans};
use crate::clean::clean_line;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The rows of a growing text.
#[derive(Default)]
pub(crate) struct Flow {
    rows: Vec<Line<'static>>,
    /// Rows of lines that are complete.
    whole: usize,
    /// Bytes of the text that these rows show.
    taken: usize,
    width: usize,
}

impl Flow {
    /// Lays out what `text` has more than the last time, in rows of `width` columns that begin with `margin`.
    pub(crate) fn lay_out(&mut self, text: &str, width: usize, margin: &Span<'static>, style: Style) {
        if width != self.width {
            *self = Flow { width, ..Flow::default() };
        }
        self.rows.truncate(self.whole);
        while let Some(length) = text[self.taken..].find('\n') {
            self.line(&text[self.taken..self.taken + length], margin, style);
            self.taken += length + 1;
            self.whole = self.rows.len();
        }
        if self.taken < text.len() {
            self.line(&text[self.taken..], margin, style);
        }
    }

    pub(crate) fn rows(&self) -> &[Line<'static>] {
        &self.rows
    }

    fn line(&mut self, line: &str, margin: &Span<'static>, style: Style) {
        let line = clean_line(line.strip_suffix('\r').unwrap_or(line)).into_owned();
        let room = self.width.saturating_sub(margin.width());
        for mut row in wrap_spans(vec![Span::styled(line, style)], room, room, Break::Words) {
            row.insert(0, margin.clone());
            self.rows.push(Line::from(row));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Flow;
    use ratatui::style::Style;
    use ratatui::text::Span;

    #[test]
    fn it_grows_as_if_it_had_come_at_once() {
        let text = "one two three\n\nfour \u{1b} five\nsix";
        let laid = |cuts: &[usize]| {
            let mut flow = Flow::default();
            cuts.iter().for_each(|&cut| flow.lay_out(&text[..cut], 10, &Span::raw("| "), Style::new()));
            flow.rows().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let whole = laid(&[text.len()]);
        assert_eq!(whole, ["| one two", "| three", "| ", "| four ␛", "| five", "| six"]);
        assert_eq!(laid(&(0..=text.len()).collect::<Vec<_>>()), whole);
    }
}

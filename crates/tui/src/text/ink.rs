//! What a piece of code is, as far as it shows: the few inks that syntax colours come in.

use crate::palette::Palette;
use crate::text::wrap::append;
use ratatui::style::Style;
use ratatui::text::Span;

/// What a piece of code is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ink {
    #[default]
    Plain,
    /// A word of the language.
    Keyword,
    /// A string or character.
    Text,
    Comment,
    /// A number or another constant.
    Constant,
    /// The name of a function.
    Function,
    /// The name of a type.
    Type,
    /// A line that a diff adds.
    Added,
    /// A line that a diff removes.
    Removed,
}

/// So many bytes in one ink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// How many bytes.
    pub(crate) bytes: u32,
    pub(crate) ink: Ink,
}

/// The inks of consecutive lines, kept small: a long reply has thousands of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Inks {
    ends: Vec<u32>,
    runs: Vec<Run>,
}

impl Inks {
    /// Adds a line.
    pub(crate) fn push(&mut self, runs: impl IntoIterator<Item = Run>) {
        self.runs.extend(runs);
        self.ends.push(u32::try_from(self.runs.len()).unwrap_or(u32::MAX));
    }

    /// Adds the lines of `more`.
    pub(crate) fn append(&mut self, more: &Inks) {
        (0..more.lines()).for_each(|line| self.push(more.line(line).iter().copied()));
    }

    /// How many lines there are.
    pub(crate) fn lines(&self) -> usize {
        self.ends.len()
    }

    /// The inks of one line; empty where there are none (yet).
    pub(crate) fn line(&self, line: usize) -> &[Run] {
        let Some(&end) = self.ends.get(line) else { return &[] };
        let start = line.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.runs[start as usize..end as usize]
    }
}

/// `text` in the colours of `runs`; what they do not reach is in `base`, as is plain ink.
pub(crate) fn paint(text: &str, runs: &[Run], base: Style, palette: Palette) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    let mut at = 0;
    for run in runs {
        let end = (at + run.bytes as usize).min(text.len());
        // Inks are for exactly this text; should they ever not be, plain text is better than none.
        let Some(part) = text.get(at..end) else { break };
        if !part.is_empty() {
            append(&mut spans, part, base.patch(palette.ink(run.ink)));
        }
        at = end;
    }
    if let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        append(&mut spans, rest, base);
    }
    spans
}

impl Palette {
    /// The style of an ink.
    pub(crate) fn ink(self, ink: Ink) -> Style {
        match ink {
            Ink::Plain => Style::new(),
            Ink::Keyword => self.theme.keyword,
            Ink::Text => self.theme.string,
            Ink::Comment => self.theme.comment,
            Ink::Constant => self.theme.constant,
            Ink::Function => self.theme.function,
            Ink::Type => self.theme.type_name,
            Ink::Added => self.theme.good,
            Ink::Removed => self.theme.bad,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ink, Inks, Run, paint};
    use crate::palette::Palette;
    use ratatui::style::{Color, Style};
    use ratatui::text::Span;

    #[test]
    fn inks_cover_their_bytes_and_the_rest_is_plain() {
        let palette = Palette::coloured();
        let spans = paint("let x", &[Run { bytes: 3, ink: Ink::Keyword }], Style::new(), palette);
        assert_eq!(spans, vec![Span::styled("let", Style::new().fg(Color::Magenta)), Span::raw(" x")]);
    }

    #[test]
    fn inks_of_another_text_lose_nothing() {
        let palette = Palette::coloured();
        let spans = paint("äb", &[Run { bytes: 1, ink: Ink::Keyword }], Style::new(), palette);
        assert_eq!(spans, vec![Span::raw("äb")]);
    }

    #[test]
    fn lines_keep_their_own_runs() {
        let mut inks = Inks::default();
        inks.push([Run { bytes: 1, ink: Ink::Text }]);
        inks.push([]);
        inks.push([Run { bytes: 2, ink: Ink::Type }]);
        assert_eq!((inks.line(0).len(), inks.line(1).len(), inks.line(2).len(), inks.line(3).len()), (1, 0, 1, 0));
    }
}

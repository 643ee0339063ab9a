//! The few styles of the screen, by meaning. Which style that is, a theme says.

use crate::text::width::line_width;
use crate::themes::Theme;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Styles by meaning. Every room asks here; nobody names a colour elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Palette {
    /// Where each of them comes from.
    pub(crate) theme: &'static Theme,
}

impl Palette {
    /// In the terminal's own colours.
    #[cfg(test)]
    pub(crate) fn coloured() -> Self {
        Palette::of(Theme::terminal())
    }

    pub(crate) fn plain() -> Self {
        Palette::of(Theme::plain())
    }

    pub(crate) const fn of(theme: &'static Theme) -> Self {
        Palette { theme }
    }

    /// Whether there is any colour; where there is none, signs have to say what it says.
    pub(crate) fn is_coloured(self) -> bool {
        self.theme.is_coloured()
    }

    pub(crate) fn text(self) -> Style {
        Style::new()
    }

    pub(crate) fn dim(self) -> Style {
        self.theme.dim
    }

    /// Headings and what must be seen.
    pub(crate) fn strong(self) -> Style {
        self.theme.strong
    }

    /// Keys and things to choose.
    pub(crate) fn accent(self) -> Style {
        self.theme.accent
    }

    pub(crate) fn good(self) -> Style {
        self.theme.good
    }

    pub(crate) fn bad(self) -> Style {
        self.theme.bad
    }

    /// Nothing can happen: the model only looks.
    pub(crate) fn calm(self) -> Style {
        self.theme.calm
    }

    pub(crate) fn warn(self) -> Style {
        self.theme.warn
    }

    /// The ground of what the user said, and of code.
    pub(crate) fn quiet(self) -> Style {
        self.theme.quiet
    }

    /// The ground of a line that is added.
    pub(crate) fn added(self) -> Style {
        self.theme.added
    }

    /// The ground of a line that is removed.
    pub(crate) fn removed(self) -> Style {
        self.theme.removed
    }
}

/// `line` on this ground, over so many columns; as it is where the ground is the terminal's own.
pub(crate) fn on_ground(mut line: Line<'static>, ground: Style, columns: usize) -> Line<'static> {
    if ground.bg.is_none() {
        return line;
    }
    let rest = columns.saturating_sub(line_width(&line));
    line.spans.push(Span::raw(" ".repeat(rest)));
    for span in &mut line.spans {
        span.style = ground.patch(span.style);
    }
    line
}

//! The few styles of the screen: terminal (ANSI) colours, or none at all.

use ratatui::style::{Color, Modifier, Style};

/// Whether colour is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Terminal colours.
    On,
    /// None (`NO_COLOR`); weight and signs alone carry the meaning.
    Off,
}

/// Styles by meaning. Every room asks here; nobody names a colour elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Palette {
    /// Whether colour is used.
    pub(crate) colour: Colour,
}

impl Palette {
    /// Ordinary text.
    pub(crate) fn text(self) -> Style {
        Style::new()
    }

    /// Less important text.
    pub(crate) fn dim(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// Headings and what must be seen.
    pub(crate) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Keys and things to choose.
    pub(crate) fn accent(self) -> Style {
        self.paint(Color::Cyan)
    }

    /// Went well, added.
    pub(crate) fn good(self) -> Style {
        self.paint(Color::Green)
    }

    /// Went wrong, removed.
    pub(crate) fn bad(self) -> Style {
        self.paint(Color::Red)
    }

    /// Nothing can happen: the model only looks.
    pub(crate) fn calm(self) -> Style {
        self.paint(Color::LightBlue)
    }

    /// Needs attention.
    pub(crate) fn warn(self) -> Style {
        self.paint(Color::Yellow)
    }

    /// `style` with `colour`, where colour is used.
    pub(crate) fn paint(self, colour: Color) -> Style {
        match self.colour {
            Colour::On => Style::new().fg(colour),
            Colour::Off => Style::new(),
        }
    }
}

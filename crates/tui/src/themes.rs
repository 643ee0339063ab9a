//! The themes: which style each role has. A new theme is one more entry of `THEMES`; all roles must be named.

use ratatui::style::{Color, Modifier, Style};

/// The styles of the screen, by role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// What `screen.theme` says.
    pub(crate) name: &'static str,
    /// Less important text.
    pub(crate) dim: Style,
    /// Headings and what must be seen.
    pub(crate) strong: Style,
    /// Keys and things to choose.
    pub(crate) accent: Style,
    /// Went well, added.
    pub(crate) good: Style,
    /// Went wrong, removed.
    pub(crate) bad: Style,
    /// Nothing can happen: the model only looks.
    pub(crate) calm: Style,
    /// Needs attention.
    pub(crate) warn: Style,
    /// Of code: a comment.
    pub(crate) comment: Style,
    /// Of code: a word of the language.
    pub(crate) keyword: Style,
    /// Of code: a string or character.
    pub(crate) string: Style,
    /// Of code: a number or another constant.
    pub(crate) constant: Style,
    /// Of code: the name of a function.
    pub(crate) function: Style,
    /// Of code: the name of a type.
    pub(crate) type_name: Style,
    /// The ground of what the user said, and of code; none where it is not known what would be quiet on the terminal's own.
    pub(crate) quiet: Style,
    /// The ground of a line that is added.
    pub(crate) added: Style,
    /// The ground of a line that is removed.
    pub(crate) removed: Style,
}

/// All themes, the one without a setting first.
static THEMES: [Theme; 6] = [
    // The terminal's own colours, which its owner chose; only those that read well on dark and on light grounds.
    Theme {
        name: "terminal",
        dim: FAINT,
        strong: BOLD,
        accent: ink(Color::Cyan),
        good: ink(Color::Green),
        bad: ink(Color::Red),
        calm: ink(Color::LightBlue),
        warn: ink(Color::Yellow),
        comment: FAINT.add_modifier(Modifier::ITALIC),
        keyword: ink(Color::Magenta),
        string: ink(Color::Green),
        constant: ink(Color::Cyan),
        function: ink(Color::LightBlue),
        type_name: ink(Color::Yellow),
        quiet: Style::new(),
        added: Style::new(),
        removed: Style::new(),
    },
    // Dark colours for a light ground, from the table of 256 that is the same in every terminal.
    Theme {
        name: "light",
        dim: ink(Color::Indexed(242)),
        strong: BOLD,
        accent: ink(Color::Indexed(24)),
        good: ink(Color::Indexed(22)),
        bad: ink(Color::Indexed(124)),
        calm: ink(Color::Indexed(19)),
        warn: ink(Color::Indexed(94)),
        comment: ink(Color::Indexed(242)).add_modifier(Modifier::ITALIC),
        keyword: ink(Color::Indexed(90)),
        string: ink(Color::Indexed(22)),
        constant: ink(Color::Indexed(24)),
        function: ink(Color::Indexed(19)),
        type_name: ink(Color::Indexed(94)),
        quiet: ground(254),
        added: ground(194),
        removed: ground(224),
    },
    // The brightest colours, for a dark ground. Nothing is faint.
    Theme {
        name: "contrast",
        dim: Style::new(),
        strong: BOLD,
        accent: bold(Color::LightCyan),
        good: bold(Color::LightGreen),
        bad: bold(Color::LightRed),
        calm: bold(Color::LightBlue),
        warn: bold(Color::LightYellow),
        comment: Style::new().add_modifier(Modifier::ITALIC),
        keyword: bold(Color::LightMagenta),
        string: ink(Color::LightGreen),
        constant: ink(Color::LightCyan),
        function: bold(Color::LightBlue),
        type_name: ink(Color::LightYellow),
        quiet: Style::new(),
        added: Style::new(),
        removed: Style::new(),
    },
    // The terminal's own colours on a dark ground, with quiet grounds behind what belongs together.
    Theme {
        name: "dark",
        dim: ink(Color::Indexed(246)),
        strong: BOLD,
        accent: ink(Color::Indexed(80)),
        good: ink(Color::Indexed(114)),
        bad: ink(Color::Indexed(210)),
        calm: ink(Color::Indexed(111)),
        warn: ink(Color::Indexed(221)),
        comment: ink(Color::Indexed(246)).add_modifier(Modifier::ITALIC),
        keyword: ink(Color::Indexed(176)),
        string: ink(Color::Indexed(114)),
        constant: ink(Color::Indexed(80)),
        function: ink(Color::Indexed(111)),
        type_name: ink(Color::Indexed(221)),
        quiet: ground(236),
        added: ground(22),
        removed: ground(52),
    },
    // What went well is blue and what went wrong is orange: told apart by all kinds of eyes, on dark and on light grounds.
    Theme {
        name: "colour-blind",
        dim: FAINT,
        strong: BOLD,
        accent: ink(Color::Indexed(37)),
        good: ink(Color::Indexed(32)),
        bad: ink(Color::Indexed(166)),
        calm: ink(Color::Indexed(98)),
        warn: ink(Color::Indexed(136)),
        comment: FAINT.add_modifier(Modifier::ITALIC),
        keyword: ink(Color::Indexed(98)),
        string: ink(Color::Indexed(32)),
        constant: ink(Color::Indexed(37)),
        function: ink(Color::Indexed(136)),
        type_name: ink(Color::Indexed(166)),
        quiet: Style::new(),
        added: Style::new(),
        removed: Style::new(),
    },
    // No colour at all: weight and signs alone carry the meaning.
    Theme {
        name: "plain",
        dim: FAINT,
        strong: BOLD,
        accent: Style::new(),
        good: Style::new(),
        bad: Style::new(),
        calm: Style::new(),
        warn: Style::new(),
        comment: FAINT.add_modifier(Modifier::ITALIC),
        keyword: Style::new(),
        string: Style::new(),
        constant: Style::new(),
        function: Style::new(),
        type_name: Style::new(),
        quiet: Style::new(),
        added: Style::new(),
        removed: Style::new(),
    },
];

const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);

const fn ink(colour: Color) -> Style {
    Style::new().fg(colour)
}

const fn ground(colour: u8) -> Style {
    Style::new().bg(Color::Indexed(colour))
}

const fn bold(colour: Color) -> Style {
    ink(colour).add_modifier(Modifier::BOLD)
}

impl Theme {
    /// The terminal's own colours, where no other theme is set.
    pub const TERMINAL: &'static Theme = &THEMES[0];
    /// No colour at all (`NO_COLOR`).
    pub const PLAIN: &'static Theme = &THEMES[5];

    /// The theme of this name.
    ///
    /// # Errors
    /// Names the themes that there are.
    pub fn named(name: &str) -> Result<&'static Theme, String> {
        let names = || THEMES.each_ref().map(|theme| theme.name).join(", ");
        let theme = THEMES.iter().find(|theme| theme.name == name);
        theme.ok_or_else(|| format!("there is no theme {name:?}; there are {}", names()))
    }

    /// Whether it has any colour. Where it has none, signs say what colours say elsewhere.
    pub(crate) fn is_coloured(&self) -> bool {
        self.accent.fg.is_some()
    }

    /// Every role and its style.
    #[cfg(test)]
    pub(crate) fn roles(&self) -> [Style; 16] {
        let Theme {
            name: _,
            dim,
            strong,
            accent,
            good,
            bad,
            calm,
            warn,
            comment,
            keyword,
            string,
            constant,
            function,
            type_name,
            quiet,
            added,
            removed,
        } = self;
        [
            dim, strong, accent, good, bad, calm, warn, comment, keyword, string, constant, function, type_name, quiet,
            added, removed,
        ]
        .map(|style| *style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The roles that are told apart by colour alone or by colour first; the others may be as plain text is.
    const COLOURED: [usize; 10] = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];

    #[test]
    fn a_theme_colours_every_role_or_none() {
        for theme in &THEMES {
            let coloured = COLOURED.map(|role| theme.roles()[role].fg.is_some());
            assert_eq!(coloured, [theme.is_coloured(); 10], "{}", theme.name);
        }
        assert!(Theme::PLAIN.roles().iter().all(|style| style.fg.is_none() && style.bg.is_none()));
    }

    #[test]
    fn every_theme_is_found_by_its_name_and_no_name_stands_twice() {
        for theme in &THEMES {
            let found = Theme::named(theme.name).unwrap();
            assert!(std::ptr::eq(found, theme), "{}", theme.name);
        }
        assert_eq!((Theme::TERMINAL.name, Theme::PLAIN.name), ("terminal", "plain"));
    }

    #[test]
    fn an_unknown_theme_is_answered_with_those_there_are() {
        let error = Theme::named("solarized").unwrap_err();
        assert_eq!(
            error,
            "there is no theme \"solarized\"; there are terminal, light, contrast, dark, colour-blind, plain"
        );
    }

    #[test]
    fn what_went_well_never_looks_like_what_went_wrong() {
        for theme in THEMES.iter().filter(|theme| theme.is_coloured()) {
            assert_ne!(theme.good, theme.bad, "{}", theme.name);
            assert_ne!(theme.warn, theme.bad, "{}", theme.name);
        }
    }
}

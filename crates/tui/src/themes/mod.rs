//! The themes: which style each role has. Each is a file, of ours in `assets/themes` or of the user's own, which `file` reads.
//! A new theme of ours is its file and its line in `BUILT_IN`.

mod file;

pub use file::ThemeFault;

use ratatui::style::Style;
use std::sync::OnceLock;

/// The styles of the screen, by role.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Theme {
    /// What `screen.theme` says.
    pub(crate) name: String,
    pub(crate) dim: Style,
    /// Headings and what must be seen.
    pub(crate) strong: Style,
    /// Keys and things to choose.
    pub(crate) accent: Style,
    pub(crate) good: Style,
    pub(crate) bad: Style,
    /// Nothing can happen: the model only looks.
    pub(crate) calm: Style,
    pub(crate) warn: Style,
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

/// A theme of ours, read when somebody wants it.
struct BuiltIn {
    name: &'static str,
    /// What it was called before.
    also: &'static str,
    text: &'static str,
    read: OnceLock<Theme>,
}

const fn built_in(name: &'static str, also: &'static str, text: &'static str) -> BuiltIn {
    BuiltIn { name, also, text, read: OnceLock::new() }
}

/// All themes of ours, the one without a setting first.
static BUILT_IN: [BuiltIn; 7] = [
    built_in("terminal", "", include_str!("../../../../assets/themes/terminal.toml")),
    built_in("ansi-16", "", include_str!("../../../../assets/themes/ansi-16.toml")),
    built_in("dark", "", include_str!("../../../../assets/themes/dark.toml")),
    built_in("light", "", include_str!("../../../../assets/themes/light.toml")),
    built_in("high-contrast", "contrast", include_str!("../../../../assets/themes/high-contrast.toml")),
    built_in("colour-blind", "", include_str!("../../../../assets/themes/colour-blind.toml")),
    built_in("plain", "", include_str!("../../../../assets/themes/plain.toml")),
];

impl BuiltIn {
    fn theme(&'static self) -> &'static Theme {
        self.read.get_or_init(|| Theme::read(self.name, self.text).expect("the themes of ours are read by a test"))
    }
}

impl Theme {
    /// The terminal's own colours, where no other theme is set.
    pub fn terminal() -> &'static Theme {
        BUILT_IN[0].theme()
    }

    /// No colour at all (`NO_COLOR`).
    pub fn plain() -> &'static Theme {
        BUILT_IN[BUILT_IN.len() - 1].theme()
    }

    /// The theme of ours of this name.
    ///
    /// # Errors
    /// Names the themes that there are.
    pub fn named(name: &str) -> Result<&'static Theme, String> {
        let names = || BUILT_IN.each_ref().map(|theme| theme.name).join(", ");
        let theme = BUILT_IN.iter().find(|theme| theme.name == name || (!name.is_empty() && theme.also == name));
        theme.map(BuiltIn::theme).ok_or_else(|| format!("there is no theme {name:?}; there are auto, {}", names()))
    }

    /// Reads the theme `name` from the text of its file.
    ///
    /// # Errors
    /// Says the line, what is wrong there, and what to write instead.
    pub fn read(name: &str, text: &str) -> Result<Theme, ThemeFault> {
        file::read(name, text)
    }

    /// Whether it has any colour. Where it has none, signs say what colours say elsewhere.
    pub(crate) fn is_coloured(&self) -> bool {
        self.accent.fg.is_some()
    }

    /// Every role with the name that it has in a file.
    fn roles_mut(&mut self) -> [(&'static str, &mut Style); 16] {
        [
            ("dim", &mut self.dim),
            ("strong", &mut self.strong),
            ("accent", &mut self.accent),
            ("good", &mut self.good),
            ("bad", &mut self.bad),
            ("calm", &mut self.calm),
            ("warn", &mut self.warn),
            ("comment", &mut self.comment),
            ("keyword", &mut self.keyword),
            ("string", &mut self.string),
            ("constant", &mut self.constant),
            ("function", &mut self.function),
            ("type_name", &mut self.type_name),
            ("quiet", &mut self.quiet),
            ("added", &mut self.added),
            ("removed", &mut self.removed),
        ]
    }

    #[cfg(test)]
    pub(crate) fn roles(&self) -> [Style; 16] {
        self.clone().roles_mut().map(|(_, style)| *style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::{Color, Modifier};

    /// The roles that are told apart by colour alone or by colour first; the others may be as plain text is.
    const COLOURED: [usize; 10] = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];

    fn all() -> impl Iterator<Item = &'static Theme> {
        BUILT_IN.iter().map(BuiltIn::theme)
    }

    #[test]
    fn a_theme_colours_every_role_or_none() {
        for theme in all() {
            let coloured = COLOURED.map(|role| theme.roles()[role].fg.is_some());
            assert_eq!(coloured, [theme.is_coloured(); 10], "{}", theme.name);
        }
        assert!(Theme::plain().roles().iter().all(|style| style.fg.is_none() && style.bg.is_none()));
    }

    #[test]
    fn every_theme_is_found_by_its_name_and_no_name_stands_twice() {
        for theme in all() {
            assert!(std::ptr::eq(Theme::named(&theme.name).unwrap(), theme), "{}", theme.name);
        }
        assert_eq!((Theme::terminal().name.as_str(), Theme::plain().name.as_str()), ("terminal", "plain"));
        assert_eq!(Theme::named("contrast").unwrap().name, "high-contrast", "as it was called before");
    }

    #[test]
    fn an_unknown_theme_is_answered_with_those_there_are() {
        let there = "auto, terminal, ansi-16, dark, light, high-contrast, colour-blind, plain";
        for name in ["solarized", ""] {
            assert_eq!(Theme::named(name).unwrap_err(), format!("there is no theme {name:?}; there are {there}"));
        }
    }

    #[test]
    fn what_went_well_never_looks_like_what_went_wrong() {
        for theme in all().filter(|theme| theme.is_coloured()) {
            assert_ne!(theme.good, theme.bad, "{}", theme.name);
            assert_ne!(theme.warn, theme.bad, "{}", theme.name);
        }
    }

    #[test]
    fn sixteen_colours_are_sixteen_and_nothing_is_faint() {
        for style in Theme::named("ansi-16").unwrap().roles() {
            let beyond = |colour: Option<Color>| matches!(colour, Some(Color::Indexed(_) | Color::Rgb(..)));
            assert!(!beyond(style.fg) && !beyond(style.bg) && !style.add_modifier.contains(Modifier::DIM));
        }
    }
}

//! Reads a theme from its file: a line for each role, with a colour, weights, and a background.

use super::Theme;
use crate::clean::clean_line;
use crate::nearest::nearest;
use ratatui::style::{Color, Modifier, Style};
use std::collections::BTreeMap;
use std::fmt;
use toml::Spanned;

/// What is wrong with the file of a theme, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThemeFault {
    /// The line, from 1.
    line: usize,
    words: String,
}

impl fmt::Display for ThemeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.words)
    }
}

/// The key of a file that names the theme from which it takes what it does not say.
const BASE: &str = "base";

/// Colours by their names: those that every terminal has.
const COLOURS: [(&str, Color); 16] = [
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("gray", Color::Gray),
    ("darkgray", Color::DarkGray),
    ("lightred", Color::LightRed),
    ("lightgreen", Color::LightGreen),
    ("lightyellow", Color::LightYellow),
    ("lightblue", Color::LightBlue),
    ("lightmagenta", Color::LightMagenta),
    ("lightcyan", Color::LightCyan),
    ("white", Color::White),
];

const WEIGHTS: [(&str, Modifier); 5] = [
    ("bold", Modifier::BOLD),
    ("faint", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
];

/// The theme `name` as its file says it.
pub(super) fn read(name: &str, text: &str) -> Result<Theme, ThemeFault> {
    let fault = |at: usize, words: String| {
        let before = &text.as_bytes()[..at.min(text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        // It quotes the file.
        ThemeFault { line, words: clean_line(&words).into_owned() }
    };
    let said: BTreeMap<String, Spanned<String>> = toml::from_str(text).map_err(|error| {
        let words = error.message().lines().map(str::trim).collect::<Vec<_>>().join(", ");
        fault(error.span().map_or(0, |span| span.start), words)
    })?;
    let mut theme = match said.get(BASE) {
        Some(base) => Theme::named(base.get_ref()).map_err(|wrong| fault(base.span().start, wrong))?.clone(),
        None => Theme::default(),
    };
    name.clone_into(&mut theme.name);
    let mut missing = Vec::new();
    let roles = theme.roles_mut();
    let names: Vec<&str> = roles.iter().map(|(role, _)| *role).collect();
    if let Some((key, value)) = said.iter().find(|(key, _)| key.as_str() != BASE && !names.contains(&key.as_str())) {
        let meant = nearest(key, names.iter().copied()).map(|near| format!("; did you mean {near}?"));
        return Err(fault(value.span().start, format!("there is no role {key}{}", meant.unwrap_or_default())));
    }
    for (role, style) in roles {
        match said.get(role) {
            Some(words) => *style = read_style(words.get_ref()).map_err(|wrong| fault(words.span().start, wrong))?,
            None if said.contains_key(BASE) => {}
            None => missing.push(role),
        }
    }
    if !missing.is_empty() {
        let words = format!("{} missing; name every role, or begin with base = \"dark\"", missing.join(", "));
        return Err(fault(text.trim_end().len(), words));
    }
    Ok(theme)
}

/// `80 bold on 236`
fn read_style(words: &str) -> Result<Style, String> {
    let mut style = Style::new();
    let mut words = words.split_whitespace();
    while let Some(word) = words.next() {
        if word == "on" {
            let ground = words.next().ok_or("`on` is followed by a colour")?;
            style = style.bg(colour(ground).ok_or_else(|| unknown(ground))?);
        } else if let Some((_, weight)) = WEIGHTS.iter().find(|(name, _)| *name == word) {
            style = style.add_modifier(*weight);
        } else {
            style = style.fg(colour(word).ok_or_else(|| unknown(word))?);
        }
    }
    Ok(style)
}

/// By name, by its number in the table of 256, or by its parts.
fn colour(word: &str) -> Option<Color> {
    if let Some(hex) = word.strip_prefix('#') {
        let number = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 6 && hex.is_ascii())?;
        let [_, red, green, blue] = number.to_be_bytes();
        return Some(Color::Rgb(red, green, blue));
    }
    let named = COLOURS.iter().find(|(name, _)| *name == word).map(|(_, colour)| *colour);
    named.or_else(|| word.parse().ok().map(Color::Indexed))
}

fn unknown(word: &str) -> String {
    let names = COLOURS.iter().map(|(name, _)| *name).chain(WEIGHTS.iter().map(|(name, _)| *name));
    let next = match nearest(word, names) {
        Some(near) => format!("did you mean {near}?"),
        None => "a colour is a name, a number from 0 to 255 or #rrggbb".to_owned(),
    };
    format!("`{word}` is no colour and no weight; {next}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_differs_from_its_base() {
        let theme =
            read("mine", "base = \"dark\"\naccent = \"#ff8000 bold\"\nquiet = \"on 17\"\ngood = \"blue\"\n").unwrap();
        let dark = Theme::named("dark").unwrap();
        assert_eq!((theme.name.as_str(), theme.bad, theme.removed), ("mine", dark.bad, dark.removed));
        assert_eq!(theme.accent, Style::new().fg(Color::Rgb(255, 128, 0)).add_modifier(Modifier::BOLD));
        assert_eq!((theme.quiet, theme.good), (Style::new().bg(Color::Indexed(17)), Style::new().fg(Color::Blue)));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line_and_what_to_write() {
        let rest = "a colour is a name, a number from 0 to 255 or #rrggbb";
        for (text, said) in [
            ("base = \"dark\"\nacent = \"red\"", "2: there is no role acent; did you mean accent?".to_owned()),
            (
                "base = \"dark\"\n\naccent = \"gren\"",
                "3: `gren` is no colour and no weight; did you mean green?".to_owned(),
            ),
            ("base = \"dark\"\naccent = \"#12\"", format!("2: `#12` is no colour and no weight; {rest}")),
            ("base = \"dark\"\naccent = \"256\"", format!("2: `256` is no colour and no weight; {rest}")),
            ("base = \"dark\"\nadded = \"on\"", "2: `on` is followed by a colour".to_owned()),
        ] {
            assert_eq!(read("mine", text).unwrap_err().to_string(), said, "{text}");
        }
        let said = |text| read("mine", text).unwrap_err().to_string();
        assert!(said("base = \"drak\"").starts_with("1: there is no theme \"drak\"; there are auto, terminal"));
        assert!(said("accent = \"red\"\ngood = \"green\"\n").starts_with("2: dim, strong, bad"));
        assert!(said("base = \"dark\"\naccent = 12\n").starts_with("2: invalid type"));
        assert!(said("base = \"dark\"\naccent = \"red\n").starts_with("2: "));
    }
}

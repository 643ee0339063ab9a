//! Themes of the user's own: a file each, in `themes` beside their config.

use super::file::{Fault, File, ThemeName};
use super::text;
use agent_tui::Theme;
use anyhow::{Result, anyhow};
use std::path::Path;

/// Reads the theme that `file`, which stands at `path`, names and that is none of ours.
pub(super) fn find(file: &mut File, path: &Path, whole: &str) -> Result<()> {
    let Some(ThemeName::Own { name, at }) = &file.screen.theme else { return Ok(()) };
    let own = path.with_file_name("themes").join(format!("{name}.toml"));
    let plain = !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter));
    let found = if plain { text(&own)? } else { None };
    let Some(found) = found else {
        let wrong = Theme::named(name).err().unwrap_or_default();
        let next =
            if plain { format!("; one of your own is themes/{name}.toml beside this file") } else { String::new() };
        return Err(anyhow!("{}:{}", path.display(), Fault::at(whole, *at, format!("{wrong}{next}"))));
    };
    let theme = Theme::read(name, &found).map_err(|fault| anyhow!("{}:{fault}", own.display()))?;
    // It is read once, and worn until the program ends.
    file.screen.theme = Some(ThemeName::Found(Box::leak(Box::new(theme))));
    Ok(())
}

/// The theme that begins, and whether the terminal is asked for another; none without colour.
pub(super) fn resolved(name: Option<ThemeName>) -> (&'static Theme, bool) {
    match name {
        None => (Theme::plain(), false),
        Some(ThemeName::Found(theme)) => (theme, false),
        Some(ThemeName::Auto) => (Theme::terminal(), true),
        // Only the user's own file names a theme, and of that each was found.
        Some(ThemeName::Own { .. }) => (Theme::terminal(), false),
    }
}

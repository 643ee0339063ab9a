//! The page of all keys: a row for each key, by where it counts.

use super::fixed::{FIXED, Fixed, KeyPlace};
use super::{Deed, Entry, TABLE, chord};

const HEAD: &str = "\
# Keys

Written by `cargo run -p agent-tui --example keys > docs/KEYS.md` from the tables that the screen itself uses; a test holds it to
them. A key with a setting is changed under `[keys]` in your config ([SETTINGS.md](SETTINGS.md)): `details = \"f2 ctrl+o\"`. Two actions
on one key stop the start, with both their names. At a question only a key that stands alone answers ([SCREEN.md](SCREEN.md)).
With the mouse the wheel scrolls, a click unfolds or folds, and a drag selects and copies; with Shift the terminal selects by itself.
";

pub fn page() -> String {
    let mut page = HEAD.to_owned();
    for place in KeyPlace::ALL {
        page.push_str(&format!("\n## {}\n\n| key | setting | what it does |\n|---|---|---|\n", place.words()));
        let own = TABLE.iter().filter(|entry| place_of(entry.deed) == place).map(set_row);
        let fixed = FIXED.iter().filter(|fixed| fixed.place == place).map(fixed_row);
        page.extend(own.chain(fixed));
    }
    page
}

/// Where an action counts first of all.
fn place_of(deed: Deed) -> KeyPlace {
    match deed {
        Deed::Redraw
        | Deed::Suspend
        | Deed::Mouse
        | Deed::Interrupt
        | Deed::SwitchMode
        | Deed::Details
        | Deed::PageUp
        | Deed::PageDown
        | Deed::ToStart
        | Deed::ToEnd => KeyPlace::Everywhere,
        Deed::NewLine => KeyPlace::Text,
        Deed::Send
        | Deed::Todos
        | Deed::Editor
        | Deed::Stash
        | Deed::OpenPaste
        | Deed::PastePicture
        | Deed::CopyCode
        | Deed::Search
        | Deed::Keys => KeyPlace::Message,
    }
}

fn set_row(entry: &Entry) -> String {
    row(entry.keys, &format!("`{}`", entry.name), entry.words)
}

fn fixed_row(fixed: &Fixed) -> String {
    row(fixed.keys, "", fixed.words)
}

fn row(keys: &str, setting: &str, words: &str) -> String {
    let shown = |key: &str| match chord(key) {
        // A letter by itself is what is typed.
        Ok(chord) if key.len() > 1 => chord.to_string(),
        Ok(_) | Err(_) => key.to_owned(),
    };
    let keys: Vec<String> = keys.split(' ').map(|key| format!("`{}`", shown(key))).collect();
    format!("| {} | {setting} | {words} |\n", keys.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_in_docs_is_the_one_of_the_keymap() {
        let written = include_str!("../../../../docs/KEYS.md");
        assert_eq!(page(), written, "cargo run -p agent-tui --example keys > docs/KEYS.md");
    }

    #[test]
    fn every_key_of_the_tables_has_its_row() {
        let page = page();
        for words in TABLE.iter().map(|entry| entry.words).chain(FIXED.iter().map(|fixed| fixed.words)) {
            assert!(page.contains(&format!("| {words} |\n")), "{words}");
        }
        assert!(FIXED.iter().flat_map(|fixed| fixed.keys.split(' ')).all(|key| chord(key).is_ok()));
    }
}

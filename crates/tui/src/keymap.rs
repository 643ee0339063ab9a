//! Which key means what: the built-in keys, and those a person set instead.
//!
//! Does not act. The readline keys of the composer are in `composer::readline` and cannot be changed; `fixed` names them, and the
//! other keys that are what they are, `conflict` looks for two actions on one key, and `page` writes all of it down.

mod conflict;
mod fixed;
mod page;

pub use conflict::check;
pub use page::page;

use crate::nearest::nearest;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::fmt;

/// What a key can be set to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    Send,
    /// Begin a new line in the message.
    NewLine,
    /// Stop the model or the running tool; close what is open.
    Interrupt,
    /// Switch to the next mode: safe, plan, unsafe.
    SwitchMode,
    /// Fold or unfold arguments, output and thinking.
    Details,
    /// Show or hide what there is to do.
    Todos,
    /// Open the draft in the editor.
    Editor,
    /// Put the draft aside, or bring it back.
    Stash,
    /// Open a long paste that stands folded in the message.
    OpenPaste,
    /// Put the picture that is on the clipboard into the message.
    PastePicture,
    /// Copy a code block of the last answer.
    CopyCode,
    Search,
    /// Draw the whole screen again.
    Redraw,
    /// Leave to the shell for a while.
    Suspend,
    /// Give the mouse to the terminal, or take it back.
    Mouse,
    /// Scroll up by a page.
    PageUp,
    /// Scroll down by a page.
    PageDown,
    /// Scroll to the beginning.
    ToStart,
    /// Scroll to the end and follow again.
    ToEnd,
    /// Show the sheet of keys.
    Keys,
}

/// One line of the table: the deed, its name in the config file, its keys, and what it does in words.
struct Entry {
    deed: Deed,
    name: &'static str,
    keys: &'static str,
    words: &'static str,
}

const fn entry(deed: Deed, name: &'static str, keys: &'static str, words: &'static str) -> Entry {
    Entry { deed, name, keys, words }
}

const TABLE: &[Entry] = &[
    entry(Deed::Send, "send", "enter", "send the message"),
    entry(Deed::NewLine, "new_line", "shift+enter alt+enter ctrl+j", "new line (so does \\ at the end)"),
    entry(Deed::Interrupt, "interrupt", "esc", "stop the model or the command; close what is open; twice: go back"),
    entry(Deed::SwitchMode, "switch_mode", "shift+tab", "the next mode: safe, accept-edits, plan, unsafe"),
    entry(Deed::Details, "details", "ctrl+o", "fold or unfold arguments, output and thinking"),
    entry(Deed::Todos, "todos", "ctrl+t", "show or hide what there is to do"),
    entry(Deed::Editor, "editor", "ctrl+g", "write the message in your editor"),
    entry(Deed::Stash, "stash", "ctrl+s", "put the message aside; bring it back"),
    entry(Deed::OpenPaste, "open_paste", "alt+o", "open a long paste that stands folded in the message"),
    entry(Deed::PastePicture, "paste_picture", "ctrl+v", "put the picture that is on the clipboard into the message"),
    entry(Deed::CopyCode, "copy_code", "alt+c", "copy the last code block; again: the one before"),
    entry(Deed::Search, "search", "ctrl+r", "search your earlier messages"),
    entry(Deed::PageUp, "page_up", "pgup", "scroll up by a page"),
    entry(Deed::PageDown, "page_down", "pgdn", "scroll down by a page"),
    entry(Deed::ToStart, "to_start", "ctrl+home", "scroll to the beginning"),
    entry(Deed::ToEnd, "to_end", "ctrl+end", "scroll to the end and follow again"),
    entry(Deed::Mouse, "mouse", "alt+m", "give the mouse to the terminal, to select by dragging"),
    entry(Deed::Redraw, "redraw", "ctrl+l", "draw the screen again"),
    entry(Deed::Suspend, "suspend", "ctrl+z", "leave to the shell; `fg` comes back"),
    entry(Deed::Keys, "keys", "f1", "show this sheet"),
];

/// A key with what is held down beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chord {
    pub(crate) code: KeyCode,
    pub(crate) held: KeyModifiers,
}

impl Chord {
    /// The chord of a key event, however the terminal spells it.
    pub(crate) fn of(event: &KeyEvent) -> Self {
        Chord::new(event.code, event.modifiers)
    }

    pub(crate) fn new(code: KeyCode, held: KeyModifiers) -> Self {
        let held = held & (KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT);
        match code {
            // With Control or Alt a letter is its key; without, the letter itself tells of Shift.
            KeyCode::Char(letter) if held.contains(KeyModifiers::CONTROL) => {
                Chord { code: KeyCode::Char(letter.to_ascii_lowercase()), held: held - KeyModifiers::SHIFT }
            }
            KeyCode::Char(_) => Chord { code, held: held - KeyModifiers::SHIFT },
            KeyCode::BackTab => Chord { code, held: held - KeyModifiers::SHIFT },
            KeyCode::Tab if held.contains(KeyModifiers::SHIFT) => {
                Chord { code: KeyCode::BackTab, held: held - KeyModifiers::SHIFT }
            }
            _ => Chord { code, held },
        }
    }

    /// The letter, if this key writes one.
    pub(crate) fn letter(self) -> Option<char> {
        match self.code {
            KeyCode::Char(letter) if self.held.is_empty() => Some(letter),
            _ => None,
        }
    }

    pub(crate) fn is_control(self, letter: char) -> bool {
        self.code == KeyCode::Char(letter) && self.held == KeyModifiers::CONTROL
    }

    pub(crate) fn is(self, code: KeyCode) -> bool {
        self.code == code && self.held.is_empty()
    }
}

/// As a keyboard names it: `Ctrl+C`, `PgUp`, `Shift+Tab`.
impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (flag, name) in
            [(KeyModifiers::CONTROL, "Ctrl+"), (KeyModifiers::ALT, "Alt+"), (KeyModifiers::SHIFT, "Shift+")]
        {
            if self.held.contains(flag) {
                f.write_str(name)?;
            }
        }
        match self.code {
            KeyCode::Char(' ') => f.write_str("Space"),
            KeyCode::Char(letter) if self.held.is_empty() => write!(f, "{letter}"),
            KeyCode::Char(letter) => write!(f, "{}", letter.to_ascii_uppercase()),
            KeyCode::F(number) => write!(f, "F{number}"),
            KeyCode::BackTab => f.write_str("Shift+Tab"),
            code => {
                f.write_str(&NAMED.iter().find(|(_, named)| *named == code).map_or("?".into(), |(name, _)| shown(name)))
            }
        }
    }
}

/// The name of a key as it stands on the screen; in the config it is written small.
fn shown(name: &str) -> String {
    match name {
        "pgup" => "PgUp".to_owned(),
        "pgdn" => "PgDn".to_owned(),
        name => name[..1].to_ascii_uppercase() + &name[1..],
    }
}

/// Keys with names; where several names mean one key, the first is the one shown.
const NAMED: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("return", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("escape", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pageup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("pagedown", KeyCode::PageDown),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
];

/// A deed with the keys that do it from now on, instead of the built-in ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    deed: Deed,
    chords: Vec<Chord>,
}

/// Why a line of the config's `[keys]` cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// There is no such deed.
    #[error("there is no key setting {name}{}", meant(*nearest))]
    Deed {
        /// The name in the file.
        name: String,
        nearest: Option<&'static str>,
    },
    /// There is no such key.
    #[error("there is no key {key}{}", meant(*nearest))]
    Key {
        /// The key in the file.
        key: String,
        nearest: Option<&'static str>,
    },
    /// No key at all.
    #[error("{name} names no key; write one like ctrl+o")]
    NoKey {
        /// The deed in the file.
        name: String,
    },
    /// A key that does something which cannot be changed.
    #[error("{key} cannot be set for {name}: {words}")]
    Fixed {
        key: String,
        /// The deed in the file.
        name: &'static str,
        words: &'static str,
    },
    /// Two deeds are set to one key.
    #[error("{key} is set for {one} and for {other}; give one of them another key")]
    Twice { key: String, one: &'static str, other: &'static str },
    /// Another deed would have no key any more.
    #[error("{key} is the only key of {other}; set {other} as well, or take another for {name}")]
    Taken {
        key: String,
        /// The deed in the file.
        name: &'static str,
        /// The deed that has it.
        other: &'static str,
    },
    /// A letter that could no longer be typed.
    #[error("{key} alone could no longer be typed; add ctrl+ or alt+, or take a key like f2")]
    BareLetter {
        /// The key in the file.
        key: String,
    },
}

/// The name of an action in the config.
fn name_of(deed: Deed) -> &'static str {
    TABLE.iter().find(|entry| entry.deed == deed).map_or("", |entry| entry.name)
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |word| format!("; did you mean {word}?"))
}

/// Reads one line of the config: a deed's name and its keys, separated by spaces (`"f2 ctrl+o"`).
///
/// # Errors
/// Says which word is wrong and what was probably meant.
pub fn parse(name: &str, keys: &str) -> Result<Binding, Wrong> {
    let entry = TABLE.iter().find(|entry| entry.name == name).ok_or_else(|| Wrong::Deed {
        name: name.to_owned(),
        nearest: nearest(name, TABLE.iter().map(|entry| entry.name)),
    })?;
    let chords = keys.split_whitespace().map(chord).collect::<Result<Vec<_>, _>>()?;
    if chords.is_empty() {
        return Err(Wrong::NoKey { name: name.to_owned() });
    }
    if let Some(bare) = chords.iter().find(|chord| chord.letter().is_some()) {
        return Err(Wrong::BareLetter { key: bare.to_string() });
    }
    Ok(Binding { deed: entry.deed, chords })
}

/// Every deed that can have a key: its name in the config, its built-in keys, and what it does in words.
pub fn defaults() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TABLE.iter().map(|entry| (entry.name, entry.keys, entry.words))
}

fn chord(text: &str) -> Result<Chord, Wrong> {
    let lower = text.to_lowercase();
    let mut held = KeyModifiers::NONE;
    let mut rest = lower.as_str();
    while let Some((word, tail)) = rest.split_once('+').filter(|(_, tail)| !tail.is_empty()) {
        held |= match word {
            "ctrl" | "control" => KeyModifiers::CONTROL,
            "alt" | "meta" | "option" => KeyModifiers::ALT,
            "shift" => KeyModifiers::SHIFT,
            _ => return Err(Wrong::Key { key: text.to_owned(), nearest: nearest(word, ["ctrl", "alt", "shift"]) }),
        };
        rest = tail;
    }
    Ok(Chord::new(code(rest, text)?, held))
}

fn code(name: &str, whole: &str) -> Result<KeyCode, Wrong> {
    if let Some((_, code)) = NAMED.iter().find(|(named, _)| *named == name) {
        return Ok(*code);
    }
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return Ok(KeyCode::Char(letter));
    }
    let number =
        name.strip_prefix('f').and_then(|number| number.parse().ok()).filter(|number| (1..=24).contains(number));
    number.map(KeyCode::F).ok_or_else(|| Wrong::Key {
        key: whole.to_owned(),
        nearest: nearest(name, NAMED.iter().map(|(named, _)| *named)),
    })
}

#[derive(Debug, Clone)]
pub(crate) struct Keymap {
    bindings: Vec<Binding>,
}

impl Keymap {
    /// The built-in keys, with `overrides` in place of theirs.
    pub(crate) fn with(overrides: &[Binding]) -> Self {
        let built_in = TABLE.iter().map(|entry| {
            parse(entry.name, entry.keys).expect("the built-in keys are well formed: a test reads them all")
        });
        let mut bindings: Vec<Binding> = built_in.collect();
        for other in overrides {
            if let Some(binding) = bindings.iter_mut().find(|binding| binding.deed == other.deed) {
                binding.chords.clone_from(&other.chords);
            }
        }
        // A key a person set wins over a built-in one that happens to be the same.
        bindings.sort_by_key(|binding| !overrides.contains(binding));
        Keymap { bindings }
    }

    /// What `chord` is set to do.
    pub(crate) fn deed(&self, chord: Chord) -> Option<Deed> {
        self.bindings.iter().find(|binding| binding.chords.contains(&chord)).map(|binding| binding.deed)
    }

    /// The first key of `deed`, as it is shown.
    pub(crate) fn label(&self, deed: Deed) -> String {
        self.chords(deed).first().map(ToString::to_string).unwrap_or_default()
    }

    /// Every deed with all its keys and its words, in the order of the sheet.
    pub(crate) fn sheet(&self) -> impl Iterator<Item = (String, &'static str)> {
        TABLE.iter().map(|entry| {
            let labels: Vec<String> = self.chords(entry.deed).iter().map(ToString::to_string).collect();
            (labels.join(", "), entry.words)
        })
    }

    fn chords(&self, deed: Deed) -> &[Chord] {
        self.bindings.iter().find(|binding| binding.deed == deed).map_or(&[], |binding| &binding.chords)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_key_reads_and_is_shown_as_a_keyboard_names_it() {
        let keymap = Keymap::with(&[]);
        for entry in TABLE {
            assert_eq!(keymap.label(entry.deed).to_lowercase(), entry.keys.split(' ').next().unwrap());
        }
        let labels =
            [Deed::Send, Deed::SwitchMode, Deed::Details, Deed::PageUp, Deed::Keys].map(|deed| keymap.label(deed));
        assert_eq!(labels, ["Enter", "Shift+Tab", "Ctrl+O", "PgUp", "F1"]);
    }

    #[test]
    fn a_key_that_is_set_replaces_the_built_in_one() {
        let keymap = Keymap::with(&[parse("details", "f2 alt+o").unwrap()]);
        let key = |code| keymap.deed(Chord::new(code, KeyModifiers::NONE));
        assert_eq!(key(KeyCode::F(2)), Some(Deed::Details));
        assert_eq!(keymap.deed(Chord::new(KeyCode::Char('o'), KeyModifiers::CONTROL)), None);
    }

    #[test]
    fn a_key_that_is_set_wins_over_a_built_in_one() {
        let keymap = Keymap::with(&[parse("keys", "ctrl+o").unwrap()]);
        assert_eq!(keymap.deed(Chord::new(KeyCode::Char('o'), KeyModifiers::CONTROL)), Some(Deed::Keys));
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest_right_one() {
        let said = |name, keys| parse(name, keys).unwrap_err().to_string();
        assert_eq!(said("detials", "f2"), "there is no key setting detials; did you mean details?");
        assert_eq!(said("details", "ctrl+entr"), "there is no key ctrl+entr; did you mean enter?");
        assert_eq!(said("details", "crtl+o"), "there is no key crtl+o; did you mean ctrl?");
        assert_eq!(said("details", ""), "details names no key; write one like ctrl+o");
        assert!(said("details", "o").starts_with("o alone could no longer be typed"));
    }

    #[test]
    fn shift_tab_is_one_key_however_the_terminal_spells_it() {
        let spelled = [(KeyCode::BackTab, KeyModifiers::SHIFT), (KeyCode::Tab, KeyModifiers::SHIFT)];
        for (code, held) in spelled {
            assert_eq!(Keymap::with(&[]).deed(Chord::new(code, held)), Some(Deed::SwitchMode));
        }
    }
}

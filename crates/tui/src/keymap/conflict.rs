//! Two actions on one key: what a person set is compared with itself, with what cannot be changed, and with the built-in keys that
//! stay.

use super::fixed::{FIXED, KeyPlace};
use super::{Binding, Chord, TABLE, Wrong, chord, name_of, parse};

/// What is wrong with these keys taken together; said of the setting of this name.
///
/// # Errors
/// Names both actions, and what to do about it.
pub fn check(set: &[Binding]) -> Result<(), (&'static str, Wrong)> {
    for (at, binding) in set.iter().enumerate() {
        let name = name_of(binding.deed);
        for key in &binding.chords {
            if let Some(words) = cannot_change(*key) {
                return Err((name, Wrong::Fixed { key: key.to_string(), name, words }));
            }
            if let Some(other) = set[..at].iter().find(|other| other.chords.contains(key)) {
                let other = name_of(other.deed);
                return Err((name, Wrong::Twice { key: key.to_string(), one: other, other: name }));
            }
            if let Some(other) = loses_all(*key, set) {
                return Err((name, Wrong::Taken { key: key.to_string(), name, other }));
            }
        }
    }
    Ok(())
}

/// What the key does before anything that is set, if it does. A key of a text is lost there to what is set: that was meant.
fn cannot_change(key: Chord) -> Option<&'static str> {
    let fixed = FIXED.iter().filter(|fixed| fixed.place == KeyPlace::Everywhere);
    let mut same = fixed.filter(|fixed| fixed.keys.split(' ').any(|text| chord(text) == Ok(key)));
    same.next().map(|fixed| fixed.words)
}

/// The action that has a built-in key, is not set otherwise, and has none left without `key`.
fn loses_all(key: Chord, set: &[Binding]) -> Option<&'static str> {
    let taken = |chord: &Chord| *chord == key || set.iter().any(|binding| binding.chords.contains(chord));
    let stays = TABLE.iter().filter(|entry| set.iter().all(|binding| binding.deed != entry.deed));
    let mut losing = stays.filter(|entry| {
        let built_in = parse(entry.name, entry.keys).map(|binding| binding.chords).unwrap_or_default();
        built_in.contains(&key) && built_in.iter().all(taken)
    });
    losing.next().map(|entry| entry.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composer::{Consumed, Editor, edit};
    use crossterm::event::{KeyCode, KeyModifiers};

    fn checked(set: &[(&str, &str)]) -> Result<(), String> {
        let set: Vec<Binding> = set.iter().map(|(name, keys)| parse(name, keys).unwrap()).collect();
        check(&set).map_err(|(name, wrong)| format!("{name}: {wrong}"))
    }

    #[test]
    fn two_actions_on_one_key_are_named_both() {
        assert_eq!(
            checked(&[("details", "f5"), ("todos", "f6 f5")]).unwrap_err(),
            "todos: F5 is set for details and for todos; give one of them another key"
        );
        assert_eq!(
            checked(&[("keys", "ctrl+o")]).unwrap_err(),
            "keys: Ctrl+O is the only key of details; set details as well, or take another for keys"
        );
        assert_eq!(
            checked(&[("todos", "ctrl+c")]).unwrap_err(),
            "todos: Ctrl+C cannot be set for todos: one step back: the draft, what is open, the turn; twice: leave"
        );
    }

    #[test]
    fn keys_that_change_places_and_one_of_several_are_no_conflict() {
        for set in [
            &[("keys", "ctrl+o"), ("details", "f1")][..],
            &[("todos", "ctrl+j")],
            &[("details", "f5 f6")],
            &[("todos", "ctrl+y")],
            &[("send", "ctrl+j"), ("new_line", "enter")],
        ] {
            assert_eq!(checked(set), Ok(()), "{set:?}");
        }
        let all: Vec<Binding> = TABLE.iter().map(|entry| parse(entry.name, entry.keys).unwrap()).collect();
        assert!(check(&all).is_ok(), "the built-in keys");
    }

    #[test]
    fn the_keys_of_a_text_are_those_that_are_named() {
        let named: Vec<Chord> = FIXED
            .iter()
            .filter(|fixed| fixed.place == KeyPlace::Text)
            .flat_map(|fixed| fixed.keys.split(' '))
            .map(|key| chord(key).unwrap())
            .collect();
        let acts = |key: Chord| edit(&mut Editor::holding("one two"), key) == Consumed::Yes;
        for key in &named {
            assert!(acts(*key), "{key}");
        }
        let letters = ('!'..='~').map(KeyCode::Char);
        let others = [
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::Backspace,
            KeyCode::Delete,
            KeyCode::Tab,
        ];
        let codes: Vec<KeyCode> = letters.chain(others).collect();
        for held in [KeyModifiers::NONE, KeyModifiers::CONTROL, KeyModifiers::ALT] {
            let keys = codes.iter().map(|code| Chord::new(*code, held)).filter(|key| key.letter().is_none());
            for key in keys.filter(|key| acts(*key) && !named.contains(key)) {
                // As long as it does something else.
                assert_eq!(key.to_string(), "Ctrl+T");
            }
        }
    }
}

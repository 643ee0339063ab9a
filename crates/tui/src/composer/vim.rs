//! A few keys of vi for the message, for those who set `[composer] vim`: what is written begins in insert mode, Esc leads to
//! normal mode. A message that is sent leads back.

use super::editor::{Editor, Motion};
use crate::keymap::Chord;
use crossterm::event::KeyCode;

/// In which mode the keys are read.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VimMode {
    #[default]
    Insert,
    /// Letters move and change; after a `d` another one is waited for.
    Normal { after_d: bool },
}

/// What a key came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vimmed {
    /// It is none of vi's: it means what it means without.
    No,
    Done,
    /// A row up or down.
    Up,
    Down,
}

impl VimMode {
    /// Lets a key act on the text.
    pub(crate) fn key(&mut self, editor: &mut Editor, chord: Chord) -> Vimmed {
        match (*self, chord.letter()) {
            (VimMode::Insert, _) if chord.is(KeyCode::Esc) && !editor.is_empty() => {
                *self = VimMode::Normal { after_d: false };
                if !at_line_start(editor) {
                    editor.go(Motion::Left);
                }
                Vimmed::Done
            }
            (VimMode::Normal { after_d }, Some(letter)) => {
                *self = VimMode::Normal { after_d: false };
                self.letter(editor, letter, after_d)
            }
            (VimMode::Insert | VimMode::Normal { .. }, _) => Vimmed::No,
        }
    }

    /// A letter in normal mode. One that means nothing does nothing: it is not written.
    fn letter(&mut self, editor: &mut Editor, letter: char, after_d: bool) -> Vimmed {
        match letter {
            'j' => return Vimmed::Down,
            'k' => return Vimmed::Up,
            'd' if after_d => delete_line(editor),
            'd' => *self = VimMode::Normal { after_d: true },
            'h' if !at_line_start(editor) => editor.go(Motion::Left),
            'l' if !at_line_end(editor) => editor.go(Motion::Right),
            'w' => editor.go(Motion::NextWord),
            'b' => editor.go(Motion::SpaceLeft),
            'e' => to_word_end(editor),
            '0' => editor.go(Motion::LineStart),
            '$' => editor.go_to(editor.line_end()),
            'x' if !at_line_end(editor) => editor.kill(Motion::Right),
            'D' if !at_line_end(editor) => editor.kill(Motion::LineEnd),
            'p' => editor.yank(),
            'u' => editor.undo(),
            'i' | 'a' | 'A' | 'I' | 'o' => {
                *self = VimMode::Insert;
                begin_insert(editor, letter);
            }
            _ => {}
        }
        Vimmed::Done
    }
}

fn begin_insert(editor: &mut Editor, letter: char) {
    match letter {
        'a' if !at_line_end(editor) => editor.go(Motion::Right),
        'A' => editor.go_to(editor.line_end()),
        'I' => editor.go(Motion::LineStart),
        'o' => {
            editor.go_to(editor.line_end());
            editor.insert("\n");
        }
        _ => {}
    }
}

fn to_word_end(editor: &mut Editor) {
    editor.go(Motion::Right);
    editor.go(Motion::SpaceRight);
    editor.go(Motion::Left);
}

/// The line with its end, or with the one before it where it is the last.
fn delete_line(editor: &mut Editor) {
    editor.go(Motion::LineStart);
    if !at_line_end(editor) {
        editor.kill(Motion::LineEnd);
    }
    if editor.cursor() < editor.text().len() {
        editor.delete(Motion::Right);
    } else if editor.cursor() > 0 {
        editor.delete(Motion::Left);
        editor.go(Motion::LineStart);
    }
}

fn at_line_start(editor: &Editor) -> bool {
    editor.text()[..editor.cursor()].ends_with('\n') || editor.cursor() == 0
}

fn at_line_end(editor: &Editor) -> bool {
    editor.cursor() == editor.line_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyModifiers;

    /// `text` with the cursor at `|`, after these keys in normal mode.
    fn after(text: &str, keys: &str) -> String {
        let mut editor = Editor::holding(&text.replace('|', ""));
        editor.go_to(text.find('|').unwrap_or(text.len()));
        let mut mode = VimMode::Normal { after_d: false };
        for letter in keys.chars() {
            let chord = Chord::new(KeyCode::Char(letter), KeyModifiers::NONE);
            if mode.key(&mut editor, chord) == Vimmed::No {
                editor.type_letter(letter);
            }
        }
        let (before, behind) = editor.text().split_at(editor.cursor());
        format!("{before}|{behind}")
    }

    #[test]
    fn keys_move_change_and_begin_to_write() {
        for (text, keys, expected) in [
            ("one |two", "h", "one| two"),
            ("|one\ntwo", "hl", "o|ne\ntwo"),
            ("|one two", "w", "one |two"),
            ("one two|", "b", "one |two"),
            ("|one two", "ee", "one tw|o"),
            ("one t|wo", "0", "|one two"),
            ("|one\ntwo", "$", "one|\ntwo"),
            ("o|ne", "xx", "o|"),
            ("one| two", "D", "one|"),
            ("one\nt|wo\nthree", "dd", "one\n|three"),
            ("one\nt|wo", "dd", "|one"),
            ("one|", "dd", "|"),
            ("o|ne", "iX", "oX|ne"),
            ("o|ne", "aX", "onX|e"),
            ("o|ne", "AX", "oneX|"),
            ("o|ne", "IX", "X|one"),
            ("o|ne\ntwo", "oX", "one\nX|\ntwo"),
            ("one| two", "Du", "one| two"),
            ("o|ne", "zq", "o|ne"),
            ("one|", "dwx", "one|"),
        ] {
            assert_eq!(after(text, keys), expected, "{text} {keys}");
        }
    }

    #[test]
    fn esc_leads_to_normal_mode_where_something_is_written() {
        let mut editor = Editor::holding("one");
        let mut mode = VimMode::Insert;
        let esc = Chord::new(KeyCode::Esc, KeyModifiers::NONE);
        assert_eq!(mode.key(&mut editor, esc), Vimmed::Done);
        assert_eq!((mode, editor.cursor()), (VimMode::Normal { after_d: false }, 2));
        assert_eq!(mode.key(&mut editor, esc), Vimmed::No, "the second one means what it always does");
        assert_eq!(VimMode::Insert.key(&mut Editor::default(), esc), Vimmed::No);
    }
}

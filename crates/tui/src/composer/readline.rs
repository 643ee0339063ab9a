//! The keys of readline, for every text that is written here: the message, a word to the model, a command.

use super::editor::{Editor, Motion};
use crate::keymap::Chord;
use crossterm::event::{KeyCode, KeyModifiers};

/// Did the key mean something to the text?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consumed {
    Yes,
    No,
}

/// Lets `chord` act on the text.
pub(crate) fn edit(editor: &mut Editor, chord: Chord) -> Consumed {
    let acted = match chord.held {
        KeyModifiers::NONE | KeyModifiers::SHIFT => plain(editor, chord.code),
        KeyModifiers::CONTROL => control(editor, chord.code),
        KeyModifiers::ALT => alt(editor, chord.code),
        _ => None,
    };
    if acted.is_some() { Consumed::Yes } else { Consumed::No }
}

fn plain(editor: &mut Editor, code: KeyCode) -> Option<()> {
    match code {
        KeyCode::Char(letter) => editor.type_letter(letter),
        KeyCode::Backspace => editor.delete(Motion::Left),
        KeyCode::Delete => editor.delete(Motion::Right),
        KeyCode::Left => editor.go(Motion::Left),
        KeyCode::Right => editor.go(Motion::Right),
        KeyCode::Home => editor.go(Motion::LineStart),
        KeyCode::End => to_line_end(editor),
        _ => return None,
    }
    Some(())
}

fn control(editor: &mut Editor, code: KeyCode) -> Option<()> {
    match code {
        KeyCode::Char('a') => editor.go(Motion::LineStart),
        KeyCode::Char('e') => to_line_end(editor),
        KeyCode::Char('b') => editor.go(Motion::Left),
        KeyCode::Char('f') => editor.go(Motion::Right),
        KeyCode::Char('d') => editor.delete(Motion::Right),
        KeyCode::Char('h') => editor.delete(Motion::Left),
        KeyCode::Char('k') => editor.kill(Motion::LineEnd),
        KeyCode::Char('u') => editor.kill(Motion::LineStart),
        KeyCode::Char('w') => editor.kill(Motion::SpaceLeft),
        KeyCode::Char('y') => editor.yank(),
        KeyCode::Char('t') => editor.transpose(),
        // Control and underscore: old terminals send it as Control and 7, new ones as the key that was pressed.
        KeyCode::Char('_' | '7' | '-' | '/') => editor.undo(),
        KeyCode::Left => editor.go(Motion::WordLeft),
        KeyCode::Right => editor.go(Motion::WordRight),
        KeyCode::Backspace => editor.kill(Motion::WordLeft),
        KeyCode::Delete => editor.kill(Motion::WordRight),
        _ => return None,
    }
    Some(())
}

fn alt(editor: &mut Editor, code: KeyCode) -> Option<()> {
    match code {
        KeyCode::Char('b') | KeyCode::Left => editor.go(Motion::WordLeft),
        KeyCode::Char('f') | KeyCode::Right => editor.go(Motion::WordRight),
        KeyCode::Char('d') => editor.kill(Motion::WordRight),
        KeyCode::Char('y') => editor.yank_earlier(),
        KeyCode::Char('u') => editor.undo(),
        KeyCode::Char('<') => editor.go(Motion::Start),
        KeyCode::Char('>') => editor.go(Motion::End),
        KeyCode::Backspace => editor.kill(Motion::WordLeft),
        _ => return None,
    }
    Some(())
}

/// The end of this line, and no further.
fn to_line_end(editor: &mut Editor) {
    editor.go_to(editor.line_end());
}

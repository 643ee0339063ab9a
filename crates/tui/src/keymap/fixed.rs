//! The keys that cannot be changed, by where they count: those of readline in every text, those of questions, lists and searches.
//! They act elsewhere; here they are named, for the page of keys and so that none is set to something else as well.

/// Where a key counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyPlace {
    Everywhere,
    /// Wherever something is written: the message, a word to the model, a command.
    Text,
    /// In the message alone.
    Message,
    /// While completions of the message are shown.
    Completions,
    Question,
    /// At a question about changed files.
    Change,
    /// Where all that a session changed is shown.
    Changes,
    Plan,
    Dialog,
    /// In the message with keys of vi, in normal mode.
    Vim,
}

impl KeyPlace {
    pub(super) const ALL: [KeyPlace; 10] = [
        KeyPlace::Everywhere,
        KeyPlace::Message,
        KeyPlace::Text,
        KeyPlace::Completions,
        KeyPlace::Question,
        KeyPlace::Change,
        KeyPlace::Changes,
        KeyPlace::Plan,
        KeyPlace::Dialog,
        KeyPlace::Vim,
    ];

    pub(super) fn words(self) -> &'static str {
        match self {
            KeyPlace::Everywhere => "Everywhere",
            KeyPlace::Text => "Wherever something is written",
            KeyPlace::Message => "In the message",
            KeyPlace::Completions => "While commands or names are offered",
            KeyPlace::Question => "At a question",
            KeyPlace::Change => "At a question about a change",
            KeyPlace::Changes => "In `/diff`",
            KeyPlace::Plan => "At a plan",
            KeyPlace::Dialog => "In lists and panels",
            KeyPlace::Vim => "In the message with `vim = true`, after Esc",
        }
    }
}

/// A key that cannot be changed.
pub(super) struct Fixed {
    pub(super) place: KeyPlace,
    pub(super) keys: &'static str,
    pub(super) words: &'static str,
}

const fn fixed(place: KeyPlace, keys: &'static str, words: &'static str) -> Fixed {
    Fixed { place, keys, words }
}

pub(super) const FIXED: &[Fixed] = &[
    fixed(KeyPlace::Everywhere, "ctrl+c", "one step back: the draft, what is open, the turn; twice: leave"),
    fixed(KeyPlace::Text, "left ctrl+b", "a letter back"),
    fixed(KeyPlace::Text, "right ctrl+f", "a letter on"),
    fixed(KeyPlace::Text, "home ctrl+a", "to the beginning of the line"),
    fixed(KeyPlace::Text, "end ctrl+e", "to the end of the line"),
    fixed(KeyPlace::Text, "alt+b alt+left ctrl+left", "a word back"),
    fixed(KeyPlace::Text, "alt+f alt+right ctrl+right", "a word on"),
    fixed(KeyPlace::Text, "alt+<", "to the beginning of the text"),
    fixed(KeyPlace::Text, "alt+>", "to the end of the text"),
    fixed(KeyPlace::Text, "backspace ctrl+h", "delete the letter before"),
    fixed(KeyPlace::Text, "delete ctrl+d", "delete the letter here"),
    fixed(KeyPlace::Text, "ctrl+w", "cut back to a blank"),
    fixed(KeyPlace::Text, "ctrl+backspace alt+backspace", "cut the word before"),
    fixed(KeyPlace::Text, "alt+d ctrl+delete", "cut the word that follows"),
    fixed(KeyPlace::Text, "ctrl+u", "cut to the beginning of the line"),
    fixed(KeyPlace::Text, "ctrl+k", "cut to the end of the line"),
    fixed(KeyPlace::Text, "ctrl+y", "put back what was cut"),
    fixed(KeyPlace::Text, "alt+y", "put back what was cut before that"),
    fixed(KeyPlace::Text, "ctrl+_ ctrl+7 ctrl+- ctrl+/ alt+u", "undo what was written"),
    fixed(KeyPlace::Message, "up", "a row up; in the first one: what you said before; what is queued comes back"),
    fixed(KeyPlace::Message, "down", "a row down; in the last one: what you said after that"),
    fixed(KeyPlace::Message, "ctrl+d", "leave, where nothing is written"),
    fixed(KeyPlace::Message, "?", "the sheet of keys, where nothing is written"),
    fixed(KeyPlace::Message, "@", "name a file"),
    fixed(KeyPlace::Message, "/", "a command, as the first character"),
    fixed(KeyPlace::Message, "!", "run a command in your own shell, as the first character"),
    fixed(KeyPlace::Message, "#", "save a fact, as the first character"),
    fixed(KeyPlace::Completions, "tab", "write it out"),
    fixed(KeyPlace::Completions, "up", "the one above"),
    fixed(KeyPlace::Completions, "down", "the one below"),
    fixed(KeyPlace::Question, "y", "approve once"),
    fixed(KeyPlace::Question, "a b c d", "approve, and do not ask again for what is spelled out"),
    fixed(KeyPlace::Question, "n", "reject"),
    fixed(KeyPlace::Question, "1 2 3 4 5 6 7 8 9", "the same in their order"),
    fixed(KeyPlace::Question, "tab", "add a word to the model"),
    fixed(KeyPlace::Question, "e", "edit what is proposed: a command in place, a file in your editor"),
    fixed(KeyPlace::Question, "E", "edit it in your editor, a file at the line that changes"),
    fixed(KeyPlace::Question, "w", "let the command reach further"),
    fixed(KeyPlace::Question, "up down", "choose an answer; Enter then gives it"),
    fixed(KeyPlace::Question, "pgup pgdn home end", "scroll"),
    fixed(KeyPlace::Change, "[ ]", "the hunk before, the next one"),
    fixed(KeyPlace::Change, "space", "leave this hunk out, or take it in again"),
    fixed(KeyPlace::Change, "f", "the whole file around the changes, or only the hunks again"),
    fixed(KeyPlace::Change, "o", "open the folded lines that come next in the whole file"),
    fixed(KeyPlace::Change, "t", "both texts side by side, from 140 columns on"),
    fixed(KeyPlace::Change, "left right", "the file before, the next one"),
    fixed(KeyPlace::Changes, "[ ]", "the hunk before, the next one"),
    fixed(KeyPlace::Changes, "left right", "the file before, the next one"),
    fixed(KeyPlace::Changes, "b", "take this hunk back: shows what that changes, and y does it"),
    fixed(KeyPlace::Changes, "h", "against git `HEAD`, or against the start of the session again"),
    fixed(KeyPlace::Changes, "f", "the whole file around the changes, or only the hunks again"),
    fixed(KeyPlace::Changes, "o", "open the folded lines that come next in the whole file"),
    fixed(KeyPlace::Changes, "t", "both texts side by side, from 140 columns on"),
    fixed(KeyPlace::Changes, "u", "go on to `/undo`"),
    fixed(KeyPlace::Plan, "r", "send it back with a word"),
    fixed(KeyPlace::Dialog, "up down pgup pgdn home end", "choose, or scroll"),
    fixed(KeyPlace::Dialog, "enter", "take what is chosen, or close"),
    fixed(KeyPlace::Vim, "h l w b e 0 $ j k", "move"),
    fixed(KeyPlace::Vim, "i a I A o", "write on"),
    fixed(KeyPlace::Vim, "x D d", "cut a letter, the rest of the line; dd: the line"),
    fixed(KeyPlace::Vim, "p u", "put back what was cut; undo"),
];

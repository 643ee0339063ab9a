//! The keys that cannot be changed, by where they count: those of readline in every text, those of questions, lists and searches.
//! They act elsewhere; here they are named, for the page of keys and so that none is set to something else as well.

/// Where a key counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Whatever is open.
    Everywhere,
    /// Wherever something is written: the message, a word to the model, a command.
    Text,
    /// In the message alone.
    Message,
    /// While completions of the message are shown.
    Completions,
    /// At a question.
    Question,
    /// At a question about changed files.
    Change,
    /// At a plan.
    Plan,
    /// In lists and panels.
    Dialog,
    /// In the message with keys of vi, in normal mode.
    Vim,
}

impl Place {
    pub(super) const ALL: [Place; 9] = [
        Place::Everywhere,
        Place::Message,
        Place::Text,
        Place::Completions,
        Place::Question,
        Place::Change,
        Place::Plan,
        Place::Dialog,
        Place::Vim,
    ];

    pub(super) fn words(self) -> &'static str {
        match self {
            Place::Everywhere => "Everywhere",
            Place::Text => "Wherever something is written",
            Place::Message => "In the message",
            Place::Completions => "While commands or names are offered",
            Place::Question => "At a question",
            Place::Change => "At a question about a change",
            Place::Plan => "At a plan",
            Place::Dialog => "In lists and panels",
            Place::Vim => "In the message with `vim = true`, after Esc",
        }
    }
}

/// A key that cannot be changed.
pub(super) struct Fixed {
    pub(super) place: Place,
    /// As in the config.
    pub(super) keys: &'static str,
    pub(super) words: &'static str,
}

const fn fixed(place: Place, keys: &'static str, words: &'static str) -> Fixed {
    Fixed { place, keys, words }
}

pub(super) const FIXED: &[Fixed] = &[
    fixed(Place::Everywhere, "ctrl+c", "one step back: the draft, what is open, the turn; twice: leave"),
    fixed(Place::Text, "left ctrl+b", "a letter back"),
    fixed(Place::Text, "right ctrl+f", "a letter on"),
    fixed(Place::Text, "home ctrl+a", "to the beginning of the line"),
    fixed(Place::Text, "end ctrl+e", "to the end of the line"),
    fixed(Place::Text, "alt+b alt+left ctrl+left", "a word back"),
    fixed(Place::Text, "alt+f alt+right ctrl+right", "a word on"),
    fixed(Place::Text, "alt+<", "to the beginning of the text"),
    fixed(Place::Text, "alt+>", "to the end of the text"),
    fixed(Place::Text, "backspace ctrl+h", "delete the letter before"),
    fixed(Place::Text, "delete ctrl+d", "delete the letter here"),
    fixed(Place::Text, "ctrl+w", "cut back to a blank"),
    fixed(Place::Text, "ctrl+backspace alt+backspace", "cut the word before"),
    fixed(Place::Text, "alt+d ctrl+delete", "cut the word that follows"),
    fixed(Place::Text, "ctrl+u", "cut to the beginning of the line"),
    fixed(Place::Text, "ctrl+k", "cut to the end of the line"),
    fixed(Place::Text, "ctrl+y", "put back what was cut"),
    fixed(Place::Text, "alt+y", "put back what was cut before that"),
    fixed(Place::Text, "ctrl+_ ctrl+7 ctrl+- ctrl+/ alt+u", "undo what was written"),
    fixed(Place::Message, "up", "a row up; in the first one: what you said before; what is queued comes back"),
    fixed(Place::Message, "down", "a row down; in the last one: what you said after that"),
    fixed(Place::Message, "ctrl+d", "leave, where nothing is written"),
    fixed(Place::Message, "?", "the sheet of keys, where nothing is written"),
    fixed(Place::Message, "@", "name a file"),
    fixed(Place::Message, "/", "a command, as the first character"),
    fixed(Place::Message, "!", "run a command in your own shell, as the first character"),
    fixed(Place::Message, "#", "save a fact, as the first character"),
    fixed(Place::Completions, "tab", "write it out"),
    fixed(Place::Completions, "up", "the one above"),
    fixed(Place::Completions, "down", "the one below"),
    fixed(Place::Question, "y", "approve once"),
    fixed(Place::Question, "a b c d", "approve, and do not ask again for what is spelled out"),
    fixed(Place::Question, "n", "reject"),
    fixed(Place::Question, "1 2 3 4 5 6 7 8 9", "the same in their order"),
    fixed(Place::Question, "tab", "add a word to the model"),
    fixed(Place::Question, "e", "edit what is proposed"),
    fixed(Place::Question, "w", "let the command reach further"),
    fixed(Place::Question, "up down", "choose an answer; Enter then gives it"),
    fixed(Place::Question, "pgup pgdn home end", "scroll"),
    fixed(Place::Change, "[ ]", "the hunk before, the next one"),
    fixed(Place::Change, "space", "leave this hunk out, or take it in again"),
    fixed(Place::Change, "t", "both texts side by side, from 140 columns on"),
    fixed(Place::Change, "left right", "the file before, the next one"),
    fixed(Place::Plan, "r", "send it back with a word"),
    fixed(Place::Dialog, "up down pgup pgdn home end", "choose, or scroll"),
    fixed(Place::Dialog, "enter", "take what is chosen, or close"),
    fixed(Place::Vim, "h l w b e 0 $ j k", "move"),
    fixed(Place::Vim, "i a I A o", "write on"),
    fixed(Place::Vim, "x D d", "cut a letter, the rest of the line; dd: the line"),
    fixed(Place::Vim, "p u", "put back what was cut; undo"),
];

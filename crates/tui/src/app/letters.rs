//! Letters at a dialog that came unbidden: whether they answer it or belong to the draft is known a moment later.

use super::{App, Cmd};
use crate::composer::Heard;
use crate::dialogs::{Dialog, Held, Letters, Press, When};
use crate::keymap::Chord;
use crossterm::event::{KeyCode, KeyModifiers};
use std::time::Duration;

impl App {
    /// Takes a key that may belong to the draft; says whether it did. Words typed at a dialog are not lost.
    pub(super) fn weigh(&mut self, chord: Chord, when: When) -> bool {
        let now = self.now;
        // Trust is not given by a letter that may go on with the words that stand there.
        let drafted = !self.composer.is_empty();
        if let (true, Some(letter), Some(question)) = (drafted, chord.letter(), self.questions.front_mut())
            && question.is_about_trust()
            && question.due().is_none()
        {
            question.drafted();
            self.write_letter(letter);
            return true;
        }
        let Some((letters, keys)) = self.letters() else { return false };
        if let Some(letter) = chord.letter() {
            let words = letters.typed(letter, keys, when, now);
            words.chars().for_each(|letter| self.write_letter(letter));
            return true;
        }
        chord.is(KeyCode::Backspace) && (letters.take_back().is_some() || self.draft_key(chord))
    }

    /// A letter for the draft, while something came between; nothing else is done to it.
    pub(super) fn draft_key(&mut self, chord: Chord) -> bool {
        let writes = chord.letter().is_some() || chord.is(KeyCode::Backspace);
        writes && self.composer.edit(chord) == Heard::Yes
    }

    /// When a letter typed will be known to be an answer.
    pub(super) fn letter_due(&self) -> Option<Duration> {
        match (self.questions.front(), &self.dialog) {
            (Some(question), _) => question.due(),
            (None, dialog) => dialog.as_ref()?.due(),
        }
    }

    /// Carries out the letter that has stood alone long enough.
    pub(super) fn letter_stands_alone(&mut self) -> Vec<Cmd> {
        let now = self.now;
        let ripe = self.letters().and_then(|(letters, _)| letters.ripe(now));
        let Some(Held { letter, when, .. }) = ripe else { return Vec::new() };
        let press = Press { chord: Chord::new(KeyCode::Char(letter), KeyModifiers::NONE), deed: None };
        match (when, self.questions.front_mut(), &mut self.dialog) {
            (When::TooEarly, Some(question), _) => question.too_early(),
            (When::InTime, Some(question), _) => {
                let reply = question.key(press, now);
                return self.question_replied(reply);
            }
            (When::InTime, None, Some(dialog)) => {
                let reply = dialog.key(press, now);
                return self.dialog_replied(reply, press);
            }
            (When::TooEarly, None, _) | (When::InTime, None, None) => {}
        }
        Vec::new()
    }

    /// Something else takes the place of the dialog: a letter typed at it was no answer to that.
    pub(super) fn let_letter_go(&mut self) {
        if let Some(letter) = self.letters().and_then(|(letters, _)| letters.take_back()) {
            self.write_letter(letter);
        }
    }

    fn write_letter(&mut self, letter: char) {
        self.draft_key(Chord::new(KeyCode::Char(letter), KeyModifiers::NONE));
    }

    /// The letters typed at what takes the keys now, and those that are its keys.
    fn letters(&mut self) -> Option<(&mut Letters, &'static str)> {
        match (self.questions.front_mut(), &mut self.dialog) {
            (Some(question), _) => question.letters(),
            (None, dialog) => dialog.as_mut().and_then(Dialog::letters),
        }
    }
}

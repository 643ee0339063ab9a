//! Brings the gate, the dialog in front and the draft together: what is typed at a dialog answers it or goes into the
//! message, where it can be seen. Which is known a moment later: see `dialogs::gate`.
//!
//! **Invariant.** While the message holds words that were typed since the dialog in front opened, no letter and no Enter
//! does anything to that dialog.

use super::App;
use crate::cmd::Cmd;
use crate::composer::Consumed;
use crate::dialogs::{Answers, Dialog, Held, Press, When, Words};
use crate::keymap::Chord;
use agent_protocol::AskId;
use crossterm::event::{KeyCode, KeyModifiers};
use std::any::TypeId;
use std::time::Duration;

/// Said while letters go to the message.
pub(crate) const DRAFTED: &str = "that went to your message; backspace it to answer by a key, or press Esc";
/// Said of a letter that answered nothing.
const TOO_EARLY: &str = "nothing was done: look first, then press a key";
const TOO_SOON: &str = "nothing was done: other keys came right before; press it again";
const SHOWN_ANEW: &str = "nothing was done: what is shown has just changed; look, then press it again";

/// What takes the keys, and at which of its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Front {
    Question(AskId),
    Dialog(TypeId, u8),
}

impl App {
    /// Takes a key that the dialog in front must not hear, or not yet; `None`: the dialog takes it.
    pub(super) fn hold_back(&mut self, press: Press, when: When) -> Option<Vec<Cmd>> {
        let answers = self.answers()?;
        if let Some(letter) = press.chord.letter() {
            return self.letter(letter, &answers, when);
        }
        if press.chord.is(KeyCode::Enter) {
            return self.enter();
        }
        if press.closes() {
            self.gate.take_back();
            return None;
        }
        if erases(press.chord) && answers.words == Words::Draft {
            let erased = self.gate.take_back().is_some() || self.draft_key(press.chord);
            return erased.then(Vec::new);
        }
        self.other_key()
    }

    /// A letter: it may be an answer, or it is text. Through to the dialog goes what the dialog itself makes text of.
    fn letter(&mut self, letter: char, answers: &Answers, when: When) -> Option<Vec<Cmd>> {
        let begun = !self.composer.is_empty() && (when == When::TooEarly || !self.gate.quiet);
        let answers_it = answers.keys.contains(letter) && !self.is_drafted() && !begun;
        if answers.words != Words::Draft && !answers_it && !self.gate.holds() {
            return None;
        }
        let words = if answers_it { self.gate.answer(letter, when, self.now) } else { self.gate.word(letter) };
        self.write_words(&words, answers.words);
        Some(Vec::new())
    }

    fn write_words(&mut self, words: &str, to: Words) {
        match to {
            _ if words.is_empty() => return,
            Words::Field => {
                if let Some(dialog) = &mut self.dialog {
                    dialog.write(words);
                }
                return;
            }
            Words::Instead => self.close(),
            Words::Draft => {}
        }
        words.chars().for_each(|letter| self.write_letter(letter));
    }

    /// Enter says that the letter before it was meant. It does nothing to a dialog while words stand in the message.
    fn enter(&mut self) -> Option<Vec<Cmd>> {
        if let Some(held) = self.gate.enter(self.now) {
            return Some(self.answer(held));
        }
        (self.is_drafted() || self.gate.is_same_enter(self.now)).then(Vec::new)
    }

    /// A key that is no typing, while a letter is held: a question is left as it was when the letter was pressed. In a
    /// list that the user opened, the letter was meant for where they were, before they go on.
    fn other_key(&mut self) -> Option<Vec<Cmd>> {
        if !self.gate.holds() {
            return None;
        }
        if self.front_came_unbidden() {
            return Some(Vec::new());
        }
        let front = self.front_now();
        let held = self.gate.release()?;
        let cmds = self.answer(held);
        (!cmds.is_empty() || self.front_now() != front).then_some(cmds)
    }

    /// A letter for the draft, while something came between; nothing else is done to it.
    pub(super) fn draft_key(&mut self, chord: Chord) -> bool {
        let writes = chord.letter().is_some() || (erases(chord) && !self.composer.is_empty());
        let written = writes && self.composer.edit(chord) == Consumed::Yes;
        if written {
            self.gate.drafted(self.now);
        }
        written
    }

    /// Carries out the letter that has stood alone long enough.
    pub(super) fn letter_stands_alone(&mut self) -> Vec<Cmd> {
        self.gate.ripe(self.now).map_or(Vec::new(), |held| self.answer(held))
    }

    /// Lets a letter do what it does.
    fn answer(&mut self, Held { letter, when, .. }: Held) -> Vec<Cmd> {
        let now = self.now;
        let press = Press { chord: Chord::new(KeyCode::Char(letter), KeyModifiers::NONE), deed: None };
        match (when, self.questions.front_mut(), &mut self.dialog) {
            (When::TooEarly, Some(question), _) => question.too_early(),
            (When::TooSoon, Some(question), _) => question.too_soon(),
            (When::InTime, Some(question), _) => {
                let reply = question.key(press, now);
                return self.question_replied(reply);
            }
            (When::InTime, None, Some(dialog)) => {
                let reply = dialog.key(press, now);
                if !self.front_came_unbidden() {
                    self.gate.begin_anew();
                }
                return self.dialog_replied(reply, press);
            }
            (When::TooEarly, None, _) => self.say(TOO_EARLY),
            (When::TooSoon, None, _) => self.say(TOO_SOON),
            (When::InTime, None, None) => {}
        }
        Vec::new()
    }

    /// What a dialog shows has changed since the letter was pressed: it was no answer to that.
    pub(super) fn shown_anew(&mut self) {
        if self.gate.take_back().is_some() {
            self.say(SHOWN_ANEW);
        }
    }

    /// A letter that is held is no answer: something else came, and it may be the beginning of a word.
    pub(super) fn let_letter_go(&mut self) {
        if let Some(letter) = self.gate.take_back() {
            self.write_letter(letter);
        }
    }

    fn write_letter(&mut self, letter: char) {
        self.draft_key(Chord::new(KeyCode::Char(letter), KeyModifiers::NONE));
    }

    /// Notices when something else takes the keys. A letter held until then was no answer to it.
    pub(super) fn settle_front(&mut self) {
        let front = self.front_now();
        if front == self.front {
            return;
        }
        self.let_letter_go();
        self.gate.elsewhere();
        self.front = front;
        // Trust is not given by a letter that may go on with words, whenever they were typed.
        let about_trust = self.questions.front().is_some_and(|question| question.is_about_trust());
        self.opened_with = if about_trust { String::new() } else { self.composer.written().to_owned() };
        if !self.front_came_unbidden() && front.is_some() {
            self.gate.begin_anew();
        }
    }

    fn front_now(&self) -> Option<Front> {
        let dialog = |dialog: &dyn Dialog| Front::Dialog(dialog.type_id(), dialog.step());
        let question = self.questions.front().map(|question| Front::Question(question.id()));
        question.or_else(|| self.dialog.as_deref().map(dialog))
    }

    /// Did what takes the keys come by itself? The user may have been about to type then.
    fn front_came_unbidden(&self) -> bool {
        !self.questions.is_empty() || self.dialog.as_ref().is_some_and(|dialog| dialog.comes_unbidden())
    }

    /// Do words stand in the message that were typed since the dialog in front opened, and that keep letters from
    /// answering it? What was only shortened since holds nothing new.
    pub(crate) fn is_drafted(&self) -> bool {
        let into_draft = self.answers().is_some_and(|answers| answers.words == Words::Draft);
        into_draft && !self.opened_with.starts_with(self.composer.written())
    }

    /// Is a letter held of which it is not known yet what it is?
    pub(crate) fn is_held(&self) -> bool {
        self.gate.holds()
    }

    /// When a letter will be known to be an answer.
    pub(super) fn letter_due(&self) -> Option<Duration> {
        self.gate.due()
    }

    /// The letters that answer what takes the keys now; `None` where it takes text, or where letters do nothing.
    fn answers(&self) -> Option<Answers> {
        match (self.questions.front(), &self.dialog) {
            (Some(question), _) => question.answers(),
            (None, dialog) => dialog.as_ref().and_then(|dialog| dialog.answers()),
        }
    }
}

/// Does the key write, or take back what was written?
pub(super) fn types(chord: Chord) -> bool {
    chord.letter().is_some() || matches!(chord.code, KeyCode::Enter | KeyCode::Backspace)
}

/// Is it a key that takes away what is written before the cursor?
fn erases(chord: Chord) -> bool {
    let control = ['h', 'u', 'w'].into_iter().any(|letter| chord.is_control(letter));
    control || chord.code == KeyCode::Backspace
}

//! What is pasted, and what comes right after it: a text that holds the sequence by which terminals end a paste would go
//! on as keys. It goes on as text, does nothing and answers nothing.

use super::App;
use crate::clean::clean_line;
use crate::composer::Writing;
use crate::dialogs::Pasted;
use crate::dropped;
use crate::keymap::Chord;
use crossterm::event::KeyCode;
use std::borrow::Cow;
use std::time::Duration;

/// Input that comes so soon after a paste, or after what went on with it, is part of it.
const GOES_ON: Duration = Duration::from_millis(50);
/// The sequences around a paste, in both spellings of their beginning.
const MARKS: [&str; 4] = ["\u{1b}[200~", "\u{1b}[201~", "\u{9b}200~", "\u{9b}201~"];

impl App {
    pub(super) fn paste(&mut self, text: &str) {
        self.pasted_at = Some(self.now);
        self.gate.types(self.earliest, self.now);
        self.stay();
        self.stay_here();
        self.take_paste(&without_marks(text));
    }

    /// A key that comes so soon after a paste that it is a part of it; says whether it was.
    pub(super) fn paste_goes_on(&mut self, chord: Chord) -> bool {
        if self.pasted_at.is_none_or(|at| self.earliest > at + GOES_ON) {
            return false;
        }
        self.pasted_at = Some(self.now);
        self.gate.types(self.earliest, self.now);
        match (chord.code, chord.letter()) {
            (_, Some(letter)) => self.take_paste(letter.encode_utf8(&mut [0; 4])),
            (KeyCode::Enter, _) => self.take_paste("\n"),
            (KeyCode::Tab, _) => self.take_paste("\t"),
            (KeyCode::Char('j'), _) if chord.is_control('j') => self.take_paste("\n"),
            // No text, and no command either.
            _ => {}
        }
        true
    }

    /// For how long from now on input would still be part of a paste.
    pub(crate) fn paste_may_go_on(&self, now: Duration) -> Duration {
        self.pasted_at.map_or(Duration::ZERO, |at| (at + GOES_ON).saturating_sub(now))
    }

    /// Text that was pasted goes where text is written, or into the message.
    fn take_paste(&mut self, text: &str) {
        self.let_letter_go();
        if let Some(question) = self.questions.front_mut() {
            if question.paste(text) {
                return;
            }
            self.gate.drafted(self.now);
            return self.paste_words(text);
        }
        match self.dialog.as_mut().map(|dialog| dialog.paste(text, self.now)) {
            Some(Pasted::Taken) => return,
            Some(Pasted::MakesRoom) => self.close(),
            Some(Pasted::Passed) | None => {}
        }
        self.gate.drafted(self.now);
        self.paste_words(text);
    }

    /// Text for the message; the path of a picture, and nothing else, names that picture.
    pub(super) fn paste_words(&mut self, text: &str) {
        let takes_pictures = self.composer.writing() == Writing::Message && !self.composer.is_searching();
        let Some(name) = dropped::picture(text, &self.session.project).filter(|_| takes_pictures) else {
            return self.composer.paste(text);
        };
        self.composer.paste(&format!("{name} "));
        if let Some(model) = self.session.model.as_ref().filter(|model| model.vision != Some(true)) {
            let name = clean_line(&model.name).into_owned();
            self.say(format!("{name} does not understand pictures, so it will not be shown this one"));
        }
    }
}

/// `text` without the sequences that mark a paste, also where taking one away puts another together.
fn without_marks(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    while MARKS.iter().any(|mark| text.contains(mark)) {
        text = Cow::Owned(MARKS.iter().fold(text.into_owned(), |text, mark| text.replace(mark, "")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::without_marks;

    #[test]
    fn no_mark_of_a_paste_is_left_in_it() {
        for text in ["a\u{1b}[201~b", "\u{1b}[200~a\u{9b}201~b", "a\u{1b}[20\u{1b}[201~1~b", "ab"] {
            assert_eq!(without_marks(text), "ab", "{text:?}");
        }
        assert_eq!(without_marks("\u{1b}[31mred [201~"), "\u{1b}[31mred [201~");
    }
}

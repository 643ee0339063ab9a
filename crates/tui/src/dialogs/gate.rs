//! The one gate between what is typed and a dialog whose keys are letters: which letter is an answer, and which belongs to
//! words that somebody was about to write. Only a letter that stands alone answers: nothing typed for a second before it,
//! nothing for 400 ms after it. Enter right after it says that it was meant.
//!
//! Which dialog is which:
//! - through the gate: every question (but its text fields), the missing server, a failed download, the undo, the rewind,
//!   the commands in the background, the rules, the groups of tools. There a letter does something.
//! - lists that the user opened and where only Enter takes the chosen row: models, sessions, levels, skills. What is
//!   typed filters them or closes them, so words do no harm. A list of models that came unbidden takes no Enter that ends
//!   a word: see `models`.
//! - what only tells something: panels and the prompt. Whoever types there begins a message.
//! - text fields of a dialog, and a question of the model, which asks for words: they take what is typed. Words that had
//!   begun in the message stay there.
//!
//! Knows no dialog and no draft; `app::gate` brings them together.

use std::time::Duration;

/// A letter so soon after other typing goes on with it. People who look for the keys take a third of a second from
/// letter to letter, and longer from word to word.
const QUIET_BEFORE: Duration = Duration::from_secs(1);
/// A letter is an answer when nothing has been typed after it for so long.
const QUIET_AFTER: Duration = Duration::from_millis(400);

/// What has been typed so far, and the letter that may be an answer.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    held: Option<Held>,
    /// When something was typed last, wherever it went.
    typed: Option<Duration>,
    /// When a word in the message was last written on.
    drafting: Option<Duration>,
    /// When Enter said that a letter was an answer.
    entered: Option<Duration>,
    /// Was there a pause before what is typed now, and before that a word in the message?
    pub(crate) quiet: bool,
    pub(crate) goes_on: bool,
}

/// A letter of which it is not known yet whether it is an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) letter: char,
    pub(crate) when: When,
    at: Duration,
}

/// Could the letter be an answer when it was typed?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// No: the dialog could not have been read.
    TooEarly,
    /// No: other keys came right before it.
    TooSoon,
    InTime,
}

/// The letters that answer a dialog now, and what becomes of all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answers {
    pub(crate) keys: String,
    pub(crate) words: Words,
}

/// Where words go that are typed at a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// Into the message; the dialog stays, and letters answer it again when they are gone from there.
    Draft,
    /// Into the message, and the dialog makes room for it.
    Instead,
    /// Into a field of the dialog.
    Field,
}

impl Answers {
    pub(crate) fn new(keys: impl Into<String>, words: Words) -> Self {
        Answers { keys: keys.into(), words }
    }
}

impl Gate {
    /// Something is typed: at `now` it is heard, and it was not typed before `earliest`.
    pub(crate) fn types(&mut self, earliest: Duration, now: Duration) {
        let paused = |last: Option<Duration>| last.is_none_or(|last| earliest >= last + QUIET_BEFORE);
        (self.quiet, self.goes_on) = (paused(self.typed), !paused(self.drafting));
        self.typed = Some(now);
    }

    /// What is typed went into the message.
    pub(crate) fn drafted(&mut self, now: Duration) {
        self.drafting = Some(now);
    }

    /// The message is finished: the next word begins another one.
    pub(crate) fn draft_over(&mut self) {
        self.drafting = None;
    }

    /// Something else takes the keys: another Enter is meant for that.
    pub(crate) fn elsewhere(&mut self) {
        self.entered = None;
    }

    /// What was typed until now has led here: it is not words.
    pub(crate) fn begin_anew(&mut self) {
        (self.typed, self.drafting) = (None, None);
    }

    /// A letter that answers, if it stands alone. Gives back what is now known to be words.
    pub(crate) fn answer(&mut self, letter: char, when: When, now: Duration) -> String {
        if self.held.is_some() {
            return self.word(letter);
        }
        let when = if self.quiet || when == When::TooEarly { when } else { When::TooSoon };
        self.held = Some(Held { letter, when, at: now });
        String::new()
    }

    /// A letter that is part of a word, and so is the one before it.
    pub(crate) fn word(&mut self, letter: char) -> String {
        self.held.take().map(|held| held.letter).into_iter().chain([letter]).collect()
    }

    /// Enter: the letter before it was meant.
    pub(crate) fn enter(&mut self, now: Duration) -> Option<Held> {
        let held = self.held.take();
        if held.is_some() {
            self.entered = Some(now);
        }
        held
    }

    /// Is this Enter hardly another press than the one that answered?
    pub(crate) fn is_same_enter(&self, now: Duration) -> bool {
        self.entered.is_some_and(|at| now < at + QUIET_AFTER)
    }

    pub(crate) fn holds(&self) -> bool {
        self.held.is_some()
    }

    /// Takes the letter back of which it is not known yet what it is.
    pub(crate) fn take_back(&mut self) -> Option<char> {
        self.held.take().map(|held| held.letter)
    }

    /// The letter counts at once: another key, which is no typing, asks for something else by now.
    pub(crate) fn release(&mut self) -> Option<Held> {
        self.held.take()
    }

    /// When the letter will have stood alone.
    pub(crate) fn due(&self) -> Option<Duration> {
        self.held.map(|held| held.at + QUIET_AFTER)
    }

    /// The letter that has stood alone long enough.
    pub(crate) fn ripe(&mut self, now: Duration) -> Option<Held> {
        self.held.take_if(|held| now >= held.at + QUIET_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn typed(gate: &mut Gate, letter: char, milliseconds: u64) -> String {
        gate.types(at(milliseconds), at(milliseconds));
        gate.answer(letter, When::InTime, at(milliseconds))
    }

    fn ripe(gate: &mut Gate, milliseconds: u64) -> Option<(char, When)> {
        gate.ripe(at(milliseconds)).map(|held| (held.letter, held.when))
    }

    #[test]
    fn a_letter_that_stands_alone_is_an_answer() {
        let mut gate = Gate::default();
        assert_eq!(typed(&mut gate, 'd', 0), "");
        assert_eq!((ripe(&mut gate, 399), gate.due()), (None, Some(at(400))));
        assert_eq!(ripe(&mut gate, 400), Some(('d', When::InTime)));
        assert_eq!((ripe(&mut gate, 500), gate.due()), (None, None));
    }

    #[test]
    fn letters_that_follow_one_another_are_words() {
        let mut gate = Gate::default();
        let times = [0, 120, 420, 720].into_iter();
        let words: String = "drdr".chars().zip(times).map(|(letter, time)| typed(&mut gate, letter, time)).collect();
        assert_eq!((words.as_str(), gate.due()), ("drdr", None));
    }

    #[test]
    fn a_letter_that_comes_while_another_is_held_makes_words_of_both_however_late_we_hear_it() {
        let mut gate = Gate::default();
        assert_eq!(typed(&mut gate, 'd', 0), "");
        assert_eq!(typed(&mut gate, 'o', 2_000), "do");
    }

    #[test]
    fn a_letter_needs_a_second_without_typing_before_it() {
        let mut gate = Gate::default();
        gate.types(at(0), at(0));
        assert_eq!(typed(&mut gate, 'y', 999), "");
        assert_eq!(ripe(&mut gate, 1_399), Some(('y', When::TooSoon)));
        assert_eq!(typed(&mut gate, 'y', 1_999), "");
        assert_eq!(ripe(&mut gate, 2_399), Some(('y', When::InTime)));
        gate.begin_anew();
        assert_eq!(typed(&mut gate, 'y', 2_400), "");
        assert_eq!(ripe(&mut gate, 2_800), Some(('y', When::InTime)));
    }

    #[test]
    fn what_may_have_been_typed_earlier_than_it_is_heard_has_no_pause_before_it() {
        let mut gate = Gate::default();
        gate.types(at(0), at(0));
        gate.types(at(500), at(1_500));
        assert!(!gate.quiet);
        gate.answer('y', When::InTime, at(1_500));
        assert_eq!(ripe(&mut gate, 1_899), None, "and what follows is waited for from when it is heard");
        assert_eq!(ripe(&mut gate, 1_900), Some(('y', When::TooSoon)));
    }

    #[test]
    fn enter_says_that_the_letter_was_meant() {
        let mut gate = Gate::default();
        typed(&mut gate, 'y', 0);
        let held = gate.enter(at(60)).map(|held| (held.letter, held.when));
        assert_eq!((held, gate.due()), (Some(('y', When::InTime)), None));
        assert!(gate.is_same_enter(at(459)) && !gate.is_same_enter(at(460)));
        assert_eq!(gate.enter(at(600)), None);
    }
}

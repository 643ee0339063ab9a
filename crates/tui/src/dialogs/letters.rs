//! Letters at a dialog that came unbidden and whose keys are letters: one that stands alone is an answer, several are
//! words that somebody was about to write.

use std::time::Duration;

/// A letter so soon after another one goes on with the words. People who look for the keys take a third of a second
/// from letter to letter, and longer from word to word.
const WORDS_GO_ON: Duration = Duration::from_secs(1);
/// A letter is an answer when none has followed it by then.
const STANDS_ALONE: Duration = Duration::from_millis(300);

/// What has been typed so far.
#[derive(Debug, Default)]
pub(crate) struct Letters {
    held: Option<Held>,
    last: Option<Duration>,
}

/// A letter of which it is not known yet whether it is an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) letter: char,
    pub(crate) when: When,
    at: Duration,
}

/// Could the dialog have been read when the letter was typed?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    TooEarly,
    InTime,
}

impl Letters {
    /// A letter has been typed at a dialog that has these `keys`. Gives back what is now known to be words.
    pub(crate) fn typed(&mut self, letter: char, keys: &str, when: When, now: Duration) -> String {
        let alone = self.last.is_none_or(|last| now >= last + WORDS_GO_ON);
        self.last = Some(now);
        let before = self.held.take();
        if before.is_none() && alone && keys.contains(letter) {
            self.held = Some(Held { letter, when, at: now });
            return String::new();
        }
        before.map(|held| held.letter).into_iter().chain([letter]).collect()
    }

    /// Takes the letter back that was typed last, if it is not known yet what it is; says whether there was one.
    pub(crate) fn take_back(&mut self) -> Option<char> {
        self.held.take().map(|held| held.letter)
    }

    /// When a letter will have stood alone.
    pub(crate) fn due(&self) -> Option<Duration> {
        self.held.map(|held| held.at + STANDS_ALONE)
    }

    /// The letter that has stood alone long enough.
    pub(crate) fn ripe(&mut self, now: Duration) -> Option<Held> {
        self.held.take_if(|held| now >= held.at + STANDS_ALONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn typed(letters: &mut Letters, letter: char, milliseconds: u64) -> String {
        letters.typed(letter, "rd", When::InTime, at(milliseconds))
    }

    #[test]
    fn a_letter_that_stands_alone_is_an_answer() {
        let mut letters = Letters::default();
        assert_eq!(typed(&mut letters, 'd', 0), "");
        assert_eq!((letters.ripe(at(299)), letters.due()), (None, Some(at(300))));
        assert_eq!(letters.ripe(at(300)).map(|held| held.letter), Some('d'));
        assert_eq!((letters.ripe(at(400)), letters.due()), (None, None));
    }

    #[test]
    fn letters_that_follow_one_another_are_words() {
        let mut letters = Letters::default();
        let times = [0, 120, 420, 720, 1_400].into_iter();
        let words: String =
            "drdrd".chars().zip(times).map(|(letter, time)| typed(&mut letters, letter, time)).collect();
        assert_eq!((words.as_str(), letters.due()), ("drdrd", None));
    }

    #[test]
    fn a_letter_that_comes_while_another_is_held_makes_words_of_both_however_late_we_hear_it() {
        let mut letters = Letters::default();
        assert_eq!(typed(&mut letters, 'd', 0), "");
        assert_eq!(typed(&mut letters, 'o', 2_000), "do");
    }

    #[test]
    fn what_is_no_key_is_a_word_at_once_and_the_next_letter_goes_on_with_it() {
        let mut letters = Letters::default();
        assert_eq!(typed(&mut letters, 't', 0), "t");
        assert_eq!(typed(&mut letters, 'r', 900), "r");
        assert_eq!(typed(&mut letters, 'd', 2_000), "");
    }
}

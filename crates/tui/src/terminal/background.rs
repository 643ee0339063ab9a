//! Asks the terminal for the colour of its background, and picks the answer out of what is typed: it comes as keys. Nobody waits for
//! it; a terminal that does not know the question says nothing.
//!
//! **Invariant.** What turns out to be no answer is given back as it came, in its order.

use crate::themes::Theme;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::time::{Duration, Instant};

/// The question (OSC 11).
pub(super) const QUESTION: &str = "\x1b]11;?\x1b\\";
/// What the answer begins with, behind the key that its escape makes of the bracket.
const BEGINS: &str = "11;rgb:";
/// After this time an answer is none any more, however slow the connection.
const PATIENCE: Duration = Duration::from_secs(3);
/// Letters of an answer at most: `11;rgb:ffff/ffff/ffff`.
const LONGEST: usize = 24;

/// What a background is, as far as colours go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    Dark,
    Light,
}

impl Ground {
    pub(crate) fn theme(self) -> &'static Theme {
        let name = match self {
            Ground::Dark => "dark",
            Ground::Light => "light",
        };
        Theme::named(name).unwrap_or_else(|_| Theme::terminal())
    }
}

/// What became of a key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Picked {
    /// It is one, with those that were held back before it.
    Keys(Vec<KeyEvent>),
    /// It may be a part of the answer.
    Held,
    /// It was the end of the answer.
    Ground(Ground),
}

/// The answer, as far as it has come.
#[derive(Debug, Default)]
pub(crate) struct GroundAnswer {
    asked: Option<Instant>,
    held: Vec<KeyEvent>,
}

impl GroundAnswer {
    pub(super) fn asked(now: Instant) -> Self {
        GroundAnswer { asked: Some(now), held: Vec::new() }
    }

    pub(crate) fn pick(&mut self, key: KeyEvent, now: Instant) -> Picked {
        let late = self.asked.is_none_or(|asked| now.saturating_duration_since(asked) > PATIENCE);
        if late && self.held.is_empty() {
            return Picked::Keys(vec![key]);
        }
        self.held.push(key);
        if let Some(ground) = self.ended() {
            *self = GroundAnswer::default();
            return Picked::Ground(ground);
        }
        if late || !self.may_be_one() {
            return Picked::Keys(std::mem::take(&mut self.held));
        }
        Picked::Held
    }

    /// Is what came so far the beginning of an answer?
    fn may_be_one(&self) -> bool {
        let text = self.text();
        let begins = self.held.first().is_some_and(|key| is_alt(key, ']'));
        let rest = text.strip_prefix(BEGINS).unwrap_or_default();
        let fits = BEGINS.starts_with(&text) || (!rest.is_empty() || text == BEGINS) && rest.chars().all(is_of_colour);
        begins && fits && text.len() <= LONGEST && text.chars().count() + 1 == self.held.len()
    }

    /// The letters behind the first key.
    fn text(&self) -> String {
        let letter = |key: &KeyEvent| match (key.code, key.modifiers) {
            (KeyCode::Char(letter), KeyModifiers::NONE | KeyModifiers::SHIFT) => Some(letter),
            _ => None,
        };
        self.held.iter().skip(1).filter_map(letter).collect()
    }

    /// The ground, where the last key is the end of an answer: a backslash behind an escape, or a bell.
    fn ended(&self) -> Option<Ground> {
        let last = self.held.last()?;
        let bell = last.code == KeyCode::Char('g') && last.modifiers == KeyModifiers::CONTROL;
        let begins = self.held.first().is_some_and(|key| is_alt(key, ']'));
        let text = self.text();
        let colour = text.strip_prefix(BEGINS).filter(|_| begins && (bell || is_alt(last, '\\')))?;
        ground(colour)
    }
}

fn is_alt(key: &KeyEvent, letter: char) -> bool {
    key.code == KeyCode::Char(letter) && key.modifiers == KeyModifiers::ALT
}

fn is_of_colour(letter: char) -> bool {
    letter.is_ascii_hexdigit() || letter == '/'
}

/// `1e1e/1e1e/2e2e`: each part has one to four digits.
fn ground(colour: &str) -> Option<Ground> {
    let part = |part: &str| {
        let most = 16_u32.checked_pow(u32::try_from(part.len()).ok()?)?.checked_sub(1).filter(|most| *most > 0)?;
        u32::from_str_radix(part, 16).ok().map(|number| number * 1_000 / most)
    };
    let parts: Vec<u32> = colour.split('/').map(part).collect::<Option<_>>()?;
    let [red, green, blue] = parts[..] else { return None };
    // As bright as eyes find it (Rec. 709), in thousandths of thousandths.
    let bright = 213 * red + 715 * green + 72 * blue;
    Some(if bright > 500_000 { Ground::Light } else { Ground::Dark })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(code, modifiers)
    }

    fn alt(letter: char) -> KeyEvent {
        key(KeyCode::Char(letter), KeyModifiers::ALT)
    }

    fn typed(text: &str) -> Vec<KeyEvent> {
        text.chars().map(|letter| key(KeyCode::Char(letter), KeyModifiers::NONE)).collect()
    }

    fn answer(colour: &str, end: KeyEvent) -> Vec<KeyEvent> {
        [vec![alt(']')], typed(&format!("11;rgb:{colour}")), vec![end]].concat()
    }

    /// What comes of these keys, right after the question.
    fn picked(keys: &[KeyEvent]) -> (Vec<KeyEvent>, Option<Ground>) {
        let now = Instant::now();
        let (mut answer, mut given, mut ground) = (GroundAnswer::asked(now), Vec::new(), None);
        for key in keys {
            match answer.pick(*key, now) {
                Picked::Keys(keys) => given.extend(keys),
                Picked::Held => {}
                Picked::Ground(found) => ground = Some(found),
            }
        }
        (given, ground)
    }

    #[test]
    fn an_answer_is_taken_out_of_what_is_typed() {
        let bell = key(KeyCode::Char('g'), KeyModifiers::CONTROL);
        for (colour, end, ground) in [
            ("0000/0000/0000", alt('\\'), Ground::Dark),
            ("ffff/ffff/ffff", alt('\\'), Ground::Light),
            ("1e/1e/2e", bell, Ground::Dark),
            ("fdf6/e3e3/d5d5", bell, Ground::Light),
        ] {
            let keys = [typed("hi"), answer(colour, end), typed(" there")].concat();
            assert_eq!(picked(&keys), (typed("hi there"), Some(ground)), "{colour}");
        }
    }

    #[test]
    fn what_is_no_answer_is_given_back_in_its_order() {
        let enter = key(KeyCode::Enter, KeyModifiers::NONE);
        for keys in [
            [vec![alt(']')], typed("x11")].concat(),
            [vec![alt(']')], typed("11;rgb:zz")].concat(),
            [vec![alt(']')], typed("11;"), vec![enter], typed("a")].concat(),
            answer("ffff/ffff", alt('\\')),
            [vec![alt(']')], typed(&format!("11;rgb:{}", "f".repeat(40)))].concat(),
            typed("11;rgb:0/0/0"),
        ] {
            assert_eq!(picked(&keys), (keys.clone(), None));
        }
    }

    #[test]
    fn after_a_while_and_after_an_answer_every_key_is_one() {
        let now = Instant::now();
        let mut late = GroundAnswer::asked(now);
        assert_eq!(late.pick(alt(']'), now + 2 * PATIENCE), Picked::Keys(vec![alt(']')]));
        let mut never = GroundAnswer::default();
        assert_eq!(never.pick(alt(']'), now), Picked::Keys(vec![alt(']')]));
    }
}

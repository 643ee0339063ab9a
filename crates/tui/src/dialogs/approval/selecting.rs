//! Answering by digits, and by arrows and Enter, as hands know it from elsewhere. Nothing is selected at first, so that a stray Enter
//! answers nothing; the arrows scroll as long as there is something to scroll to.

use super::answers::{Keys, OUTSIDE, ROOMY, choices_of, letters};
use super::{Approval, Matter, hunks};
use crate::dialogs::Press;
use crossterm::event::KeyCode;

/// The letters of the answers in the order in which they stand: the first has the digit 1.
pub(super) fn numbered(approval: &Approval) -> Vec<char> {
    let known = letters(approval);
    let keys = choices_of(approval, approval.keys).into_iter().map(|(key, _)| key);
    let letter = |key: String| {
        let mut letters = key.split(", ").next().unwrap_or_default().chars();
        letters.next().filter(|letter| letters.next().is_none() && known.contains(*letter))
    };
    // What only opens an editor has a letter alone: so the others keep their digits at every width.
    keys.filter_map(letter).filter(|letter| *letter != OUTSIDE).take(9).collect()
}

/// What answers the question when it is typed: the letters and their digits.
pub(super) fn typed(approval: &Approval) -> String {
    let hunks = if approval.hunks().is_some() { hunks::KEYS } else { "" };
    let columns = approval.is_wide().then_some(hunks::SIDE_BY_SIDE);
    let shown = hunks.chars().chain(columns).chain(approval.more_keys());
    letters(approval).chars().chain(shown).chain(digits(approval)).collect()
}

/// The digits that answer now.
fn digits(approval: &Approval) -> impl Iterator<Item = char> + use<> {
    let count = if has_digits(approval) { u32::try_from(numbered(approval).len()).unwrap_or(0) } else { 0 };
    (1..=count).filter_map(|digit| char::from_digit(digit, 10))
}

/// Do digits stand beside the letters? Where there is hardly room they would only be in the way.
fn has_digits(approval: &Approval) -> bool {
    approval.keys == Keys::All && approval.most >= ROOMY && !approval.details.unfolded()
}

/// The keys with their digits, and the place among them of the one that is selected.
pub(super) fn with_digits(
    approval: &Approval,
    mut keys: Vec<(String, String)>,
) -> (Vec<(String, String)>, Option<usize>) {
    if !has_digits(approval) {
        return (keys, None);
    }
    let mut selected = None;
    for (number, letter) in numbered(approval).into_iter().enumerate() {
        let place = keys.iter().position(|(key, _)| key.split(", ").next() == Some(letter.to_string().as_str()));
        if let Some((key, _)) = place.and_then(|place| keys.get_mut(place)) {
            let rest = key.split_off(letter.len_utf8());
            *key = format!("{letter}/{}{rest}", number + 1);
        }
        if approval.selected == Some(number) {
            selected = place;
        }
    }
    (keys, selected)
}

impl Approval {
    /// An arrow goes from answer to answer, as soon as there is nothing more to scroll to; says whether it did.
    pub(super) fn selects(&mut self, press: Press) -> bool {
        if !has_digits(self) || matches!(self.matter, Matter::Inquiry(_)) {
            return false;
        }
        let last = numbered(self).len().saturating_sub(1);
        match (press.chord.code, self.selected) {
            _ if !press.chord.held.is_empty() => return false,
            (KeyCode::Down, None) if self.scroll().is_at_end() => self.selected = Some(0),
            (KeyCode::Down, Some(at)) => self.selected = Some((at + 1).min(last)),
            (KeyCode::Up, Some(at)) => self.selected = at.checked_sub(1),
            _ => return false,
        }
        true
    }

    /// The letter that a key stands for: itself, that of its digit, or with Enter the one that an arrow went to.
    pub(super) fn chosen_letter(&self, press: Press) -> Option<char> {
        let numbered = || numbered(self);
        match press.chord.letter() {
            Some(digit @ '1'..='9') if has_digits(self) => {
                digit.to_digit(10).and_then(|digit| numbered().get(digit as usize - 1).copied())
            }
            None if press.chord.is(KeyCode::Enter) => self.selected.and_then(|at| numbered().get(at).copied()),
            letter => letter,
        }
    }
}

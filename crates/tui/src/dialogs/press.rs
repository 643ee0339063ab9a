//! A key as it reaches a dialog, and how far it scrolls.

use crate::keymap::{Chord, Deed};
use crossterm::event::KeyCode;

/// A key as it reaches a dialog.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Press {
    pub(crate) chord: Chord,
    pub(crate) deed: Option<Deed>,
}

impl Press {
    /// Is it the key that closes things?
    pub(crate) fn closes(self) -> bool {
        self.chord.is(KeyCode::Esc) || self.deed == Some(Deed::Interrupt)
    }

    /// How far it scrolls what shows `page` lines at a time, if it does.
    pub(crate) fn step(self, page: usize) -> Option<Step> {
        let page = i32::try_from(page.saturating_sub(1).max(1)).unwrap_or(i32::MAX);
        Some(match (self.chord.code, self.deed) {
            (KeyCode::PageUp, _) | (_, Some(Deed::PageUp)) => Step::By(-page),
            (KeyCode::PageDown, _) | (_, Some(Deed::PageDown)) => Step::By(page),
            (KeyCode::Home, _) | (_, Some(Deed::ToStart)) => Step::ToStart,
            (KeyCode::End, _) | (_, Some(Deed::ToEnd)) => Step::ToEnd,
            (KeyCode::Up, _) => Step::By(-1),
            (KeyCode::Down, _) => Step::By(1),
            _ => return None,
        })
    }
}

/// How far a key scrolls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// So many lines; negative is up.
    By(i32),
    ToStart,
    ToEnd,
}

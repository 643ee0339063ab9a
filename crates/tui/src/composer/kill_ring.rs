//! What was taken out of a text, to be put back: the newest first, and earlier ones in turn.

use std::collections::VecDeque;

const MOST: usize = 16;

/// Texts that were taken out, newest first.
#[derive(Debug, Default, Clone)]
pub(crate) struct KillRing(VecDeque<String>);

impl KillRing {
    pub(crate) fn add(&mut self, text: String) {
        self.0.push_front(text);
        self.0.truncate(MOST);
    }

    /// More was taken out before what was taken out last.
    pub(crate) fn put_before(&mut self, text: &str) {
        match self.0.front_mut() {
            Some(newest) => newest.insert_str(0, text),
            None => self.add(text.to_owned()),
        }
    }

    /// More was taken out behind it.
    pub(crate) fn put_behind(&mut self, text: &str) {
        match self.0.front_mut() {
            Some(newest) => newest.push_str(text),
            None => self.add(text.to_owned()),
        }
    }

    pub(crate) fn newest(&self) -> Option<&str> {
        self.0.front().map(String::as_str)
    }

    /// What was the newest, and the one before it, which takes its place: the newest becomes the last.
    pub(crate) fn earlier(&mut self) -> Option<(String, String)> {
        let was = self.0.pop_front()?;
        self.0.push_back(was.clone());
        Some((was, self.0.front()?.clone()))
    }

    /// Makes another text of each.
    pub(crate) fn change_all(&mut self, change: impl Fn(&str) -> String) {
        self.0.iter_mut().for_each(|text| *text = change(text));
    }
}

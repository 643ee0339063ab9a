//! What the user said, over all sessions: one JSON string a line, oldest first.

use crate::{Place, StoreError};

const FILE: &str = "history.jsonl";

const MOST: usize = 1_000;

/// Longer messages (a pasted log, say) are not worth finding again.
const LONGEST: usize = 20_000;

/// The history of the composer.
#[derive(Debug)]
pub struct History {
    place: Place,
}

impl History {
    /// The history kept in `place`.
    pub fn new(place: Place) -> Self {
        History { place }
    }

    /// All entries, oldest first. Lines that cannot be read are passed over; a missing file is an empty history.
    pub fn load(&self) -> Vec<String> {
        let text = self.place.read(FILE).unwrap_or_default();
        let mut entries: Vec<String> =
            text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        if entries.len() > MOST * 2 {
            entries.drain(..entries.len() - MOST);
            self.rewrite(&entries);
        }
        entries.drain(..entries.len().saturating_sub(MOST));
        entries
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&self, text: &str) -> Result<(), StoreError> {
        if text.len() > LONGEST {
            return Ok(());
        }
        let line = serde_json::Value::from(text).to_string();
        self.place.append(FILE, "the history", &line)
    }

    fn rewrite(&self, entries: &[String]) {
        let text: String =
            entries.iter().map(|entry| format!("{}\n", serde_json::Value::from(entry.as_str()))).collect();
        if let Err(error) = self.place.replace(FILE, "the history", &text) {
            tracing::warn!("{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn what_was_said_comes_back_in_order_with_its_line_breaks() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::new(Place::new(folder.path().join("state")));
        assert_eq!(history.load(), Vec::<String>::new());
        history.add("one\ntwo").unwrap();
        history.add("\u{1b}[31m ünï").unwrap();
        assert_eq!(history.load(), ["one\ntwo", "\u{1b}[31m ünï"]);
    }

    #[test]
    fn a_torn_line_costs_only_itself() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::new(Place::new(folder.path()));
        history.add("one").unwrap();
        history.place.append(FILE, "a test", "\"torn").unwrap();
        history.add("two").unwrap();
        assert_eq!(history.load(), ["one", "two"]);
    }

    #[test]
    fn only_the_newest_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let history = History::new(Place::new(folder.path()));
        let all: Vec<String> = (0..MOST * 2 + 1).map(|number| number.to_string()).collect();
        history.rewrite(&all);
        assert_eq!(history.load().len(), MOST);
        let text = fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert_eq!(text.lines().count(), MOST, "the file was cut too");
        assert_eq!(text.lines().last(), Some("\"2000\""));
    }

    #[test]
    fn nobody_else_may_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        History::new(Place::new(&state)).add("secret").unwrap();
        let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&state), mode(&state.join(FILE))), (0o700, 0o600));
    }
}

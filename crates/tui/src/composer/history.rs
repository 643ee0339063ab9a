//! What the user said before: walked through with Up and Down, searched with Ctrl+R.

/// Earlier messages, oldest first, and where we stand among them.
#[derive(Debug, Default)]
pub(crate) struct History {
    entries: Vec<String>,
    /// Which entry is shown; `None`: the draft.
    at: Option<usize>,
    /// The draft, put aside while an entry is shown.
    draft: String,
}

impl History {
    /// Messages of earlier sessions come before those of this one.
    pub(crate) fn precede(&mut self, earlier: &[String]) {
        self.entries.splice(0..0, earlier.iter().cloned());
        self.at = None;
    }

    /// A message has been said.
    pub(crate) fn add(&mut self, text: &str) {
        self.at = None;
        if !text.trim().is_empty() && self.entries.last().is_none_or(|last| last != text) {
            self.entries.push(text.to_owned());
        }
    }

    /// The entry before the one shown; `draft` is what stands in the composer now.
    pub(crate) fn older(&mut self, draft: &str) -> Option<&str> {
        let next = self.at.unwrap_or(self.entries.len()).checked_sub(1)?;
        if self.at.is_none() {
            draft.clone_into(&mut self.draft);
        }
        self.at = Some(next);
        Some(&self.entries[next])
    }

    /// The entry after the one shown; after the last one the draft.
    pub(crate) fn newer(&mut self) -> Option<&str> {
        let next = self.at? + 1;
        self.at = (next < self.entries.len()).then_some(next);
        Some(self.at.map_or(&self.draft, |at| &self.entries[at]))
    }

    /// The place of the newest entry before `below` that holds `query`.
    pub(crate) fn find(&self, query: &str, below: usize) -> Option<usize> {
        let query = query.to_lowercase();
        let searched = &self.entries[..below.min(self.entries.len())];
        searched.iter().rposition(|entry| entry.to_lowercase().contains(&query))
    }

    pub(crate) fn entry(&self, place: usize) -> Option<&str> {
        self.entries.get(place).map(String::as_str)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Search {
    pub(crate) query: String,
    /// The entry found, if any.
    pub(crate) found: Option<usize>,
}

impl Search {
    /// Looks again from the newest, because the query changed.
    pub(crate) fn again(&mut self, history: &History) {
        self.found = if self.query.is_empty() { None } else { history.find(&self.query, history.len()) };
    }

    /// Goes to the next older match; stays where there is none.
    pub(crate) fn older(&mut self, history: &History) {
        let below = self.found.unwrap_or(history.len());
        self.found = history.find(&self.query, below).or(self.found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_draft_comes_back_after_the_last_entry() {
        let mut history = History::default();
        history.add("two");
        history.precede(&["one".into()]);
        assert_eq!(history.older("draft"), Some("two"));
        assert_eq!(history.older("two"), Some("one"));
        assert_eq!(history.older("one"), None);
        assert_eq!(history.newer(), Some("two"));
        assert_eq!(history.newer(), Some("draft"));
        assert_eq!(history.newer(), None);
    }

    #[test]
    fn the_same_words_twice_are_kept_once() {
        let mut history = History::default();
        ["go", "go", " "].iter().for_each(|text| history.add(text));
        assert_eq!(history.entries, ["go"]);
    }

    #[test]
    fn a_search_goes_from_the_newest_to_older_ones() {
        let mut history = History::default();
        ["Fix the parser", "add a test", "fix the lexer"].iter().for_each(|text| history.add(text));
        let mut search = Search { query: "fix".into(), found: None };
        search.again(&history);
        assert_eq!(search.found, Some(2));
        search.older(&history);
        assert_eq!(search.found, Some(0));
        search.older(&history);
        assert_eq!(search.found, Some(0));
    }
}

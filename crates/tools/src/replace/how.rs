//! How an edit matched, in words.

use super::line_index::Level;

/// What had to be forgiven, and what looks odd.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct How {
    /// `None`: nothing, the lines are there to the letter.
    pub(super) level: Option<Level>,
    /// The new text was indented otherwise than it was written.
    pub(super) reindented: bool,
    /// Blank lines before or after the old text.
    pub(super) blank_lines: bool,
    /// Line numbers in front of the lines.
    pub(super) numbers: bool,
    /// A line end that the new text would have taken away.
    pub(super) line_end: bool,
    /// Lines that read otherwise, counted from 1.
    pub(super) drifted: Vec<usize>,
    /// A line that stands twice in a row now, counted from 1.
    pub(super) doubled: Option<usize>,
    /// Places that read like the new text already.
    pub(super) already: usize,
    /// The whole new text was put so many letters further to the right.
    pub(super) shifted: isize,
}

impl How {
    /// The new text was put so many letters further to the right; to the left, where it is negative.
    pub(crate) fn shift(&mut self, letters: isize) {
        self.shifted = letters;
    }

    /// For the user and for the model; `None`: there is nothing to say.
    pub(crate) fn words(&self) -> Option<String> {
        let level = match (self.drifted.as_slice(), self.level) {
            ([], None) => None,
            ([], Some(Level::Ends)) => Some("matched apart from white space at line ends".into()),
            ([], Some(Level::Indents)) => Some("matched with other indentation".into()),
            ([], Some(Level::Blanks)) => Some("matched with other white space".into()),
            ([], Some(Level::Marks)) => Some("matched with other quotes, dashes or spaces".into()),
            ([], Some(Level::Forms)) => Some("matched with another Unicode form or with invisible characters".into()),
            (lines, _) => Some(drifted(lines)),
        };
        let notes = [
            level,
            self.reindented.then(|| "the new text was re-indented".into()),
            self.blank_lines.then(|| "a blank line too many in old_string was left out".into()),
            (self.shifted != 0).then(|| format!("re-indented by {}", self.shifted)),
            (self.already > 0).then(|| already(self.already)),
            self.numbers.then(|| "line numbers were left out".into()),
            self.line_end.then(|| "the line end that new_string lacks was kept".into()),
            self.doubled
                .map(|line| format!("line {line} is the same as the one before now; take it out if that is wrong")),
        ];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

fn already(places: usize) -> String {
    match places {
        1 => "1 place that has new_string already stays as it is".into(),
        _ => format!("{places} places that have new_string already stay as they are"),
    }
}

fn drifted(lines: &[usize]) -> String {
    let named: Vec<String> = lines.iter().map(usize::to_string).collect();
    match lines.len() {
        1 => format!("matched although line {} reads otherwise than old_string; it stays as it is", named[0]),
        _ => {
            format!("matched although lines {} read otherwise than old_string; they stay as they are", named.join(", "))
        }
    }
}

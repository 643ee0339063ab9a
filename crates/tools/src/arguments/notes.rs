//! What was not taken as it stood, in words for the user: what weighs most comes first, as a small screen shows no more.

use super::names::quoted;

/// So many arguments that nobody asked for are named.
const NAMED: usize = 5;

/// What is to be said of one call.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    noted: Vec<(Weight, String)>,
    /// The model's names beside ours.
    renamed: Vec<(String, &'static str)>,
}

/// The lightest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// Part of what the model asked for is not done.
    Left,
    /// A value was read as another.
    Value,
    /// A tool has another name.
    Tool,
}

impl Notes {
    /// A value that is not what was written.
    pub(crate) fn value(&mut self, note: String) {
        self.noted.push((Weight::Value, note));
    }

    /// A tool that was asked for by another name.
    pub(crate) fn tool(&mut self, note: String) {
        self.noted.push((Weight::Tool, note));
    }

    /// An argument by another name.
    pub(crate) fn renamed(&mut self, key: &str, name: &'static str) {
        self.renamed.push((quoted(key), name));
    }

    /// Arguments that mean nothing here.
    pub(crate) fn left(&mut self, keys: &[&str]) {
        let mut names: Vec<String> = keys.iter().take(NAMED).map(|key| quoted(key)).collect();
        if keys.len() > NAMED {
            names.push(format!("{} more", keys.len() - NAMED));
        }
        let note = match names.as_slice() {
            [] => return,
            [only] => format!("{only} is not known here and was left out"),
            several => format!("{} are not known here and were left out", in_a_row(several)),
        };
        self.noted.push((Weight::Left, note));
    }

    /// What is to be said of the entry at `nth` (from 1) of the list `name`; what was said of another is not said again.
    pub(crate) fn of_entry(&mut self, nth: usize, name: &str, of_it: Notes) {
        for (weight, note) in of_it.noted {
            let same = |known: &str| known.split_once(": ").is_some_and(|(_, known)| known == note);
            if !self.noted.iter().any(|(_, known)| same(known)) {
                self.noted.push((weight, format!("entry {nth} of {name}: {note}")));
            }
        }
        let new = of_it.renamed.into_iter().filter(|renamed| !self.renamed.contains(renamed));
        self.renamed.extend(new.collect::<Vec<_>>());
    }

    /// All of them, one thing each.
    pub(crate) fn in_words(mut self) -> Vec<String> {
        self.noted.sort_by_key(|(weight, _)| *weight);
        let (theirs, ours): (Vec<String>, Vec<&str>) = self.renamed.into_iter().unzip();
        let renames = match (theirs.as_slice(), ours.as_slice()) {
            ([], _) => None,
            ([key], [name]) => Some(format!("{key} was read as {name}")),
            (keys, names) => Some(format!("{} were read as {}", in_a_row(keys), in_a_row(names))),
        };
        self.noted.into_iter().map(|(_, note)| note).chain(renames).collect()
    }
}

/// `a, b and c`.
fn in_a_row(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

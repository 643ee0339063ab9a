//! Where a name stands in the code of the project, as a word.

use crate::blocking::Stop;
use crate::open::plain_file_below;
use crate::pattern::Hidden;
use crate::walk::{Area, Depth, EntryKind, walk};
use crate::workspace::Workspace;
use agent_syntax::Language;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// More uses of a name than these are not its own: it may be a word of the language.
pub(super) const MOST_USES: usize = 12;

/// How long is looked for uses of a name.
const LOOKING: Duration = Duration::from_millis(500);

/// Bytes of the largest file that is looked into.
pub(super) const LARGEST: u64 = 512 * 1_024;

/// Ends of names of texts for people.
const PROSE: [&str; 5] = [".md", ".txt", ".rst", ".adoc", ".svg"];

pub(super) struct CodeFile {
    pub(super) shown: String,
    pub(super) path: PathBuf,
    pub(super) language: Language,
    pub(super) text: String,
}

/// Was all of it looked at?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    All,
    /// There was no time for the rest.
    Part,
}

/// Goes through the code of the project; what git ignores, hidden files and those that may hold secrets are left out.
pub(super) fn each_code_file(workspace: &Workspace, mut take: impl FnMut(CodeFile)) -> Extent {
    let stop = Stop::at(Instant::now() + LOOKING);
    for entry in walk(Area::whole(workspace.root()), Hidden::Left, Depth::All, &stop) {
        let shown = workspace.shown(&entry.path);
        let is_open = entry.kind == EntryKind::File && !workspace.is_secret(&entry.path);
        if !is_open || is_prose(&shown) || stop.wanted() {
            continue;
        }
        let bytes = plain_file_below(workspace.root(), Path::new(&shown), LARGEST);
        let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
        if let Some(language) = Language::of(&shown, &text) {
            take(CodeFile { shown, path: entry.path, language, text });
        }
    }
    if stop.wanted() { Extent::Part } else { Extent::All }
}

pub(super) fn is_prose(file: &str) -> bool {
    PROSE.iter().any(|end| file.to_ascii_lowercase().ends_with(end))
}

/// The places, in bytes, at which the text holds the name as a word.
pub(super) fn places(text: &str, name: &str) -> Vec<usize> {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let alone =
        |at: &usize| !is_part(text[..*at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next());
    text.match_indices(name).map(|(at, _)| at).filter(alone).collect()
}

/// The text with another name at all these places.
pub(super) fn replaced(text: &str, from: &str, to: &str) -> String {
    let (mut new, mut behind) = (String::new(), 0);
    for at in places(text, from) {
        new.push_str(&text[behind..at]);
        new.push_str(to);
        behind = at + from.len();
    }
    new + &text[behind..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_replaced() {
        let text = "from a import calc\nrecalc(calc(1), a.calc, calculate, 'calc')\n";
        assert_eq!(places(text, "calc").len(), 4);
        let new = replaced(text, "calc", "total");
        assert_eq!(new, "from a import total\nrecalc(total(1), a.total, calculate, 'total')\n");
    }
}

//! Lines of talk that name files.

use super::known::{Named, Names};

/// The longest line that can be a file's name, in bytes, and the most words on it.
const LONGEST_NAME: usize = 160;
const MOST_WORDS: usize = 5;
/// The longest line that opens a fence.
const LONGEST_FENCE: usize = 400;
/// The longest line that asks for files.
const LONGEST_NEED: usize = 2_000;
/// Columns that a line may be indented by.
const DEEPEST: usize = 24;

/// Marks of headings, lists, quotes and stress.
const ORNAMENTS: &[char] = &['#', '*', '_', '-', '>', '+', '`', ' ', '\t', '•'];

/// Words that say only that a name is one.
const LABELS: &[&str] = &[
    "file",
    "filename",
    "file_name",
    "file_path",
    "filepath",
    "path",
    "name",
    "updated",
    "modified",
    "changed",
    "new",
    "create",
    "created",
    "update",
    "edit",
    "edited",
    "modify",
    "change",
    "in",
    "step",
    "content",
    "contents",
    "of",
    "code",
    "for",
    "complete",
    "full",
    "final",
    "fixed",
    "corrected",
    "the",
    "revised",
    "source",
    "entire",
    "whole",
    "here",
    "is",
    "here's",
    "to",
    "rewrite",
    "replace",
    "fix",
    "version",
    "and",
    "now",
    "then",
    "first",
    "existing",
    "refactored",
    "save",
    "as",
    "done",
    "result",
    "answer",
    "solution",
    "unchanged",
    "title",
    "implementation",
    "improved",
];

/// May a line that begins so still be more than talk? Once it cannot, it never can again.
pub(super) fn may_matter(begin: &str) -> bool {
    let inner = begin.trim_start();
    if begin.len() - inner.len() > DEEPEST {
        return false;
    }
    let fence = after_bullet(inner);
    if (fence.starts_with("```") || fence.starts_with("~~~")) && begin.len() <= LONGEST_FENCE {
        return true;
    }
    if may_ask(inner) && begin.len() <= LONGEST_NEED {
        return true;
    }
    begin.len() <= LONGEST_NAME && begin.split_whitespace().count() <= MOST_WORDS
}

/// What follows on the bullet or number of a list.
pub(super) fn after_bullet(line: &str) -> &str {
    for bullet in ["- ", "* ", "+ ", "• "] {
        if let Some(rest) = line.strip_prefix(bullet) {
            return rest.trim_start();
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    match rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")) {
        Some(rest) if (1..=2).contains(&digits) => rest.trim_start(),
        _ => line,
    }
}

/// The file whose name is all that a line says.
pub(super) fn pure(line: &str, names: &Names) -> Option<Named> {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['|', '{', '"', '<', '}', '$']) || !may_matter(line) {
        return None;
    }
    let whole = after_bullet(line).trim_matches(|c| ORNAMENTS.contains(&c) || c == ':');
    if let Some(Named::Known(path)) = names.resolve(whole) {
        return Some(Named::Known(path));
    }
    let mut found = None;
    for word in after_bullet(line).split_whitespace() {
        if is_label(word) {
            continue;
        }
        // A label may be glued to the name: `File:calc.py`.
        let word = word
            .rsplit_once(':')
            .filter(|(label, rest)| !rest.is_empty() && is_label(label))
            .map_or(word, |(_, name)| name);
        let named = names.resolve(word.trim_start_matches('#'))?;
        if found.as_ref().is_some_and(|found| *found != named) {
            return None;
        }
        found = Some(named);
    }
    found
}

fn is_label(word: &str) -> bool {
    let word = word.trim_matches(|c: char| ORNAMENTS.contains(&c) || "()[]:,.=".contains(c)).to_lowercase();
    !word.chars().any(char::is_alphabetic) || LABELS.contains(&word.as_str())
}

/// The one file that a sentence names. One that is not known counts only if it stands out, or the
/// line does.
pub(super) fn mention(line: &str, names: &Names) -> Option<Named> {
    if line.trim_start().starts_with('|') {
        return None;
    }
    let mut found: Vec<Named> = Vec::new();
    // A heading, or a line that announces something.
    let announces = line.starts_with(['#', '*']) || line.trim_end().ends_with([':', '：']);
    for (word, stands_out) in stressed(line) {
        match names.resolve(word) {
            Some(Named::New(_)) if !stands_out && !announces => {}
            Some(named) if !found.contains(&named) => found.push(named),
            Some(_) | None => {}
        }
    }
    if let [one] = found.as_slice() {
        return Some(one.clone());
    }
    // Tests are named together with what they test.
    let is_test = |named: &&Named| named.path().is_some_and(|path| path.to_lowercase().contains("test"));
    let mut tests = found.iter().filter(is_test);
    let test = tests.next().filter(|_| tests.next().is_none() && line.to_lowercase().contains("tests for"));
    test.cloned()
}

/// The words of a line, and whether each stands out: in quotes or bold.
fn stressed(line: &str) -> impl Iterator<Item = (&str, bool)> {
    let out = |word: &str| word.starts_with(['`', '*', '"', '\'', '“']) || word.starts_with("(`");
    // What stands in backquotes with blanks is a command or an expression, no name.
    let mut inside = false;
    line.split_whitespace().filter_map(move |word| {
        let ticks = word.matches('`').count();
        let was = inside;
        if ticks % 2 == 1 {
            inside = !inside;
        }
        (!was && !inside).then(|| (word, out(word)))
    })
}

/// The names, as they stand, that a line asks for: `NEED: a.py, b.py`.
pub(super) fn needs(line: &str, names: &Names) -> Option<Vec<String>> {
    if !may_matter(line) {
        return None;
    }
    let rest = asks(line.trim())?;
    let mut found = Vec::new();
    for word in rest.split([',', ' ', '\t', ';']).filter(|word| !word.trim().is_empty()) {
        match names.resolve(word.trim_start_matches(['-', '*', '['].as_slice()).trim_end_matches(']')) {
            Some(Named::Known(path) | Named::New(path)) => found.push(path),
            Some(Named::Barred) => {}
            None if is_joint(word) => {}
            None => return None,
        }
    }
    Some(found)
}

fn is_joint(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    ["", "and", "or", "the", "file", "files", "content", "contents", "of", "to", "see", "also", "please"]
        .contains(&word.as_str())
}

/// Words of the label before the names.
const ASKING: &[&str] =
    &["", "need", "needed", "needs", "file", "files", "the", "more", "to", "see", "these", "following", "also"];
/// Bytes of that label at most.
const LONGEST_LABEL: usize = 60;

/// A line, without its ornaments, that begins with `need`.
fn needing(line: &str) -> Option<&str> {
    let inner = line.trim_start_matches(ORNAMENTS);
    let begin = inner.get(..4)?;
    (line.len() - inner.len() <= 8 && begin.eq_ignore_ascii_case("need")).then_some(inner)
}

fn is_asking(word: &str) -> bool {
    ASKING.contains(&word.trim_matches(|c| ORNAMENTS.contains(&c)).to_lowercase().as_str())
}

/// May a line that begins so ask for files? Once it cannot, it never can again.
fn may_ask(begin: &str) -> bool {
    let Some(inner) = needing(begin) else { return false };
    if inner.starts_with("NEED") {
        return true;
    }
    match inner.split_once(':') {
        Some((label, _)) => label.len() <= LONGEST_LABEL && label.split_whitespace().all(is_asking),
        None => {
            let mut words: Vec<&str> = inner.split_whitespace().collect();
            words.pop();
            inner.len() <= LONGEST_LABEL && words.into_iter().all(is_asking)
        }
    }
}

/// What follows on `NEED:`, `Need files:` and the like.
fn asks(line: &str) -> Option<&str> {
    let inner = needing(line)?;
    match inner.split_once(':') {
        Some((label, rest)) => {
            let fits = label.len() <= LONGEST_LABEL && label.split_whitespace().all(is_asking);
            fits.then(|| rest.trim_start_matches(['*', '_', '`', ' ']))
        }
        // In capitals it needs no colon.
        None => inner.strip_prefix("NEED").map(str::trim_start),
    }
}

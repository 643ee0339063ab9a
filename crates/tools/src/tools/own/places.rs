//! Where names of a person's words stand in the code: the first lines, those that define them before the others.

use crate::blocking::Stop;
use crate::open::{Found, open};
use crate::pattern::Hidden;
use crate::walk::{Area, Entry, EntryKind, walk_each};
use crate::workspace::Workspace;
use agent_syntax::Language;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Names that are looked for.
pub(super) const NAMES: usize = 6;

/// Letters of the shortest and the longest one.
const LETTERS: std::ops::RangeInclusive<usize> = 3..=60;

/// A name that stands in more files is no place to begin at.
const FILES: usize = 5;

/// Places that are told of one name.
const PLACES: usize = 3;

/// Bytes of the largest file that is looked into.
const LARGEST: u64 = 256 * 1_024;

/// What stands before a name where it is defined.
const DEFINES: &str = "fn def class struct enum trait interface type const static let var val function func mod module impl \
    macro_rules! #define define sub proc";

/// A name, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    /// Files as a person names them, with the number of the line; the best first.
    pub(super) places: Vec<(PathBuf, String, usize)>,
}

/// A place of one of the names.
struct Hit {
    name: usize,
    path: PathBuf,
    line: usize,
    defines: bool,
}

/// Where these names stand, as far as that is found before `stop`; without those that stand nowhere, or in many files.
pub(super) fn places(workspace: &Workspace, names: &[String], stop: &Stop) -> Vec<Named> {
    let names: Vec<&String> = names.iter().filter(|name| is_name(name)).take(NAMES).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let look = |(): &mut (), entry: Entry| Some(hits(workspace, entry, &names, stop)).filter(|hits| !hits.is_empty());
    let mut hits: Vec<Hit> =
        walk_each(Area::whole(workspace.root()), Hidden::Left, stop, || (), look).into_iter().flatten().collect();
    hits.sort_by(|one, other| (!one.defines, &one.path, one.line).cmp(&(!other.defines, &other.path, other.line)));
    let named = names.iter().enumerate().map(|(at, name)| Named {
        name: (*name).clone(),
        places: hits
            .iter()
            .filter(|hit| hit.name == at)
            .map(|hit| (hit.path.clone(), workspace.shown(&hit.path), hit.line))
            .collect(),
    });
    let mut named: Vec<Named> = named.filter(|named| (1..=FILES).contains(&named.places.len())).collect();
    named.iter_mut().for_each(|named| named.places.truncate(PLACES));
    named
}

/// Is it made of what names in code are made of?
fn is_name(name: &str) -> bool {
    LETTERS.contains(&name.chars().count()) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The best line of each name in this file, if it is one of code that anybody may see.
fn hits(workspace: &Workspace, entry: Entry, names: &[&String], stop: &Stop) -> Vec<Hit> {
    let is_code = || entry.path.to_str().is_some_and(|path| Language::of(path, "").is_some());
    if entry.kind != EntryKind::File || stop.wanted() || !is_code() {
        return Vec::new();
    }
    let Some(text) = text(workspace, &entry.path) else { return Vec::new() };
    let best = names.iter().enumerate().filter_map(|(at, name)| {
        let (line, defines) = best_line(&text, name)?;
        Some(Hit { name: at, path: entry.path.clone(), line, defines })
    });
    let best: Vec<Hit> = best.collect();
    // Most files hold none of the names, so this is asked of few.
    if best.is_empty() || workspace.is_secret(&entry.path) { Vec::new() } else { best }
}

/// What stands in a file of a size that is looked into.
fn text(workspace: &Workspace, path: &Path) -> Option<String> {
    let Ok(Found::File(mut file, about)) = open(workspace, path) else { return None };
    if about.len() > LARGEST {
        return None;
    }
    let mut text = String::with_capacity(usize::try_from(about.len()).ok()?);
    file.read_to_string(&mut text).ok()?;
    Some(text)
}

/// The line on which the name is defined, else the first on which it stands, and whether it is defined there.
fn best_line(text: &str, name: &str) -> Option<(usize, bool)> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut first = None;
    for (at, _) in text.match_indices(name) {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        if before.ends_with(part) || after.starts_with(part) {
            continue;
        }
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let defines = before[start..].split_whitespace().next_back();
        if before.ends_with([' ', '\t']) && defines.is_some_and(|word| DEFINES.split_whitespace().any(|it| it == word))
        {
            return Some((line_of(before), true));
        }
        first = first.or_else(|| Some(line_of(before)));
    }
    first.map(|line| (line, false))
}

/// The number of the line that `before` ends in, from 1.
fn line_of(before: &str) -> usize {
    before.bytes().filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)], names: &[&str]) -> Vec<String> {
        let folder = tempfile::TempDir::new().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let workspace = Workspace::new(&folder.path().canonicalize().unwrap());
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let shown = |named: Named| {
            let places: Vec<String> = named.places.iter().map(|(_, shown, line)| format!("{shown}:{line}")).collect();
            format!("{} {}", named.name, places.join(" "))
        };
        places(&workspace, &names, &Stop::default()).into_iter().map(shown).collect()
    }

    #[test]
    fn where_a_name_is_defined_comes_first_and_a_part_of_a_longer_one_is_none() {
        let files = [
            ("a/use.rs", "use crate::parse_item;\n"),
            ("src/parse.rs", "// parse_item\nfn parse_items() {}\n\npub fn parse_item() {}\n"),
            ("src/other.rs", "fn parse_item_list() {}\n"),
        ];
        assert_eq!(found(&files, &["parse_item"]), ["parse_item src/parse.rs:4 a/use.rs:1"]);
    }

    #[test]
    fn what_stands_in_many_files_or_in_none_is_not_told() {
        let many: Vec<(String, &str)> = (0..6).map(|at| (format!("f{at}.py"), "log_line = 1\n")).collect();
        let mut files: Vec<(&str, &str)> = many.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        assert_eq!(found(&files, &["log_line", "nowhere_at_all"]), [""; 0]);
        files.truncate(5);
        assert_eq!(found(&files, &["log_line"]), ["log_line f0.py:1 f1.py:1 f2.py:1"]);
    }

    #[test]
    fn only_code_that_anybody_may_see_is_looked_into() {
        let files = [
            ("notes.md", "max_size\n"),
            (".hidden.py", "max_size = 1\n"),
            ("made/x.py", "max_size = 2\n"),
            (".gitignore", "made/\n"),
            ("secrets/credentials.py", "x = 1\n"),
            ("a.py", "x = max_size\n"),
        ];
        assert_eq!(found(&files, &["max_size", "ab", "a;b"]), ["max_size a.py:1"]);
    }
}

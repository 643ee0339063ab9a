//! Replacements as aider has them: `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`.

use super::known::{Named, Names};
use super::line::pure;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) path: Option<Named>,
    pub(super) old: String,
    pub(super) new: String,
}

/// Length of the shortest mark.
const SHORTEST: usize = 5;

/// What stands behind so many of one character.
fn mark(line: &str, of: char) -> Option<&str> {
    let line = line.trim();
    let rest = line.trim_start_matches(of);
    (line.len() - rest.len() >= SHORTEST).then(|| rest.trim())
}

pub(super) fn is_search(line: &str) -> bool {
    mark(line, '<').is_some_and(|rest| ["SEARCH", "ORIGINAL", "OLD"].iter().any(|word| rest.starts_with(word)))
}

fn is_divider(line: &str) -> bool {
    mark(line, '=') == Some("")
}

pub(super) fn is_end(line: &str) -> bool {
    mark(line, '>')
        .is_some_and(|rest| rest.is_empty() || ["REPLACE", "UPDATED", "NEW"].iter().any(|word| rest.starts_with(word)))
}

/// The replacements in `lines`, of which the file above is `path`; `None` where they make no sense.
pub(super) fn hunks(lines: &[String], names: &Names) -> Option<Vec<Hunk>> {
    let mut found = Vec::new();
    let mut path = None;
    let mut lines = lines.iter();
    while let Some(line) = lines.next() {
        if !is_search(line) {
            path = pure(line, names).or(path);
            continue;
        }
        let mut old = Vec::new();
        let mut new = Vec::new();
        loop {
            let line = lines.next()?;
            if is_divider(line) {
                break;
            }
            old.push(line.as_str());
        }
        for line in lines.by_ref() {
            if is_end(line) {
                break;
            }
            new.push(line.as_str());
        }
        found.push(Hunk { path: path.clone(), old: side(&old), new: side(&new) });
    }
    (!found.is_empty()).then_some(found)
}

/// One side, out of a fence of its own.
fn side(lines: &[&str]) -> String {
    let is_fence = |line: Option<&&str>| line.is_some_and(|line| line.trim_start().starts_with("```"));
    if lines.len() >= 2 && is_fence(lines.first()) && is_fence(lines.last()) {
        return lines[1..lines.len() - 1].join("\n");
    }
    lines.join("\n")
}

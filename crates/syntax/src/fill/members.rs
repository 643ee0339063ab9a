//! What stands in a type beside its methods: its head and its fields.

use super::blanks::{Edit, margin, shifted};
use super::likeness::likeness;
use super::parts::{Parsed, Part};
use std::collections::HashSet;

/// How alike two fields are of which one was made of the other, in hundredths.
const ALIKE: usize = 60;

/// What the answer's type at `at` changes of the head and the fields of the file's at `old`.
pub(super) fn changed(before: &Parsed, old: usize, answer: &Parsed, at: usize) -> Vec<Edit> {
    let (whole, new) = (&before.parts[old], &answer.parts[at]);
    let mut edits: Vec<Edit> = head(before, whole, answer, new).into_iter().collect();
    let (fields, new_fields) = (fields(before, old), fields(answer, at));
    let known: HashSet<&str> = fields.iter().map(|line| before.lines[*line].trim()).collect();
    let first = before.inside(old).map(|(_, part)| part.start).min().unwrap_or(whole.end);
    let behind = fields.iter().copied().filter(|line| *line < first).max().map_or(whole.head + 1, |line| line + 1);
    let mut used = HashSet::new();
    for field in new_fields.into_iter().filter(|field| !known.contains(answer.lines[*field].trim())) {
        let line = &answer.lines[field];
        let alike = fields
            .iter()
            .copied()
            .filter(|other| !used.contains(other) && !is_kept(&before.lines[*other], answer, new));
        let alike = alike.map(|other| (likeness(&before.lines[other], line), other));
        let made_of = alike.filter(|(likeness, _)| *likeness >= ALIKE).max().map(|(_, other)| other);
        let to = made_of.or(fields.first().copied()).map_or("    ", |other| margin(&before.lines[other]));
        let lines = shifted(std::slice::from_ref(line), margin(line), to);
        let (from, to) = made_of.map_or((behind, behind), |other| (other, other + 1));
        used.extend(made_of);
        edits.push(Edit { from, to, lines });
    }
    edits
}

/// Does the answer have this line, too?
fn is_kept(line: &str, answer: &Parsed, new: &Part) -> bool {
    answer.lines[new.head..new.end].iter().any(|other| other.trim() == line.trim())
}

/// The line on which a type begins, where it is one line and was changed.
fn head(before: &Parsed, old: &Part, answer: &Parsed, new: &Part) -> Option<Edit> {
    let find = |parsed: &Parsed, part: &Part| {
        (part.head..part.end).find(|at| {
            parsed.lines[*at].contains(part.name.as_str()) && !parsed.lines[*at].trim_start().starts_with(['@', '#'])
        })
    };
    let (at, new) = (find(before, old)?, &answer.lines[find(answer, new)?]);
    let is_whole = |line: &str| line.trim_end().ends_with(['{', ':']);
    let line = &before.lines[at];
    let differs = line.trim() != new.trim() && is_whole(line) && is_whole(new);
    differs.then(|| Edit { from: at, to: at + 1, lines: shifted(std::slice::from_ref(new), margin(new), margin(line)) })
}

/// The lines of one-line fields in a type, outside of what is defined in it.
fn fields(parsed: &Parsed, at: usize) -> Vec<usize> {
    let whole = &parsed.parts[at];
    let inner: Vec<&Part> = parsed.inside(at).map(|(_, part)| part).collect();
    let free =
        (whole.head + 1..whole.end).filter(|line| !inner.iter().any(|part| part.start <= *line && *line < part.end));
    free.filter(|line| is_field(&parsed.lines[*line])).collect()
}

/// Does a line look like a field that ends on it?
fn is_field(line: &str) -> bool {
    let line = line.trim();
    let begins = line.starts_with(|c: char| c.is_alphabetic() || "_#$@".contains(c));
    let declares = line.split_once(':').is_some_and(|(name, kind)| {
        name.chars().all(|c| c.is_alphanumeric() || c == '_') && kind.split_whitespace().count() == 1
    });
    begins && !line.ends_with(['{', '(', '[', '\\']) && (line.ends_with(';') || line.contains(" = ") || declares)
}

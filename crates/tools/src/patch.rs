//! Patches as models write them: which file is to become what. Pure: nothing is looked at.
//!
//! Read are patches between `*** Begin Patch` and `*** End Patch`, unified diffs, and blocks between `<<<<<<< SEARCH` and
//! `>>>>>>> REPLACE`. What cannot be told is never guessed: a patch that is cut off, or in which a line has no place, is
//! refused as a whole.

mod begun;
mod blocks;
mod unified;
mod wrapped;

use crate::replace::{Hunk, HunkLine};
pub(crate) use wrapped::bare;

/// What is to become of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePatch {
    /// As the model wrote it.
    pub(crate) path: String,
    pub(crate) change: FileChange,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileChange {
    /// It is new, with this text.
    Add(String),
    Delete,
    Update {
        hunks: Vec<Hunk>,
        /// Its new name, where it gets one.
        to: Option<String>,
    },
}

/// Is this a patch in one of the forms that are read?
pub(crate) fn is_patch(text: &str) -> bool {
    let text = bare(text);
    begun::is_begun(&text) || blocks::are_blocks(&text) || unified::is_diff(&text)
}

/// What the patch makes of which files; `file` is the one that it is for where it names none. Else what is wrong with it.
pub(crate) fn read(text: &str, file: Option<&str>) -> Result<Vec<FilePatch>, String> {
    let text = bare(text);
    let files = if begun::is_begun(&text) {
        begun::read(&text)?
    } else if blocks::are_blocks(&text) {
        blocks::read(&text, file)?
    } else if unified::is_diff(&text) {
        unified::read(&text, file)?
    } else {
        return Err(
            "it holds no patch: it begins with `*** Begin Patch`, and `*** Update File: PATH` stands above the \
                    changes of a file"
                .to_owned(),
        );
    };
    match files.iter().find_map(changes_nothing) {
        _ if files.is_empty() => Err("it changes no file".to_owned()),
        Some(path) => Err(format!("it changes nothing in {path}: each change needs a line that begins with - or +")),
        None => Ok(files),
    }
}

/// Are these the same name, but for `./` before it? One may be absolute.
fn is_same_file(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim_start_matches("./"), other.trim_start_matches("./"));
    let ends = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|head| head.ends_with('/'));
    one == other || (one.starts_with('/') && ends(one, other)) || (other.starts_with('/') && ends(other, one))
}

fn changes_nothing(file: &FilePatch) -> Option<&str> {
    let FileChange::Update { hunks, to: None } = &file.change else { return None };
    hunks.iter().all(|hunk| !changes(hunk)).then_some(file.path.as_str())
}

/// Is anything to be another than it is?
fn changes(hunk: &Hunk) -> bool {
    hunk.lines.iter().any(|line| !matches!(line, HunkLine::Both(_)))
}

/// Adds the change `hunk`, where it is one. Blank lines at its end only part it from what comes next.
fn close(mut hunk: Hunk, hunks: &mut Vec<Hunk>) {
    while matches!(hunk.lines.last(), Some(HunkLine::Both(line)) if line.trim().is_empty()) {
        hunk.lines.pop();
    }
    if changes(&hunk) {
        hunks.push(hunk);
    }
}

/// The line of a change: by its first character, or as it is where a model forgot the blank before a line that stays.
fn hunk_line(line: &str) -> HunkLine {
    match line.as_bytes().first() {
        Some(b'+') => HunkLine::New(line[1..].to_owned()),
        Some(b'-') => HunkLine::Old(line[1..].to_owned()),
        Some(b' ') => HunkLine::Both(line[1..].to_owned()),
        Some(_) | None => HunkLine::Both(line.to_owned()),
    }
}

/// The first line of `-12,5 +12,6 @@`, which stands behind `@@ `.
fn first_line(ranges: &str) -> Option<usize> {
    let old = ranges.trim().strip_prefix('-')?;
    let number: String = old.chars().take_while(char::is_ascii_digit).collect();
    ranges.contains(" +").then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests;

//! Blocks of what is there and what is to be there, as aider, Cline and Roo have models write them.
//!
//! ```text
//! <<<<<<< SEARCH
//! old lines
//! =======
//! new lines
//! >>>>>>> REPLACE
//! ```

use super::{FileChange, FilePatch};
use crate::replace::{Hunk, HunkLine};

/// Length of the shortest mark.
const SHORTEST: usize = 5;

/// What stands behind so many of one of these characters.
fn mark<'a>(line: &'a str, of: &[char]) -> Option<&'a str> {
    let line = line.trim();
    of.iter().find_map(|of| {
        let rest = line.trim_start_matches(*of);
        (line.len() - rest.len() >= SHORTEST).then(|| rest.trim().trim_end_matches(['>', '<', ':']))
    })
}

fn begins(line: &str) -> bool {
    mark(line, &['<', '-']).is_some_and(|word| ["SEARCH", "ORIGINAL", "OLD"].contains(&word))
}

fn divides(line: &str) -> bool {
    mark(line, &['=']) == Some("")
}

fn ends(line: &str) -> bool {
    mark(line, &['>', '+']).is_some_and(|word| ["REPLACE", "UPDATED", "NEW"].contains(&word))
}

pub(super) fn are_blocks(text: &str) -> bool {
    text.lines().any(begins) && text.lines().any(divides)
}

pub(super) fn read(text: &str, file: Option<&str>) -> Result<Vec<FilePatch>, String> {
    let mut files: Vec<FilePatch> = Vec::new();
    let mut name: Option<String> = None;
    let mut lines = text.lines().enumerate();
    while let Some((nth, line)) = lines.next() {
        if !begins(line) {
            name = named(line).or(name);
            continue;
        }
        let (old, new) = sides(&mut lines).map_err(|what| format!("the block at line {} of it {what}", nth + 1))?;
        let path = path(name.as_deref(), file)?;
        let hunk = hunk(old, new);
        match files.iter_mut().find(|known| known.path == path).map(|known| &mut known.change) {
            Some(FileChange::Update { hunks, .. }) => hunks.push(hunk),
            _ => files.push(FilePatch { path, change: FileChange::Update { hunks: vec![hunk], to: None } }),
        }
    }
    Ok(files)
}

/// Both sides of a block.
type Sides<'a> = (Vec<&'a str>, Vec<&'a str>);

fn sides<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Result<Sides<'a>, &'static str> {
    let (mut old, mut new, mut divided) = (Vec::new(), Vec::new(), false);
    for (_, line) in lines {
        match () {
            () if ends(line) && divided => return Ok((old, new)),
            () if begins(line) => break,
            () if divides(line) && divided => {
                return Err("has two lines `=======`, and nothing tells which of them parts it; give the change as \
                            old_string and new_string");
            }
            () if divides(line) => divided = true,
            () if divided => new.push(line),
            () => old.push(line),
        }
    }
    Err("has no end; it may be cut off, so give all of it, with `=======` and `>>>>>>> REPLACE`")
}

/// The change, and the line it is said to begin in: `:start_line:12` stands above `-------`.
fn hunk(old: Vec<&str>, new: Vec<&str>) -> Hunk {
    let mut near = None;
    let head = old.iter().take_while(|line| line.trim().starts_with(':')).count();
    let is_parted = head > 0 && old.get(head).is_some_and(|line| mark(line, &['-']) == Some(""));
    for line in old[..head].iter().filter(|_| is_parted) {
        let number = line.trim().strip_prefix(":start_line:").and_then(|number| number.trim().parse().ok());
        near = number.or(near);
    }
    let old = if is_parted { &old[head + 1..] } else { &old[..] };
    let gone = without_fence(old).iter().map(|line| HunkLine::Old((*line).to_owned()));
    let lines = gone.chain(without_fence(&new).iter().map(|line| HunkLine::New((*line).to_owned()))).collect();
    Hunk { lines, near, ..Hunk::default() }
}

/// One side, out of a fence of its own.
fn without_fence<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    let is_fence = |line: Option<&&str>| line.is_some_and(|line| line.starts_with("```"));
    if lines.len() >= 2 && is_fence(lines.first()) && lines.last().is_some_and(|line| *line == "```") {
        &lines[1..lines.len() - 1]
    } else {
        lines
    }
}

/// The file that a line above a block names.
fn named(line: &str) -> Option<String> {
    let name = line.trim().trim_start_matches(['#', '*', '`', ' ']).trim_end_matches(['*', '`', ':', ' ']);
    let is_path = name.contains(['.', '/']) && !name.contains(char::is_whitespace) && !name.ends_with('.');
    is_path.then(|| name.to_owned())
}

/// The file of a block; the call and the line above it must not differ.
fn path(name: Option<&str>, file: Option<&str>) -> Result<String, String> {
    match (name, file) {
        (None, None) => Err("a block names no file; give file_path".to_owned()),
        (Some(name), Some(file)) if !super::is_same_file(name, file) => Err(differ(name, file)),
        (_, Some(file)) | (Some(file), None) => Ok(file.to_owned()),
    }
}

fn differ(name: &str, file: &str) -> String {
    format!("it is for {name}, and file_path is {file}; give one of them")
}

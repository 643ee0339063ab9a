//! Patches between `*** Begin Patch` and `*** End Patch`, as Codex and models trained beside it write them.

use super::{FileChange, FilePatch, close, first_line, hunk_line};
use crate::replace::Hunk;

const BEGIN: &str = "Begin Patch";
const END: &str = "End Patch";
const END_OF_FILE: &str = "End of File";
const MOVE: [&str; 2] = ["Move to", "Rename to"];
const ADD: [&str; 3] = ["Add File", "Create File", "New File"];
const DELETE: [&str; 2] = ["Delete File", "Remove File"];
const UPDATE: [&str; 3] = ["Update File", "Modify File", "Edit File"];

/// Does it say what it is?
pub(super) fn is_begun(text: &str) -> bool {
    let heads = |said: &str| [ADD.as_slice(), &DELETE, &UPDATE].iter().any(|words| any(said, words).is_some());
    text.lines().filter_map(mark).any(|said| said == BEGIN || heads(said))
}

/// What stands behind `*** `.
fn mark(line: &str) -> Option<&str> {
    line.strip_prefix("*** ").map(str::trim)
}

/// The name behind `Update File:`.
fn named<'a>(said: &'a str, word: &str) -> Option<&'a str> {
    said.strip_prefix(word)?.trim_start().strip_prefix(':').map(|name| name.trim().trim_matches(['`', '"']))
}

fn any<'a>(said: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|word| named(said, word))
}

pub(super) fn read(text: &str) -> Result<Vec<FilePatch>, String> {
    let mut reading = Reading::default();
    for (nth, line) in text.lines().enumerate() {
        reading.line(line).map_err(|what| format!("line {} of it: {what}", nth + 1))?;
    }
    reading.end()
}

#[derive(Default)]
struct Reading {
    files: Vec<FilePatch>,
    /// The change that is read.
    hunk: Hunk,
    /// `*** Begin Patch` came, and no `*** End Patch` after it.
    open: bool,
    /// Nothing stands between a patch's end and the next one's beginning.
    over: bool,
    /// Blank lines without a sign in a new file, which may only part it from the next one.
    blank: usize,
}

impl Reading {
    fn line(&mut self, line: &str) -> Result<(), String> {
        match mark(line) {
            Some(said) => self.marked(said),
            None if self.over => Ok(()),
            None => self.plain(line),
        }
    }

    fn marked(&mut self, said: &str) -> Result<(), String> {
        match said {
            BEGIN => (self.open, self.over) = (true, false),
            END => {
                self.close();
                (self.open, self.over) = (false, true);
            }
            END_OF_FILE => {
                self.hunk.at_end = true;
                self.close();
            }
            _ if any(said, &MOVE).is_some() => return self.moved(any(said, &MOVE).unwrap_or_default()),
            _ => return self.head(said),
        }
        Ok(())
    }

    /// The changes of a file begin.
    fn head(&mut self, said: &str) -> Result<(), String> {
        self.close();
        self.blank = 0;
        let (name, change) = if let Some(name) = any(said, &ADD) {
            (name, FileChange::Add(String::new()))
        } else if let Some(name) = any(said, &DELETE) {
            (name, FileChange::Delete)
        } else if let Some(name) = any(said, &UPDATE) {
            (name, FileChange::Update { hunks: Vec::new(), to: None })
        } else {
            let said: String = said.chars().take(40).collect();
            return Err(format!(
                "`*** {said}` is no part of a patch; there are Update File, Add File, Delete File, Move to and End of File"
            ));
        };
        if name.is_empty() {
            return Err("the name of the file is missing".into());
        }
        self.over = false;
        self.files.push(FilePatch { path: name.to_owned(), change });
        Ok(())
    }

    fn moved(&mut self, name: &str) -> Result<(), String> {
        match self.files.last_mut().map(|file| &mut file.change) {
            Some(FileChange::Update { to, .. }) if !name.is_empty() && to.as_deref().is_none_or(|to| to == name) => {
                *to = Some(name.to_owned());
                Ok(())
            }
            _ => Err("`*** Move to` stands below `*** Update File` and names one file".into()),
        }
    }

    fn plain(&mut self, line: &str) -> Result<(), String> {
        match self.files.last_mut().map(|file| &mut file.change) {
            None if line.trim().is_empty() || !self.open => Ok(()),
            None => Err("`*** Update File: PATH` must stand above the changes of a file".into()),
            Some(FileChange::Add(text)) => added(line, text, &mut self.blank),
            Some(FileChange::Delete) if line.trim().is_empty() || line.starts_with('-') => Ok(()),
            Some(FileChange::Delete) => Err("a file that is deleted has no changes".into()),
            Some(FileChange::Update { .. }) => {
                self.change(line);
                Ok(())
            }
        }
    }

    fn change(&mut self, line: &str) {
        let Some(behind) = line.strip_prefix("@@") else {
            if !(self.hunk.lines.is_empty() && line.is_empty()) {
                self.hunk.lines.push(hunk_line(line));
            }
            return;
        };
        let behind = behind.trim().trim_end_matches("@@").trim();
        if !self.hunk.lines.is_empty() {
            self.close();
        }
        match first_line(behind) {
            Some(line) => self.hunk.near = Some(line),
            None if behind.is_empty() => {}
            None => self.hunk.above.push(behind.to_owned()),
        }
    }

    fn close(&mut self) {
        let hunk = Hunk { ordered: true, ..std::mem::take(&mut self.hunk) };
        if let Some(FileChange::Update { hunks, .. }) = self.files.last_mut().map(|file| &mut file.change) {
            close(hunk, hunks);
        }
    }

    fn end(mut self) -> Result<Vec<FilePatch>, String> {
        if self.open {
            return Err("`*** End Patch` is missing, so it may be cut off; give all of it".into());
        }
        self.close();
        Ok(self.files)
    }
}

/// A line of a new file.
fn added(line: &str, text: &mut String, blank: &mut usize) -> Result<(), String> {
    match line.strip_prefix('+') {
        Some(line) => {
            text.push_str(&"\n".repeat(std::mem::take(blank)));
            text.push_str(line);
            text.push('\n');
        }
        None if line.trim().is_empty() => *blank += 1,
        None => return Err("each line of a new file begins with +".into()),
    }
    Ok(())
}

//! Unified diffs, as `git diff` and `diff -u` write them, and as models do who cannot count lines.

use super::{FileChange, FilePatch, close, first_line, hunk_line};
use crate::replace::{Hunk, HunkLine};

const NOWHERE: &str = "/dev/null";

pub(super) fn is_diff(text: &str) -> bool {
    let has = |begin: &str| text.lines().any(|line| line.starts_with(begin));
    (has("--- ") && has("+++ ")) || (has("@@") && (has("+") || has("-"))) || has("diff --git ")
}

/// `file` is the one that it is for, where it names none.
pub(super) fn read(text: &str, file: Option<&str>) -> Result<Vec<FilePatch>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut reading = Reading { file, ..Reading::default() };
    let mut at = 0;
    while at < lines.len() {
        if heads(&lines[at..], reading.open) {
            reading.head(lines[at], lines[at + 1])?;
            at += 2;
        } else {
            reading.line(lines[at]).map_err(|what| format!("line {} of it: {what}", at + 1))?;
            at += 1;
        }
    }
    reading.close()?;
    Ok(reading.files)
}

/// Do these lines say which file comes? Inside a change a line that goes and one that comes may look like them.
fn heads(lines: &[&str], inside: bool) -> bool {
    let begins = |nth: usize, begin: &str| lines.get(nth).is_some_and(|line| line.starts_with(begin));
    begins(0, "--- ") && begins(1, "+++ ") && (begins(2, "@@") || !inside)
}

#[derive(Default)]
struct Reading<'a> {
    file: Option<&'a str>,
    files: Vec<FilePatch>,
    hunk: Hunk,
    /// Lines of a change come, and not those above it.
    open: bool,
    /// The old name and the new one, where git says that they differ.
    from: Option<String>,
    to: Option<String>,
}

impl Reading<'_> {
    fn head(&mut self, from: &str, to: &str) -> Result<(), String> {
        self.close_hunk()?;
        self.open = false;
        let (from, to) = names(&from[4..], &to[4..]);
        let path = if to == NOWHERE { &from } else { &to };
        if self.file.is_some_and(|file| !super::is_same_file(file, path)) {
            return Err(format!(
                "it is for {path}, and file_path is {}; give one of them",
                self.file.unwrap_or_default()
            ));
        }
        let change = match (from.as_str(), to.as_str()) {
            (NOWHERE, _) => FileChange::Add(String::new()),
            (_, NOWHERE) => FileChange::Delete,
            (from, to) if from == to => FileChange::Update { hunks: Vec::new(), to: None },
            (from, to) if self.is_renamed(from, to) => return Ok(()),
            (from, to) => {
                return Err(format!(
                    "`---` names {from} and `+++` names {to}: nothing tells which of them is to be changed"
                ));
            }
        };
        self.files.push(FilePatch { path: path.clone(), change });
        Ok(())
    }

    /// The file of this head is known already, by `rename from` and `rename to`.
    fn is_renamed(&self, from: &str, to: &str) -> bool {
        let last = self.files.last();
        last.is_some_and(|file| {
            file.path == from && matches!(&file.change, FileChange::Update { to: Some(new), .. } if new == to)
        })
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(ranges) = line.strip_prefix("@@") {
            self.close_hunk()?;
            self.hunk.near = first_line(ranges);
            self.open = true;
            return Ok(());
        }
        if line.starts_with("diff --git ") {
            self.close_hunk()?;
            self.open = false;
        }
        match () {
            () if !self.open => return self.above(line),
            () if line.starts_with("\\ No newline") => self.no_end(),
            () if self.hunk.lines.is_empty() && line.is_empty() => {}
            () => self.hunk.lines.push(hunk_line(line)),
        }
        Ok(())
    }

    /// A line above the changes of a file.
    fn above(&mut self, line: &str) -> Result<(), String> {
        if line.starts_with("Binary files ") || line.starts_with("GIT binary patch") {
            return Err("files that are no text are not changed by a patch".into());
        }
        if let Some(name) = line.strip_prefix("rename from ") {
            self.from = Some(name.trim().to_owned());
        }
        if let Some(name) = line.strip_prefix("rename to ") {
            self.to = Some(name.trim().to_owned());
        }
        if let (Some(path), Some(to)) = (self.from.clone(), self.to.clone()) {
            (self.from, self.to) = (None, None);
            self.files.push(FilePatch { path, change: FileChange::Update { hunks: Vec::new(), to: Some(to) } });
        }
        Ok(())
    }

    /// The line before has no end. That counts where all of the text is given.
    fn no_end(&mut self) {
        if matches!(self.hunk.lines.last(), Some(HunkLine::New(_))) {
            self.hunk.at_end = true;
        }
    }

    fn close_hunk(&mut self) -> Result<(), String> {
        let hunk = Hunk { ordered: true, ..std::mem::take(&mut self.hunk) };
        if hunk.lines.is_empty() {
            return Ok(());
        }
        if self.files.is_empty() {
            let path =
                self.file.ok_or("it names no file; `--- a/PATH` and `+++ b/PATH` must stand above the changes")?;
            self.files
                .push(FilePatch { path: path.to_owned(), change: FileChange::Update { hunks: Vec::new(), to: None } });
        }
        match self.files.last_mut().map(|file| &mut file.change) {
            Some(FileChange::Add(text)) => add(hunk, text),
            Some(FileChange::Update { hunks, .. }) => {
                close(Hunk { at_end: false, ..hunk }, hunks);
                Ok(())
            }
            Some(FileChange::Delete) | None => Ok(()),
        }
    }

    fn close(&mut self) -> Result<(), String> {
        self.close_hunk()
    }
}

/// Gives a new file the lines of `hunk`.
fn add(mut hunk: Hunk, text: &mut String) -> Result<(), String> {
    while matches!(hunk.lines.last(), Some(HunkLine::Both(line)) if line.trim().is_empty()) {
        hunk.lines.pop();
    }
    for line in &hunk.lines {
        match line {
            HunkLine::New(line) => text.push_str(line),
            HunkLine::Both(line) if line.trim().is_empty() => {}
            HunkLine::Both(_) | HunkLine::Old(_) => return Err("each line of a new file begins with +".into()),
        }
        text.push('\n');
    }
    if hunk.at_end {
        text.truncate(text.trim_end_matches('\n').len());
    }
    Ok(())
}

/// Both names, without the dates behind them and git's `a/` and `b/` before them.
fn names(from: &str, to: &str) -> (String, String) {
    let name = |line: &str| line.split('\t').next().unwrap_or_default().trim().trim_matches('"').to_owned();
    let (from, to) = (name(from), name(to));
    let is_gits = |name: &str, begin: &str| name == NOWHERE || name.starts_with(begin);
    if !is_gits(&from, "a/") || !is_gits(&to, "b/") {
        return (from, to);
    }
    let short = |name: &str| name.strip_prefix("a/").or_else(|| name.strip_prefix("b/")).unwrap_or(name).to_owned();
    (short(&from), short(&to))
}

//! The files of a small project in memory: read from a folder, laid into one, compared.

use similar::{Algorithm, ChangeTag, TextDiff};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path};

/// Files by their path, parts joined by `/`.
pub type Files = BTreeMap<String, Vec<u8>>;

/// No file of a task or of what a model made of one is read beyond this many bytes.
const LARGEST: u64 = 4 << 20;
/// Nor are more files than this.
const MOST: usize = 5_000;

/// The plain files below `folder`, those in `.git` left out and links not followed. Not there: no files.
///
/// # Errors
/// The system's words.
pub fn read(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    if folder.is_dir() {
        collect(folder, "", &mut files)?;
    }
    Ok(files)
}

fn collect(folder: &Path, prefix: &str, files: &mut Files) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let (kind, path) = (entry.file_type()?, format!("{prefix}{name}"));
        if kind.is_dir() && name != ".git" {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() && entry.metadata()?.len() <= LARGEST && files.len() < MOST {
            files.insert(path, fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// Writes `files` into `folder`, which is made where it is not there. Shell scripts can be run.
///
/// # Errors
/// The system's words; a path that leads out of the folder.
pub fn lay(folder: &Path, files: &Files) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, content) in files {
        let relative = Path::new(name);
        if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{name} leads out of the project")));
        }
        let path = folder.join(relative);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        let runs = content.starts_with(b"#!");
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(if runs { 0o755 } else { 0o644 });
        options.open(&path)?.write_all(content)?;
    }
    Ok(())
}

/// Writes a file so that it is there whole or not at all.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// `over` laid over `under`.
pub fn laid_over(under: &Files, over: &Files) -> Files {
    under.iter().chain(over).map(|(name, content)| (name.clone(), content.clone())).collect()
}

/// Paths that are not the same in both.
pub fn differing(before: &Files, after: &Files) -> BTreeSet<String> {
    let names = before.keys().chain(after.keys()).collect::<BTreeSet<_>>();
    names.into_iter().filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}

/// Lines removed and lines added, summed over all files.
pub fn changed_lines(before: &Files, after: &Files) -> usize {
    differing(before, after).iter().map(|name| lines_between(before.get(name), after.get(name))).sum()
}

/// What was changed, as a unified difference. Of what is no text the names alone.
pub fn difference(before: &Files, after: &Files) -> String {
    let text = |files: &Files, name: &str| match files.get(name).map(|content| std::str::from_utf8(content)) {
        None => Some(String::new()),
        Some(text) => text.ok().map(str::to_owned),
    };
    let mut all = String::new();
    for name in differing(before, after) {
        match (text(before, &name), text(after, &name)) {
            (Some(old), Some(new)) => {
                let diff = TextDiff::from_lines(&old, &new);
                all += &diff.unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string();
            }
            (_, _) => all += &format!("a/{name} and b/{name} are not the same, and no text\n"),
        }
    }
    all
}

fn lines_between(before: Option<&Vec<u8>>, after: Option<&Vec<u8>>) -> usize {
    let text = |content: Option<&Vec<u8>>| String::from_utf8_lossy(content.map_or(&[], Vec::as_slice)).into_owned();
    let (before, after) = (text(before), text(after));
    // Line ends are no part of a line: a last line without one is not another line.
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).diff_slices(&old, &new);
    diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(list: &[(&str, &str)]) -> Files {
        list.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn what_was_laid_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let written = files(&[("a.txt", "one\n"), ("src/deep/b.sh", "#!/bin/sh\n")]);
        lay(folder.path(), &written).unwrap();
        fs::create_dir(folder.path().join(".git")).unwrap();
        fs::write(folder.path().join(".git/config"), "x").unwrap();
        assert_eq!(read(folder.path()).unwrap(), written);
    }

    #[test]
    fn a_path_that_leads_out_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        assert!(lay(folder.path(), &files(&[("../out", "x")])).is_err());
        assert!(lay(folder.path(), &files(&[("/tmp/out", "x")])).is_err());
    }

    #[test]
    fn a_changed_line_counts_twice_and_a_new_one_once() {
        let before = files(&[("a", "1\n2\n3\n"), ("gone", "x\n")]);
        assert_eq!(changed_lines(&before, &files(&[("a", "1\ntwo\n3\n4"), ("gone", "x\n")])), 3);
        assert_eq!(changed_lines(&before, &files(&[("a", "1\n2\n3")])), 1, "a file that is gone");
    }
}

//! The files of a small project in memory: read from a folder, laid into one, compared.

use diffy::patch_set::{FileOperation, ParseOptions, PatchSet};
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

/// The files below `folder`, which ends in `/`, named from there.
pub(crate) fn below(files: &Files, folder: &str) -> Files {
    let inside = |(name, content): (&String, &Vec<u8>)| Some((name.strip_prefix(folder)?.to_owned(), content.clone()));
    files.iter().filter_map(inside).collect()
}

/// `over` laid over `under`.
pub fn laid_over(under: &Files, over: &Files) -> Files {
    under.iter().chain(over).map(|(name, content)| (name.clone(), content.clone())).collect()
}

/// The files that `patch`, a unified difference, makes of those in `before`: each that it names, as it is afterwards.
///
/// # Errors
/// It is no such difference, does not fit, or takes a file away.
pub(crate) fn patched(before: &Files, patch: &str) -> Result<Files, String> {
    let mut after = Files::new();
    for part in PatchSet::parse(patch, ParseOptions::unidiff()) {
        let part = part.map_err(|error| error.to_string())?;
        let (old, name) = match part.operation().strip_prefix(1) {
            FileOperation::Create(name) => (String::new(), name.into_owned()),
            // Where it is not there, `diff -N` adds it to an empty one.
            FileOperation::Modify { modified, .. } => {
                let old = before.get(&*modified).map_or(&[][..], Vec::as_slice);
                (String::from_utf8_lossy(old).into_owned(), modified.into_owned())
            }
            FileOperation::Delete(name)
            | FileOperation::Rename { from: name, .. }
            | FileOperation::Copy { from: name, .. } => {
                return Err(format!("{name} is removed, renamed or copied; an answer only changes and adds files"));
            }
        };
        let text = part.patch().as_text().ok_or(format!("{name} is no text"))?;
        let new = diffy::apply(&old, text).map_err(|error| format!("{name}: {error}"))?;
        after.insert(name, new.into_bytes());
    }
    if after.is_empty() { Err("it holds no difference; write one as `diff -u` does".into()) } else { Ok(after) }
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
    fn what_is_changed_is_written_as_a_difference_and_read_again() {
        let before = files(&[("a.txt", "one\ntwo"), ("src/b.sh", "x\n"), ("same", "s\n")]);
        let after = files(&[("a.txt", "one\n2"), ("src/b.sh", "x\ny\n")]);
        let patch = "diff -u a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n\
            \\ No newline at end of file\n+2\n\\ No newline at end of file\ndiff -u a/src/b.sh b/src/b.sh\n\
            --- a/src/b.sh\n+++ b/src/b.sh\n@@ -1 +1,2 @@\n x\n+y\n";
        assert_eq!(patched(&before, patch).unwrap(), after);
        let new = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n";
        assert_eq!(patched(&before, new).unwrap(), files(&[("new.txt", "new\n")]));
        let by_diff = "diff -ruN start/n/new.txt solved/n/new.txt\n--- start/n/new.txt\t1970-01-01 01:00:00.0 +0100\n\
            +++ solved/n/new.txt\t2026-11-30 21:40:00.123456789 +0100\n@@ -0,0 +1 @@\n+new\n";
        assert_eq!(patched(&before, by_diff).unwrap(), files(&[("n/new.txt", "new\n")]));
        for (patch, why) in [
            ("no difference", "patch"),
            ("--- a/gone\n+++ b/gone\n@@ -1 +1 @@\n-a\n+b\n", "gone: "),
            ("--- a/same\n+++ b/same\n@@ -1 +1 @@\n-a\n+b\n", "same: "),
            ("--- a/same\n+++ /dev/null\n@@ -1 +0,0 @@\n-s\n", "only changes and adds"),
        ] {
            assert!(patched(&before, patch).unwrap_err().contains(why), "{patch}");
        }
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

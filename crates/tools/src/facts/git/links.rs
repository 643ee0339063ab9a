//! How repositories and their files lead to one another: a file `.git` to a repository, and that back to its files.
//!
//! These files may be anybody's: only plain ones are read, and no more of them than git would write.

use crate::open::plain_file;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The longest file that leads to a repository; a path is no longer.
const WAY: u64 = 8_192;
/// The longest file of settings that is read for where files lie.
const LONGEST: u64 = 1 << 20;

/// One setting: its name as git lists it, and its value as it is written.
pub(crate) type Setting = (String, String);

/// The repository that the file `.git` at `path` names, links resolved.
pub(crate) fn named_by(path: &Path) -> Option<PathBuf> {
    named_in(&plain_file(path, WAY)?, path.parent()?)
}

/// The repository that the text of a file `.git` in `folder` names, links resolved.
pub(crate) fn named_in(text: &[u8], folder: &Path) -> Option<PathBuf> {
    leads_to(text.strip_prefix(b"gitdir: ")?, folder)
}

/// Where the path in the file `name` of the repository `git_dir` leads, if there is such a file.
pub(crate) fn way(git_dir: &Path, name: &str) -> Option<Option<PathBuf>> {
    plain_file(&git_dir.join(name), WAY).map(|text| leads_to(&text, git_dir))
}

/// Does the repository `git_dir` keep the files in `tree`, by its own account? It names the file `.git` of a linked work tree,
/// and the folder of a submodule.
pub(crate) fn leads_back(git_dir: &Path, tree: &Path) -> bool {
    let is_work_tree = way(git_dir, "gitdir").flatten().is_some_and(|back| back == tree.join(".git"));
    let named = |file: &str| {
        let settings = settings_in(&plain_file(&git_dir.join(file), LONGEST)?)?;
        let (_, value) = settings.into_iter().rfind(|(key, _)| key == "core.worktree")?;
        leads_to(unquoted(value).as_bytes(), git_dir)
    };
    is_work_tree || named("config.worktree").or_else(|| named("config")).is_some_and(|named| named == tree)
}

/// Where the path in `text` leads from the folder `from`.
fn leads_to(text: &[u8], from: &Path) -> Option<PathBuf> {
    from.join(OsStr::from_bytes(text.trim_ascii_end())).canonicalize().ok()
}

pub(crate) fn unquoted(value: String) -> String {
    match value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) {
        Some(inner) => inner.to_owned(),
        None => value,
    }
}

/// All settings in `text`, in order; `None` where it is not written as git writes it.
pub(crate) fn settings_in(text: &[u8]) -> Option<Vec<Setting>> {
    let text = std::str::from_utf8(text).ok()?;
    let (mut prefix, mut found) = (None, Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with('[') {
            prefix = Some(section(line)?);
            continue;
        }
        // A line that goes on in the next could hide anything.
        if line.ends_with('\\') {
            return None;
        }
        let (name, value) = line.split_once('=').unwrap_or((line, ""));
        let key = format!("{}{}", prefix.as_deref()?, name.trim().to_lowercase());
        found.push((key, value.trim().to_owned()));
    }
    Some(found)
}

/// `core.` of `[core]`, `branch.Main.` of `[branch "Main"]`.
fn section(line: &str) -> Option<String> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    match inner.split_once(' ') {
        None => plain(inner).then(|| format!("{}.", inner.to_lowercase())),
        Some((name, middle)) => {
            let middle = middle.trim().strip_prefix('"')?.strip_suffix('"')?;
            let fits = plain(name) && !middle.contains(['"', '\\', ']']);
            fits.then(|| format!("{}.{middle}.", name.to_lowercase()))
        }
    }
}

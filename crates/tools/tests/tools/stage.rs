//! What a case is played on: a copy of its `before/`, its scripts, and what it must leave. The cases are played here, and
//! once more through the whole loop.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Path inside the project to what is there: a file's bytes and rights, where a link leads.
pub(crate) type Tree = BTreeMap<String, (String, Vec<u8>)>;

/// What is there, but for the files that are named in `gone`, one a line.
pub(crate) fn without(mut tree: Tree, gone: &Path) -> Tree {
    for name in std::fs::read_to_string(gone).unwrap_or_default().lines() {
        assert!(tree.remove(name).is_some(), "{name} was not there");
    }
    tree
}

/// Everything must be as it was, but for the files that `after` names.
pub(crate) fn compare_trees(mut expected: Tree, found: &Tree, after: &Path) -> Result<(), String> {
    let renamed = TempDir::new().unwrap();
    copy(after, renamed.path());
    for (name, (kind, bytes)) in tree(renamed.path()) {
        let kind = expected.get(&name).or_else(|| found.get(&name)).map_or(kind, |(kind, _)| kind.clone());
        expected.insert(name, (kind, bytes));
    }
    if *found == expected { Ok(()) } else { Err(format!("expected files:\n{expected:?}\nfound:\n{found:?}")) }
}

pub(crate) fn script(path: &Path, project: &Path) -> Result<(), String> {
    if !path.exists() {
        return Ok(());
    }
    let output = Command::new("sh").arg("-eu").arg(path).current_dir(project).output().unwrap();
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{} failed: {}", path.display(), String::from_utf8_lossy(&output.stderr)))
}

pub(crate) fn copy(from: &Path, to: &Path) {
    let Ok(entries) = std::fs::read_dir(from) else { return };
    for entry in entries.map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let name = name.strip_prefix("dot_").map_or(name.clone(), |rest| format!(".{rest}"));
        let target = to.join(name);
        if entry.path().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

pub(crate) fn tree(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    fill(folder, folder, &mut tree);
    tree
}

fn fill(top: &Path, folder: &Path, tree: &mut Tree) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = path.strip_prefix(top).unwrap().to_string_lossy().into_owned();
        let metadata = path.symlink_metadata().unwrap();
        if metadata.is_dir() {
            fill(top, &path, tree);
        } else if metadata.is_symlink() {
            let target = std::fs::read_link(&path).unwrap();
            tree.insert(name, (format!("link to {}", target.display()), Vec::new()));
        } else if metadata.is_file() {
            let kind = format!("file {:o}", metadata.permissions().mode() & 0o7777);
            tree.insert(name, (kind, std::fs::read(&path).unwrap()));
        } else {
            tree.insert(name, ("special".into(), Vec::new()));
        }
    }
}

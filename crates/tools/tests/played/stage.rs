//! What a case is played on: a project with its files, its scripts, and what it must leave. The cases are played here, and
//! once more through the whole loop.

use crate::case::Case;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Path inside the project to what is there: a file's bytes and rights, where a link leads.
pub(crate) type Tree = BTreeMap<String, (String, Vec<u8>)>;

/// Everything must be as it was, but for the files that the case says have changed or are gone.
pub(crate) fn compare(case: &Case, mut expected: Tree, project: &Path) -> Result<(), String> {
    let mut found = tree(project);
    for name in case.gone() {
        assert!(expected.remove(name).is_some(), "{name} was not there");
    }
    for (name, bytes) in case.after() {
        let there = expected.get(name).or_else(|| found.get(name));
        let kind = there.map_or("file".into(), |(kind, _)| kind.clone());
        expected.insert(name.into(), (kind, bytes.into()));
    }
    if case.is_about_git() {
        [&mut expected, &mut found].into_iter().for_each(|tree| tree.retain(|name, _| !name.starts_with(".git/")));
    }
    if found == expected { Ok(()) } else { Err(format!("expected files:\n{expected:?}\nfound:\n{found:?}")) }
}

/// Runs a script of the case in the project, if the case has one of this kind.
pub(crate) fn script(case: &Case, kind: &str, project: &Path) -> Result<(), String> {
    let Some(text) = case.script(kind) else { return Ok(()) };
    let output = Command::new("sh").args(["-euc", &text]).current_dir(project).output().unwrap();
    if output.status.success() {
        return Ok(());
    }
    Err(format!("the case's {kind} failed: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Writes the files of the case and runs its `setup`.
pub(crate) fn lay_out(case: &Case, project: &Path) -> Result<(), String> {
    for (name, bytes) in case.before() {
        let path = project.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    script(case, "setup", project)
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

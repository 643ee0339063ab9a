//! Folders of what is built or fetched: nobody wants their files told one by one, nor kept. Told apart by their name and by
//! a mark that the program which made them left in them; a folder that is only called so is one like any other.

use agent_protocol::FolderReceipt;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Names, each with marks of which one must be there; none: the name is enough.
const FOLDERS: &[(&str, &[&str])] = &[
    (".venv", &["pyvenv.cfg"]),
    ("venv", &["pyvenv.cfg"]),
    ("env", &["pyvenv.cfg"]),
    ("node_modules", &[".package-lock.json", ".yarn-integrity", ".modules.yaml", ".yarn-state.yml", ".bin"]),
    ("target", &["CACHEDIR.TAG", ".rustc_info.json"]),
    (".gradle", &["buildOutputCleanup", "file-system.probe", "vcs-1"]),
    (".tox", &["CACHEDIR.TAG", "log"]),
    (".nox", &["CACHEDIR.TAG"]),
    (".pytest_cache", &["CACHEDIR.TAG"]),
    (".mypy_cache", &["CACHEDIR.TAG"]),
    (".ruff_cache", &["CACHEDIR.TAG"]),
    ("__pycache__", &[]),
];
/// Where in such a folder a change is seen that is not seen on the folder itself.
const STAMPS: &[&str] =
    &[".package-lock.json", ".modules.yaml", ".yarn-integrity", "debug", "release", ".rustc_info.json"];
/// Folders of the project in which such a folder is looked for, beside the project's own.
const MOST_FOLDERS: usize = 64;
/// Files that are counted in one at most.
const MOST_FILES: u64 = 200_000;

pub(crate) fn is_built(folder: &Path) -> bool {
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { return false };
    let there = |mark: &&str| folder.join(mark).symlink_metadata().is_ok();
    FOLDERS.iter().any(|(known, marks)| *known == name && (marks.is_empty() || marks.iter().any(there)))
}

/// The folders of a project at one moment, by path, each with when it was changed last as far as a few looks tell.
#[derive(Debug, Default)]
pub(crate) struct Built(BTreeMap<PathBuf, Option<SystemTime>>);

impl Built {
    /// Those right in the project or one folder below. Blocking.
    pub(crate) fn of(root: &Path) -> Self {
        let mut places = vec![root.to_owned()];
        let inner = folders(root).filter(|folder| !is_built(folder) && !folder.ends_with(".git"));
        places.extend(inner.take(MOST_FOLDERS));
        let candidates = places.iter().flat_map(|place| FOLDERS.iter().map(|(name, _)| place.join(name)));
        Built(candidates.filter(|folder| is_built(folder)).map(|folder| (folder.clone(), changed(&folder))).collect())
    }

    /// What became of them: the new ones with the number of their files, and those that changed. What only keeps a
    /// compiler's notes is left out. Blocking.
    pub(crate) fn since(&self, before: &Built, root: &Path) -> Vec<FolderReceipt> {
        let told = self.0.iter().filter(|(folder, changed)| before.0.get(*folder) != Some(changed));
        let told = told.filter(|(folder, _)| !is_a_cache(folder));
        told.map(|(folder, _)| FolderReceipt {
            shown_path: folder.strip_prefix(root).unwrap_or(folder).display().to_string(),
            files: if before.0.contains_key(folder) { 0 } else { files(folder) },
        })
        .collect()
    }
}

/// Of no interest to anybody, not even as a folder.
fn is_a_cache(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name == "__pycache__" || name.ends_with("_cache")
}

fn folders(place: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path())
}

/// When it was changed last: the folder, a few files in it that programs write at their end, and Python's packages.
fn changed(folder: &Path) -> Option<SystemTime> {
    let pythons = folders(&folder.join("lib")).map(|python| python.join("site-packages"));
    let places = STAMPS.iter().map(|name| folder.join(name)).chain(pythons).chain([folder.to_owned()]);
    places.filter_map(|place| place.metadata().and_then(|found| found.modified()).ok()).max()
}

fn files(folder: &Path) -> u64 {
    let (mut open, mut count) = (vec![folder.to_owned()], 0);
    while let Some(place) = open.pop() {
        for entry in fs::read_dir(place).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(entry.path()),
                Ok(_) | Err(_) => count += 1,
            }
            if count >= MOST_FILES {
                return count;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, name: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }

    #[test]
    fn a_folder_is_known_by_the_mark_that_its_program_left() {
        let root = tempfile::tempdir().unwrap();
        for name in ["venv/notes.txt", "target/plan.md", "node_modules/ours.js"] {
            write(root.path(), name);
            assert!(!is_built(root.path().join(name).parent().unwrap()), "{name}: only called so");
        }
        for (folder, mark) in
            [("venv", "pyvenv.cfg"), ("target", "CACHEDIR.TAG"), ("node_modules", ".package-lock.json")]
        {
            write(root.path(), &format!("{folder}/{mark}"));
            assert!(is_built(&root.path().join(folder)), "{folder}");
        }
        assert!(!is_built(&root.path().join("dist")), "without git's word nobody knows");
    }

    #[test]
    fn new_folders_are_told_with_their_files_and_others_when_they_changed() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "web/package.json");
        write(root.path(), "target/CACHEDIR.TAG");
        let before = Built::of(root.path());
        assert_eq!(Built::of(root.path()).since(&before, root.path()), []);
        for name in [".venv/pyvenv.cfg", ".venv/lib/a.py", ".venv/bin/b", "web/node_modules/.package-lock.json"] {
            write(root.path(), name);
        }
        write(root.path(), "src/__pycache__/a.pyc");
        // A stamp of its own, so that no clock is too coarse for it.
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        let stamp = fs::File::create(root.path().join("target/.rustc_info.json")).unwrap();
        stamp.set_modified(later).unwrap();
        let told = Built::of(root.path()).since(&before, root.path());
        let words: Vec<String> = told.iter().map(FolderReceipt::words).collect();
        assert_eq!(words, ["+3 in .venv", "target", "+1 in web/node_modules"]);
    }
}

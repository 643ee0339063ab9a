//! What a command that can reach a host does not see: places of secrets in the home, our own folders, and files of the
//! project whose names say that they hold secrets.

use crate::facts::git::GitIndex;
use agent_policy::names::{Resolved, is_secret, secrets_at_home};
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

/// Entries of a project that are looked at. Whoever has more is told so: not all of it is known then.
const MOST: usize = 50_000;
/// Files that are hidden; each costs the start of a command a little.
const MOST_HIDDEN: usize = 256;
/// What others wrote and everybody can have: certificates in there are no secrets, and programs need them.
const OTHERS: &[&str] = &[
    ".git",
    "node_modules",
    "site-packages",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    "vendor",
    "target",
    "__pycache__",
    ".gradle",
    ".cargo",
    "bower_components",
];

/// Files of a project that hold secrets by their names.
pub(super) struct SecretPlaces {
    pub(super) files: Vec<PathBuf>,
    /// All of it was looked at, and all that was found is here.
    pub(super) whole: bool,
}

/// The folder of ours with programs of the user's own, which are run from there.
const TOOLS: &str = "tools";

/// What is there of the places of secrets in `home`, and of `own`; links resolved. What holds the project stays visible, and
/// so do the user's own tools.
pub(super) fn at_home(home: Option<&Path>, root: &Path, own: &[PathBuf]) -> Vec<PathBuf> {
    let places = home.into_iter().flat_map(|home| secrets_at_home().iter().map(|place| home.join(place)));
    let own = own.iter().flat_map(|folder| but_tools(folder));
    let there = places.chain(own).filter_map(|place| place.canonicalize().ok());
    let mut there: Vec<PathBuf> = there.filter(|place| !root.starts_with(place)).collect();
    there.sort();
    // What lies in a hidden folder is hidden with it.
    there.dedup_by(|one, before| one.starts_with(&*before));
    there
}

/// `folder`; where there are tools in it, all else that is in it.
fn but_tools(folder: &Path) -> Vec<PathBuf> {
    if !folder.join(TOOLS).is_dir() {
        return vec![folder.to_owned()];
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_name() != TOOLS).map(|entry| entry.path()).collect()
}

/// What of the project says by its name that it holds secrets, but for what git keeps. Follows no links.
pub(super) fn in_project(root: &Path, home: Option<&Path>, tracked: &GitIndex) -> SecretPlaces {
    let home = home.and_then(Resolved::new);
    let (mut files, mut looked) = (Vec::new(), 0);
    let mut folders = VecDeque::from([root.to_owned()]);
    while let Some(folder) = folders.pop_front() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            looked += 1;
            if looked > MOST || files.len() > MOST_HIDDEN {
                return SecretPlaces { files, whole: false };
            }
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            if kind.is_dir() {
                if !OTHERS.iter().any(|other| entry.file_name() == *other) {
                    folders.push_back(path);
                }
            } else if kind.is_file()
                && Resolved::new(&path).is_some_and(|path| is_secret(path, home))
                && !tracked.has(&path)
            {
                files.push(path);
            }
        }
    }
    files.sort();
    SecretPlaces { files, whole: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    fn write(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    #[test]
    fn of_a_home_what_is_there_is_hidden_and_what_holds_the_project_is_not() {
        let folder = TempDir::new().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for name in
            [".ssh/id_ed25519", ".npmrc", ".config/gh/hosts.yml", "notes.txt", ".kube/p/main.rs", "state/agent/s"]
        {
            write(&home.join(name));
        }
        // Kept elsewhere, as people do who keep their settings in a repository.
        write(&home.join("dotfiles/netrc"));
        symlink(home.join("dotfiles/netrc"), home.join(".netrc")).unwrap();
        let own = [home.join("state/agent"), home.join(".ssh"), home.join("not/there")];
        let hidden = at_home(Some(&home), &home.join(".kube/p"), &own);
        let names = [".config/gh", ".npmrc", ".ssh", "dotfiles/netrc", "state/agent"];
        assert_eq!(hidden, names.map(|name| home.join(name)));
    }

    #[test]
    fn of_a_project_what_is_named_so_is_found_but_for_what_others_wrote() {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let secret = [".env", "config/master.key", "deep/er/server.pem"];
        let others = [".venv/lib/site-packages/certifi/cacert.pem", "node_modules/a/.env", ".git/x.key", "src/main.rs"];
        secret.iter().chain(&others).for_each(|name| write(&root.join(name)));
        symlink("/", root.join("everything")).unwrap();
        let found = in_project(&root, None, &GitIndex::of(&root));
        assert_eq!((found.files, found.whole), (secret.map(|name| root.join(name)).to_vec(), true));
    }

    #[test]
    fn of_one_that_is_too_large_it_is_said_that_not_all_is_known() {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for number in 0..=MOST_HIDDEN + 1 {
            write(&root.join(format!("{number}.key")));
        }
        let found = in_project(&root, None, &GitIndex::of(&root));
        assert!(!found.whole && found.files.len() > MOST_HIDDEN);
    }
}

//! The names of a project's files and folders, for a person who names one in a message: what git sees, without those whose
//! names say that they hold secrets. No model is told of them.

use crate::blocking::Stop;
use crate::pattern::Hidden;
use crate::walk::{Area, Entry, EntryKind, by_name, walk_each};
use crate::workspace::Workspace;
use std::cmp::Reverse;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// Names that are told at most.
const MOST: usize = 200_000;
/// Names that stand first because their files were changed last.
const RECENT: usize = 200;
/// So long they are looked for; what is found by then is told.
const TIME: Duration = Duration::from_secs(5);

/// A file or folder.
struct Named {
    path: PathBuf,
    /// When the file was changed last; `None`: it is a folder.
    changed: Option<SystemTime>,
}

/// Files, and folders with a slash at the end: those changed last first, the others by name. Are there more? Blocking.
pub(crate) fn file_names(workspace: &Workspace) -> (Vec<String>, bool) {
    names(workspace, MOST, &Stop::at(Instant::now() + TIME))
}

fn names(workspace: &Workspace, most: usize, stop: &Stop) -> (Vec<String>, bool) {
    let take = |(): &mut (), entry: Entry| named(workspace, entry);
    let mut found = walk_each(Area::whole(workspace.root()), Hidden::Shown, stop, || (), take);
    let more = found.len() > most || stop.wanted();
    found.sort_unstable_by(|one, other| by_name(&one.path, &other.path));
    found.truncate(most);
    let mut order: Vec<usize> = (0..found.len()).filter(|at| found[*at].changed.is_some()).collect();
    order.sort_by_key(|at| Reverse(found[*at].changed));
    order.truncate(RECENT);
    let mut is_first = vec![false; found.len()];
    order.iter().for_each(|at| is_first[*at] = true);
    order.extend((0..found.len()).filter(|at| !is_first[*at]));
    let names = order.into_iter().map(|at| {
        let Named { path, changed } = &found[at];
        let end = if changed.is_none() { "/" } else { "" };
        format!("{}{end}", workspace.shown(path))
    });
    (names.collect(), more)
}

/// What may be named of what was found.
fn named(workspace: &Workspace, entry: Entry) -> Option<Named> {
    let is_folder = match entry.kind {
        EntryKind::File => false,
        EntryKind::Folder => true,
        EntryKind::Link(_) | EntryKind::Special => return None,
    };
    if workspace.is_secret(&entry.path) {
        return None;
    }
    let changed = || std::fs::symlink_metadata(&entry.path).and_then(|known| known.modified());
    let changed = (!is_folder).then(|| changed().unwrap_or(SystemTime::UNIX_EPOCH));
    Some(Named { path: entry.path, changed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};

    #[test]
    fn what_was_changed_last_stands_first_and_what_git_ignores_or_holds_secrets_nowhere() {
        let folder = tempfile::TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        for (name, age) in
            [("src/b.rs", 20), ("src/a.rs", 10), ("z.md", 5), (".gitignore", 30), ("built/x", 1), (".env", 1)]
        {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "built\n").unwrap();
            let file = File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age * 60)).unwrap();
        }
        let workspace = Workspace::new(&root);
        let all = ["z.md", "src/a.rs", "src/b.rs", ".gitignore", "src/"].map(str::to_owned).to_vec();
        assert_eq!(file_names(&workspace), (all, false));
        let (some, more) = names(&workspace, 2, &Stop::default());
        assert_eq!((some.len(), more), (2, true));
    }
}

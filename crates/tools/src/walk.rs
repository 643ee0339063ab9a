//! Goes through folders the way git sees them: what `.gitignore` names is left out, hidden files are unless asked for,
//! `.git` always is, and links are not followed. The order is always the same.

use crate::blocking::Stop;
use crate::pattern::Hidden;
use ignore::{WalkBuilder, WalkState};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

/// Threads that look through folders.
const THREADS: usize = 4;

/// Something found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    /// With what it says, which may be anything.
    Link(PathBuf),
    /// A pipe, socket or device.
    Special,
}

/// How far down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Only what is in the folder itself.
    One,
    All,
}

/// Everything below `base`, sorted by path.
pub(crate) fn walk(base: &Path, hidden: Hidden, depth: Depth, stop: &Stop) -> Vec<Entry> {
    let (sender, found) = mpsc::channel();
    walker(base, hidden, depth).build_parallel().run(|| {
        let sender = sender.clone();
        Box::new(move |entry| {
            if stop.wanted() {
                return WalkState::Quit;
            }
            // A folder that cannot be read is as good as empty.
            if let Some(entry) = entry.ok().filter(|entry| entry.depth() > 0)
                && let Some(kind) = kind(&entry)
            {
                // The receiver outlives the walk.
                let _ = sender.send(Entry { path: entry.into_path(), kind });
            }
            WalkState::Continue
        })
    });
    drop(sender);
    let mut entries: Vec<Entry> = found.into_iter().collect();
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    entries
}

fn walker(base: &Path, hidden: Hidden, depth: Depth) -> WalkBuilder {
    let mut walker = WalkBuilder::new(base);
    walker
        .hidden(hidden == Hidden::Left)
        .require_git(false)
        .follow_links(false)
        .threads(THREADS)
        .max_depth(match depth {
            Depth::One => Some(1),
            Depth::All => None,
        })
        .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
    walker
}

fn kind(entry: &ignore::DirEntry) -> Option<Kind> {
    let kind = entry.file_type()?;
    Some(if kind.is_symlink() {
        Kind::Link(std::fs::read_link(entry.path()).unwrap_or_default())
    } else if kind.is_dir() {
        Kind::Folder
    } else if kind.is_file() {
        Kind::File
    } else {
        Kind::Special
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::one_line;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    fn project() -> TempDir {
        let folder = TempDir::new().unwrap();
        for (path, text) in [
            ("b.rs", ""),
            ("a/z.rs", ""),
            ("a/.gitignore", "made/\n*.log\n"),
            ("a/made/x.rs", ""),
            ("a/x.log", ""),
            (".hidden/h.rs", ""),
            (".git/config", ""),
        ] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        symlink("..", folder.path().join("a/up")).unwrap();
        folder
    }

    fn names(project: &TempDir, base: &str, hidden: Hidden, depth: Depth) -> Vec<String> {
        let found = walk(&project.path().join(base), hidden, depth, &Stop::default());
        found.iter().map(|entry| one_line(entry.path.strip_prefix(project.path()).unwrap())).collect()
    }

    #[test]
    fn ignored_and_hidden_files_are_left_out_and_links_not_followed() {
        let project = project();
        assert_eq!(names(&project, "", Hidden::Left, Depth::All), ["a", "a/up", "a/z.rs", "b.rs"]);
        assert_eq!(names(&project, "", Hidden::Left, Depth::One), ["a", "b.rs"]);
    }

    #[test]
    fn hidden_files_come_when_asked_for_but_never_git_itself() {
        let project = project();
        let found = names(&project, "", Hidden::Shown, Depth::All);
        assert_eq!(found, [".hidden", ".hidden/h.rs", "a", "a/.gitignore", "a/up", "a/z.rs", "b.rs"]);
    }

    #[test]
    fn a_folder_that_is_named_is_looked_into_even_if_hidden_or_ignored() {
        let project = project();
        assert_eq!(names(&project, ".hidden", Hidden::Left, Depth::All), [".hidden/h.rs"]);
        assert_eq!(names(&project, "a/made", Hidden::Left, Depth::All), ["a/made/x.rs"]);
    }
}

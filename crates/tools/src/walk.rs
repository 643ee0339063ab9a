//! Goes through folders the way git sees them: what `.gitignore` names is left out, hidden files are unless asked for,
//! `.git` always is, and links are not followed. The order is always the same.

use crate::blocking::Stop;
use crate::pattern::Hidden;
use crate::undo::is_built;
use ignore::{WalkBuilder, WalkState};
use std::cmp;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Threads that look through folders at most; as many as there are cores, for they do not wait.
const THREADS: usize = 12;
/// Entries after which nothing more is looked for. Nobody reads so many, and memory is not without end.
const MOST: usize = 1_000_000;

/// Something found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    pub(crate) kind: EntryKind,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
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

/// Hidden files that are found none the less.
pub(crate) type Beside = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

/// Are files wanted that `.gitignore` names?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByGit {
    Left,
    Shown,
}

/// Everything below `base`, sorted by path; what `.gitignore` names as it is wanted.
pub(crate) fn walk_by(base: &Path, hidden: Hidden, depth: Depth, by_git: ByGit, stop: &Stop) -> Vec<Entry> {
    let mut walker = walker(base, hidden, depth);
    if by_git == ByGit::Shown {
        walker.git_ignore(false).git_exclude(false).git_global(false).ignore(false).parents(false);
    }
    through(&walker, stop)
}

/// Everything below `base`, sorted by path.
pub(crate) fn walk(base: &Path, hidden: Hidden, depth: Depth, stop: &Stop) -> Vec<Entry> {
    through(&walker(base, hidden, depth), stop)
}

/// Everything below `base` that is not hidden, and what is `beside` that, sorted by path.
pub(crate) fn walk_beside(base: &Path, beside: Beside, stop: &Stop) -> Vec<Entry> {
    through(&walker_beside(base, beside), stop)
}

fn walker_beside(base: &Path, beside: Beside) -> WalkBuilder {
    let mut walker = walker(base, Hidden::Shown, Depth::All);
    walker.filter_entry(move |entry| {
        let name = entry.file_name();
        let hidden = name.as_encoded_bytes().starts_with(b".");
        let file = || entry.file_type().is_some_and(|kind| kind.is_file());
        entry.depth() == 0 || !hidden || name != ".git" && file() && beside(entry.path())
    });
    walker
}

fn through(walker: &WalkBuilder, stop: &Stop) -> Vec<Entry> {
    let mut entries = each(walker, stop, || (), |(), entry| Some(entry));
    entries.sort_unstable_by(|one, other| by_name(&one.path, &other.path));
    entries
}

/// What `take` makes of everything below `base`, in no order; `new` makes what each thread works with.
pub(crate) fn walk_each<S: Send, T: Send>(
    base: &Path,
    hidden: Hidden,
    stop: &Stop,
    new: impl Fn() -> S,
    take: impl Fn(&mut S, Entry) -> Option<T> + Sync,
) -> Vec<T> {
    each(&walker(base, hidden, Depth::All), stop, new, take)
}

/// The same of what is not hidden, and what is `beside` that.
pub(crate) fn walk_each_beside<S: Send, T: Send>(
    base: &Path,
    beside: Beside,
    stop: &Stop,
    new: impl Fn() -> S,
    take: impl Fn(&mut S, Entry) -> Option<T> + Sync,
) -> Vec<T> {
    each(&walker_beside(base, beside), stop, new, take)
}

fn each<S: Send, T: Send>(
    walker: &WalkBuilder,
    stop: &Stop,
    new: impl Fn() -> S,
    take: impl Fn(&mut S, Entry) -> Option<T> + Sync,
) -> Vec<T> {
    let (take, seen, all) = (&take, &AtomicUsize::new(0), &Mutex::new(Vec::new()));
    walker.build_parallel().run(|| {
        let (mut own, mut mine) = (new(), Batch { of: Vec::new(), all });
        Box::new(move |entry| {
            if stop.wanted() || seen.fetch_add(1, Ordering::Relaxed) > MOST {
                return WalkState::Quit;
            }
            // A folder that cannot be read is as good as empty.
            if let Some(entry) = entry.ok().filter(|entry| entry.depth() > 0)
                && let Some(kind) = kind(&entry)
            {
                mine.of.extend(take(&mut own, Entry { path: entry.into_path(), kind }));
            }
            WalkState::Continue
        })
    });
    std::mem::take(&mut *all.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The order of paths, name by name: that of their bytes, the slash before all others.
pub(crate) fn by_name(one: &Path, other: &Path) -> cmp::Ordering {
    let (one, other) = (one.as_os_str().as_encoded_bytes(), other.as_os_str().as_encoded_bytes());
    let weight = |byte: u8| if byte == b'/' { 0 } else { u16::from(byte) + 1 };
    match one.iter().zip(other).find(|(one, other)| one != other) {
        Some((one, other)) => weight(*one).cmp(&weight(*other)),
        None => one.len().cmp(&other.len()),
    }
}

/// What `look` makes of every file, link, pipe and device below `root` that git would see, hidden ones too, in no
/// order; `None` where there are more than `most`. What a folder around the project says counts only where git is there.
pub(crate) fn look_at_each<T: Send>(
    root: &Path,
    most: usize,
    look: impl Fn(&ignore::DirEntry) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    let in_git = root.ancestors().any(|folder| folder.join(".git").symlink_metadata().is_ok());
    let mut walker = walker(root, Hidden::Shown, Depth::All);
    walker.ignore(false).require_git(in_git).parents(in_git).filter_entry(|entry| {
        let built = || entry.file_type().is_some_and(|kind| kind.is_dir()) && is_built(entry.path());
        entry.depth() == 0 || entry.file_name() != ".git" && !built()
    });
    let (look, seen, all) = (&look, &AtomicUsize::new(0), &Mutex::new(Vec::new()));
    walker.build_parallel().run(|| {
        let mut mine = Batch { of: Vec::new(), all };
        Box::new(move |entry| {
            let entry = entry.ok().filter(|entry| entry.file_type().is_some_and(|kind| !kind.is_dir()));
            if let Some(entry) = entry {
                if seen.fetch_add(1, Ordering::Relaxed) >= most {
                    return WalkState::Quit;
                }
                mine.of.extend(look(&entry));
            }
            WalkState::Continue
        })
    });
    let all = std::mem::take(&mut *all.lock().unwrap_or_else(PoisonError::into_inner));
    (seen.load(Ordering::Relaxed) <= most).then_some(all)
}

/// What one thread found, put to the rest when it ends.
struct Batch<'a, T> {
    of: Vec<T>,
    all: &'a Mutex<Vec<T>>,
}

impl<T> Drop for Batch<'_, T> {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut self.of);
    }
}

fn walker(base: &Path, hidden: Hidden, depth: Depth) -> WalkBuilder {
    let mut walker = WalkBuilder::new(base);
    walker
        .hidden(hidden == Hidden::Left)
        .require_git(false)
        .follow_links(false)
        .threads(std::thread::available_parallelism().map_or(1, usize::from).min(THREADS))
        .max_depth(match depth {
            Depth::One => Some(1),
            Depth::All => None,
        })
        .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
    walker
}

fn kind(entry: &ignore::DirEntry) -> Option<EntryKind> {
    let kind = entry.file_type()?;
    Some(if kind.is_symlink() {
        EntryKind::Link(std::fs::read_link(entry.path()).unwrap_or_default())
    } else if kind.is_dir() {
        EntryKind::Folder
    } else if kind.is_file() {
        EntryKind::File
    } else {
        EntryKind::Special
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
    fn the_order_is_that_of_paths() {
        let mut paths =
            ["a.b", "a/b", "a", "a/b.c", "a/b/c", "a-b", "A", "", "a/", "\u{e9}/x", "a!"].map(PathBuf::from).to_vec();
        let mut expected = paths.clone();
        paths.sort_by(|one, other| by_name(one, other));
        expected.sort();
        assert_eq!(
            paths.iter().map(|path| path.components().as_path()).collect::<Vec<_>>(),
            expected.iter().map(|path| path.components().as_path()).collect::<Vec<_>>()
        );
    }

    #[test]
    fn hidden_files_come_when_asked_for_but_never_git_itself() {
        let project = project();
        let found = names(&project, "", Hidden::Shown, Depth::All);
        assert_eq!(found, [".hidden", ".hidden/h.rs", "a", "a/.gitignore", "a/up", "a/z.rs", "b.rs"]);
    }

    #[test]
    fn git_s_own_view_holds_links_and_hidden_files_and_ends_at_the_bound() {
        let project = project();
        std::fs::write(project.path().join(".ignore"), "*.rs").unwrap();
        let found = |most| {
            let found = look_at_each(project.path(), most, |entry| Some(entry.path().to_owned()))?;
            let name = |path: &PathBuf| one_line(path.strip_prefix(project.path()).unwrap());
            let mut names: Vec<String> = found.iter().map(name).collect();
            names.sort();
            Some(names)
        };
        let expected = [".hidden/h.rs", ".ignore", "a/.gitignore", "a/up", "a/z.rs", "b.rs"].map(String::from);
        assert_eq!(found(6), Some(expected.to_vec()));
        assert_eq!(found(5), None);
    }

    #[test]
    fn a_folder_that_is_named_is_looked_into_even_if_hidden_or_ignored() {
        let project = project();
        assert_eq!(names(&project, ".hidden", Hidden::Left, Depth::All), [".hidden/h.rs"]);
        assert_eq!(names(&project, "a/made", Hidden::Left, Depth::All), ["a/made/x.rs"]);
    }
}

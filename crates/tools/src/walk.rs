//! Goes through folders the way git sees them: what it tracks is found whatever patterns say, what `.gitignore` names is left
//! out else, hidden files are unless asked for, `.git` always is, and links are not followed.
//!
//! Ignore files above the repository do not count, nor outside of any repository those above the project. A folder that is
//! named, and of which they leave nothing, is gone through without them.

mod built;
mod tracked;
mod view;

use crate::blocking::Stop;
use crate::pattern::Hidden;
pub(crate) use built::{Built, is_built};
use ignore::WalkState;
use std::cmp;
use std::fs::{FileType, Metadata};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use view::Visit;

/// Entries after which nothing more is looked for. Nobody reads so many, and memory is not without end.
const MOST: usize = 1_000_000;

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

/// Is what lies there wanted, and what is below it?
type Keep = Arc<dyn Fn(&Path, Option<FileType>) -> bool + Send + Sync>;

/// What is done with each thing found, by one thread.
type Visitor<'a> = Box<dyn FnMut(Found) -> WalkState + Send + 'a>;

struct Found {
    path: PathBuf,
    kind: FileType,
}

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

/// A folder to go through, and the project from which it is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Area<'a> {
    pub(crate) root: &'a Path,
    pub(crate) base: &'a Path,
}

impl<'a> Area<'a> {
    pub(crate) fn whole(root: &'a Path) -> Self {
        Area { root, base: root }
    }
}

/// Everything in the area, sorted by path; what `.gitignore` names as it is wanted.
pub(crate) fn walk_by(area: Area<'_>, hidden: Hidden, depth: Depth, by_git: ByGit, stop: &Stop) -> Vec<Entry> {
    sorted(&Visit { depth, by_git, ..Visit::of(area, not_hidden(hidden)) }, stop)
}

/// Everything in the area, sorted by path.
pub(crate) fn walk(area: Area<'_>, hidden: Hidden, depth: Depth, stop: &Stop) -> Vec<Entry> {
    walk_by(area, hidden, depth, ByGit::Left, stop)
}

/// Everything in the area that is not hidden, and what is `beside` that, sorted by path.
pub(crate) fn walk_beside(area: Area<'_>, beside: Beside, stop: &Stop) -> Vec<Entry> {
    sorted(&Visit::of(area, not_hidden_or(beside)), stop)
}

fn sorted(visit: &Visit<'_>, stop: &Stop) -> Vec<Entry> {
    let mut entries = each(visit, stop, || (), |(), entry| Some(entry));
    entries.sort_unstable_by(|one, other| by_name(&one.path, &other.path));
    entries
}

/// What `take` makes of everything in the area, in no order; `new` makes what each thread works with.
pub(crate) fn walk_each<S: Send, T: Send>(
    area: Area<'_>,
    hidden: Hidden,
    stop: &Stop,
    new: impl Fn() -> S + Sync,
    take: impl Fn(&mut S, Entry) -> Option<T> + Sync,
) -> Vec<T> {
    each(&Visit::of(area, not_hidden(hidden)), stop, new, take)
}

/// The same of what is not hidden, and what is `beside` that.
pub(crate) fn walk_each_beside<S: Send, T: Send>(
    area: Area<'_>,
    beside: Beside,
    stop: &Stop,
    new: impl Fn() -> S + Sync,
    take: impl Fn(&mut S, Entry) -> Option<T> + Sync,
) -> Vec<T> {
    each(&Visit::of(area, not_hidden_or(beside)), stop, new, take)
}

/// Would a walk through the project come to `path`, which is there?
pub(crate) fn is_visible(root: &Path, path: &Path, hidden: Hidden) -> bool {
    let hides = |path: &Path| hidden == Hidden::Left && is_hidden(path);
    !path.ancestors().take_while(|folder| *folder != root).any(hides) && view::is_visible(root, path)
}

/// Is what git ignores left out of the area? It is not where the folder that is named holds nothing else.
pub(crate) fn leaves_ignored(area: Area<'_>) -> bool {
    area.base == area.root || view::leaves_ignored(area)
}

fn not_hidden(hidden: Hidden) -> Keep {
    Arc::new(move |path, _| hidden == Hidden::Shown || !is_hidden(path))
}

fn not_hidden_or(beside: Beside) -> Keep {
    Arc::new(move |path, kind| !is_hidden(path) || kind.is_some_and(|kind| kind.is_file()) && beside(path))
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn each<S: Send, T: Send>(
    visit: &Visit<'_>,
    stop: &Stop,
    new: impl Fn() -> S + Sync,
    take: impl Fn(&mut S, Entry) -> Option<T> + Sync,
) -> Vec<T> {
    let (take, seen, all) = (&take, &AtomicUsize::new(0), &Mutex::new(Vec::new()));
    visit.run(&|| {
        let (mut own, mut mine) = (new(), Batch { of: Vec::new(), all });
        Box::new(move |found| {
            if stop.wanted() || seen.fetch_add(1, Ordering::Relaxed) > MOST {
                return WalkState::Quit;
            }
            mine.of.extend(take(&mut own, entry(found)));
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

/// What `look` makes of every file, link, pipe and device in the project that git would see, hidden ones too, in no
/// order; `None` where there are more than `most`.
pub(crate) fn look_at_each<T: Send>(
    root: &Path,
    most: usize,
    look: impl Fn(&Path, &Metadata) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    let built = |path: &Path, kind: Option<FileType>| kind.is_some_and(|kind| kind.is_dir()) && is_built(path);
    let visit =
        Visit { only_git: true, ..Visit::of(Area::whole(root), Arc::new(move |path, kind| !built(path, kind))) };
    let (look, seen, all) = (&look, &AtomicUsize::new(0), &Mutex::new(Vec::new()));
    visit.run(&|| {
        let mut mine = Batch { of: Vec::new(), all };
        Box::new(move |Found { path, kind }| {
            if kind.is_dir() {
                return WalkState::Continue;
            }
            if seen.fetch_add(1, Ordering::Relaxed) >= most {
                return WalkState::Quit;
            }
            mine.of.extend(path.symlink_metadata().ok().and_then(|metadata| look(&path, &metadata)));
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

fn entry(Found { path, kind }: Found) -> Entry {
    let kind = if kind.is_symlink() {
        EntryKind::Link(std::fs::read_link(&path).unwrap_or_default())
    } else if kind.is_dir() {
        EntryKind::Folder
    } else if kind.is_file() {
        EntryKind::File
    } else {
        EntryKind::Special
    };
    Entry { path, kind }
}

#[cfg(test)]
mod tests;

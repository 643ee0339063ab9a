//! Which ignore files count for a folder, and the walk that follows them.

use super::tracked::{Rest, key};
use super::{Area, Batch, ByGit, Depth, Found, Keep, Visitor};
use crate::facts::git::GitIndex;
use ignore::{DirEntry, WalkBuilder, WalkState};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Threads that look through folders at most; as many as there are cores, for they do not wait.
const THREADS: usize = 12;

/// What is to be gone through.
pub(super) struct Visit<'a> {
    pub(super) area: Area<'a>,
    pub(super) keep: Keep,
    pub(super) depth: Depth,
    pub(super) by_git: ByGit,
    /// Files named `.ignore`, which git does not know, count for nothing.
    pub(super) only_git: bool,
}

/// One way to look at the area: the ignore files in `top` and below count.
#[derive(Debug, Clone, Copy)]
struct View<'a> {
    top: &'a Path,
    rules: Rules,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rules {
    /// Those of git, whose repository lies at the top.
    Repository,
    /// Those of git, and there is no repository around.
    Project,
    /// No ignore file counts.
    Nothing,
}

/// What a walk came by.
struct Seen {
    keys: HashSet<u64>,
    /// Repositories below the folder.
    inner: Vec<PathBuf>,
    /// Did nothing on the way to the folder leave it out?
    reached: bool,
}

impl<'a> Visit<'a> {
    /// All that is to be kept of the area and that git sees.
    pub(super) fn of(area: Area<'a>, keep: Keep) -> Self {
        Visit { area, keep, depth: Depth::All, by_git: ByGit::Left, only_git: false }
    }

    /// Goes through the area, in the first view that shows anything of it.
    pub(super) fn run<'v>(&self, new: &dyn Fn() -> Visitor<'v>) {
        let views = match self.by_git {
            ByGit::Left => views(self.area),
            ByGit::Shown => vec![View { top: self.area.base, rules: Rules::Nothing }],
        };
        for (at, view) in views.iter().enumerate() {
            let Seen { keys, mut inner, reached } = view.walk(self, new);
            if reached && !keys.is_empty() || at + 1 == views.len() {
                if view.rules == Rules::Repository {
                    inner.push(view.top.to_owned());
                }
                if view.rules != Rules::Nothing {
                    Rest::new(self.area.base, &self.keep, self.depth, keys).visit(inner, new);
                }
                return;
            }
        }
    }
}

/// Would a walk through the project come to `path`, were nothing hidden?
pub(super) fn is_visible(root: &Path, path: &Path) -> bool {
    let view = views(Area::whole(root)).into_iter().find(|view| view.reaches(root));
    let is_tracked = || repository_of(path).is_some_and(|repository| GitIndex::of(repository).has(path));
    view.is_none_or(|view| view.reaches(path)) || is_tracked()
}

/// Is the area gone through in a view in which ignore files count?
pub(super) fn leaves_ignored(area: Area<'_>) -> bool {
    let visit = Visit::of(area, Arc::new(|_, _| true));
    views(area).iter().filter(|view| view.rules != Rules::Nothing).any(|view| {
        let Seen { keys, reached, .. } = view.walk(&visit, &|| Box::new(|_| WalkState::Quit));
        reached && !keys.is_empty()
    })
}

/// The nearest folder with a repository, `path` itself included.
fn repository_of(path: &Path) -> Option<&Path> {
    path.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// How the area may be looked at, first what git itself would do.
fn views(Area { root, base }: Area<'_>) -> Vec<View<'_>> {
    let repository = repository_of(base);
    let mut views: Vec<View<'_>> = repository.map(|top| View { top, rules: Rules::Repository }).into_iter().collect();
    // A repository around the project may leave all of the project out.
    let project = if base.starts_with(root) { root } else { base };
    if repository.is_none_or(|top| top != project && project.starts_with(top)) {
        views.push(View { top: project, rules: Rules::Project });
    }
    // What is named is meant.
    if base != root {
        views.push(View { top: base, rules: Rules::Nothing });
    }
    views
}

impl View<'_> {
    /// Is `path` not left out on the way to it?
    fn reaches(&self, path: &Path) -> bool {
        let way = Way::new(self.top, path);
        let mut walker = self.walker();
        walker.max_depth(Some(way.down));
        let reached = way.reached.clone();
        walker.filter_entry(move |entry| entry.depth() == 0 || way.leads(entry));
        walker.build().for_each(drop);
        reached.load(Ordering::Relaxed)
    }

    fn walk<'v>(&self, visit: &Visit<'_>, new: &dyn Fn() -> Visitor<'v>) -> Seen {
        let way = Way::new(self.top, visit.area.base);
        let (down, reached) = (way.down, way.reached.clone());
        let (inner, keep) = (Arc::new(Mutex::new(Vec::new())), visit.keep.clone());
        let mut walker = self.walker();
        walker.max_depth(match visit.depth {
            Depth::One => Some(down + 1),
            Depth::All => None,
        });
        walker.ignore(self.rules != Rules::Nothing && !visit.only_git);
        let repositories = inner.clone();
        walker.filter_entry(move |entry| match entry.depth() {
            0 => true,
            depth if depth <= down => way.leads(entry),
            depth if entry.file_name() == ".git" => {
                let repository = entry.path().parent().filter(|_| depth > down + 1);
                repositories.lock().unwrap_or_else(PoisonError::into_inner).extend(repository.map(Path::to_owned));
                false
            }
            _ => keep(entry.path(), entry.file_type()),
        });
        let keys = Mutex::new(Vec::new());
        walker.build_parallel().run(|| {
            let (mut visitor, mut mine) = (new(), Batch { of: Vec::new(), all: &keys });
            Box::new(move |entry| {
                // A folder that cannot be read is as good as empty.
                let Some(entry) = entry.ok().filter(|entry| entry.depth() > down) else { return WalkState::Continue };
                let Some(kind) = entry.file_type() else { return WalkState::Continue };
                mine.of.push(key(entry.path()));
                visitor(Found { path: entry.into_path(), kind })
            })
        });
        let keys = keys.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect();
        let inner = std::mem::take(&mut *inner.lock().unwrap_or_else(PoisonError::into_inner));
        Seen { keys, inner, reached: reached.load(Ordering::Relaxed) }
    }

    fn walker(&self) -> WalkBuilder {
        let mut walker = WalkBuilder::new(self.top);
        let counts = self.rules != Rules::Nothing;
        walker
            .hidden(false)
            .parents(false)
            .ignore(counts)
            .git_ignore(counts)
            .git_exclude(counts)
            .git_global(counts)
            .require_git(self.rules == Rules::Repository)
            .follow_links(false)
            .threads(std::thread::available_parallelism().map_or(1, usize::from).min(THREADS));
        walker
    }
}

/// The way from the top of a walk down to the folder that is meant.
#[derive(Clone)]
struct Way {
    to: PathBuf,
    /// So many folders down.
    down: usize,
    reached: Arc<AtomicBool>,
}

impl Way {
    fn new(top: &Path, to: &Path) -> Self {
        let down = to.strip_prefix(top).map_or(0, |way| way.components().count());
        Way { to: to.to_owned(), down, reached: Arc::new(AtomicBool::new(down == 0)) }
    }

    /// Does the entry, which no ignore file leaves out, lie on the way?
    fn leads(&self, entry: &DirEntry) -> bool {
        let leads = self.to.starts_with(entry.path()) && entry.file_name() != ".git";
        if leads && entry.depth() == self.down {
            self.reached.store(true, Ordering::Relaxed);
        }
        leads
    }
}

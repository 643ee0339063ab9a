//! Which names of a project are watched, and where they are.
//!
//! Which they are says policy, who asks before they are written to; of a repository only what git may run. The walk goes
//! through the nearest folders first and ends after so many, and does not go into folders that hold what was built or
//! fetched. Where it ended early, that can be told.
//!
//! **Invariant.** The repository of the project itself is watched whatever else there is, and no other name can take the
//! place of one in a repository.

use agent_policy::names::obeyed;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Folders that are looked into.
const FOLDERS: usize = 2_000;
/// Names that are read.
const NAMES: usize = 20_000;
/// Two changes within this time may carry the same stamp; file systems do not count every moment.
const TICK: Duration = Duration::from_millis(50);
/// Names that are watched.
const WATCHED: usize = 500;
/// Names in repositories that are watched; they are few unless somebody means mischief.
const IN_REPOSITORIES: usize = 2_000;
/// What git obeys in a repository besides its hooks.
const OBEYED: &[&str] = &["config", "config.worktree", "info/attributes", "commondir", "hooks"];
/// What git may run in a folder of hooks; looked for by name, however much else lies there.
const HOOKS: &[&str] = &[
    "applypatch-msg",
    "pre-applypatch",
    "post-applypatch",
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "pre-rebase",
    "post-checkout",
    "post-merge",
    "pre-push",
    "pre-receive",
    "update",
    "proc-receive",
    "post-receive",
    "post-update",
    "reference-transaction",
    "push-to-checkout",
    "pre-auto-gc",
    "post-rewrite",
    "sendemail-validate",
    "fsmonitor-watchman",
    "post-index-change",
];

/// Folders that hold what was built or fetched: large, and made anew by every other command.
const MADE: &[&str] =
    &["node_modules", "target", ".venv", "venv", ".env", "__pycache__", ".tox", ".gradle", ".next", ".cache"];
/// The parts of a folder `.yarn` that yarn runs; the rest it makes anew by itself.
const YARN_RUNS: &[&str] = &["releases", "plugins"];

/// What there is to watch, by names below the project.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    others: BTreeSet<PathBuf>,
    /// Those in repositories, and these themselves.
    in_repositories: BTreeSet<PathBuf>,
    /// The folders that were looked into, and what was there.
    folders: BTreeMap<PathBuf, Listing>,
    /// Not all folders were looked into.
    pub(super) cut_short: bool,
    /// There was more to watch than is watched: in repositories, and elsewhere.
    full_of_repositories: bool,
    full: bool,
}

/// What was in a folder.
#[derive(Debug, Clone)]
struct Listing {
    /// `None` where the folder had changed so lately that another change might leave the same stamp.
    stamp: Option<Stamp>,
    names: usize,
    /// Not all names were read.
    cut_short: bool,
    folders: Vec<OsString>,
    watched: Vec<OsString>,
    has_repository: bool,
}

/// As long as this is the same, so is what is in a folder: the system sets it, and nobody else can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    changed: (i64, i64),
}

impl Stamp {
    fn settled(self) -> Option<Self> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let (seconds, nanos) = self.changed;
        let changed = Duration::new(u64::try_from(seconds).ok()?, u32::try_from(nanos).ok()?);
        (now.checked_sub(changed)? >= TICK).then_some(self)
    }
}

impl Found {
    /// Everything that is watched.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.in_repositories.iter().chain(&self.others)
    }

    /// There is more to watch outside of repositories than is watched.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Would this name in a repository have been watched already, had it been there?
    pub(super) fn knows_all_like(&self, path: &Path) -> bool {
        !self.full_of_repositories || is_sure(path)
    }

    /// There may be names to watch that are not watched.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.full || self.full_of_repositories || self.cut_short
    }

    /// Was this folder looked into, and all of it?
    pub(super) fn looked_into(&self, folder: &Path) -> bool {
        self.folders.get(folder).is_some_and(|listing| !listing.cut_short)
    }

    fn watch(&mut self, path: PathBuf) {
        if self.others.len() < WATCHED {
            self.others.insert(path);
        } else {
            self.full = true;
        }
    }

    fn watch_in_repository(&mut self, path: PathBuf) {
        if self.in_repositories.len() < IN_REPOSITORIES {
            self.in_repositories.insert(path);
        } else if !self.in_repositories.contains(&path) {
            self.full_of_repositories = true;
        }
    }
}

/// Looks for what there is to watch in `root`. Folders that have not changed since they were `known` are not read again.
pub(super) fn find(root: &Path, known: &Found) -> Found {
    let mut found = Found::default();
    let mut repositories = vec![PathBuf::from(".git")];
    sure(root, &repositories[0], &mut found);
    let (mut ahead, mut names) = (VecDeque::from([PathBuf::new()]), NAMES);
    while let Some(folder) = ahead.pop_front() {
        if found.folders.len() >= FOLDERS || names == 0 {
            found.cut_short = true;
            break;
        }
        let Some(listing) = again(root, &folder, known).or_else(|| list(root, &folder)) else { continue };
        names = names.saturating_sub(listing.names);
        found.cut_short |= listing.cut_short;
        ahead.extend(listing.folders.iter().map(|name| folder.join(name)));
        listing.watched.iter().for_each(|name| found.watch(folder.join(name)));
        if listing.has_repository && !folder.as_os_str().is_empty() {
            repositories.push(folder.join(".git"));
            sure(root, &folder.join(".git"), &mut found);
        }
        found.folders.insert(folder, listing);
    }
    let mut left = NAMES;
    for git_dir in repositories {
        for part in ["modules", "hooks"] {
            listed(root, &git_dir.join(part), 3, &mut left, &mut found);
        }
    }
    found
}

/// The listing that is known, where it still holds.
fn again(root: &Path, folder: &Path, known: &Found) -> Option<Listing> {
    let listing = known.folders.get(folder).filter(|listing| listing.stamp.is_some())?;
    (stamp(&root.join(folder)) == listing.stamp).then(|| listing.clone())
}

fn stamp(folder: &Path) -> Option<Stamp> {
    let found = folder.symlink_metadata().ok().filter(Metadata::is_dir)?;
    Some(Stamp { inode: found.ino(), changed: (found.ctime(), found.ctime_nsec()) })
}

fn list(root: &Path, folder: &Path) -> Option<Listing> {
    let whole = root.join(folder);
    // Taken before the names are read: what comes between makes it a stamp of the past.
    let stamp = stamp(&whole)?.settled();
    // By name, for it may be the last of very many.
    let has_repository = whole.join(".git").symlink_metadata().is_ok();
    let (folders, watched) = (Vec::new(), Vec::new());
    let mut listing = Listing { stamp, names: 0, cut_short: false, folders, watched, has_repository };
    let of_its_folder = Which::of(folder);
    for entry in std::fs::read_dir(&whole).into_iter().flatten().flatten() {
        if listing.names >= NAMES {
            listing.cut_short = true;
            break;
        }
        listing.names += 1;
        let name = entry.file_name();
        if name == ".git" {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if !is_made(folder, &name) {
                listing.folders.push(name);
            }
        } else if of_its_folder.holds(&name) {
            listing.watched.push(name);
        }
    }
    Some(listing)
}

/// Which files of a folder are watched. Found out once a folder as far as can be, for there are many files.
enum Which<'a> {
    None,
    Every,
    /// Those with a protected name, in a folder of this name.
    Protected(&'a OsStr),
}

impl<'a> Which<'a> {
    fn of(folder: &'a Path) -> Self {
        if folder.ends_with(".yarn") {
            return Which::None;
        }
        match obeyed(folder) {
            Some(_) => Which::Every,
            None => Which::Protected(folder.file_name().unwrap_or_default()),
        }
    }

    fn holds(&self, name: &OsStr) -> bool {
        match self {
            Which::None => false,
            Which::Every => true,
            Which::Protected(parent) => obeyed(&Path::new(parent).join(name)).is_some(),
        }
    }
}

/// Is this folder one that is made anew all the time?
fn is_made(folder: &Path, name: &OsStr) -> bool {
    MADE.iter().any(|made| name == *made) || folder.ends_with(".yarn") && !YARN_RUNS.iter().any(|part| name == *part)
}

/// What is watched first of the repository `git_dir`: the folder itself (another kind of thing may come in its place), its
/// settings and its hooks, each by its name.
fn sure(root: &Path, git_dir: &Path, found: &mut Found) {
    let hooks = HOOKS.iter().map(|name| git_dir.join("hooks").join(name));
    let all = [git_dir.to_owned()].into_iter().chain(OBEYED.iter().map(|name| git_dir.join(name))).chain(hooks);
    // What is not there takes no room.
    for path in all.filter(|path| root.join(path).symlink_metadata().is_ok()) {
        found.watch_in_repository(path);
    }
}

/// Is `path` one of those?
fn is_sure(path: &Path) -> bool {
    let below = repository(path).and_then(|git_dir| path.strip_prefix(git_dir).ok());
    below.is_some_and(|below| {
        let hook = below.strip_prefix("hooks").ok();
        OBEYED.iter().any(|name| below == Path::new(name))
            || hook.is_some_and(|hook| HOOKS.iter().any(|name| hook == Path::new(name)))
    })
}

/// The settings and hooks below `folder`, so many folders deep.
fn listed(root: &Path, folder: &Path, depth: usize, left: &mut usize, found: &mut Found) {
    for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        let Some(less) = left.checked_sub(1) else {
            found.full_of_repositories = true;
            return;
        };
        *left = less;
        let path = folder.join(entry.file_name());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let leads_on = depth > 0 && !["objects", "refs", "logs", "info"].iter().any(|name| path.ends_with(name));
        if is_folder && leads_on {
            listed(root, &path, depth - 1, left, found);
        } else if !is_folder && (folder.ends_with("hooks") || path.ends_with("config")) {
            found.watch_in_repository(path);
        }
    }
}

/// The repository that `path` is or lies in.
pub(super) fn repository(path: &Path) -> Option<&Path> {
    path.ancestors().find(|at| at.file_name().is_some_and(|name| name == ".git"))
}

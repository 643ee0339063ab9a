//! What there is to watch in a project: what was found, and what each name of it is.

use crate::facts::git::git_hooks;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Two changes within this time may carry the same stamp; file systems do not count every moment.
const TICK: Duration = Duration::from_millis(50);
const WATCHED: usize = 500;
/// Names in repositories that are watched; they are few unless somebody means mischief.
const IN_REPOSITORIES: usize = 2_000;
/// What git obeys in a repository besides its hooks.
pub(super) const OBEYED: &str = "config config.worktree info/attributes commondir HEAD objects/info/alternates \
    objects/info/http-alternates hooks";
/// Files of settings that git reads in a repository.
pub(super) const SETTINGS: &[&str] = &["config", "config.worktree"];

/// What there is to watch, by names below the project.
#[derive(Debug, Clone, Default)]
pub(crate) struct Protected {
    others: BTreeSet<PathBuf>,
    /// Files that are watched wherever they lie and whatever they are called: what hooks run.
    guarded: BTreeSet<PathBuf>,
    /// Those in repositories, and these themselves.
    in_repositories: BTreeSet<PathBuf>,
    pub(super) repositories: BTreeSet<PathBuf>,
    /// Names that settings of git lead to, also where nothing is there.
    led_to: BTreeSet<PathBuf>,
    /// The folders that were looked into, and what was there.
    pub(super) folders: BTreeMap<PathBuf, Listing>,
    /// Not all folders were looked into.
    pub(super) cut_short: bool,
    /// There was more to watch than is watched: in repositories, and elsewhere.
    full_of_repositories: bool,
    pub(super) full: bool,
}

/// What was in a folder.
#[derive(Debug, Clone)]
pub(super) struct Listing {
    /// `None` where the folder had changed so lately that another change might leave the same stamp.
    pub(super) stamp: Option<FolderStamp>,
    pub(super) names: usize,
    /// Not all names were read.
    pub(super) cut_short: bool,
    pub(super) folders: Vec<OsString>,
    pub(super) watched: Vec<OsString>,
    pub(super) has_repository: bool,
    /// It is a repository itself.
    pub(super) is_repository: bool,
}

/// What a watched name is to git.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GitPart {
    /// A repository, or what leads to one.
    Repository,
    /// Its settings, or what they include.
    Settings,
    /// What says where submodules come from.
    Modules,
    /// What says which branch is out.
    Head,
    /// Another name in a repository.
    Within,
    /// None of its.
    Other,
}

/// As long as this is the same, so is what is in a folder: the system sets it, and nobody else can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FolderStamp {
    pub(super) inode: u64,
    pub(super) changed: (i64, i64),
}

impl FolderStamp {
    pub(super) fn settled(self) -> Option<Self> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let (seconds, nanos) = self.changed;
        let changed = Duration::new(u64::try_from(seconds).ok()?, u32::try_from(nanos).ok()?);
        (now.checked_sub(changed)? >= TICK).then_some(self)
    }
}

impl Protected {
    /// Watches these from now on, where they lie in the project at `root`.
    pub(crate) fn guard(&mut self, root: &Path, files: &[PathBuf]) {
        self.guarded.extend(files.iter().filter_map(|file| below(root, file)));
    }

    /// What is watched whatever is found.
    pub(super) fn only_guarded(&self) -> Self {
        Protected { others: self.guarded.clone(), guarded: self.guarded.clone(), ..Protected::default() }
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.in_repositories.iter().chain(&self.others)
    }

    /// Would this name in a repository have been watched already, had it been there?
    pub(super) fn knows_all_like(&self, path: &Path) -> bool {
        let is_sure = |git_dir| path.strip_prefix(git_dir).is_ok_and(is_sure);
        !self.full_of_repositories || self.repository(path).is_some_and(is_sure)
    }

    /// The innermost repository that `path` is or lies in.
    pub(super) fn repository(&self, path: &Path) -> Option<&Path> {
        path.ancestors().find_map(|at| self.repositories.get(at)).map(PathBuf::as_path)
    }

    pub(super) fn is_repository(&self, path: &Path) -> bool {
        self.repositories.contains(path)
    }

    /// Are these all there are, as far as others keep them?
    pub(super) fn knows_all_repositories(&self) -> bool {
        !self.full_of_repositories
    }

    /// Was this folder seen to be one itself?
    pub(super) fn is_listed_as_repository(&self, folder: &Path) -> bool {
        self.folders.get(folder).is_some_and(|listing| listing.is_repository)
    }

    /// Do settings of git lead to this name?
    pub(super) fn leads_to(&self, path: &Path) -> bool {
        self.led_to.contains(path)
    }

    /// Is it watched for its name alone?
    pub(super) fn is_other(&self, path: &Path) -> bool {
        self.others.contains(path)
    }

    /// What `path` is to git.
    pub(super) fn kind(&self, path: &Path) -> GitPart {
        let below = self.repository(path).and_then(|git_dir| path.strip_prefix(git_dir).ok());
        match below {
            Some(below) if below.as_os_str().is_empty() => GitPart::Repository,
            Some(below) if below == Path::new("HEAD") => GitPart::Head,
            Some(below) if SETTINGS.iter().any(|name| below == Path::new(name)) => GitPart::Settings,
            None if path.file_name().is_some_and(|name| name == ".gitmodules") => GitPart::Modules,
            // A hook is no settings, and read as such it is odd, so that all of it matters.
            Some(_) | None if self.leads_to(path) => GitPart::Settings,
            Some(_) => GitPart::Within,
            None => GitPart::Other,
        }
    }

    /// Was there no folder `folder` here, or nothing in it?
    pub(super) fn has_nothing_in(&self, folder: &Path) -> bool {
        match self.folders.get(folder) {
            Some(listing) => listing.names == 0 && !listing.cut_short,
            None => self.was_in_sight(folder),
        }
    }

    /// Was the folder of `path` looked into, or was there no such folder?
    pub(super) fn was_in_sight(&self, path: &Path) -> bool {
        let Some(nearest) = path.ancestors().skip(1).find(|folder| self.looked_into(folder)) else {
            return false;
        };
        path.parent() == Some(nearest) || !self.cut_short
    }

    /// There may be names to watch that are not watched.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.full || self.full_of_repositories || self.cut_short
    }

    /// Was this folder looked into, and all of it?
    fn looked_into(&self, folder: &Path) -> bool {
        self.folders.get(folder).is_some_and(|listing| !listing.cut_short)
    }

    pub(super) fn watch(&mut self, path: PathBuf) {
        if self.others.len() < WATCHED {
            self.others.insert(path);
        } else {
            self.full = true;
        }
    }

    pub(super) fn add_repository(&mut self, git_dir: &Path) {
        self.repositories.insert(git_dir.to_owned());
    }

    /// There are more names in repositories than are looked at.
    pub(super) fn fill_repositories(&mut self) {
        self.full_of_repositories = true;
    }

    /// Settings of git lead to `whole`, as it is written there. What lies outside the project is not watched.
    pub(super) fn lead_to(&mut self, root: &Path, whole: &Path) {
        let folder = whole.parent().and_then(|folder| folder.canonicalize().ok());
        let path = folder.zip(whole.file_name()).map(|(folder, name)| folder.join(name));
        let Some(path) = path.and_then(|path| below(root, &path)) else { return };
        if self.led_to.len() >= IN_REPOSITORIES {
            self.full_of_repositories = true;
            return;
        }
        if root.join(&path).symlink_metadata().is_ok() {
            self.watch_in_repository(path.clone());
        }
        self.led_to.insert(path);
    }

    pub(super) fn watch_in_repository(&mut self, path: PathBuf) {
        if self.in_repositories.len() < IN_REPOSITORIES {
            self.in_repositories.insert(path);
        } else if !self.in_repositories.contains(&path) {
            self.full_of_repositories = true;
        }
    }
}

/// Is `below`, a name in a repository, one of those that are watched first of all?
fn is_sure(below: &Path) -> bool {
    let hook = below.strip_prefix("hooks").ok();
    below.as_os_str().is_empty()
        || OBEYED.split(' ').any(|name| below == Path::new(name))
        || hook.is_some_and(|hook| git_hooks().any(|name| hook == Path::new(name)))
}

/// The name of `whole` below the project, where it lies there.
pub(super) fn below(root: &Path, whole: &Path) -> Option<PathBuf> {
    whole.strip_prefix(root).ok().map(Path::to_owned).filter(|below| !below.as_os_str().is_empty())
}

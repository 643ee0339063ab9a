//! Questions of fact: what `judge` wants to know of the world, asked here and answered by `tools`.

use crate::names::GuardedFile;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One question of fact. Paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Query {
    /// What kind of thing is at this path, which is resolved?
    Kind(PathBuf),
    /// Where does this path lead, links followed as the system would, and what is there?
    Leads(PathBuf),
    /// What does this pattern of a shell match below this folder now? Each match is answered as `Leads` as well.
    Matches {
        /// The folder in which the shell would stand; not resolved.
        folder: PathBuf,
        /// The word with its active `*`, `?` and `[…]`, as [`Pattern`] writes it.
        pattern: Pattern,
    },
    /// Does anything below this folder have a name that holds secrets?
    Secrets(PathBuf),
    /// Where is the program of this name found, folders of the PATH that others can write in left out?
    Program(String),
    /// What would git obey in this folder?
    Git(PathBuf),
    /// Which files does git run, or take settings from, because settings in force for the project say so?
    RunByGit,
}

/// A word of a shell in which some characters stand for others.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Pattern(pub Vec<Glyph>);

/// A part of a [`Pattern`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Glyph {
    /// This character, whatever it means elsewhere.
    Literal(char),
    /// `*`: any characters but `/`.
    Any,
    /// `?`, or `[…]` taken for the worst: any one character but `/`.
    One,
}

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    Missing,
    /// A regular file with so many names (hard links).
    File {
        /// At least 1.
        names: u64,
    },
    /// A folder.
    Folder,
    /// A pipe, socket or device: opening it may hang or do something.
    Special,
}

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Led {
    /// Absolute, every link followed, `..` taken after that.
    pub real: PathBuf,
    pub kind: PathKind,
}

/// What lies below a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Secrets {
    /// No such name.
    None,
    /// This one, and maybe more.
    Found(PathBuf),
    /// There is too much to look through.
    Unknown,
}

/// What git obeys in a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GitFacts {
    /// The work tree; its repository is the folder `.git` in it. `None`: none, or one that lies elsewhere.
    pub tree: Option<PathBuf>,
    /// What the repository itself (its config, hooks, submodules) could make git run: `core.fsmonitor`, `hook pre-commit`.
    /// Empty: nothing.
    pub findings: Vec<String>,
    /// Keys of the user's own config that name programs, as git spells them: `filter.lfs.clean`, `pager.log`.
    pub keys: Vec<String>,
    /// Files that it tracks whose names say that they hold secrets, seen from the work tree.
    pub secrets: Vec<PathBuf>,
}

/// The answers. What was not asked is not known, and what is not known is taken for the worst.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    kinds: HashMap<PathBuf, PathKind>,
    led: HashMap<PathBuf, Led>,
    matches: HashMap<(PathBuf, Pattern), Vec<PathBuf>>,
    secrets: HashMap<PathBuf, Secrets>,
    programs: HashMap<String, PathBuf>,
    git: HashMap<PathBuf, GitFacts>,
    run_by_git: Arc<[GuardedFile]>,
}

impl Facts {
    /// Writes down that `path` is of `kind`.
    pub fn set_kind(&mut self, path: PathBuf, kind: PathKind) {
        self.kinds.insert(path, kind);
    }

    /// What is at `path`, if it was asked.
    pub fn kind(&self, path: &Path) -> Option<PathKind> {
        self.kinds.get(path).copied()
    }

    /// Writes down where `path` leads.
    pub fn set_led(&mut self, path: PathBuf, led: Led) {
        self.led.insert(path, led);
    }

    /// Where `path` leads.
    pub fn led(&self, path: &Path) -> Option<&Led> {
        self.led.get(path)
    }

    /// Writes down what `pattern` matches in `folder`; not to be called where there are too many to tell.
    pub fn set_matches(&mut self, folder: PathBuf, pattern: Pattern, paths: Vec<PathBuf>) {
        self.matches.insert((folder, pattern), paths);
    }

    /// What `pattern` matches in `folder`: absolute, not resolved.
    pub fn matches(&self, folder: &Path, pattern: &Pattern) -> Option<&[PathBuf]> {
        self.matches.get(&(folder.to_owned(), pattern.clone())).map(Vec::as_slice)
    }

    /// Writes down what lies below `folder`.
    pub fn set_secrets(&mut self, folder: PathBuf, secrets: Secrets) {
        self.secrets.insert(folder, secrets);
    }

    /// What lies below `folder`; not asked counts as unknown.
    pub fn secrets(&self, folder: &Path) -> &Secrets {
        self.secrets.get(folder).unwrap_or(&Secrets::Unknown)
    }

    /// Writes down where the program `name` is found.
    pub fn set_program(&mut self, name: String, path: PathBuf) {
        self.programs.insert(name, path);
    }

    /// Where the program `name` is found; `None`: nowhere.
    pub fn program(&self, name: &str) -> Option<&Path> {
        self.programs.get(name).map(PathBuf::as_path)
    }

    /// Writes down what git obeys in `folder`.
    pub fn set_git(&mut self, folder: PathBuf, git: GitFacts) {
        self.git.insert(folder, git);
    }

    /// Writes down which files git runs, or takes settings from, because settings say so.
    pub fn set_run_by_git(&mut self, files: Arc<[GuardedFile]>) {
        self.run_by_git = files;
    }

    /// The files that git runs, or takes settings from, because settings say so; not asked counts as none.
    pub fn run_by_git(&self) -> &[GuardedFile] {
        &self.run_by_git
    }

    /// What git obeys in `folder`.
    pub fn git(&self, folder: &Path) -> Option<&GitFacts> {
        self.git.get(folder)
    }
}

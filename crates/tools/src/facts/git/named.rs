//! Files that git runs, or takes settings from, because settings in force for the project say so: folders of hooks, files
//! that are included, and the scripts of filters, of aliases and of whatever else names a program.
//!
//! Git lists the settings; the list is asked for anew when one of their files changed.

use super::places::git_hooks;
use super::{Git, Repository, names_program, near_repository, places};
use crate::Ground;
use crate::facts::programs;
use crate::hooks::{own_hook_files, plainly};
use agent_policy::GuardedFile;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Files that are told of.
const MOST: usize = 1_000;

/// Where git gives no answer so many times in a row, it is not asked again: each answer may be waited for.
const TRIES: u32 = 4;

/// What is known of them.
#[derive(Debug, Default)]
pub(crate) struct RunByGit(Mutex<Standing>);

#[derive(Debug, Default)]
struct Standing {
    known: Option<Known>,
    /// Answers that did not come, since the last that did.
    missing: u32,
}

#[derive(Debug)]
struct Known {
    /// The files of settings as they were.
    settings: Vec<(PathBuf, Option<Stamp>)>,
    named: Arc<[GuardedFile]>,
}

/// Changes with every change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    length: u64,
    changed: (i64, i64),
}

impl RunByGit {
    /// Those of the project, which is `ground`'s. None where there is no repository, or git does not answer.
    pub(crate) fn files(&self, ground: &Ground) -> Arc<[GuardedFile]> {
        if !near_repository(&ground.root) {
            return Arc::default();
        }
        let mut standing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tries = 0;
        while tries < 2 && standing.missing < TRIES && !standing.known.as_ref().is_some_and(Known::holds) {
            tries += 1;
            match look(ground) {
                Some(known) => *standing = Standing { known: Some(known), missing: 0 },
                // What was known before counts on.
                None => standing.missing += 1,
            }
        }
        standing.known.as_ref().map(|known| known.named.clone()).unwrap_or_default()
    }
}

impl Known {
    fn holds(&self) -> bool {
        self.settings.iter().all(|(path, then)| stamp(path) == *then)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let found = path.metadata().ok()?;
    Some(Stamp { inode: found.ino(), length: found.len(), changed: (found.ctime(), found.ctime_nsec()) })
}

fn look(ground: &Ground) -> Option<Known> {
    let root = &ground.root;
    let git = Git { program: programs::find(ground, "git")?, ground };
    if !places::not_plain(root).is_empty() {
        return None;
    }
    let Repository { git_dir, tree } = git.repository(root)?;
    let home = ground.home.as_deref();
    let mut files = vec![git_dir.join("config"), git_dir.join("config.worktree"), git_dir.join("HEAD")];
    files.push("/etc/gitconfig".into());
    files.extend(home.iter().flat_map(|home| [home.join(".gitconfig"), home.join(".config/git/config")]));
    // Before git reads them: what changes in between is seen as a change.
    let mut settings: Vec<_> = files.into_iter().map(|path| (path.clone(), stamp(&path))).collect();
    let mut named = Vec::new();
    for Setting { file, key, value } in listed(&git, root)? {
        named.extend(by_setting(&key, &value, &Scene { file: &file, tree: &tree, home }));
        for read in included(&key, &value, &file, home).into_iter().chain([file]) {
            if settings.iter().all(|(path, _)| *path != read) {
                settings.push((read.clone(), stamp(&read)));
            }
        }
    }
    named.truncate(MOST);
    Some(Known { settings, named: named.into() })
}

/// A setting as git lists it.
struct Setting {
    /// Where it stands, absolute.
    file: PathBuf,
    key: String,
    value: String,
}

/// All settings in force in `folder` that stand in a file.
fn listed(git: &Git<'_>, folder: &Path) -> Option<Vec<Setting>> {
    let said = git.ask(folder, &["config", "--list", "--show-origin", "--includes", "-z"])?;
    let words: Vec<&[u8]> = said.split(|byte| *byte == 0).collect();
    let setting = |pair: &[&[u8]]| {
        let [origin, setting] = pair else { return None };
        let file = folder.join(OsStr::from_bytes(origin.strip_prefix(b"file:")?));
        let text = String::from_utf8_lossy(setting);
        let (key, value) = text.split_once('\n').unwrap_or((&text, ""));
        Some(Setting { file, key: key.to_owned(), value: value.to_owned() })
    };
    Some(words.chunks_exact(2).filter_map(setting).collect())
}

struct Scene<'a> {
    /// Where the setting stands.
    file: &'a Path,
    /// Where git starts programs.
    tree: &'a Path,
    home: Option<&'a Path>,
}

/// The files that a setting makes git run or read settings from.
fn by_setting(key: &str, value: &str, scene: &Scene<'_>) -> Vec<GuardedFile> {
    let Scene { file, tree, home } = *scene;
    let all = |paths: Vec<PathBuf>, why: String| -> Vec<GuardedFile> {
        paths.into_iter().map(|path| GuardedFile { path, why: why.clone() }).collect()
    };
    let whole = |from: &Path| -> Vec<PathBuf> {
        let path = spelled_out(value, from, home);
        let real = path.canonicalize().ok().filter(|real| *real != path);
        [path].into_iter().chain(real).collect()
    };
    let is_place = |path: &str| !path.is_empty() && path != "/dev/null";
    match key {
        "core.hookspath" if is_place(value) => {
            let why = "holds hooks that git runs (core.hooksPath)".to_owned();
            let (around, beside): (Vec<PathBuf>, Vec<PathBuf>) =
                whole(tree).into_iter().partition(|folder| tree.starts_with(folder));
            // Not the whole project is protected where its hooks lie at its top.
            let each = around.iter().flat_map(|folder| git_hooks().map(|name| folder.join(name)));
            all(beside, why).into_iter().chain(all(each.collect(), "is run by git (core.hooksPath)".into())).collect()
        }
        "init.templatedir" if is_place(value) => all(whole(tree), "is copied into new repositories, with hooks".into()),
        _ if includes(key) && is_place(value) => {
            let from = file.parent().unwrap_or(tree);
            all(whole(from), format!("holds settings that git obeys ({key})"))
        }
        _ => match command(key, value) {
            Some(command) => all(own_hook_files(tree, home, command).named, format!("is run by git ({key})")),
            None => Vec::new(),
        },
    }
}

/// What git starts because of a setting.
fn command<'a>(key: &str, value: &'a str) -> Option<&'a str> {
    let updates = key.starts_with("submodule.") && key.ends_with(".update");
    match key.starts_with("alias.") || updates {
        true => value.strip_prefix('!'),
        // What begins so is a line for the shell for some of them.
        false => names_program(key).then(|| value.strip_prefix('!').unwrap_or(value)),
    }
}

fn includes(key: &str) -> bool {
    key == "include.path" || key.starts_with("includeif.") && key.ends_with(".path")
}

fn included(key: &str, value: &str, file: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let from = file.parent().filter(|_| includes(key))?;
    Some(spelled_out(value, from, home))
}

/// The path that `value` is for git in the folder `from`.
fn spelled_out(value: &str, from: &Path, home: Option<&Path>) -> PathBuf {
    match home.zip(value.strip_prefix("~/")) {
        Some((home, rest)) => home.join(rest),
        None => plainly(&from.join(value)),
    }
}

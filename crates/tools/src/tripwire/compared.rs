//! Which repositories a command made, and which of those hold something that git would start at once.
//!
//! One that is made is no alarm: cloning, adding a work tree or a submodule, and tests that try git all make some. What
//! is in it is another matter.

use super::found::Protected;
use super::{LONGEST, Tripwire, What, named, repositories, settings};
use crate::facts::git::is_live_hook;
use crate::open::plain_file;
use crate::workspace::one_line;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Names of hooks that are looked at in a new repository.
const HOOKS: usize = 2_000;
/// Protected names that are told of a new repository.
const TOLD: usize = 3;

/// What became of the repositories between two looks.
pub(super) struct Fates<'a> {
    root: &'a Path,
    before: &'a Protected,
    now: &'a Protected,
    /// Made since, or made anew in the place of another.
    made: BTreeSet<PathBuf>,
    /// Gone with all that was in them.
    gone: BTreeSet<PathBuf>,
}

impl<'a> Fates<'a> {
    pub(super) fn between(before: &'a Tripwire, now: &'a Tripwire) -> Self {
        let root = before.root.as_path();
        // That of the project itself is nobody's to make anew.
        let own = |git_dir: &Path| git_dir == Path::new(".git");
        let is_gone = |git_dir: &&PathBuf| !own(git_dir) && !repositories::is_there(&root.join(git_dir));
        let gone = before.found.repositories.iter().filter(is_gone).cloned().collect();
        let (before_found, now_found) = (&before.found, &now.found);
        let mut fates = Fates { root, before: before_found, now: now_found, made: BTreeSet::new(), gone };
        // Each comes after those that it lies in.
        for git_dir in &now.found.repositories {
            let made = match before.found.is_repository(git_dir) {
                true => !own(git_dir) && is_another(before.states.get(git_dir), now.states.get(git_dir)),
                false => fates.was_not_there(git_dir),
            };
            if made {
                fates.made.insert(git_dir.clone());
            }
        }
        fates
    }

    /// Is what there was of `git_dir` no measure for what there is?
    pub(super) fn are_others(&self, git_dir: &Path) -> bool {
        self.made.contains(git_dir) || self.gone.contains(git_dir)
    }

    /// Did the folder that `path` lay in go as a whole, with a repository in it?
    pub(super) fn went_with_its_tree(&self, path: &Path) -> bool {
        let mut trees = self.gone.iter().filter_map(|git_dir| tree(git_dir));
        trees.any(|tree| path.starts_with(tree) && !repositories::is_there(&self.root.join(tree)))
    }

    /// The folder that came with a repository of its own, and has `path` in it. One without files has no such folder.
    pub(super) fn new_tree(&self, path: &Path) -> Option<&Path> {
        let mut trees =
            self.made.iter().filter(|git_dir| git_dir.ends_with(".git")).filter_map(|git_dir| tree(git_dir));
        trees.find(|tree| path.starts_with(tree) && self.before.has_nothing_in(tree))
    }

    /// What git would start in those that were made, by the names a person would use.
    pub(super) fn alarms(&self) -> Vec<String> {
        self.made.iter().flat_map(|git_dir| self.starting(git_dir)).collect()
    }

    /// Those that were made, for a receipt; with the `protected` names that came with each.
    pub(super) fn told(&self, protected: &[(PathBuf, PathBuf)]) -> Vec<String> {
        let is_seen = |git_dir: &&PathBuf| git_dir.ends_with(".git") || self.now.is_listed_as_repository(git_dir);
        let told = self.made.iter().filter(is_seen).map(|git_dir| {
            let place = if git_dir.ends_with(".git") { git_dir.parent().unwrap_or(git_dir) } else { git_dir };
            let came = protected.iter().filter(|(tree, _)| tree == place);
            let names: Vec<String> = came
                .filter_map(|(tree, path)| path.strip_prefix(tree).ok())
                .map(|path| one_line(path).to_string())
                .collect();
            format!("{}{}", shown(place), with(&names))
        });
        told.collect()
    }

    /// Was the repository `git_dir` certainly not there before?
    fn was_not_there(&self, git_dir: &Path) -> bool {
        let above = git_dir.parent();
        match above.and_then(|above| self.now.repository(above)) {
            // One that another keeps.
            Some(keeper) if self.made.contains(keeper) => true,
            Some(keeper) => self.before.is_repository(keeper) && self.before.knows_all_repositories(),
            None if git_dir.ends_with(".git") => self.before.was_in_sight(git_dir),
            None => self.before.was_in_sight(&git_dir.join("HEAD")),
        }
    }

    /// What git would start in the repository `git_dir`, which is new.
    fn starting(&self, git_dir: &Path) -> Vec<String> {
        let whole = self.root.join(git_dir);
        let mut alarms = Vec::new();
        for (name, sets) in settings_that_start(&whole) {
            alarms.push(named(&git_dir.join(name), &format!("new, {sets}")));
        }
        alarms.extend(live_hooks(&whole).iter().map(|name| named(&git_dir.join("hooks").join(name), "new")));
        for way in repositories::all_ways(self.root, git_dir) {
            let is_known = |below: PathBuf| self.before.is_repository(&below) || self.made.contains(&below);
            // That one is watched, or looked at here by itself.
            if repositories::below(self.root, &way).is_some_and(is_known) {
                continue;
            }
            let sets = settings_that_start(&way).into_iter().map(|(_, sets)| sets);
            let holds = live_hooks(&way).into_iter().map(|name| format!("has the hook {}", one_line(&name)));
            let place = repositories::below(self.root, &way).unwrap_or_else(|| way.clone());
            let what = |what: String| format!("new, leads to {}, which {what}", one_line(&place));
            alarms.extend(sets.chain(holds).map(|found| named(git_dir, &what(found))));
        }
        alarms
    }
}

/// Is it no more the folder that it was?
fn is_another(before: Option<&super::State>, now: Option<&super::State>) -> bool {
    match (before.map(|state| &state.what), now.map(|state| &state.what)) {
        (Some(What::Folder(before)), Some(What::Folder(now))) => before != now,
        (Some(_) | None, Some(_) | None) => false,
    }
}

/// The folder whose files the repository `git_dir` keeps, or that it is itself.
fn tree(git_dir: &Path) -> Option<&Path> {
    let tree = if git_dir.ends_with(".git") { git_dir.parent()? } else { git_dir };
    (!tree.as_os_str().is_empty()).then_some(tree)
}

/// For each file of settings in `git_dir` what it sets that starts something: `sets core.fsmonitor`.
fn settings_that_start(git_dir: &Path) -> Vec<(&'static str, String)> {
    let found = repositories::SETTINGS.iter().filter_map(|name| {
        // A link is followed as git would.
        let file = git_dir.join(name).canonicalize().ok()?;
        let keys = plain_file(&file, LONGEST).and_then(|text| settings::that_start(&text));
        let sets = match keys.as_deref() {
            Some([]) => return None,
            Some(keys) => format!("sets {}", keys.join(", ")),
            None => "cannot be read".to_owned(),
        };
        Some((*name, sets))
    });
    found.collect()
}

fn live_hooks(git_dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(git_dir.join("hooks")).into_iter().flatten().flatten().take(HOOKS);
    let live = entries.filter(|entry| entry.path().metadata().is_ok_and(|at| is_live_hook(&entry.path(), &at)));
    let mut names: Vec<PathBuf> = live.map(|entry| entry.file_name().into()).collect();
    names.sort();
    names
}

fn shown(place: &Path) -> String {
    if place.as_os_str().is_empty() { "in the project folder".into() } else { format!("{}/", one_line(place)) }
}

/// ` with AGENTS.md, .envrc and 2 more`.
fn with(names: &[String]) -> String {
    let named = names.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => String::new(),
        count if count <= TOLD => format!(" with {named}"),
        count => format!(" with {named} and {} more", count - TOLD),
    }
}

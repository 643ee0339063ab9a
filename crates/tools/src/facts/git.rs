//! What git would obey in a folder, and could start a program by.
//!
//! Git itself says which repository and which settings it would use, asked in a way in which it starts nothing. Settings
//! are held against a list of harmless ones: what is not known to be harmless is a finding. Hooks, submodules and where
//! the repository lies are looked at by hand.
//!
//! **Invariant.** Nothing that the repository names is run to find this out.

mod index;
mod keys;
mod links;
mod named;
mod outer;
mod places;
mod settings;
pub(crate) mod still;
mod submodules;

use super::programs;
use crate::Ground;
use agent_policy::GitFacts;
use agent_policy::names::{Resolved, is_secret};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

pub(crate) use index::{GitIndex, TrackedKind};
use keys::is_harmless;
pub(crate) use keys::{is_kept, names_program};
pub(crate) use links::{Setting, named_by, settings_in, unquoted, way};
pub(crate) use named::RunByGit;
pub use outer::outer_git_folder;
pub(crate) use outer::outer_repository;
pub(crate) use places::{git_hooks, is_live_hook};

/// Findings that are told.
const FINDINGS: usize = 500;

/// Tracked secrets that are told.
const SECRETS: usize = 1_000;

/// What git would obey in `folder`; `None` where there is no git to ask, no fence to ask it in, or no answer.
pub(crate) fn audit(ground: &Ground, folder: &Path) -> Option<GitFacts> {
    let git = Git { program: programs::find(ground, "git")?, ground };
    let odd = places::not_plain(folder);
    if !odd.is_empty() {
        return Some(GitFacts { findings: odd, ..GitFacts::default() });
    }
    let settings = settings::of_repository(&git, folder)?;
    let mut facts = GitFacts { keys: settings.person, ..GitFacts::default() };
    let mut own_settings = settings.repository;
    let tree = match git.repository(folder) {
        Some(Repository { git_dir, tree }) if places::lies_in(&git_dir, &tree) => {
            Some(Repository { git_dir: tree.join(".git"), tree })
        }
        Some(Repository { git_dir, tree }) => match outer_repository(&tree).filter(|outer| outer.own == git_dir) {
            Some(outer) => {
                facts.findings.extend(places::findings(&outer.folder));
                // It leads to this very tree.
                own_settings.retain(|key| key != "core.worktree");
                Some(Repository { git_dir, tree })
            }
            None => {
                facts.findings.push(format!("its repository lies elsewhere, in {}", git_dir.display()));
                None
            }
        },
        None => {
            let stranger = places::lookalike(folder);
            facts.findings.extend(stranger.map(|at| format!("a repository of another kind in {}", at.display())));
            None
        }
    };
    facts.findings.extend(own_settings);
    if let Some(Repository { git_dir, tree }) = tree {
        facts.findings.extend(places::findings(&git_dir));
        facts.findings.sort();
        facts.findings.dedup();
        facts.findings.extend(submodules::findings(&git, &tree, &git_dir, facts.findings.is_empty()));
        facts.secrets = tracked_secrets(&tree, ground.home.as_deref());
        facts.tree = Some(tree);
    }
    limit(&mut facts.findings);
    Some(facts)
}

/// Is there something in `folder` or above that git might take for a repository? Links in `folder` are resolved.
pub(crate) fn near_repository(folder: &Path) -> bool {
    places::lookalike(folder).is_some()
}

/// The files that git tracks in `tree` whose names say that they hold secrets.
fn tracked_secrets(tree: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let home = home.and_then(Resolved::new);
    let secret = |name: &&OsStr| Resolved::new(&tree.join(name)).is_none_or(|path| is_secret(path, home));
    let index = GitIndex::of(tree);
    let files = index.below(tree).filter(|(_, kind)| *kind == TrackedKind::File).map(|(name, _)| name);
    files.filter(secret).take(SECRETS).map(PathBuf::from).collect()
}

fn limit(findings: &mut Vec<String>) {
    let more = findings.len().saturating_sub(FINDINGS);
    if more > 0 {
        findings.truncate(FINDINGS);
        findings.push(format!("and {more} more"));
    }
}

/// The git that is asked.
struct Git<'a> {
    program: PathBuf,
    ground: &'a Ground,
}

/// Where git says that it would work.
struct Repository {
    git_dir: PathBuf,
    tree: PathBuf,
}

impl Git<'_> {
    /// What git answers to `args` in `folder`.
    fn ask(&self, folder: &Path, args: &[&str]) -> Option<Vec<u8>> {
        still::ask(&self.program, args, folder, &self.ground.surroundings)
    }

    fn repository(&self, folder: &Path) -> Option<Repository> {
        let said = self.ask(folder, &["rev-parse", "--absolute-git-dir", "--show-toplevel"])?;
        let mut lines = said.split(|byte| *byte == b'\n').map(|line| PathBuf::from(OsStr::from_bytes(line)));
        let (git_dir, tree) = (lines.next()?, lines.next()?);
        // A line end in a name gives more lines, and then nothing fits.
        Some(Repository { git_dir, tree })
    }
}

#[cfg(test)]
mod tests;

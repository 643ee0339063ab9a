//! Where git's repositories are in a project, and which names of theirs are watched: those by which git may start
//! something, or look elsewhere.
//!
//! A repository is what git takes for one: `.git` in a folder (a folder, a link or a file that leads to one), a folder
//! that holds `HEAD` and the rest by itself, and what a repository keeps of its submodules and work trees. How one is told
//! from another is in `compared`.

use super::found::{OBEYED, Protected};
pub(super) use super::found::{SETTINGS, below};
use super::{LONGEST, settings};
use crate::facts::git::{git_hooks, named_by, way};
use crate::open::plain_file;
use std::path::{Path, PathBuf};

/// Folders that a repository consists of.
pub(super) const OWN: &[&str] = &["objects", "refs", "logs", "hooks", "info", "modules", "worktrees", "branches"];
/// Where a repository keeps others: of its submodules and of its work trees.
const KEEPS: &[&str] = &["modules", "worktrees"];
/// Steps from one to the next, and from folder to folder between them.
const DEPTH: u32 = 16;
/// Files of settings that are read for what they include.
const INCLUDED: usize = 20;

/// Watches the repository `git_dir` first of all: itself (another kind of thing may come in its place), its settings and
/// its hooks, each by its name; and what its settings lead to.
pub(super) fn sure(root: &Path, git_dir: &Path, found: &mut Protected) {
    if !is_there(&root.join(git_dir)) {
        return;
    }
    found.add_repository(git_dir);
    let hooks = git_hooks().map(|name| git_dir.join("hooks").join(name));
    let all = [git_dir.to_owned()].into_iter().chain(OBEYED.split(' ').map(|name| git_dir.join(name))).chain(hooks);
    // What is not there takes no room.
    for path in all.filter(|path| is_there(&root.join(path))) {
        found.watch_in_repository(path);
    }
    for path in led_to(root, git_dir) {
        found.lead_to(root, &path);
    }
}

/// The repositories that the repository `git_dir` keeps, and the one it leads to.
pub(super) fn inner(root: &Path, git_dir: &Path, left: &mut usize, found: &mut Protected) {
    deeper(root, git_dir, DEPTH, left, found);
}

/// The same, so many steps deep.
fn deeper(root: &Path, git_dir: &Path, depth: u32, left: &mut usize, found: &mut Protected) {
    let Some(less) = depth.checked_sub(1) else { return found.fill_repositories() };
    for way in ways(root, git_dir).into_iter().filter_map(|way| below(root, &way)) {
        if !found.is_repository(&way) && is_git_dir(&root.join(&way)) {
            sure(root, &way, found);
            deeper(root, &way, less, left, found);
        }
    }
    for part in KEEPS {
        kept(root, &git_dir.join(part), less, left, found);
    }
}

/// What else lies among the hooks of the repository `git_dir`. Git runs no sample.
pub(super) fn hooks(root: &Path, git_dir: &Path, left: &mut usize, found: &mut Protected) {
    for path in names(root, &git_dir.join("hooks"), left, found) {
        let is_sample = path.extension().is_some_and(|end| end == "sample");
        if !is_sample && !root.join(&path).symlink_metadata().is_ok_and(|at| at.is_dir()) {
            found.watch_in_repository(path);
        }
    }
}

/// The repositories below `folder`, in which a repository keeps others.
fn kept(root: &Path, folder: &Path, depth: u32, left: &mut usize, found: &mut Protected) {
    let folders = names(root, folder, left, found).into_iter();
    for path in folders.filter(|path| root.join(path).symlink_metadata().is_ok_and(|at| at.is_dir())) {
        match depth.checked_sub(1) {
            _ if found.is_repository(&path) => {}
            None => found.fill_repositories(),
            Some(_) if is_git_dir(&root.join(&path)) => {
                sure(root, &path, found);
                deeper(root, &path, depth, left, found);
            }
            Some(less) => kept(root, &path, less, left, found),
        }
    }
}

fn names(root: &Path, folder: &Path, left: &mut usize, found: &mut Protected) -> Vec<PathBuf> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        let Some(less) = left.checked_sub(1) else {
            found.fill_repositories();
            break;
        };
        *left = less;
        names.push(folder.join(entry.file_name()));
    }
    names
}

/// Would git take the folder itself for a repository?
pub(super) fn is_git_dir(folder: &Path) -> bool {
    let there = |name: &str| is_there(&folder.join(name));
    there("HEAD") && (there("objects") || there("commondir"))
}

pub(super) fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Does the folder that the settings at `config` name as that of its files lead back to their repository?
pub(super) fn is_own_tree(config: &Path, tree: &str) -> bool {
    let Some(git_dir) = config.parent().and_then(|git_dir| git_dir.canonicalize().ok()) else { return false };
    named_by(&git_dir.join(tree).join(".git")).is_some_and(|named| named == git_dir)
}

/// Where the repository `git_dir` leads, as far as git goes: from a file or link to a repository, and from there to the
/// one that it shares settings and hooks with. Absolute, links resolved.
pub(super) fn all_ways(root: &Path, git_dir: &Path) -> Vec<PathBuf> {
    let mut all = ways(root, git_dir);
    let further: Vec<PathBuf> = all.iter().flat_map(|way| ways(root, way)).collect();
    all.extend(further);
    all
}

/// The next step of that.
fn ways(root: &Path, git_dir: &Path) -> Vec<PathBuf> {
    let whole = root.join(git_dir);
    let is_link = whole.symlink_metadata().is_ok_and(|at| at.is_symlink());
    let link = if is_link { whole.canonicalize().ok() } else { None };
    let shared = way(&whole, "commondir").flatten();
    [named_by(&whole), link, shared].into_iter().flatten().collect()
}

/// The names that the settings of the repository `git_dir` lead to: settings they include, hooks that lie elsewhere.
/// Absolute, as they are written.
fn led_to(root: &Path, git_dir: &Path) -> Vec<PathBuf> {
    let whole = root.join(git_dir);
    let (mut all, mut ahead) = (Vec::new(), SETTINGS.iter().map(|name| whole.join(name)).collect::<Vec<_>>());
    let mut left = INCLUDED;
    while let (Some(file), Some(less)) = (ahead.pop(), left.checked_sub(1)) {
        left = less;
        let (included, hooks) = settings::ways(&plain_file(&file, LONGEST).unwrap_or_default());
        let included = included.iter().filter_map(|path| Some(file.parent()?.join(path)));
        let included: Vec<PathBuf> = included.take(INCLUDED).collect();
        ahead.extend(included.iter().cloned());
        all.extend(included);
        // Git takes it from the top of the work tree.
        let hooks = hooks.and_then(|path| Some(whole.parent()?.join(path)));
        all.extend(hooks.into_iter().flat_map(|folder| git_hooks().map(move |name| folder.join(name))));
    }
    all
}

/// Does the text of `HEAD` name a branch or a commit, and nothing else?
pub(super) fn is_plain_head(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let plain = |name: &[u8]| !name.is_empty() && name != b"." && name != b"..";
    match text.strip_prefix(b"ref: ") {
        Some(name) => {
            let name = name.trim_ascii_start();
            name.starts_with(b"refs/") && name.split(|byte| *byte == b'/').all(plain)
        }
        None => [40, 64].contains(&text.len()) && text.iter().all(u8::is_ascii_hexdigit),
    }
}

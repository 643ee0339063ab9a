//! Where a repository lies, and what lies in it besides settings.

use super::links::{named_by, way};
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// What git may run in a folder of hooks; looked for by name, however much else lies there.
const HOOKS: &str = "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit \
    prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update \
    proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite \
    sendemail-validate fsmonitor-watchman post-index-change";

/// The hooks that git may run.
pub(crate) fn git_hooks() -> impl Iterator<Item = &'static str> {
    HOOKS.split_ascii_whitespace()
}

/// Is `git_dir` the folder `.git` in `tree`, itself and all of it?
pub(super) fn lies_in(git_dir: &Path, tree: &Path) -> bool {
    let expected = tree.join(".git");
    git_dir == expected
        && expected.symlink_metadata().is_ok_and(|found| found.is_dir())
        && expected.join("commondir").symlink_metadata().is_err()
}

/// Something in `folder` or above that git might take for a repository.
pub(super) fn lookalike(folder: &Path) -> Option<PathBuf> {
    let there = |path: PathBuf| path.symlink_metadata().is_ok();
    folder.ancestors().find_map(|at| {
        let bare = there(at.join("HEAD")) && (there(at.join("objects")) || there(at.join("commondir")));
        (bare || there(at.join(".git"))).then(|| at.to_owned())
    })
}

/// Files of a repository that git opens whatever it is asked, and waits for where they are pipes.
const OPENED: &[&str] = &[
    "config",
    "config.worktree",
    "HEAD",
    "index",
    "packed-refs",
    "shallow",
    "info/exclude",
    "info/attributes",
    "info/sparse-checkout",
];

/// Those of the nearest repository at `folder` or above that are no plain files, so that git had better not be asked.
pub(super) fn not_plain(folder: &Path) -> Vec<String> {
    let git_dir = folder.ancestors().find_map(|at| {
        let inside = at.join(".git");
        let bare = || at.join("HEAD").symlink_metadata().is_ok() && at.join("objects").is_dir();
        if inside.symlink_metadata().is_ok() { Some(inside) } else { bare().then(|| at.to_owned()) }
    });
    // What a file there leads to, and what that shares with others.
    let led_to = |found: PathBuf| if found.is_dir() { Some(found) } else { named_by(&found) };
    let Some(git_dir) = git_dir.and_then(led_to) else { return Vec::new() };
    let shared = way(&git_dir, "commondir").flatten();
    let odd_in = |git_dir: PathBuf| {
        let name = git_dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let odd = OPENED.iter().filter(move |file| is_odd(&git_dir.join(file)));
        odd.map(move |file| format!("no plain file: {name}/{file}"))
    };
    [git_dir].into_iter().chain(shared).flat_map(odd_in).collect()
}

/// Is there something at `path` that is no plain file?
pub(super) fn is_odd(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| !found.is_file())
}

/// What the repository `git_dir` holds that makes git start programs or look elsewhere.
pub(super) fn findings(git_dir: &Path) -> Vec<String> {
    let mut findings = hooks(git_dir);
    if git_dir.join("objects/info/alternates").symlink_metadata().is_ok() {
        findings.push("its objects lie elsewhere (objects/info/alternates)".into());
    }
    findings
}

/// `hook pre-commit` for each that git would run.
pub(super) fn hooks(git_dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(git_dir.join("hooks")).into_iter().flatten().flatten();
    let live = entries.filter(|entry| entry.path().metadata().is_ok_and(|found| is_live_hook(&entry.path(), &found)));
    let mut names: Vec<String> = live.map(|entry| format!("hook {}", entry.file_name().to_string_lossy())).collect();
    names.sort();
    names
}

/// Would git run what is at `path`, which is in a folder of hooks?
pub(crate) fn is_live_hook(path: &Path, found: &Metadata) -> bool {
    found.is_file() && found.permissions().mode() & 0o111 != 0 && path.extension().is_none_or(|end| end != "sample")
}

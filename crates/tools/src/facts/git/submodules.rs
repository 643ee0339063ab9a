//! What git would obey in the submodules, which it looks into by itself.

use super::links::named_in;
use super::{Git, places, settings, still};
use crate::facts::programs;
use crate::open::plain_file_below;
use std::path::{Path, PathBuf};

/// Submodules that are looked at.
const MODULES: usize = 30;
/// Folders that are looked into for them.
const FOLDERS: usize = 2_000;
/// The longest file `.git` that leads to a repository; a path is no longer.
const LONGEST: u64 = 4_096;
/// The entries of the index that are submodules. What fails is said, for a pipe does not tell.
const LINKS: &str = "{ $git ls-files --stage || echo failed; } | sed -n -e '/^160000 /p' -e '/^failed$/p'";

/// The findings in the submodules of `tree`, whose repository is `git_dir`. The index is looked at only where git `may` be trusted to read it: where it
/// has no setting to obey.
pub(super) fn findings(git: &Git<'_>, tree: &Path, git_dir: &Path, may: bool) -> Vec<String> {
    let mut findings = Vec::new();
    let kept = git_dir.join("modules");
    match kept_modules(&kept) {
        Some(modules) => findings.extend(modules.iter().flat_map(|module| module_findings(git, module))),
        None => findings.push("it has more submodules than can be looked at".into()),
    }
    if may {
        findings.extend(linked_findings(git, tree, &kept));
    }
    findings
}

/// The repositories below `.git/modules`; `None` where there are too many.
fn kept_modules(folder: &Path) -> Option<Vec<PathBuf>> {
    let (mut found, mut ahead, mut left) = (Vec::new(), vec![folder.to_owned()], FOLDERS);
    while let Some(folder) = ahead.pop() {
        left = left.checked_sub(1)?;
        let is_repository = folder.join("HEAD").exists() && folder.join("config").exists();
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let inner = is_repository && ["objects", "refs", "logs", "hooks", "info"].iter().any(|part| name == *part);
            if !inner && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                ahead.push(entry.path());
            }
        }
        if is_repository {
            found.push(folder);
        }
    }
    (found.len() <= MODULES).then_some(found)
}

fn module_findings(git: &Git<'_>, git_dir: &Path) -> Vec<String> {
    let name = git_dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let files = ["config", "config.worktree"].map(|file| git_dir.join(file));
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.exists()) {
        // Git would wait for a pipe.
        let keys = if places::is_odd(file) { None } else { settings::of_file(git, file) };
        match keys {
            // Where its files lie, which git writes there itself.
            Some(keys) => findings.extend(keys.into_iter().filter(|key| key != "core.worktree")),
            None => findings.push("settings that cannot be read".into()),
        }
    }
    findings.extend(places::hooks(git_dir));
    findings.into_iter().map(|finding| format!("submodule {name}: {finding}")).collect()
}

/// The findings in those that the index names, as far as they do not lie below the folder of those that are `kept`.
fn linked_findings(git: &Git<'_>, tree: &Path, kept: &Path) -> Vec<String> {
    let Some(lines) = links(git, tree) else { return vec!["its index cannot be read".into()] };
    if lines.len() > MODULES {
        return vec!["it has more submodules than can be looked at".into()];
    }
    lines.iter().flat_map(|name| linked(git, tree, kept, name)).collect()
}

fn links(git: &Git<'_>, tree: &Path) -> Option<Vec<String>> {
    let shell = programs::find(git.ground, "sh")?;
    let said = still::ask_shell(&shell, LINKS, &[], tree, &git.ground.surroundings)?;
    let text = String::from_utf8(said).ok()?;
    let names = text.lines().map(|line| line.split_once('\t').map(|(_, name)| name.to_owned()));
    // The line that says it failed has no tab.
    names.collect()
}

fn linked(git: &Git<'_>, tree: &Path, kept: &Path, name: &str) -> Vec<String> {
    if name.starts_with('"') {
        return vec![format!("submodule {name}: its name cannot be followed")];
    }
    let folder = tree.join(name);
    let inside = folder.join(".git");
    let Ok(found) = inside.symlink_metadata() else { return Vec::new() };
    if found.is_dir() {
        return module_findings(git, &inside).into_iter().map(|finding| finding.replacen(".git", name, 1)).collect();
    }
    let named =
        plain_file_below(tree, &Path::new(name).join(".git"), LONGEST).and_then(|text| named_in(&text, &folder));
    match named {
        Some(named) if named.starts_with(kept) => Vec::new(),
        _ => vec![format!("submodule {name}: its repository lies elsewhere")],
    }
}

//! What differs between two looks at a project, one entry a file.
//!
//! **Invariant.** A file that was there before, out of sight, and only came into sight is no new file: going back would
//! delete it, and nobody could bring back what was never covered.

use super::lines::Counter;
use super::snapshot::{Snapshot, SnapshotEntry};
use super::stat::Moment;
use super::vault::Vault;
use crate::workspace::Workspace;
use agent_protocol::{FileChange, FileState};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

/// So far may the clock of a file system on another machine be behind ours.
const SKEW: Duration = Duration::from_secs(10);

/// What became of the files of `before` and which are new, sorted by path.
pub(super) fn between(before: &Snapshot, after: &Snapshot, workspace: &Workspace, vault: &Vault) -> Vec<FileChange> {
    let mut told = Telling { workspace, vault, counter: Counter::new(), changes: Vec::new() };
    let mut then = before.entries.iter().peekable();
    let mut new = Vec::new();
    for now in &after.entries {
        while let Some(gone) = then.next_if(|then| then.path < now.path) {
            told.tell(&gone.path, gone.state(), FileState::Missing);
        }
        match then.next_if(|then| then.path == now.path) {
            Some(then) if now.is_as(then) => {}
            Some(then) => told.tell(&now.path, then.state(), now.state()),
            None => new.push(now),
        }
    }
    then.for_each(|gone| told.tell(&gone.path, gone.state(), FileState::Missing));
    let mut newcomers = Newcomers { before, inodes: None, rules: former_rules(&told.changes, vault) };
    for now in new {
        if newcomers.is_new(now) {
            told.tell(&now.path, FileState::Missing, now.state());
        }
    }
    told.changes.sort_by(|one, other| one.path.cmp(&other.path));
    told.changes
}

/// The change from one state to another, with its lines counted.
pub(super) fn change(
    path: &Path,
    before: FileState,
    after: FileState,
    workspace: &Workspace,
    vault: &Vault,
    counter: &mut Counter,
) -> FileChange {
    let (added, removed) = counter.lines(&before, &after, vault);
    FileChange { path: path.into(), shown_path: workspace.shown(path), before, after, added, removed }
}

struct Telling<'a> {
    workspace: &'a Workspace,
    vault: &'a Vault,
    counter: Counter,
    changes: Vec<FileChange>,
}

impl Telling<'_> {
    fn tell(&mut self, path: &Path, before: FileState, after: FileState) {
        let change = change(path, before, after, self.workspace, self.vault, &mut self.counter);
        self.changes.push(change);
    }
}

/// Tells what is new from what only came into sight: an ignore file was changed, or something was moved here from a
/// place that is not covered.
struct Newcomers<'a> {
    before: &'a Snapshot,
    inodes: Option<HashSet<u64>>,
    /// Ignore files that are not as they were, as they were.
    rules: Vec<Gitignore>,
}

fn former_rules(changes: &[FileChange], vault: &Vault) -> Vec<Gitignore> {
    let rules = |change: &FileChange| {
        let FileState::File { content, .. } = &change.before else { return None };
        let folder = change.path.parent().filter(|_| change.path.ends_with(".gitignore"))?;
        let mut rules = GitignoreBuilder::new(folder);
        for line in String::from_utf8_lossy(&vault.fetch(content)?).lines() {
            // A line that cannot be read ignores nothing.
            let _ = rules.add_line(None, line);
        }
        rules.build().ok()
    };
    changes.iter().filter_map(rules).collect()
}

impl Newcomers<'_> {
    fn is_new(&mut self, entry: &SnapshotEntry) -> bool {
        let ignored = |rules: &Gitignore| {
            entry.path.starts_with(rules.path()) && rules.matched_path_or_any_parents(&entry.path, false).is_ignore()
        };
        if self.rules.iter().any(ignored) {
            return false;
        }
        let born = entry.path.symlink_metadata().and_then(|found| found.created());
        // Where the system keeps no time of birth, the last change of any kind has to do.
        let born = born.map_or(entry.stat.changed(), Moment::at);
        let before = self.before;
        born.is_within(SKEW, before.at) || {
            // It was covered under another name.
            let all = || before.entries.iter().map(|entry| entry.stat.inode).collect();
            self.inodes.get_or_insert_with(all).contains(&entry.stat.inode)
        }
    }
}

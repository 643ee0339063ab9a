//! What a model is told that names a file which is not there.

use crate::blocking::Stop;
use crate::pattern::Hidden;
use crate::walk::{Area, Depth, Entry, EntryKind, walk};
use crate::workspace::Workspace;
use agent_protocol::{Failure, FailureKind};
use similar::get_close_matches;
use std::path::Path;
use std::time::{Duration, Instant};

/// So long the project is looked through for a file that a wrong path may mean.
const TIME: Duration = Duration::from_millis(100);

/// Says that there is no such file, and what there is instead.
pub(in crate::tools) fn missing(workspace: &Workspace, path: &Path) -> Failure {
    let shown = workspace.shown(path);
    let mut message = format!("{shown} does not exist");
    if path.components().any(|part| part.as_os_str() == "~") {
        message.push_str("; ~ is not expanded, give the path from the project or an absolute one");
    } else if let Some(folder) = path.parent().filter(|folder| workspace.contains(folder)) {
        let close = close_names(folder, path);
        let elsewhere = || only_one_of_its_name(workspace, path);
        match close {
            Some(names) if names.is_empty() => match elsewhere() {
                Some(shown) => message.push_str(&format!("; the only file of that name is {shown}")),
                None => message.push_str("; list_directory or glob_files show what there is"),
            },
            Some(names) => {
                let names: Vec<String> = names.iter().map(|name| workspace.shown(&folder.join(name))).collect();
                message.push_str(&format!("; did you mean {}?", names.join(" or ")));
            }
            None => match elsewhere() {
                Some(shown) => message.push_str(&format!("; the only file of that name is {shown}")),
                None => {
                    message.push_str(&format!("; the folder {} does not exist either", workspace.shown(folder)));
                }
            },
        }
    }
    Failure::new(FailureKind::NotFound, message)
}

/// The one file of the project that has this name in another folder, if that is found in a moment.
fn only_one_of_its_name(workspace: &Workspace, path: &Path) -> Option<String> {
    let stop = Stop::at(Instant::now() + TIME);
    let entries = walk(Area::whole(workspace.root()), Hidden::Left, Depth::All, &stop);
    let is_it = |entry: &&Entry| entry.kind == EntryKind::File && entry.path.file_name() == path.file_name();
    let mut same = entries.iter().filter(is_it);
    let found = same.next().filter(|_| same.next().is_none() && !stop.wanted())?;
    (!workspace.is_secret(&found.path)).then(|| workspace.shown(&found.path))
}

/// Names in `folder` like that of `path`; `None` when there is no such folder.
fn close_names(folder: &Path, path: &Path) -> Option<Vec<String>> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut names: Vec<String> =
        entries.flatten().take(5_000).filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    // The endings are left out: that both are `.txt` makes two names no more alike.
    let stem = path.file_stem()?.to_str()?;
    let stems: Vec<&str> =
        names.iter().map(|name| name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem)).collect();
    let close = get_close_matches(stem, &stems, 3, 0.6);
    Some(names.iter().zip(&stems).filter(|(_, stem)| close.contains(stem)).map(|(name, _)| name.clone()).collect())
}

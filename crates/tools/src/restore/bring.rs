//! Carries out what was planned: each file from exactly one state to exactly another.
//!
//! What goes, goes first, so that a folder can make room for a file and a file for a folder.

use super::{emptied, look};
use crate::Ground;
use crate::apply::{Fault, Settle, Step, Was, Will, settle_at, take};
use crate::blocking::Stop;
use crate::parallel;
use crate::workspace::Workspace;
use agent_protocol::{FileState, Restoring, UndoneFile, Unkept};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};

/// Brings each of `files` from what it must be to what it is to be; says of each what became of it. Those that are `held`
/// stay as they are, for the reason that stands there.
pub(super) fn brought(
    files: &[Restoring],
    held: &HashMap<PathBuf, String>,
    ground: &Ground,
    workspace: &Workspace,
) -> Vec<UndoneFile> {
    let work = Work { held, ground, workspace };
    let numbered = || files.iter().enumerate();
    let (going, coming): (Vec<_>, Vec<_>) = numbered().partition(|(_, file)| file.to == FileState::Missing);
    let mut done = parallel::each(&going, |(at, file)| (*at, work.bring(file)));
    let gone = done.iter().map(|(_, file)| file).filter(|file| file.before != file.after);
    let gone: Vec<&Path> = gone.map(|file| file.path.as_path()).collect();
    let needed: Vec<&Path> = coming.iter().map(|(_, file)| file.path.as_path()).collect();
    emptied::remove(&gone, &needed, workspace);
    done.extend(parallel::each(&coming, |(at, file)| (*at, work.bring(file))));
    done.sort_by_key(|(at, _)| *at);
    let done: Vec<UndoneFile> = done.into_iter().map(|(_, file)| file).collect();
    settle(&done, workspace);
    done
}

struct Work<'a> {
    held: &'a HashMap<PathBuf, String>,
    ground: &'a Ground,
    workspace: &'a Workspace,
}

impl Work<'_> {
    fn bring(&self, file: &Restoring) -> UndoneFile {
        let (path, shown_path) = (file.path.clone(), self.workspace.shown(&file.path));
        let left = self
            .free(&path)
            .and_then(|()| self.step(file))
            .and_then(|step| self.settled(&file.from, &file.to).map(|()| step))
            .and_then(|step| take(&step, self.workspace, &Stop::default()).map_err(|fault| self.words(fault)));
        self.workspace.seen().doubt(&path);
        let Err(why) = left else {
            return UndoneFile { path, shown_path, before: file.from.clone(), after: file.to.clone(), left: None };
        };
        let now = look::now(&path, look::limit(self.ground, [&file.from, &file.to]));
        // What is as it is to be need not be brought there.
        let left = (now != file.to).then_some(why);
        UndoneFile { path, shown_path, before: now.clone(), after: now, left }
    }

    fn free(&self, path: &Path) -> Result<(), String> {
        self.held.get(path).map_or(Ok(()), |why| Err(why.clone()))
    }

    fn step<'a>(&self, file: &'a Restoring) -> Result<Step<'a>, String> {
        let (was, will) = (was(&file.from)?, self.will(&file.from, &file.to)?);
        let limit = file.from.kept_size().max(file.to.kept_size());
        Ok(Step { path: &file.path, was, will, limit, settle: Settle::Later })
    }

    /// What goes is made to last where it is kept, for what comes in its place lasts at once. That it is not kept any more
    /// holds nothing: then it cannot be brought forth again, that is all.
    fn settled(&self, from: &FileState, to: &FileState) -> Result<(), String> {
        match (from, to) {
            (FileState::File { content, .. }, FileState::File { content: same, .. }) if content == same => Ok(()),
            (FileState::File { content, .. }, _) => match self.ground.keep.settle(content) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(format!("what lies there cannot be kept: {error}; nothing was written"))
                }
                Ok(()) | Err(_) => Ok(()),
            },
            (FileState::Missing | FileState::Link { .. } | FileState::Unkept { .. }, _) => Ok(()),
        }
    }

    fn will<'a>(&self, from: &FileState, to: &'a FileState) -> Result<Will<'a>, String> {
        Ok(match (from, to) {
            (_, FileState::Missing) => Will::Nothing,
            (_, FileState::Link { target }) => Will::Link { target },
            (_, FileState::Unkept { why, .. }) => return Err(not_kept(*why)),
            (FileState::File { content: same, .. }, FileState::File { content, mode, .. }) if same == content => {
                Will::Rights { mode: *mode }
            }
            (_, FileState::File { content, mode, .. }) => {
                let bytes =
                    look::fetched(self.ground, content).ok_or("its bytes are no longer kept; nothing was written")?;
                Will::File { bytes: Cow::Owned(bytes), mode: Some(*mode) }
            }
        })
    }

    fn words(&self, fault: Fault) -> String {
        match fault {
            Fault::Stale => "changed meanwhile; nothing was written".into(),
            Fault::Contested { aside } => format!(
                "somebody else changed it again and again; it is as they left it, and what they wrote before lies in {}",
                self.workspace.shown(&aside)
            ),
            Fault::ReadOnly => "it may not be written; nothing was written, make it writable and try again".into(),
            Fault::Other(failure) => failure.message,
        }
    }
}

fn was(from: &FileState) -> Result<Was, String> {
    Ok(match from {
        FileState::Missing => Was::Nothing,
        FileState::File { content, mode, .. } => Was::File { digest: content.clone(), mode: Some(*mode) },
        FileState::Link { target } => Was::Link { target: target.clone() },
        FileState::Unkept { why, .. } => return Err(not_kept(*why)),
    })
}

/// Why something cannot be brought back, or cannot make room for what was there.
pub(super) fn not_kept(why: Unkept) -> String {
    format!("not covered: {}", why.words())
}

/// Makes every name last that was given or taken.
fn settle(done: &[UndoneFile], workspace: &Workspace) {
    let changed = done.iter().filter(|file| file.before != file.after);
    let folders: BTreeSet<&Path> = changed.flat_map(|file| around(&file.path, workspace)).collect();
    let folders: Vec<&Path> = folders.into_iter().collect();
    parallel::each(&folders, |folder| settle_at(folder, workspace));
}

/// The folders around a file, up to the project: each of them may have been made, or lost one.
fn around<'a>(path: &'a Path, workspace: &'a Workspace) -> impl Iterator<Item = &'a Path> {
    let inside = workspace.contains(path);
    let folders = path.ancestors().skip(1);
    folders.take_while(move |folder| !inside || workspace.contains(folder)).take(if inside { usize::MAX } else { 1 })
}

//! Writes planned changes to disk, and brings files back to how they were. The one place that changes files.
//!
//! Everything happens in the folder that the file lies in, which is held by its descriptor: wherever the names on the way
//! there lead meanwhile, nothing is written anywhere else.
//!
//! **Invariant.** A file is replaced only while it holds exactly the bytes that the change was planned on (a link: while it
//! says exactly what was planned on; the rights too, where they were planned on); whoever else
//! writes at the same time never loses what they wrote. At every moment the file is whole: the old one or the new one.
//! (A program that keeps the old file open goes on writing into what is no longer there, as with every save by renaming.)

mod likeness;
mod put_back;
mod site;
mod step;
mod sweep;
mod take_back;
mod temporary;
mod thing;

use crate::beneath;
use crate::blocking::Stop;
pub(crate) use crate::digest::{LARGEST, digest, digest_of, spelled};
use crate::workspace::Workspace;
use agent_protocol::{Change, Failure, FailureKind};
use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;
use site::Site;
use std::borrow::Cow;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use take_back::TakeBack;

pub(crate) use step::{Fault, Settle, Step, Was, Will};

/// The file may not be written.
pub(crate) struct ReadOnly;

impl ReadOnly {
    /// In words for the model.
    pub(crate) fn failure(&self, shown: &str) -> Failure {
        let message = format!("{shown} is read-only; ask whether it may be changed");
        Failure::new(FailureKind::PermissionDenied, message)
    }
}

/// May the file be written? `granted` is what the system says to that.
pub(crate) fn writable(granted: Result<(), Errno>, metadata: &Metadata) -> Result<(), ReadOnly> {
    // That it is gone meanwhile is another matter, and is noticed later.
    let denied = matches!(granted, Err(Errno::ACCESS | Errno::PERM | Errno::ROFS));
    // The owner's word counts even where the system would let us through.
    if metadata.mode() & 0o222 == 0 || denied { Err(ReadOnly) } else { Ok(()) }
}

/// Makes every change, or none, with the bytes of its text in the encoding of the file: one that cannot be made has those before it taken back. Gives in words what of the old
/// files could not be kept.
pub(crate) fn apply(
    changes: &[Change],
    bytes: Vec<Vec<u8>>,
    workspace: &Workspace,
    stop: &Stop,
) -> Result<Vec<String>, Failure> {
    let steps: Vec<Step> = changes.iter().zip(bytes).map(|(change, bytes)| step(change, bytes)).collect();
    let sites = || steps.iter().map(|step| Site { workspace, step, stop });
    let failure = |site: &Site, fault| failure(fault, site.step.path, workspace);
    for site in sites() {
        site.check_all().map_err(|fault| failure(&site, fault))?;
    }
    let mut lost = Vec::new();
    let mut back = TakeBack::default();
    for (nth, site) in sites().enumerate() {
        let made = back.remember(&site, nth + 1 == steps.len()).and_then(|()| site.apply());
        lost.extend(made.map_err(|fault| back.taken(failure(&site, fault), workspace))?);
    }
    Ok(lost)
}

/// Takes one step, unless something else lies there than was planned on.
pub(crate) fn take(step: &Step<'_>, workspace: &Workspace, stop: &Stop) -> Result<(), Fault> {
    let site = Site { workspace, step, stop };
    match step.will {
        Will::Nothing if step.was == Was::Nothing => site.check_all(),
        Will::Nothing | Will::File { .. } | Will::Rights { .. } | Will::Link { .. } => site.apply().map(|_| ()),
    }
}

/// A change as it is made: whatever rights the file has, it keeps.
fn step(change: &Change, bytes: Vec<u8>) -> Step<'_> {
    let was = change.before.clone().map_or(Was::Nothing, |digest| Was::File { digest, mode: None });
    let file = || Will::File { bytes: Cow::Owned(bytes), mode: None };
    let will = change.after.as_ref().map_or(Will::Nothing, |_| file());
    Step { path: &change.path, was, will, limit: LARGEST, settle: Settle::Now }
}

/// In words for the model.
fn failure(fault: Fault, path: &Path, workspace: &Workspace) -> Failure {
    let shown = workspace.shown(path);
    let message = match fault {
        Fault::Other(failure) => return failure,
        Fault::ReadOnly => return ReadOnly.failure(&shown),
        Fault::Stale => format!("{shown} changed since it was read; nothing was written, read it again"),
        Fault::Contested { aside } => format!(
            "{shown} was changed by somebody else again and again while it was written; it is as they left it, and what \
             they wrote before lies in {}",
            workspace.shown(&aside)
        ),
    };
    Failure::new(FailureKind::Stale, message)
}

/// Makes the names in `folder` last; where the system cannot, the files themselves are safe all the same.
fn settle(folder: &OwnedFd) {
    let _ = openat(folder, ".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .and_then(rustix::fs::fsync);
}

/// The same for the folder at `path`, where it is still there.
pub(crate) fn settle_at(path: &Path, workspace: &Workspace) {
    if let Ok(folder) = workspace.below(path).and_then(|(top, below)| beneath::folder(top, below)) {
        settle(&folder);
    }
}

#[cfg(test)]
mod tests;

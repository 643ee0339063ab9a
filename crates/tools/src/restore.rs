//! Brings files back to how they were, and says before what that would change and after what really became of files.
//!
//! Does not know what a turn is, nor in which order changes are taken back: it is told for each file how we left it and
//! how it is to be. Files are written by `apply` alone.

mod bring;
mod diff;
mod emptied;
mod head;
mod look;
mod merge;
mod part;
mod plan;
mod receipt;
mod room;

use crate::apply::{Fault, LARGEST, Settle, Step, Was, Will, take};
use crate::blocking::Stop;
use crate::{Toolbox, words};
use agent_policy::Permit;
use agent_protocol::{
    Action, Change, Failure, FailureKind, FileReceipt, FileState, LinesBack, SaidId, UndoDirection, UndoFile, UndoPlan,
    UndoneFile,
};
use std::borrow::Cow;
use std::path::PathBuf;

/// Rights of a file that only the user may read: it may hold a whole conversation.
const ALONE: u32 = 0o600;

/// A file that is to be brought back, or forth again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Absolute, links on the way to it resolved.
    pub path: PathBuf,
    pub left: FileState,
    /// As it is to be.
    pub target: FileState,
}

impl Toolbox {
    /// What bringing these files from as we left them to as they were would change: one entry a file that is not so
    /// already. What somebody else wrote since, and what it would be with both, is kept, so that either can be brought
    /// back, as far as there is room; what is not kept is not replaced. Changes no file. Blocking.
    pub fn plan_undo(&self, direction: UndoDirection, said: SaidId, wanted: &[Wanted]) -> UndoPlan {
        UndoPlan { direction, said, files: plan::planned(wanted, &self.kit.ground, &self.kit.workspace), part: None }
    }

    /// What would change if these lines of one file, which is as `left` says, became what they were; without lines, if
    /// all of it did. A file that is another by now cannot be brought back so. Changes no file. Blocking.
    pub fn plan_part(&self, said: SaidId, wanted: &Wanted, lines: &[LinesBack]) -> UndoPlan {
        let (files, part) = part::planned(wanted, lines, &self.kit.ground, &self.kit.workspace);
        UndoPlan { direction: UndoDirection::Undo, said, files, part: Some(part) }
    }

    /// What would become of those of these files that are not as in the last commit of git, if they became so; the bytes of
    /// the commit are kept, as far as there is room. Changes no file. Blocking.
    ///
    /// # Errors
    /// Why git is not asked, in words.
    pub fn against_head(&self, paths: &[PathBuf]) -> Result<Vec<UndoFile>, String> {
        head::against_head(paths, &self.kit.runner, &self.kit.ground, &self.kit.workspace)
    }

    /// Brings files back, if the permit is for that; one entry a file, in order. A file that is not exactly as it is to be
    /// brought from stays as it is, and the entry says why. Whatever the model knew of these files counts as outdated.
    ///
    /// Each file is whole at every moment, also after a power cut: as it was or as it is to be. When this returns, what
    /// was done outlasts a power cut. Folders that are missing are made with the usual rights; folders of the project that
    /// hold nothing any more when a file was taken out of them go, as git has it: which of them were there before is not
    /// known. Blocking.
    pub fn restore(&self, permit: Permit) -> Vec<UndoneFile> {
        let files = permit.action().restored();
        let held = self.around.buffers.held(files.iter().map(|file| file.path.as_path()));
        bring::brought(files, &held, &self.kit.ground, &self.kit.workspace)
    }

    /// Looks on disk what really became of these files since they were as `before` says; those that are as they were are
    /// left out. By name. Blocking.
    pub fn receipt(&self, before: &[(PathBuf, FileState)]) -> Vec<FileReceipt> {
        receipt::receipts(before, &self.kit.ground, &self.kit.workspace)
    }

    /// Writes new files for the user, whose eyes alone they are for, if the permit is for that; never over what is there.
    /// Blocking.
    ///
    /// # Errors
    /// A [`Failure`] for the first file that could not be written; those before it are there.
    pub fn write(&self, permit: Permit) -> Result<(), Failure> {
        let Action::Write { changes } = permit.action() else {
            return Err(Failure::new(FailureKind::Denied, "the permit is for something else; nothing was done"));
        };
        changes.0.iter().try_for_each(|change| self.create(change))
    }

    fn create(&self, change: &Change) -> Result<(), Failure> {
        let shown = self.kit.workspace.shown(&change.path);
        let (None, Some(text)) = (&change.before, &change.after) else {
            return Err(Failure::new(FailureKind::Denied, format!("{shown} would not be new; nothing was written")));
        };
        let will = Will::File { bytes: Cow::Borrowed(text.as_bytes()), mode: Some(ALONE) };
        let step = Step { path: &change.path, was: Was::Nothing, will, limit: LARGEST, settle: Settle::Now };
        take(&step, &self.kit.workspace, &Stop::default()).map_err(|fault| match fault {
            Fault::Stale | Fault::Contested { .. } => {
                let message =
                    format!("{shown} is there already, or cannot be; nothing was written, choose another name");
                Failure::new(FailureKind::Stale, message)
            }
            Fault::ReadOnly => words::unwritten(&std::io::ErrorKind::PermissionDenied.into(), &shown),
            Fault::Other(failure) => failure,
        })
    }
}

#[cfg(test)]
mod tests;

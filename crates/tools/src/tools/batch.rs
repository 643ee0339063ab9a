//! Several files in one call.

mod apply_patch;
mod batch_operations;
mod batch_read;
mod budget;
mod multi_edit;
mod overlay;
mod read_many_files;
mod rights;

use super::Listed;
use crate::workspace::Workspace;
use agent_protocol::{Failure, FailureKind};
use std::path::{Path, PathBuf};

/// Files or operations of one call.
const MOST: usize = 100;

/// The tools of this group, in the order in which the model is told of them.
pub(super) fn tools() -> Vec<Listed> {
    vec![
        (&read_many_files::FORM, Box::new(read_many_files::ReadManyFiles)),
        (&multi_edit::FORM, Box::new(multi_edit::MultiEdit)),
        (&batch_operations::FORM, Box::new(batch_operations::BatchOperations)),
    ]
}

/// Those of which no model is told.
pub(super) fn unoffered() -> Vec<Listed> {
    vec![(&apply_patch::FORM, Box::new(apply_patch::ApplyPatch))]
}

/// Each path once, in the order in which they come.
fn once(paths: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut known = Vec::new();
    for path in paths {
        if !known.contains(&path) {
            known.push(path);
        }
    }
    known
}

/// A failure of the operation at `nth`, counted from 0, of `all`, with the names that arguments have here. What stands in
/// further lines is quoted, and stays as it is.
fn of_operation(nth: usize, all: usize, failure: Failure) -> Failure {
    let (first, quoted) = failure.message.split_once('\n').unwrap_or((&failure.message, ""));
    let first = first.replace("old_string", "old").replace("new_string", "new");
    let line_end = if quoted.is_empty() { "" } else { "\n" };
    let message = format!("operation {} of {all} failed, and nothing was changed: {first}{line_end}{quoted}", nth + 1);
    Failure { message, ..failure }
}

/// Of a link, the link would be meant, and not what it leads to.
fn check_name(workspace: &Workspace, given: &str, path: &Path) -> Result<(), Failure> {
    if !workspace.names_link(given, path)? {
        return Ok(());
    }
    let message = format!("{given} is a link; use run_command to move or delete it");
    Err(Failure::new(FailureKind::InvalidArguments, message))
}

/// What to do with a file that is no text.
fn text_only(failure: Failure) -> Failure {
    match failure.kind {
        FailureKind::NotText => {
            let message = format!("{}; to move, copy or delete it use run_command", failure.message);
            Failure { message, ..failure }
        }
        _ => failure,
    }
}

fn too_many(tool: &str, what: &str) -> Failure {
    let message = format!("{tool} takes at most {MOST} {what} in a call; make several calls");
    Failure::new(FailureKind::InvalidArguments, message)
}

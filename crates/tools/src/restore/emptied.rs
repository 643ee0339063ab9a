//! Folders that hold nothing any more when files were taken out of them.
//!
//! Nobody wrote down which folders were there before. So it is as with git, which people expect of an undo: a folder goes
//! with the last file in it. One that holds anything at all stays, and so does the project itself and all around it.

use crate::beneath;
use crate::workspace::Workspace;
use rustix::fs::{AtFlags, unlinkat};
use std::collections::HashSet;
use std::path::Path;

/// Removes the folders around what is `gone` that are empty, but not those in which something is `coming`.
pub(super) fn remove(gone: &[&Path], coming: &[&Path], workspace: &Workspace) {
    let needed: HashSet<&Path> = coming.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    let inside = |folder: &&Path| workspace.contains(folder) && *folder != workspace.root();
    let around = gone.iter().flat_map(|path| path.ancestors().skip(1).take_while(inside));
    let folders: HashSet<&Path> = around.filter(|folder| !needed.contains(folder)).collect();
    let mut folders: Vec<&Path> = folders.into_iter().collect();
    // The deepest first: what is in a folder goes before the folder does.
    folders.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
    for folder in folders {
        remove_empty(folder, workspace);
    }
}

/// The system removes only what is empty.
fn remove_empty(folder: &Path, workspace: &Workspace) {
    let Some((around, name)) = folder.parent().zip(folder.file_name()) else { return };
    let around = workspace.below(around).and_then(|(top, below)| beneath::folder(top, below));
    let _ = around.and_then(|around| unlinkat(around, name, AtFlags::REMOVEDIR));
}

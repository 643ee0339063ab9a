//! Whose is it, and who else can write to it?

use crate::StoreError;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The group, or everybody, may write.
const OTHERS: u32 = 0o022;

/// The group, or everybody, may look in.
const LOOKERS: u32 = 0o055;

/// Refuses a folder that somebody else could have filled: by owning it, by writing in it, or by a link of theirs.
pub(crate) fn guard(folder: &Path) -> Result<(), StoreError> {
    if let Ok(link) = fs::symlink_metadata(folder)
        && link.is_symlink()
        && !is_ours(&link)
    {
        return Err(exposed(folder, "is a link that another user made", "take it away and start again".into()));
    }
    check(folder)
}

/// Refuses a file that somebody else could have written.
pub(crate) fn guard_file(file: &Path) -> Result<(), StoreError> {
    check(file)
}

/// Is it ours, and open to others for looking alone?
pub(super) fn may_be_closed(found: &Metadata) -> bool {
    is_ours(found) && found.mode() & OTHERS == 0 && found.mode() & LOOKERS != 0
}

fn check(path: &Path) -> Result<(), StoreError> {
    // What is not there is nobody's; what cannot be looked at cannot be used either.
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    if !is_ours(&found) {
        return Err(exposed(
            path,
            "belongs to another user",
            format!("take it away, or run `chown {} {}`", us(), path.display()),
        ));
    }
    if found.mode() & OTHERS != 0 {
        let remedy = format!("look through it, then run `chmod go-w {}`", path.display());
        return Err(exposed(path, "can be written by others", remedy));
    }
    Ok(())
}

fn exposed(path: &Path, how: &'static str, remedy: String) -> StoreError {
    StoreError::Exposed { path: path.to_owned(), how, remedy }
}

fn is_ours(found: &Metadata) -> bool {
    found.uid() == us()
}

fn us() -> u32 {
    rustix::process::geteuid().as_raw()
}

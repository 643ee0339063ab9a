//! Who can write to a file of settings.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// May write: the group, or everybody.
const OTHERS: u32 = 0o022;

/// Can only the user (or the superuser) write to the file at `path`? What cannot be looked at is nobody's.
pub(crate) fn is_ours_alone(path: &Path) -> bool {
    let Ok(found) = path.metadata() else { return false };
    let us = rustix::process::geteuid().as_raw();
    found.mode() & OTHERS == 0 && (found.uid() == us || found.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_that_others_can_write_is_not_ours_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        write(&path, "").unwrap();
        for (mode, expected) in [(0o600, true), (0o644, true), (0o664, false), (0o666, false)] {
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_ours_alone(&path), expected, "{mode:o}");
        }
        assert!(!is_ours_alone(&folder.path().join("missing")));
    }
}

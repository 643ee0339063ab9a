//! The rights that a file has when it is made.

use std::sync::OnceLock;

/// What the umask is where nothing tells.
const MASK: u32 = 0o022;

/// The rights of a file that is made by this program.
pub(super) fn usual() -> u32 {
    // It can be asked for only by setting it, which another thread would notice; nothing here ever sets it.
    static USUAL: OnceLock<u32> = OnceLock::new();
    *USUAL.get_or_init(|| {
        let told = std::fs::read_to_string("/proc/self/status").ok();
        0o666 & !told.as_deref().and_then(mask).unwrap_or(MASK)
    })
}

/// The umask, in what Linux tells of a process.
fn mask(status: &str) -> Option<u32> {
    let told = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
    u32::from_str_radix(told.trim(), 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_new_file_has_the_usual_rights() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("new");
        std::fs::write(&path, "").unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, usual());
    }

    #[test]
    fn the_mask_is_read_where_it_is_told() {
        assert_eq!(mask("Name:\tx\nUmask:\t0077\nState:\tR\n"), Some(0o077));
        assert_eq!(mask("Name:\tx\n"), None);
    }
}

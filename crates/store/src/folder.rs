//! A project folder that is known again: by its path, by what the file system calls it, and by when it was made. Its
//! number alone is not enough: file systems give that of a deleted folder to the next one.

use sha2::{Digest, Sha256};
use std::fs::Metadata;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A folder with its identity: another one that is put in its place is another folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Absolute, links resolved.
    pub path: PathBuf,
    /// The number of its device.
    pub device: u64,
    /// The number of its inode.
    pub inode: u64,
    /// When it was made, in nanoseconds since 1970; `None` where the file system does not say.
    pub born: Option<i64>,
}

impl Folder {
    /// The folder at `path`, which is absolute and resolved.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn at(path: &Path) -> io::Result<Self> {
        let found = path.symlink_metadata()?;
        Ok(Folder { path: path.to_owned(), device: found.dev(), inode: found.ino(), born: born(&found) })
    }

    /// A short name of it: of letters and digits, and another one for another folder.
    pub fn label(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.path.as_os_str().as_bytes());
        hash.update(format!("\0{} {} {:?}", self.device, self.inode, self.born));
        hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The path as it is written into files.
    pub(crate) fn shown(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// Is it what was written down so? What was written without the time of birth is not believed where there is one.
    pub(crate) fn is_known_as(&self, device: Option<u64>, inode: Option<u64>, born: Option<i64>) -> bool {
        (device, inode, born) == (Some(self.device), Some(self.inode), self.born)
    }
}

fn born(found: &Metadata) -> Option<i64> {
    let since = found.created().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_nanos()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_of_this_folder_alone() {
        let folder = Folder { path: "/a".into(), device: 1, inode: 2, born: Some(3) };
        let others = [
            Folder { path: "/b".into(), ..folder.clone() },
            Folder { device: 9, ..folder.clone() },
            Folder { inode: 9, ..folder.clone() },
            Folder { born: None, ..folder.clone() },
        ];
        let label = folder.label();
        assert!(label.len() == 32 && label.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{label}");
        assert_eq!(label, folder.clone().label());
        assert!(others.iter().all(|other| other.label() != label));
    }

    #[test]
    fn a_folder_is_known_by_all_that_was_written_of_it() {
        let known = Folder { path: "/a".into(), device: 1, inode: 2, born: Some(3) };
        assert!(known.is_known_as(Some(1), Some(2), Some(3)));
        for other in [(Some(9), Some(2), Some(3)), (Some(1), Some(9), Some(3)), (Some(1), Some(2), Some(9))] {
            assert!(!known.is_known_as(other.0, other.1, other.2), "{other:?}");
        }
        assert!(!known.is_known_as(Some(1), Some(2), None), "written before births were");
        let ageless = Folder { born: None, ..known };
        assert!(ageless.is_known_as(Some(1), Some(2), None), "a file system that knows no births");
        assert!(!ageless.is_known_as(Some(1), None, None));
    }
}

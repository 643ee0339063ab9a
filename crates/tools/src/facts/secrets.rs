//! Does anything below a folder have a name that holds secrets?

use agent_policy::Secrets;
use agent_policy::names::{Resolved, is_secret};
use std::path::{Path, PathBuf};

/// Names that are looked at.
const NAMES: usize = 20_000;
/// Folders below folders.
const DEPTH: usize = 64;

/// Looks at the names below `folder`, hidden and ignored ones too; follows no link.
pub(super) fn below(folder: &Path, home: Option<&Path>) -> Secrets {
    let home = home.and_then(Resolved::new);
    let says_so = |path: &Path| Resolved::new(path).is_none_or(|path| is_secret(path, home));
    let mut left = NAMES;
    let mut ahead: Vec<(PathBuf, usize)> = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = ahead.pop() {
        // What cannot be read here cannot be read by a command either.
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if says_so(&path) {
                return Secrets::Found(path);
            }
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if left == 0 || (is_folder && depth == DEPTH) {
                return Secrets::Unknown;
            }
            left -= 1;
            if is_folder {
                ahead.push((path, depth + 1));
            }
        }
    }
    Secrets::None
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn a_secret_is_found_however_deep_and_hidden() {
        let folder = TempDir::new().unwrap();
        let deep = folder.path().join("a/.b/node_modules");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::write(deep.join("readme"), "").unwrap();
        assert_eq!(below(folder.path(), None), Secrets::None);
        std::fs::write(deep.join(".env"), "").unwrap();
        assert_eq!(below(folder.path(), None), Secrets::Found(deep.join(".env")));
        assert_eq!(below(&deep.join("readme"), None), Secrets::None);
    }

    #[test]
    fn links_are_not_followed() {
        let (folder, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        std::fs::write(other.path().join(".env"), "").unwrap();
        std::os::unix::fs::symlink(other.path(), folder.path().join("way")).unwrap();
        std::os::unix::fs::symlink(".", folder.path().join("circle")).unwrap();
        assert_eq!(below(folder.path(), None), Secrets::None);
    }

    #[test]
    fn too_much_is_not_known() {
        let folder = TempDir::new().unwrap();
        let mut deep = folder.path().to_owned();
        for _ in 0..=DEPTH {
            deep.push("d");
        }
        std::fs::create_dir_all(&deep).unwrap();
        assert_eq!(below(folder.path(), None), Secrets::Unknown);
    }
}

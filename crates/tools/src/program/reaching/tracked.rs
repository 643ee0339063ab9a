//! Which files git keeps: hiding these would hide nothing, for they lie in its objects as well, and a command that
//! commits would write down that they became empty.
//!
//! Reads git's index itself, and only as far as one question needs: no program of the project is run for it.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Bytes of an index that is read.
const MOST: u64 = 64 << 20;
/// The bits of an entry's flags that hold the length of its name, and what they hold where it is longer.
const LENGTH: usize = 0xfff;

/// The index of one repository; empty where there is none, or none that can be read here.
#[derive(Debug)]
pub(super) struct Tracked {
    root: PathBuf,
    index: Vec<u8>,
}

impl Tracked {
    /// That of the repository at `root`. Blocking.
    pub(super) fn of(root: &Path) -> Self {
        let index = folder(root).and_then(|folder| read(&folder.join("index"))).filter(|index| is_plain(index));
        Tracked { root: root.to_owned(), index: index.unwrap_or_default() }
    }

    /// Does git keep the file at `path`?
    pub(super) fn has(&self, path: &Path) -> bool {
        let Ok(name) = path.strip_prefix(&self.root) else { return false };
        let name = [name.as_os_str().as_bytes(), b"\0"].concat();
        let length = (name.len() - 1).min(LENGTH);
        self.index.windows(name.len()).enumerate().any(|(at, window)| window == name && says(&self.index[..at], length))
    }
}

/// Do the flags before a name say that it is this long? Newer entries have two more bytes of them.
fn says(before: &[u8], length: usize) -> bool {
    let flags = |from_end: usize| {
        let at = before.len().checked_sub(from_end)?;
        Some(usize::from(u16::from_be_bytes([*before.get(at)?, *before.get(at + 1)?])))
    };
    const EXTENDED: usize = 0x4000;
    let plain = flags(2).is_some_and(|flags| flags & EXTENDED == 0 && flags & LENGTH == length);
    plain || flags(4).is_some_and(|flags| flags & EXTENDED != 0 && flags & LENGTH == length)
}

/// Its names are written out: those of version 4 are not.
fn is_plain(index: &[u8]) -> bool {
    index.starts_with(b"DIRC\0\0\0\x02") || index.starts_with(b"DIRC\0\0\0\x03")
}

/// Where git keeps what it knows of `root`.
fn folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(&git).ok()?;
    Some(root.join(text.strip_prefix("gitdir: ")?.trim_end()))
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|file| file.is_file()))?;
    file.take(MOST).read_to_end(&mut bytes).ok().map(|_| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use tempfile::TempDir;

    fn git(root: &Path, words: &[&str]) {
        let mut git = Command::new("git");
        let done = git.args(words).current_dir(root).env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
        assert!(done.status.success(), "{words:?}");
    }

    #[test]
    fn a_file_is_tracked_by_its_whole_name() {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let long = format!("{}/x.pem", vec!["d".repeat(200); 19].join("/"));
        for name in ["certs/test.pem", "a/.env", "plain", &long] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), "x").unwrap();
        }
        assert!(!Tracked::of(&root).has(&root.join("plain")), "no repository");
        git(&root, &["init", "-q"]);
        git(&root, &["add", "."]);
        // An entry with more flags, which makes it another version.
        fs::write(root.join("later"), "x").unwrap();
        git(&root, &["add", "-N", "later"]);
        let tracked = Tracked::of(&root);
        for name in ["certs/test.pem", "a/.env", "plain", "later", &long] {
            assert!(tracked.has(&root.join(name)), "{name}");
        }
        for name in [".env", "test.pem", "lain", "certs/test", "a", "x"] {
            assert!(!tracked.has(&root.join(name)), "{name}");
        }
        assert!(!tracked.has(Path::new("/elsewhere/plain")));
        // A second tree of the same repository has an index of its own.
        git(&root, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]);
        git(&root, &["worktree", "add", "-q", "tree"]);
        assert!(Tracked::of(&root.join("tree")).has(&root.join("tree/plain")));
    }
}

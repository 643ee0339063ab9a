//! What is at a path, and where a path leads.

use crate::workspace::resolve_by;
use agent_policy::{Led, PathKind};
use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What is at `path`, which is resolved.
pub(super) fn kind(path: &Path) -> Option<PathKind> {
    match path.symlink_metadata() {
        Ok(found) => Some(kind_of(&found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Some(PathKind::Missing),
        Err(_) => None,
    }
}

/// Where `path` leads and what is there.
///
/// A path through `/proc` leads one process here and another there, so it counts as special wherever it ends.
pub(super) fn leads(path: &Path) -> Option<Led> {
    let mut processes = false;
    let real = resolve_by(path, &mut |passed| processes |= passed.starts_with("/proc")).ok()?;
    let kind = if processes { PathKind::Special } else { kind(&real)? };
    Some(Led { real, kind })
}

/// A link counts as special: the path was resolved, so the link is new and somebody means mischief.
fn kind_of(found: &Metadata) -> PathKind {
    if found.is_dir() {
        PathKind::Folder
    } else if found.is_file() {
        PathKind::File { names: found.nlink() }
    } else {
        PathKind::Special
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;
    use tempfile::TempDir;

    /// A folder with one thing of each kind, and a way to name what is in it.
    fn things() -> (TempDir, impl Fn(&str) -> PathBuf, std::os::unix::net::UnixListener) {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let at = move |name: &str| root.join(name);
        std::fs::write(at("file"), "").unwrap();
        std::fs::write(at("one"), "").unwrap();
        std::fs::hard_link(at("one"), at("two")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        symlink(at("file"), at("link")).unwrap();
        let listener = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        (folder, at, listener)
    }

    #[test]
    fn each_kind_is_told() {
        let (_folder, at, _listener) = things();
        for (name, expected) in [
            ("file", PathKind::File { names: 1 }),
            ("one", PathKind::File { names: 2 }),
            ("folder", PathKind::Folder),
            ("link", PathKind::Special),
            ("socket", PathKind::Special),
            ("missing", PathKind::Missing),
            ("file/inside", PathKind::Missing),
        ] {
            assert_eq!(kind(&at(name)), Some(expected), "{name}");
        }
    }

    #[test]
    fn a_path_leads_where_the_system_would_go() {
        let (_folder, at, _listener) = things();
        symlink("folder/../socket", at("to-socket")).unwrap();
        symlink("circle", at("circle")).unwrap();
        symlink("/etc", at("out")).unwrap();
        for (name, real, expected) in [
            ("link", at("file"), PathKind::File { names: 1 }),
            ("folder/../link", at("file"), PathKind::File { names: 1 }),
            ("out/../etc/hosts-not-there", "/etc/hosts-not-there".into(), PathKind::Missing),
            ("to-socket", at("socket"), PathKind::Special),
        ] {
            assert_eq!(leads(&at(name)), Some(Led { real, kind: expected }), "{name}");
        }
        assert_eq!(leads(&at("circle")), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_another_thing_for_another_process_is_special() {
        let (_folder, at, _listener) = things();
        symlink("/proc/self/cwd/Cargo.toml", at("mine")).unwrap();
        for path in [
            at("mine"),
            "/proc/self/cwd".into(),
            ["/proc/self", "root", "etc/passwd"].iter().collect::<PathBuf>(),
            "/dev/fd/0".into(),
        ] {
            assert_eq!(leads(&path).map(|led| led.kind), Some(PathKind::Special), "{}", path.display());
        }
    }
}

//! Answers policy's questions of fact.

use agent_policy::{Facts, PathKind, Query};
use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Answers policy's questions of fact. What cannot be found out stays unanswered, which policy takes for the worst.
pub fn facts(queries: &[Query]) -> Facts {
    let mut facts = Facts::default();
    for query in queries {
        let Query::Kind(path) = query;
        if let Some(kind) = kind(path) {
            facts.set_kind(path.clone(), kind);
        }
    }
    facts
}

fn kind(path: &Path) -> Option<PathKind> {
    match path.symlink_metadata() {
        Ok(found) => Some(kind_of(&found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Some(PathKind::Missing),
        Err(_) => None,
    }
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
    use tempfile::TempDir;

    #[test]
    fn each_kind_is_told() {
        let folder = TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "").unwrap();
        std::fs::write(at("one"), "").unwrap();
        std::fs::hard_link(at("one"), at("two")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        symlink(at("file"), at("link")).unwrap();
        let _listener = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for (name, expected) in [
            ("file", PathKind::File { names: 1 }),
            ("one", PathKind::File { names: 2 }),
            ("folder", PathKind::Folder),
            ("link", PathKind::Special),
            ("socket", PathKind::Special),
            ("missing", PathKind::Missing),
            ("file/inside", PathKind::Missing),
        ] {
            let facts = facts(&[Query::Kind(at(name))]);
            assert_eq!(facts.kind(&at(name)), Some(expected), "{name}");
        }
    }
}

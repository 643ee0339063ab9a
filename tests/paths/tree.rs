//! What is in a folder, to be compared with what was.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Thing {
    File { bytes: Vec<u8>, mode: u32 },
    Link(String),
    Folder,
    Special,
}

/// Path to what is there; `None`: nothing.
pub(crate) fn thing(path: &Path) -> Option<Thing> {
    let found = path.symlink_metadata().ok()?;
    Some(match () {
        () if found.is_symlink() => Thing::Link(std::fs::read_link(path).unwrap().to_string_lossy().into_owned()),
        () if found.is_dir() => Thing::Folder,
        () if found.is_file() => Thing::File { bytes: std::fs::read(path).unwrap(), mode: found.mode() & 0o7777 },
        () => Thing::Special,
    })
}

/// Everything below `folder`.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Thing> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let thing = thing(&path).unwrap();
            if thing == Thing::Folder {
                folders.push(path.clone());
            }
            all.insert(path.strip_prefix(folder).unwrap().to_string_lossy().into_owned(), thing);
        }
    }
    all
}

/// The names in `folder`, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

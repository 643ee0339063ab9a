//! What lies under one name at this moment.
//!
//! Only for single names; the whole project is looked at by `snapshot`.

use super::stat::Stat;
use super::thing::{Folders, ProjectThing, ThingKind};
use crate::environment::Keep;
use agent_protocol::{Digest, FileState, Unkept};
use rustix::fs::FileType;
use std::io;
use std::path::Path;

/// What lies under `path` (absolute) now, its bytes kept where it is a file of at most `max_file` bytes. Where a folder
/// on the way is missing, or is none, there is nothing. Never blocks on a pipe.
pub(crate) fn kept(path: &Path, keep: &dyn Keep, max_file: u64) -> FileState {
    state(Folders::new().thing(path, max_file), |bytes| keep.keep(&bytes))
}

/// The same without keeping anything, and without holding it: a file is only named by its digest.
pub(crate) fn seen(path: &Path, max_file: u64) -> FileState {
    state(Folders::new().digested(path, max_file), Ok)
}

fn state<R>(thing: Option<ProjectThing<R>>, name: impl FnOnce(R) -> io::Result<Digest>) -> FileState {
    let Some(ProjectThing { stat, what }) = thing else { return FileState::Missing };
    match what {
        ThingKind::Link(target) => FileState::Link { target },
        ThingKind::Not(why) => unkept(why, &stat),
        ThingKind::File(read) => match name(read) {
            Ok(content) => FileState::File { content, mode: stat.permissions(), size: stat.size },
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => unkept(Unkept::NoRoom, &stat),
            Err(_) => unkept(Unkept::Unreadable, &stat),
        },
    }
}

/// Something that cannot be brought back. Only a file has a size worth telling.
pub(super) fn unkept(why: Unkept, stat: &Stat) -> FileState {
    let size = if stat.kind() == FileType::RegularFile { stat.size } else { 0 };
    FileState::Unkept { why, size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeptInMemory;
    use crate::apply::digest;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::PathBuf;
    use std::process::Command;
    use tempfile::TempDir;

    fn place() -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        (folder, root)
    }

    #[test]
    fn a_file_is_its_bytes_and_its_permissions() {
        let (_folder, root) = place();
        let (path, keep) = (root.join("a"), KeptInMemory::default());
        std::fs::write(&path, "text").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o4751)).unwrap();
        let expected = FileState::File { content: digest(b"text"), mode: 0o4751, size: 4 };
        assert_eq!(seen(&path, 4), expected);
        assert!(keep.fetch(&digest(b"text")).is_err(), "only looked at");
        assert_eq!(kept(&path, &keep, 4), expected);
        assert_eq!(keep.fetch(&digest(b"text")).unwrap(), b"text");
        assert_eq!(seen(&path, 3), FileState::Unkept { why: Unkept::TooLarge, size: 4 });
    }

    #[test]
    fn a_link_is_what_it_says_and_is_not_followed_on_the_way() {
        let (_folder, root) = place();
        std::fs::create_dir(root.join("in")).unwrap();
        std::fs::write(root.join("in/a"), "text").unwrap();
        symlink("in", root.join("way")).unwrap();
        symlink("nowhere", root.join("link")).unwrap();
        assert_eq!(seen(&root.join("link"), 9), FileState::Link { target: "nowhere".into() });
        assert_eq!(seen(&root.join("way/a"), 9), FileState::Missing);
    }

    #[test]
    fn where_no_folder_is_there_is_nothing() {
        let (_folder, root) = place();
        std::fs::write(root.join("file"), "").unwrap();
        for name in ["none", "none/a", "file/a", &"x".repeat(300)] {
            assert_eq!(seen(&root.join(name), 9), FileState::Missing, "{name}");
        }
    }

    #[test]
    fn what_is_no_file_is_not_opened() {
        let (_folder, root) = place();
        assert!(Command::new("mkfifo").arg(root.join("pipe")).status().unwrap().success());
        for path in [root.join("pipe"), root.clone(), "/dev/zero".into(), "/".into()] {
            assert_eq!(seen(&path, 9), FileState::Unkept { why: Unkept::Special, size: 0 }, "{path:?}");
        }
    }

    #[test]
    fn names_that_are_no_text_are_told() {
        let (_folder, root) = place();
        let odd = OsStr::from_bytes(b"a\xff");
        std::fs::write(root.join(odd), "four").unwrap();
        symlink(odd, root.join("link")).unwrap();
        assert_eq!(seen(&root.join(odd), 9), FileState::Unkept { why: Unkept::Name, size: 4 });
        assert_eq!(seen(&root.join("link"), 9), FileState::Unkept { why: Unkept::Name, size: 0 });
        assert_eq!(seen(&root.join(OsStr::from_bytes(b"b\xff")), 9), FileState::Missing);
    }

    #[test]
    fn what_finds_no_room_is_told_so() {
        let (_folder, root) = place();
        std::fs::write(root.join("a"), "four").unwrap();
        let keep = KeptInMemory::at_most(3);
        assert_eq!(kept(&root.join("a"), &keep, 9), FileState::Unkept { why: Unkept::NoRoom, size: 4 });
    }

    #[test]
    fn bytes_that_cannot_be_written_down_are_not_kept() {
        struct Full;
        impl Keep for Full {
            fn keep(&self, _: &[u8]) -> io::Result<Digest> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn fetch(&self, _: &Digest) -> io::Result<Vec<u8>> {
                Err(io::ErrorKind::NotFound.into())
            }
        }
        let (_folder, root) = place();
        std::fs::write(root.join("a"), "four").unwrap();
        assert_eq!(kept(&root.join("a"), &Full, 9), FileState::Unkept { why: Unkept::Unreadable, size: 4 });
    }
}

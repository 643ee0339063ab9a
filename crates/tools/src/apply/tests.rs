//! Real files in a temporary folder.

use super::*;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use tempfile::TempDir;

struct Project {
    _folder: TempDir,
    root: PathBuf,
}

impl Project {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        Project { _folder: folder, root }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn with(self, name: &str, text: &str) -> Self {
        std::fs::write(self.at(name), text).unwrap();
        self
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(&self.root)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn mode(&self, name: &str) -> u32 {
        self.at(name).metadata().unwrap().mode() & 0o7777
    }

    fn set_mode(&self, name: &str, mode: u32) {
        std::fs::set_permissions(self.at(name), Permissions::from_mode(mode)).unwrap();
    }

    /// Applies one change; the failure's kind where it fails.
    fn apply(&self, name: &str, before: Option<&str>, after: Option<&str>) -> Result<(), FailureKind> {
        let before = before.map(|text| digest(text.as_bytes()));
        let change = Change { path: self.at(name), before, after: after.map(String::from) };
        apply(&Changes(vec![change]), &Workspace::new(&self.root), &Stop::default()).map_err(|failure| failure.kind)
    }
}

#[test]
fn the_digest_is_sha_256() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(digest(b""), Digest(empty.into()));
}

#[test]
fn a_file_is_replaced_and_nothing_else_is_left() {
    let project = Project::new().with("a", "one\n");
    assert_eq!(project.apply("a", Some("one\n"), Some("two\n")), Ok(()));
    assert_eq!((project.text("a"), project.names()), ("two\n".into(), vec!["a".into()]));
}

#[test]
fn a_new_file_gets_its_folders_and_the_usual_rights() {
    let project = Project::new().with("usual", "");
    assert_eq!(project.apply("deep/er/a", None, Some("new")), Ok(()));
    assert_eq!((project.text("deep/er/a"), project.mode("deep/er/a")), ("new".into(), project.mode("usual")));
}

#[test]
fn rights_are_kept() {
    let project = Project::new().with("a", "one");
    for mode in [0o600, 0o755, 0o640, 0o4755] {
        project.set_mode("a", mode);
        assert_eq!(project.apply("a", Some("one"), Some("one")), Ok(()));
        assert_eq!(project.mode("a"), mode);
    }
}

#[test]
fn a_read_only_file_is_left_alone() {
    let project = Project::new().with("a", "one");
    project.set_mode("a", 0o444);
    assert_eq!(project.apply("a", Some("one"), Some("two")), Err(FailureKind::PermissionDenied));
    assert_eq!((project.text("a"), project.names()), ("one".into(), vec!["a".into()]));
}

#[test]
fn other_names_of_the_file_keep_the_old_text() {
    let project = Project::new().with("a", "one");
    std::fs::hard_link(project.at("a"), project.at("b")).unwrap();
    assert_eq!(project.apply("a", Some("one"), Some("two")), Ok(()));
    assert_eq!((project.text("a"), project.text("b")), ("two".into(), "one".into()));
}

#[test]
fn a_deletion_is_checked_like_a_change() {
    let project = Project::new().with("a", "one");
    assert_eq!(project.apply("a", Some("other"), None), Err(FailureKind::Stale));
    assert_eq!(project.apply("a", Some("one"), None), Ok(()));
    assert!(project.names().is_empty());
}

#[test]
fn whatever_changed_meanwhile_is_stale() {
    type Meddle = fn(&Project);
    let meddle: [(&str, Meddle); 5] = [
        ("changed", |project| std::fs::write(project.at("a"), "one more").unwrap()),
        ("removed", |project| std::fs::remove_file(project.at("a")).unwrap()),
        ("a folder", |project| {
            std::fs::remove_file(project.at("a")).unwrap();
            std::fs::create_dir(project.at("a")).unwrap();
        }),
        ("a link", |project| {
            std::fs::rename(project.at("a"), project.at("b")).unwrap();
            symlink("b", project.at("a")).unwrap();
        }),
        ("a pipe", |project| {
            std::fs::remove_file(project.at("a")).unwrap();
            let _pipe = std::os::unix::net::UnixListener::bind(project.at("a")).unwrap();
        }),
    ];
    for (what, meddle) in meddle {
        let project = Project::new().with("a", "one");
        meddle(&project);
        let before = project.names();
        assert_eq!(project.apply("a", Some("one"), Some("two")), Err(FailureKind::Stale), "{what}");
        assert_eq!(project.names(), before, "{what}");
    }
}

#[test]
fn what_appeared_meanwhile_is_not_overwritten() {
    let project = Project::new().with("a", "theirs");
    assert_eq!(project.apply("a", None, Some("ours")), Err(FailureKind::Stale));
    symlink("elsewhere", project.at("link")).unwrap();
    assert_eq!(project.apply("link", None, Some("ours")), Err(FailureKind::Stale));
    assert_eq!((project.text("a"), project.names()), ("theirs".into(), vec!["a".into(), "link".into()]));
}

#[test]
fn work_that_was_stopped_writes_nothing() {
    let project = Project::new().with("a", "one");
    let change = Change { path: project.at("a"), before: Some(digest(b"one")), after: Some("two".into()) };
    let stop = Stop::default();
    stop.ask();
    assert!(apply(&Changes(vec![change]), &Workspace::new(&project.root), &stop).is_err());
    assert_eq!((project.text("a"), project.names()), ("one".into(), vec!["a".into()]));
}

/// Whoever comes first: when both are through, their text stands. Either ours came before, and theirs replaced it, or
/// theirs came before, and ours was refused.
#[test]
fn somebody_who_writes_at_the_same_time_never_loses() {
    for round in 0..200 {
        let project = Project::new().with("a", "base").with("theirs", "theirs");
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for _ in 0..round * 20 {
                    std::hint::spin_loop();
                }
                std::fs::rename(project.at("theirs"), project.at("a")).unwrap();
            });
            let ours = project.apply("a", Some("base"), Some("ours"));
            assert!(matches!(ours, Ok(()) | Err(FailureKind::Stale)), "{ours:?}");
            writer.join().unwrap();
        });
        assert_eq!((project.text("a"), project.names()), ("theirs".into(), vec!["a".into()]));
    }
}

//! Real files in a temporary folder.

use super::sweep::sweep;
use super::temporary::Temporary;
use super::*;
use agent_protocol::Digest;
use rustix::fd::AsFd;
use rustix::fs::{RenameFlags, renameat_with};
use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use tempfile::TempDir;

fn bytes(change: &Change) -> Vec<u8> {
    change.after.clone().unwrap_or_default().into_bytes()
}

fn apply_text(changes: &[Change], workspace: &Workspace, stop: &Stop) -> Result<Vec<String>, Failure> {
    apply(changes, changes.iter().map(bytes).collect(), workspace, stop)
}

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
        self.apply_in(&Workspace::new(&self.root), change).map(|_| ()).map_err(|failure| failure.kind)
    }

    fn apply_in(&self, workspace: &Workspace, change: Change) -> Result<Vec<String>, Failure> {
        apply_text(&[change], workspace, &Stop::default())
    }

    fn change(&self, name: &str, before: Option<&str>, after: &str) -> Change {
        let before = before.map(|text| digest(text.as_bytes()));
        Change { path: self.at(name), before, after: Some(after.into()) }
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
    assert!(apply_text(&[change], &Workspace::new(&project.root), &stop).is_err());
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

#[test]
fn a_folder_that_became_a_link_is_not_written_through() {
    let project = Project::new();
    std::fs::create_dir_all(project.at("in/sub")).unwrap();
    std::fs::create_dir(project.at("out")).unwrap();
    std::fs::write(project.at("in/sub/a"), "one").unwrap();
    std::fs::write(project.at("out/a"), "one").unwrap();
    let workspace = Workspace::new(&project.at("in"));
    std::fs::rename(project.at("in/sub"), project.at("in/real")).unwrap();
    symlink("../out", project.at("in/sub")).unwrap();
    for (name, before) in [("in/sub/a", Some("one")), ("in/sub/new", None), ("in/sub/deep/new", None)] {
        let failure = project.apply_in(&workspace, project.change(name, before, "two")).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Stale, "{name}");
    }
    assert_eq!((project.text("out/a"), project.text("in/real/a")), ("one".into(), "one".into()));
    assert_eq!(std::fs::read_dir(project.at("out")).unwrap().count(), 1);
}

#[test]
fn a_project_that_was_moved_is_still_the_one_that_is_written_in() {
    let project = Project::new();
    std::fs::create_dir(project.at("in")).unwrap();
    std::fs::create_dir(project.at("out")).unwrap();
    std::fs::write(project.at("in/a"), "one").unwrap();
    let workspace = Workspace::new(&project.at("in"));
    std::fs::rename(project.at("in"), project.at("moved")).unwrap();
    symlink("out", project.at("in")).unwrap();
    assert_eq!(project.apply_in(&workspace, project.change("in/a", Some("one"), "two")), Ok(Vec::new()));
    assert_eq!(project.text("moved/a"), "two");
    assert_eq!(std::fs::read_dir(project.at("out")).unwrap().count(), 0);
}

#[test]
fn extended_attributes_are_kept() {
    let project = Project::new().with("a", "one");
    let set = rustix::fs::setxattr(project.at("a"), "user.note", b"kept", rustix::fs::XattrFlags::empty());
    if set == Err(Errno::OPNOTSUPP) {
        return;
    }
    set.unwrap();
    assert_eq!(project.apply("a", Some("one"), Some("two")), Ok(()));
    let mut value = [0; 8];
    let length = rustix::fs::getxattr(project.at("a"), "user.note", &mut value[..]).unwrap();
    assert_eq!((&value[..length], project.text("a").as_str()), (&b"kept"[..], "two"));
}

#[test]
fn file_systems_that_can_neither_exchange_nor_refuse_to_replace_are_written_on_too() {
    let project = Project::new().with("a", "one").with("ours", "two");
    let workspace = Workspace::new(&project.root);
    let (change, stop) = (project.change("a", Some("one"), "two"), Stop::default());
    let site = Site { workspace: &workspace, step: &step(&change, bytes(&change)), stop: &stop };
    let folder = site.folder().unwrap();
    site.replace_by_name(&folder, "ours").unwrap();
    assert_eq!((project.text("a"), project.names()), ("two".into(), vec!["a".into()]));
    let failure = site.replace_by_name(&folder, "ours").unwrap_err();
    assert_eq!((failure, project.text("a")), (Fault::Stale, "two".into()));
    std::fs::write(project.at("new"), "new").unwrap();
    assert_eq!(site.name_also(&folder, "new", OsStr::new("a")), Err(Errno::EXIST));
    assert_eq!(site.name_also(&folder, "new", OsStr::new("b")), Ok(()));
    assert_eq!((project.text("a"), project.text("b")), ("two".into(), "new".into()));
}

/// What a process that was killed at each point leaves behind.
#[test]
fn leftovers_of_a_killed_process_go_and_nothing_else_does() {
    let short = |text: &str| digest(text.as_bytes()).0[..temporary::DIGITS].to_owned();
    let swapping = |random: &str| format!(".swapping-{random}-{}-{}", short("old"), short("new"));
    let (taken, ready, foreign) = (swapping("00000001"), swapping("00000002"), swapping("00000003"));
    let project = Project::new()
        .with("a", "one")
        .with(".writing-0123abcd", "half a te")
        .with(&taken, "old")
        .with(&ready, "new")
        .with(&foreign, "what somebody else wrote")
        .with(".writing-notes", "a file of the user's")
        .with(".writing-0123abcde", "another");
    symlink("a", project.at(".writing-00000004")).unwrap();
    let project = project.with(".writing-00000005", "");
    let in_use = File::open(project.at(".writing-00000005")).unwrap();
    rustix::fs::flock(&in_use, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let stays =
        [".swapping-00000003", ".writing-00000004", ".writing-00000005", ".writing-0123abcde", ".writing-notes", "a"];
    // They are younger than the session: somebody may be at it.
    assert_eq!(project.apply("a", Some("one"), Some("two")), Ok(()));
    assert_eq!(project.names().len(), 9, "{:?}", project.names());
    let folder = rustix::fs::open(&project.root, OFlags::RDONLY, Mode::empty()).unwrap();
    sweep(&folder, std::time::SystemTime::now() + std::time::Duration::from_secs(5));
    let names: Vec<String> = project.names().iter().map(|name| name.chars().take(18).collect()).collect();
    assert_eq!(names, stays);
}

#[test]
fn a_folder_is_swept_before_the_first_write_of_a_session() {
    let project = Project::new().with("a", "one").with(".writing-0123abcd", "half a te");
    // The age of a name is told in whole seconds, so sessions that begin at once leave it alone.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while project.at(".writing-0123abcd").exists() && std::time::Instant::now() < deadline {
        let text = project.text("a");
        let workspace = Workspace::new(&project.root);
        project.apply_in(&workspace, project.change("a", Some(&text), "again")).unwrap();
    }
    assert_eq!(project.names(), ["a"]);
}

/// A write that has just changed places with what is under the name.
struct Swapped<'a> {
    project: &'a Project,
    change: Change,
    workspace: Workspace,
    stop: Stop,
}

impl<'a> Swapped<'a> {
    fn new(project: &'a Project) -> Self {
        let (change, stop) = (project.change("a", Some("one"), "two"), Stop::default());
        Swapped { project, change, workspace: Workspace::new(&project.root), stop }
    }

    /// Changes places with what there is, lets somebody else meddle, and goes on. Everything that is left, by content.
    fn goes_on(&self, meddle: impl FnOnce(&Project)) -> (Option<FailureKind>, String, Vec<String>) {
        let step = step(&self.change, bytes(&self.change));
        let site = Site { workspace: &self.workspace, step: &step, stop: &self.stop };
        let folder = site.folder().unwrap();
        let mut ours = Temporary::new(folder.as_fd(), 0o600, b"two").unwrap();
        ours.about_to_swap(&step.was, &step.will).unwrap();
        renameat_with(&folder, &ours.name, &folder, "a", RenameFlags::EXCHANGE).unwrap();
        meddle(self.project);
        let told = |fault| failure(fault, step.path, &self.workspace).kind;
        let result = site.verify(&folder, ours).map_err(told).err();
        let kept = self.project.names().into_iter().filter(|name| name != "a").map(|name| {
            assert!(!name.starts_with('.'), "{name} would be swept");
            self.project.text(&name)
        });
        (result, self.project.text("a"), kept.collect())
    }
}

#[test]
fn what_was_taken_out_goes_when_it_is_what_was_to_be_replaced() {
    let project = Project::new().with("a", "one");
    assert_eq!(Swapped::new(&project).goes_on(|_| ()), (None, "two".into(), Vec::new()));
}

#[test]
fn what_somebody_wrote_right_before_is_put_back() {
    let project = Project::new().with("a", "theirs");
    let left = Swapped::new(&project).goes_on(|_| ());
    assert_eq!(left, (Some(FailureKind::Stale), "theirs".into(), Vec::new()));
}

#[test]
fn what_somebody_wrote_before_and_after_is_kept_and_the_later_stands() {
    let project = Project::new().with("a", "theirs").with("later", "theirs, later");
    let rename = |project: &Project| std::fs::rename(project.at("later"), project.at("a")).unwrap();
    let left = Swapped::new(&project).goes_on(rename);
    assert_eq!(left, (Some(FailureKind::Stale), "theirs, later".into(), vec!["theirs".into()]));
}

#[test]
fn what_somebody_wrote_into_ours_is_not_lost() {
    let project = Project::new().with("a", "theirs");
    let left = Swapped::new(&project).goes_on(|project| std::fs::write(project.at("a"), "theirs, later").unwrap());
    assert_eq!(left, (Some(FailureKind::Stale), "theirs, later".into(), vec!["theirs".into()]));
}

#[test]
fn what_was_taken_out_comes_back_when_ours_was_taken_away() {
    let project = Project::new().with("a", "theirs");
    let left = Swapped::new(&project).goes_on(|project| std::fs::remove_file(project.at("a")).unwrap());
    assert_eq!(left, (Some(FailureKind::Stale), "theirs".into(), Vec::new()));
}

/// A swap with a link, as in [`Swapped`]: what lies under the name and beside it in the end, and why not ours.
fn link_swapped(
    project: &Project,
    was: Was,
    target: &str,
    meddle: impl FnOnce(&Project),
) -> (Option<Fault>, Vec<String>) {
    let (workspace, stop, path) = (Workspace::new(&project.root), Stop::default(), project.at("a"));
    let will = Will::Link { target: Path::new(target) };
    let step = Step { path: &path, was, will, limit: LARGEST, settle: Settle::Later };
    let site = Site { workspace: &workspace, step: &step, stop: &stop };
    let folder = site.folder().unwrap();
    let mut ours = Temporary::link(folder.as_fd(), Path::new(target), &step.was).unwrap();
    ours.about_to_swap(&step.was, &step.will).unwrap();
    renameat_with(&folder, &ours.name, &folder, "a", RenameFlags::EXCHANGE).unwrap();
    meddle(project);
    let fault = site.verify(&folder, ours).err();
    let says = |name: &String| match std::fs::read_link(project.at(name)) {
        Ok(target) => format!("{} -> {}", &name[..1], target.display()),
        Err(_) => format!("{}: {}", &name[..1], project.text(name)),
    };
    (fault, project.names().iter().map(says).collect())
}

fn was_link(target: &str) -> Was {
    Was::Link { target: target.into() }
}

#[test]
fn a_link_takes_the_place_of_what_was_planned_on() {
    let project = Project::new();
    symlink("one", project.at("a")).unwrap();
    assert_eq!(link_swapped(&project, was_link("one"), "two", |_| ()), (None, vec!["a -> two".into()]));
    let project = Project::new().with("a", "one");
    let was = Was::File { digest: digest(b"one"), mode: Some(project.mode("a")) };
    assert_eq!(link_swapped(&project, was, "two", |_| ()), (None, vec!["a -> two".into()]));
}

#[test]
fn what_somebody_put_in_the_place_of_a_link_right_before_is_put_back() {
    type Put = fn(&Project);
    let theirs: [(Put, &str); 2] = [
        (|project| symlink("theirs", project.at("a")).unwrap(), "a -> theirs"),
        (|project| std::fs::write(project.at("a"), "theirs").unwrap(), "a: theirs"),
    ];
    for (put, stands) in theirs {
        let project = Project::new();
        put(&project);
        let left = link_swapped(&project, was_link("one"), "two", |_| ());
        assert_eq!(left, (Some(Fault::Stale), vec![stands.into()]));
    }
}

#[test]
fn what_somebody_put_in_the_place_of_our_link_stands_and_what_was_there_is_kept() {
    let project = Project::new().with("a", "theirs").with("later", "theirs, later");
    let rename = |project: &Project| std::fs::rename(project.at("later"), project.at("a")).unwrap();
    let (fault, left) = link_swapped(&project, was_link("one"), "two", rename);
    assert!(matches!(fault, Some(Fault::Contested { .. })), "{fault:?}");
    assert_eq!(left, ["a: theirs, later", "a: theirs"]);
}

#[test]
fn other_rights_than_those_planned_on_are_put_back_too() {
    let project = Project::new().with("a", "one");
    project.set_mode("a", 0o640);
    let was = Was::File { digest: digest(b"one"), mode: Some(0o644) };
    assert_eq!(link_swapped(&project, was, "two", |_| ()), (Some(Fault::Stale), vec!["a: one".into()]));
    assert_eq!(project.mode("a"), 0o640);
}

#[test]
fn links_of_a_killed_process_go_where_they_say_what_their_name_says() {
    let project = Project::new();
    let named = |random: &str| {
        let short = |text: &str| digest(text.as_bytes()).0[..temporary::DIGITS].to_owned();
        format!(".swapping-{random}-{}-{}", short("old"), short("new"))
    };
    symlink("old", project.at(&named("00000001"))).unwrap();
    symlink("new", project.at(&named("00000002"))).unwrap();
    symlink("foreign", project.at(&named("00000003"))).unwrap();
    let folder = rustix::fs::open(&project.root, OFlags::RDONLY, Mode::empty()).unwrap();
    sweep(&folder, std::time::SystemTime::now() - std::time::Duration::from_secs(60));
    assert_eq!(project.names().len(), 3, "somebody may be at it");
    sweep(&folder, std::time::SystemTime::now() + std::time::Duration::from_secs(5));
    assert_eq!(project.names(), [named("00000003")]);
}

#[test]
fn of_several_changes_all_are_made_or_none() {
    let project = Project::new().with("a", "old a").with("b", "old b").with("c", "old c");
    project.set_mode("a", 0o640);
    project.set_mode("b", 0o750);
    let digest_of = |text: &str| Some(digest(text.as_bytes()));
    let change = |name: &str, before: Option<Digest>, after: Option<&str>| Change {
        path: project.at(name),
        before,
        after: after.map(String::from),
    };
    let made = |more: Vec<Change>| {
        let first = [
            change("a", digest_of("old a"), Some("new a")),
            change("b", digest_of("old b"), None),
            change("n", None, Some("new n")),
        ];
        let changes: Vec<Change> = first.into_iter().chain(more).collect();
        apply_text(&changes, &Workspace::new(&project.root), &Stop::default())
    };
    // That a name cannot be a file and a folder shows only when the file is there.
    let failure = made(vec![change("n/m", None, Some("x")), change("c", digest_of("old c"), None)]).unwrap_err();
    assert!(
        failure.message.ends_with("what was changed before it is taken back, so nothing is changed"),
        "{failure:?}"
    );
    assert_eq!(project.names(), ["a", "b", "c"]);
    assert_eq!((project.text("a"), project.text("b")), ("old a".into(), "old b".into()));
    assert_eq!((project.mode("a"), project.mode("b")), (0o640, 0o750));
    // Stale from the beginning: not even the first one is made.
    assert_eq!(made(vec![change("c", digest_of("other"), None)]).unwrap_err().kind, FailureKind::Stale);
    assert_eq!(project.names(), ["a", "b", "c"]);
    made(vec![change("c", digest_of("old c"), None)]).unwrap();
    assert_eq!(project.names(), ["a", "n"]);
    assert_eq!((project.text("a"), project.mode("a")), ("new a".into(), 0o640));
}

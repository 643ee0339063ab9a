//! Looks at small projects, lets something happen to them, and looks what is told of it.

use super::stat::Moment;
use super::{Reach, Snapshot, StateBefore, Undo};
use crate::environment::{Keep, KeptInMemory, UndoLimits};
use crate::workspace::{Workspace, one_line};
use crate::{Ground, apply};
use agent_protocol::{Cover, CoverScope, Digest, FileState, LeftOut, Unkept};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

struct Place {
    _folder: TempDir,
    root: PathBuf,
    workspace: Workspace,
    keep: Arc<KeptInMemory>,
    undo: Undo,
}

const SMALL: UndoLimits = UndoLimits { max_file: 1 << 20, max_files: 100, budget: 1 << 20 };

impl Place {
    /// A project that `line` made.
    fn made_by(line: &str) -> Self {
        Place::within(SMALL, line)
    }

    fn within(undo: UndoLimits, line: &str) -> Self {
        let keep = Arc::new(KeptInMemory::default());
        Place::with(undo, keep.clone(), keep, line)
    }

    fn with(undo: UndoLimits, keep: Arc<KeptInMemory>, used: Arc<dyn Keep>, line: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        std::fs::create_dir(&root).unwrap();
        let ground = Ground { home: None, keep: used, undo, ..Ground::of_this_process(root.clone()).unwrap() };
        let workspace = Workspace::new(&root);
        let undo = Undo::new(&workspace, &ground);
        let place = Place { _folder: folder, root, workspace, keep, undo };
        place.sh(line);
        place
    }

    fn sh(&self, line: &str) {
        let status = Command::new("sh").args(["-ec", line]).current_dir(&self.root).status().unwrap();
        assert!(status.success(), "{line}");
    }

    fn before(&self) -> StateBefore {
        self.undo.before(Reach::Project)
    }

    /// What is told of `line`.
    fn changes(&self, line: &str) -> Vec<String> {
        let before = self.before();
        self.sh(line);
        self.since(&before)
    }

    fn since(&self, before: &StateBefore) -> Vec<String> {
        let changed = self.undo.after(before).files.into_iter();
        let words = |change: agent_protocol::FileChange| {
            assert_eq!(change.path, self.root.join(change.path.strip_prefix(&self.root).unwrap()));
            let (before, after) = (self.words(&change.before), self.words(&change.after));
            format!("{}: {before} → {after}", change.shown_path)
        };
        changed.map(words).collect()
    }

    fn words(&self, state: &FileState) -> String {
        match state {
            FileState::Missing => "nothing".into(),
            FileState::File { content, mode, size } => {
                let bytes = self.keep.fetch(content).expect("what is told to be kept is kept");
                assert_eq!(bytes.len() as u64, *size);
                let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                if mode & 0o777 == 0o644 { text } else { format!("{text} ({mode:o})") }
            }
            FileState::Link { target } => format!("link to {}", one_line(target)),
            FileState::Unkept { why, .. } => why.words().into(),
        }
    }

    fn seen(&self, name: &str) {
        self.workspace.seen().note(&self.root.join(name), apply::digest(b""));
    }
}

#[test]
fn every_way_to_change_files_is_told_with_what_was_there() {
    let made = "umask 022; mkdir -p src/deep; echo one > a; echo two > src/b; echo three > src/deep/c; ln -s a link; \
                echo '*.o' > .gitignore; echo x > .hidden";
    for (line, expected) in [
        ("true", &[][..]),
        ("rm -rf src", &["src/b: two → nothing", "src/deep/c: three → nothing"]),
        ("sed -i s/one/1/ a", &["a: one → 1"]),
        ("mv a z", &["a: one → nothing", "z: nothing → one"]),
        (
            "mv src lib",
            &[
                "lib/b: nothing → two",
                "lib/deep/c: nothing → three",
                "src/b: two → nothing",
                "src/deep/c: three → nothing",
            ],
        ),
        ("chmod 755 a; touch src/b", &["a: one → one (755)"]),
        ("rm link; echo own > link", &["link: link to a → own"]),
        ("ln -sfn src link", &["link: link to a → link to src"]),
        ("rm a; mkdir a; echo in > a/b", &["a: one → no plain file", "a/b: nothing → in"]),
        ("rm -r src/deep; ln -s .. src/deep", &["src/deep: nothing → link to ..", "src/deep/c: three → nothing"]),
        ("echo y >> .hidden", &[".hidden: x → x\ny"]),
        ("echo made > made.o; mkdir empty; rmdir empty", &[]),
        ("echo x > a; echo one > a", &[]),
        (
            "rm -rf ./* .hidden .gitignore",
            &[
                ".gitignore: *.o → nothing",
                ".hidden: x → nothing",
                "a: one → nothing",
                "link: link to a → nothing",
                "src/b: two → nothing",
                "src/deep/c: three → nothing",
            ],
        ),
    ] {
        assert_eq!(Place::made_by(made).changes(line), expected, "{line}");
    }
}

#[test]
fn what_git_brings_back_is_told_and_git_s_own_files_are_not() {
    let place = Place::made_by(
        "git init -q; git config user.email a@b; git config user.name x; echo one > a; git add a; git commit -qm first; \
         echo mine > a",
    );
    assert_eq!(place.changes("git checkout -q ."), ["a: mine → one"]);
}

#[test]
fn lines_are_counted() {
    let place = Place::made_by("printf '1\\n2\\n3\\n' > a; printf 'x\\0' > bin");
    let before = place.before();
    place.sh("printf '1\\n3\\n4\\n5\\n' > a; printf 'y\\0' > bin; printf 'a\\nb\\n' > new");
    let counted: Vec<_> =
        place.undo.after(&before).files.into_iter().map(|it| (it.shown_path, it.added, it.removed)).collect();
    assert_eq!(counted, [("a".into(), 2, 1), ("bin".into(), 0, 0), ("new".into(), 2, 0)]);
}

#[test]
fn a_file_that_is_too_large_is_noticed_but_not_covered() {
    let limits = UndoLimits { max_file: 1 << 20, ..SMALL };
    let place = Place::within(limits, "truncate -s 2M large; echo one > small");
    assert_eq!(place.changes("echo more >> large"), ["large: too large → too large"]);
    assert_eq!(place.changes("echo two > small"), ["small: one → two"]);
    assert_eq!(place.changes("rm large"), ["large: too large → nothing"]);
}

#[test]
fn what_finds_no_room_is_not_covered_and_what_was_seen_comes_first() {
    let place =
        Place::within(UndoLimits { budget: 10, ..SMALL }, "for name in a b c d; do echo 12345$name > $name; done");
    place.seen("d");
    assert_eq!(
        place.changes("for name in a b c d; do rm $name; done"),
        [
            "a: no room left for it → nothing",
            "b: no room left for it → nothing",
            "c: no room left for it → nothing",
            "d: 12345d → nothing"
        ]
    );
    // The same bytes cost nothing.
    assert_eq!(place.changes("echo 12345d > e"), ["e: nothing → 12345d"]);
}

#[test]
fn what_file_tools_keep_in_memory_leaves_less_for_commands() {
    let keep = Arc::new(KeptInMemory::at_most(20));
    let place = Place::with(SMALL, keep.clone(), keep.clone(), "echo 12345678901234 > a; echo 12345678 > b");
    let before = place.undo.before(Reach::Files(vec![place.root.join("a")]));
    let left_out = vec![LeftOut { why: Unkept::NoRoom, files: 2 }];
    assert_eq!(place.undo.cover(), Cover { scope: CoverScope::Project, files: 0, left_out });
    place.sh("echo 43210987654321 > a");
    assert_eq!(place.since(&before), ["a: 12345678901234 → no room left for it"]);
    assert_eq!(place.changes("rm b"), ["b: no room left for it → nothing"]);
}

#[test]
fn of_a_project_with_too_many_files_only_those_seen_are_covered() {
    let place = Place::within(UndoLimits { max_files: 3, ..SMALL }, "for name in a b c; do echo $name > $name; done");
    place.seen("b");
    assert_eq!(place.undo.cover(), Cover { scope: CoverScope::Project, files: 3, left_out: Vec::new() });
    let before = place.before();
    place.sh("echo 1 > a; echo 2 > b; echo 3 > d");
    assert_eq!(place.since(&before), ["a: a → 1", "b: b → 2"]);
    let note =
        "the project has more than 3 files now, so undo covers only those read or written since agent was started";
    assert_eq!(place.undo.after(&before).note.as_deref(), Some(note));
    assert_eq!(place.undo.cover(), Cover { scope: CoverScope::Seen { most: 3 }, files: 1, left_out: Vec::new() });
    assert_eq!(place.changes("echo 4 > a; echo 5 > b; rm d"), ["b: 2 → 5"]);
}

#[test]
fn of_a_home_folder_only_what_was_seen_is_covered() {
    let folder = TempDir::new().unwrap();
    let home = folder.path().canonicalize().unwrap();
    std::fs::write(home.join("a"), "").unwrap();
    for (root, expected) in [(home.clone(), true), (home.parent().unwrap().into(), true), (home.join("in"), false)] {
        std::fs::create_dir_all(&root).unwrap();
        let ground = Ground { home: Some(home.clone()), ..Ground::of_this_process(root.clone()).unwrap() };
        let undo = Undo::new(&Workspace::new(&root), &ground);
        assert_eq!(matches!(undo.cover().scope, CoverScope::Seen { .. }), expected, "{root:?}");
    }
}

#[test]
fn what_git_ignores_is_covered_only_when_it_was_seen() {
    let place = Place::made_by("mkdir made; echo 1 > made/a; echo 2 > made/b; echo made > .gitignore");
    place.seen("made/a");
    place.seen("../elsewhere");
    assert_eq!(place.changes("rm -r made"), ["made/a: 1 → nothing"]);
}

#[test]
fn what_only_comes_into_sight_is_not_new() {
    let made = "mkdir made .git; echo 1 > made/a; echo 2 > .git/b; echo made > .gitignore; echo 3 > ../c";
    for (line, expected) in [
        // Not even if it is made anew: it may have been there.
        ("echo > .gitignore; rm made/a; echo 1 > made/a", &[".gitignore: made → "][..]),
        ("rm .gitignore", &[".gitignore: made → nothing"]),
        ("echo more >> .gitignore", &[".gitignore: made → made\nmore"]),
    ] {
        assert_eq!(Place::made_by(made).changes(line), expected, "{line}");
    }
}

#[test]
fn what_was_moved_here_from_a_place_that_is_not_covered_is_not_new() {
    let made = "mkdir src made .git; echo 1 > made/a; echo 2 > .git/b; echo made > .gitignore; echo 3 > ../c; \
                echo 4 > src/d";
    for (line, expected) in [
        ("mv made here", &[][..]),
        ("mv .git here", &[]),
        ("mv ../c .", &[]),
        ("mv src lib", &["lib/d: nothing → 4", "src/d: 4 → nothing"]),
        ("rm .gitignore", &[".gitignore: made → nothing"]),
    ] {
        let place = Place::made_by(made);
        let StateBefore::Project { snapshot, whole } = place.before() else { panic!("it is the project") };
        // Everything there is was made long before.
        let at = Moment::at(SystemTime::now() + Duration::from_secs(3600));
        let before =
            StateBefore::Project { snapshot: Arc::new(Snapshot { at, entries: snapshot.entries.clone() }), whole };
        place.sh(line);
        assert_eq!(place.since(&before), expected, "{line}");
    }
}

#[test]
fn a_file_that_becomes_ignored_is_still_told() {
    let place = Place::made_by("echo 1 > a");
    assert_eq!(place.changes("echo a > .gitignore; rm a"), [".gitignore: nothing → a", "a: 1 → nothing"]);
    let place = Place::made_by("echo 1 > a");
    assert_eq!(place.changes("echo a > .gitignore"), [".gitignore: nothing → a"]);
}

#[test]
fn a_change_in_the_same_moment_as_the_look_is_not_missed() {
    let place = Place::made_by("echo 0 > a");
    for round in 1..50 {
        let before = place.before();
        std::fs::write(place.root.join("a"), format!("{}\n", round % 10)).unwrap();
        let (then, now) = ((round - 1) % 10, round % 10);
        assert_eq!(place.since(&before), [format!("a: {then} → {now}")]);
    }
}

#[test]
fn a_pipe_hangs_nothing_and_odd_names_are_told() {
    let place = Place::made_by("mkfifo pipe");
    let odd = place.root.join(OsStr::from_bytes(b"odd\xff"));
    std::fs::write(&odd, "1").unwrap();
    let left_out = [Unkept::Special, Unkept::Name].map(|why| LeftOut { why, files: 1 });
    assert_eq!(place.undo.cover(), Cover { scope: CoverScope::Project, files: 0, left_out: left_out.into() });
    let before = place.before();
    std::fs::write(&odd, "22").unwrap();
    place.sh("rm pipe; mkfifo other");
    let expected = [
        "odd\\xff: its name is no UTF-8 → its name is no UTF-8",
        "other: nothing → no plain file",
        "pipe: no plain file → nothing",
    ];
    assert_eq!(place.since(&before), expected);
}

/// Keeps nothing that takes room, as a full disk does, and knows whether it was asked to.
#[derive(Default)]
struct Broken(AtomicBool);

impl Keep for Broken {
    fn keep(&self, bytes: &[u8]) -> io::Result<Digest> {
        if bytes.is_empty() {
            return Ok(apply::digest(bytes));
        }
        self.0.store(true, Ordering::Relaxed);
        Err(io::ErrorKind::StorageFull.into())
    }

    fn fetch(&self, _: &Digest) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

#[test]
fn what_is_covered_is_counted_by_names_and_sizes_alone() {
    let limits = UndoLimits { max_file: 10, max_files: 9, budget: 7 };
    let broken = Arc::new(Broken::default());
    let line = "echo 12345 > a; echo 12345 > b; echo 1234567890 > c; ln -s a link";
    let place = Place::with(limits, Arc::default(), broken.clone(), line);
    let left_out = |reasons: &[Unkept]| reasons.iter().map(|why| LeftOut { why: *why, files: 1 }).collect();
    let expected = left_out(&[Unkept::TooLarge, Unkept::NoRoom]);
    assert_eq!(place.undo.cover(), Cover { scope: CoverScope::Project, files: 2, left_out: expected });
    // What could not be written down is not told to be covered.
    place.before();
    assert!(broken.0.load(Ordering::Relaxed));
    assert_eq!(place.changes("rm a"), ["a: cannot be read or kept → nothing"]);
}

/// Cannot be written, until it can.
#[derive(Default)]
struct Shut(AtomicBool);

impl Keep for Shut {
    fn keep(&self, bytes: &[u8]) -> io::Result<Digest> {
        if self.0.load(Ordering::Relaxed) { Ok(apply::digest(bytes)) } else { Err(io::Error::other("it is shut")) }
    }

    fn fetch(&self, _: &Digest) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

#[test]
fn where_nothing_can_be_kept_the_question_says_that_nothing_is_covered() {
    let shut = Arc::new(Shut::default());
    let place = Place::with(SMALL, Arc::default(), shut.clone(), "echo one > a");
    let why = "it is shut".into();
    assert_eq!(place.undo.cover(), Cover { scope: CoverScope::Nothing { why }, files: 0, left_out: Vec::new() });
    shut.0.store(true, Ordering::Relaxed);
    assert_eq!(place.undo.cover(), Cover { scope: CoverScope::Project, files: 1, left_out: Vec::new() });
}

#[test]
fn where_undo_is_switched_off_no_project_has_too_many_files() {
    let off = UndoLimits { max_file: 0, max_files: 0, budget: 0 };
    let place = Place::with(off, Arc::default(), Arc::new(Shut::default()), "true");
    let before = place.before();
    place.sh("echo 1 > a");
    assert_eq!(place.undo.after(&before), super::Changed::default());
}

#[test]
fn a_write_is_told_exactly_also_outside_the_project_and_when_it_is_large() {
    let place = Place::made_by("truncate -s 2M large; echo 1 > ../out");
    let paths = [place.root.join("../out"), place.root.join("new"), place.root.join("large")];
    let paths = paths.map(|path| path.parent().unwrap().canonicalize().unwrap().join(path.file_name().unwrap()));
    let before = place.undo.before(Reach::Files(paths.to_vec()));
    place.sh("echo 2 > ../out; echo 3 > new; truncate -s 3M large");
    let changed = place.undo.after(&before).files;
    assert!(changed.iter().all(agent_protocol::FileChange::can_be_undone), "{changed:?}");
    let names: Vec<PathBuf> = changed.into_iter().map(|change| change.path).collect();
    assert_eq!(names, [paths[0].clone(), paths[2].clone(), paths[1].clone()]);
    assert!(place.undo.0.last().entries.is_empty(), "the project was none of its business");
}

#[test]
fn what_a_tool_changed_is_told_also_where_nothing_can_be_kept() {
    let place = Place::with(SMALL, Arc::default(), Arc::new(Broken::default()), "echo one > a; echo same > b");
    let paths = ["a", "b"].map(|name| place.root.join(name));
    let before = place.undo.before(Reach::Files(paths.to_vec()));
    place.sh("echo two > a");
    assert_eq!(place.since(&before), ["a: cannot be read or kept → cannot be read or kept"]);
}

/// Knows what was made to last, and cannot make `spoilt` last.
#[derive(Default)]
struct Lasting(KeptInMemory, std::sync::Mutex<Vec<Digest>>);

impl Keep for Lasting {
    fn keep(&self, bytes: &[u8]) -> io::Result<Digest> {
        self.0.keep(bytes)
    }

    fn fetch(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        self.0.fetch(digest)
    }

    fn settle(&self, digest: &Digest) -> io::Result<()> {
        if *digest == apply::digest(b"spoilt\n") {
            return Err(io::Error::other("the disk is broken"));
        }
        self.1.lock().unwrap().push(digest.clone());
        Ok(())
    }
}

#[test]
fn what_a_tool_writes_over_is_made_to_last_before() {
    let lasting = Arc::new(Lasting::default());
    let place = Place::with(SMALL, Arc::default(), lasting.clone(), "echo one > a; echo spoilt > b; ln -s a link");
    place.before();
    assert_eq!(*lasting.1.lock().unwrap(), [], "not for a command");
    let paths = ["a", "b", "link", "none"].map(|name| place.root.join(name));
    let before = place.undo.before(Reach::Files(paths.to_vec()));
    assert_eq!(*lasting.1.lock().unwrap(), [apply::digest(b"one\n")]);
    place.sh("echo two > b");
    let changed = place.undo.after(&before).files;
    let expected = FileState::Unkept { why: Unkept::Unreadable, size: 7 };
    assert_eq!(changed.into_iter().map(|change| change.before).collect::<Vec<_>>(), [expected]);
}

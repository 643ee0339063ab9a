//! What is said before, and after.

use super::room::Room;
use super::*;
use agent_protocol::{FileFate, Unkept};

/// One file that we left as `left` and that was `target`; both kept, `now` on disk.
fn planned(project: &Project, left: &str, now: &str, target: &str) -> UndoFile {
    project.put("a", now);
    project.rights("a", 0o644);
    let wanted = Wanted { path: project.at("a"), left: project.kept(left, 0o644), target: project.kept(target, 0o644) };
    project.plan(&[wanted]).pop().unwrap()
}

fn merged(left: &str, now: &str, target: &str) -> Option<String> {
    let project = Project::new();
    let merge = planned(&project, left, now, target).conflict?.merged?;
    let FileState::File { content, .. } = &merge.target else { panic!("{:?}", merge.target) };
    let kept = String::from_utf8(project.ground.keep.fetch(content).unwrap()).unwrap();
    assert_eq!((merge.diff.before.as_deref(), merge.diff.after.as_ref()), (Some(now), Some(&kept)));
    assert_eq!(project.bring(&[project.planned("a", &merge.target)]), NOTHING_LEFT);
    assert_eq!(project.bytes("a"), kept.as_bytes());
    Some(kept)
}

#[test]
fn a_file_as_we_left_it_is_shown_as_it_would_change() {
    let project = Project::new();
    let file = planned(&project, "ours\n", "ours\n", "before\n");
    assert_eq!(
        (file.possible, file.conflict, file.now, file.target),
        (true, None, project.kept("ours\n", 0o644), project.kept("before\n", 0o644))
    );
    let diff = file.diff;
    assert_eq!((diff.shown_path.as_str(), diff.note), ("a", None));
    assert_eq!((diff.before.as_deref(), diff.after.as_deref()), (Some("ours\n"), Some("before\n")));
    assert_eq!(project.bytes("a"), b"ours\n");
}

#[test]
fn what_is_as_it_is_to_be_is_left_out() {
    let project = Project::new();
    project.put("a", "before");
    let target = project.state("a");
    let wanted = |left| Wanted { path: project.at("a"), left, target: target.clone() };
    assert_eq!(project.plan(&[wanted(project.kept("ours", 0o644)), wanted(FileState::Missing)]), []);
}

#[test]
fn a_file_that_somebody_else_changed_shows_all_three() {
    let project = Project::new();
    let file = planned(&project, "a\nours\nc\n", "a\nours\nc\ntheirs\n", "a\nb\nc\n");
    let conflict = file.conflict.unwrap();
    let texts = |diff: &agent_protocol::FileDiff| (diff.before.clone().unwrap(), diff.after.clone().unwrap());
    assert_eq!(texts(&file.diff), ("a\nours\nc\ntheirs\n".into(), "a\nb\nc\n".into()));
    assert_eq!(texts(&conflict.since), ("a\nours\nc\n".into(), "a\nours\nc\ntheirs\n".into()));
    // Theirs comes back when this is taken back.
    let FileState::File { content, .. } = file.now else { panic!("{:?}", file.now) };
    assert_eq!(project.ground.keep.fetch(&content).unwrap(), b"a\nours\nc\ntheirs\n");
}

#[test]
fn both_changes_fit_where_they_do_not_meet() {
    for (left, now, target, expected) in [
        ("ours\nb\nc\n", "ours\nb\ntheirs\n", "a\nb\nc\n", Some("a\nb\ntheirs\n")),
        ("ours\nb\nc", "ours\nb\ntheirs", "a\nb\nc", Some("a\nb\ntheirs")),
        ("ours\nb\nc", "ours\nb\nc\n", "a\nb\nc", Some("a\nb\nc\n")),
        ("ours\r\nb\r\nc\r\n", "ours\r\nb\r\ntheirs\r\n", "a\r\nb\r\nc\r\n", Some("a\r\nb\r\ntheirs\r\n")),
        ("ours\r\nb\nc\r\n", "ours\r\nb\ntheirs", "a\r\nb\nc\r\n", Some("a\r\nb\ntheirs")),
        ("\u{feff}ours\né\n→\n", "\u{feff}ours\né\n→\nx\n", "\u{feff}a\né\n→\n", Some("\u{feff}a\né\n→\nx\n")),
        ("ours\n", "theirs\n", "a\n", None),
        ("a\nours\n", "a\nours\ntheirs\n", "a\n", None),
        ("ours", "", "a", None),
    ] {
        assert_eq!(merged(left, now, target).as_deref(), expected, "{left:?} {now:?} {target:?}");
    }
}

#[test]
fn where_everything_was_changed_it_is_not_long_compared() {
    let lines = |word: &str| (0..20_000).map(|line| format!("{word} {line}\n")).collect::<String>();
    assert_eq!(merged(&lines("ours"), &lines("theirs"), &lines("before")), None);
}

#[test]
fn other_rights_and_other_bytes_are_both_kept() {
    let project = Project::new();
    project.put("a", b"\xff ours");
    project.rights("a", 0o755);
    let (left, target) = (project.kept(b"\xff ours", 0o644), project.kept(b"\xff before", 0o644));
    let file = project.plan(&[Wanted { path: project.at("a"), left, target }]).pop().unwrap();
    assert_eq!(file.diff.note.as_deref(), Some("6 bytes → 8 bytes of bytes, no text; mode 755 → 644"));
    let conflict = file.conflict.unwrap();
    assert_eq!(conflict.merged.unwrap().target, project.kept(b"\xff before", 0o755));
    assert_eq!(conflict.since.note.as_deref(), Some("6 bytes of bytes, no text; mode 644 → 755"));
}

#[test]
fn a_file_that_they_removed_or_made_again_cannot_be_merged() {
    let project = Project::new();
    project.put("made again", "theirs");
    let (ours, before) = (project.kept("ours", 0o644), project.kept("before", 0o644));
    let files = project.plan(&[
        Wanted { path: project.at("made again"), left: FileState::Missing, target: before.clone() },
        Wanted { path: project.at("removed"), left: ours, target: before },
    ]);
    for file in files {
        assert!(file.possible, "{file:?}");
        assert_eq!(file.conflict.unwrap().merged, None);
    }
}

#[test]
fn what_is_no_text_is_said_in_words() {
    let project = Project::new();
    let large = "x\n".repeat(600_000);
    let cases: [(&str, FileState, FileState, &str); 7] = [
        (
            "bytes",
            project.kept([0; 2_000], 0o644),
            project.kept([0; 12_000], 0o644),
            "2.0 KB → 12.0 KB of bytes, no text",
        ),
        ("new bytes", project.kept([0; 2_000], 0o644), FileState::Missing, "2.0 KB of bytes, no text"),
        ("rights", project.kept("same", 0o755), project.kept("same", 0o644), "mode 755 → 644"),
        ("large", project.kept("text", 0o644), project.kept(&large, 0o644), "4 bytes → 1.2 MB, too large to be shown"),
        ("link", FileState::Link { target: "b".into() }, FileState::Link { target: "a".into() }, "a link to b → to a"),
        ("new link", FileState::Link { target: "b".into() }, FileState::Missing, "a link to b goes"),
        ("was a link", project.kept("text", 0o644), FileState::Link { target: "a".into() }, "becomes a link to a"),
    ];
    for (name, left, target, note) in cases {
        project.bring(&[project.planned(name, &left)]);
        let file = project.plan(&[Wanted { path: project.at(name), left, target }]).pop().unwrap();
        assert_eq!((file.diff.note.as_deref(), file.possible, file.conflict), (Some(note), true, None), "{name}");
    }
}

#[test]
fn what_cannot_be_brought_back_is_said_before() {
    let project = Project::new();
    for name in ["unkept", "gone"] {
        project.put(name, "ours");
    }
    std::fs::create_dir_all(project.at("folder/with")).unwrap();
    project.put("folder/with/theirs", "");
    project.put("grown", "");
    grow(&project, "grown", LARGEST + 1);
    let left = project.state("gone");
    let before = project.kept("before", 0o644);
    let unkept = FileState::Unkept { why: Unkept::TooLarge, size: 9_000_000 };
    let gone = FileState::File { content: digest(b"gone"), mode: 0o644, size: 4 };
    let wanted = |name: &str, left: &FileState, target: &FileState| Wanted {
        path: project.at(name),
        left: left.clone(),
        target: target.clone(),
    };
    let files = project.plan(&[
        wanted("folder", &FileState::Missing, &before),
        wanted("gone", &left, &gone),
        wanted("grown", &left, &before),
        wanted("unkept", &left, &unkept),
    ]);
    let told: Vec<(bool, String)> = files.into_iter().map(|file| (file.possible, file.diff.note.unwrap())).collect();
    for ((possible, note), words) in told.iter().zip([
        "a folder lies there now",
        "its bytes are no longer kept",
        "what lies there now is too large to be kept, so it is not replaced; remove it yourself, then undo",
        "not covered: too large",
    ]) {
        assert!(!possible && note.starts_with(words), "{note}");
    }
}

/// Makes a file that long; what is added holds nothing and takes no room.
fn grow(project: &Project, name: &str, size: u64) {
    std::fs::File::options().write(true).open(project.at(name)).unwrap().set_len(size).unwrap();
}

#[test]
fn what_is_not_kept_is_not_replaced_also_when_it_may_be_as_it_was_left() {
    let project = Project::new();
    project.put("a", "");
    grow(&project, "a", LARGEST + 1);
    let target = project.kept("before", 0o644);
    let unkept = FileState::Unkept { why: Unkept::TooLarge, size: LARGEST + 1 };
    for left in [unkept.clone(), FileState::Missing, FileState::Unkept { why: Unkept::NoRoom, size: 7 }] {
        let wanted = Wanted { path: project.at("a"), left, target: target.clone() };
        let file = project.plan(&[wanted]).pop().unwrap();
        assert_eq!((file.possible, file.now), (false, unkept.clone()));
    }
}

#[test]
fn a_plan_keeps_no_more_than_there_is_room_for_and_says_so() {
    let project = Project::new();
    for name in ["a", "b"] {
        project.put(name, format!("theirs, {name}"));
    }
    let room = Room::new(&project.ground, 10);
    assert_eq!(room.kept(&project.at("a")), project.state("a"));
    assert_eq!(room.kept(&project.at("b")), FileState::Unkept { why: Unkept::NoRoom, size: 9 });
    assert_eq!((room.keep("12"), room.keep("1").is_some()), (None, true));
    let words = "there is no room to keep what lies there now, so it is not replaced; remove it yourself, then undo";
    assert_eq!(plan::in_the_way(&project.at("b"), Unkept::NoRoom), words);
}

#[test]
fn what_is_as_we_left_it_is_not_kept_once_more() {
    let project = Project::new();
    project.put("a", "never kept");
    let left = FileState::File { content: digest(b"never kept"), mode: 0o644, size: 10 };
    project.rights("a", 0o644);
    let wanted = Wanted { path: project.at("a"), left: left.clone(), target: project.kept("before", 0o644) };
    let file = project.plan(&[wanted]).pop().unwrap();
    assert_eq!((file.possible, file.conflict, file.now), (true, None, left));
    assert!(project.ground.keep.fetch(&digest(b"never kept")).is_err());
}

#[test]
fn a_file_that_outgrew_what_is_kept_is_the_persons_to_decide_and_can_be_had_again() {
    let project = Project::new();
    project.put("a", vec![b'x'; 20_000]);
    let left = FileState::Unkept { why: Unkept::TooLarge, size: 20_000 };
    let target = project.kept("before", 0o644);
    let file = project.plan(&[Wanted { path: project.at("a"), left, target: target.clone() }]).pop().unwrap();
    assert!(file.possible && file.conflict.is_some(), "nobody can say whether it changed since: {file:?}");
    let (path, large) = (file.path, file.now);
    assert_eq!(
        project.bring(&[Restoring { path: path.clone(), from: large.clone(), to: target.clone() }]),
        NOTHING_LEFT
    );
    assert_eq!(project.bytes("a"), b"before");
    assert_eq!(project.bring(&[Restoring { path, from: target, to: large }]), NOTHING_LEFT);
    assert_eq!(project.bytes("a"), vec![b'x'; 20_000]);
}

#[test]
fn too_much_to_show_is_said() {
    let project = Project::new();
    let text = "x".repeat(900_000);
    let wanted: Vec<Wanted> = (0..40)
        .map(|at| {
            let name = format!("{at:02}");
            project.put(&name, &text);
            Wanted { path: project.at(&name), left: project.state(&name), target: FileState::Missing }
        })
        .collect();
    let files = project.plan(&wanted);
    assert!(files.iter().all(|file| file.possible));
    assert_eq!((files[0].diff.note.as_deref(), files[39].diff.before.as_deref()), (None, Some("")));
    let note = files[39].diff.note.as_deref();
    assert_eq!(note, Some("900.0 KB, not shown: there is too much to show it all"));
}

#[test]
fn of_a_file_that_was_not_kept_a_receipt_does_not_say_that_it_is_as_it_was() {
    let mut project = Project::new();
    project.ground.undo.max_file = 3;
    project.put("large", "one\n");
    let was = FileState::Unkept { why: agent_protocol::Unkept::TooLarge, size: 4 };
    project.put("large", "two\n");
    let receipts = receipt::receipts(&[(project.at("large"), was)], &project.ground, &project.workspace);
    assert_eq!(receipts.iter().map(|file| file.what).collect::<Vec<_>>(), [FileFate::Changed]);
}

#[test]
fn a_receipt_tells_what_really_became_of_files() {
    let project = Project::new();
    for (name, text) in [("same", "a\n"), ("changed", "a\nb\n"), ("deleted", "a\nb\nc\n"), ("chmod", "a\n")] {
        project.put(name, text);
    }
    project.put("bytes", [0; 9]);
    let names = ["same", "changed", "deleted", "chmod", "created", "never", "bytes", "folder"];
    let before: Vec<(PathBuf, FileState)> = names.map(|name| (project.at(name), project.state(name))).into();
    project.put("changed", "a\nB\nc\n");
    std::fs::remove_file(project.at("deleted")).unwrap();
    project.rights("chmod", 0o700);
    project.put("created", "a\nb\n");
    project.put("bytes", [1; 9]);
    project.put("folder/x", "");
    let receipts = receipt::receipts(&before, &project.ground, &project.workspace);
    let told: Vec<_> =
        receipts.iter().map(|file| (file.shown_path.as_str(), file.what, file.added, file.removed)).collect();
    assert_eq!(
        told,
        [
            ("bytes", FileFate::Changed, 0, 0),
            ("changed", FileFate::Changed, 2, 1),
            ("chmod", FileFate::Changed, 0, 0),
            ("created", FileFate::Created, 2, 0),
            ("deleted", FileFate::Deleted, 0, 3),
        ]
    );
}

//! From exactly one state to exactly another.

use super::*;

#[test]
fn bytes_rights_and_links_come_back_and_go_forth() {
    let project = Project::new();
    project.put("text", "one\n");
    project.put("crlf", "one\r\ntwo");
    project.put("bytes", b"\0\xff\xfe");
    project.put("run.sh", "#!/bin/sh\n");
    project.put("becomes a link", "text");
    project.put("goes", "gone");
    project.link("link", "text");
    project.link("becomes a file", "nowhere");
    project.link("link that goes", "text");
    project.rights("text", 0o640);
    let before = project.tree();
    let wanted = project.changed(|project| {
        project.put("text", "two\n");
        project.put("crlf", "one\ntwo\n");
        project.put("bytes", "text");
        project.rights("bytes", 0o600);
        project.rights("run.sh", 0o4755);
        for name in ["becomes a link", "goes", "link", "becomes a file", "link that goes"] {
            std::fs::remove_file(project.at(name)).unwrap();
        }
        project.link("becomes a link", "/etc/passwd");
        project.link("link", "run.sh");
        project.put("becomes a file", "text");
        project.link("new link", "../anywhere");
        project.put("new", "new");
        project.rights("new", 0o444);
    });
    let after = project.tree();
    assert_eq!((wanted.len(), project.undo(&wanted)), (11, NOTHING_LEFT.into()));
    assert_eq!(project.tree(), before);
    assert_eq!(project.undo(&forth(&wanted)), NOTHING_LEFT);
    assert_eq!(project.tree(), after);
}

#[test]
fn folders_come_and_go_with_what_is_in_them() {
    let project = Project::new();
    project.put("deep/er/a", "a");
    project.put("other/b", "b");
    let before = project.tree();
    let wanted = project.changed(|project| {
        std::fs::remove_dir_all(project.at("deep")).unwrap();
        project.put("new/folder/x", "x");
        project.put("new/folder/y/z", "z");
        project.put("other/c", "c");
    });
    let after = project.tree();
    assert_eq!(project.undo(&wanted), NOTHING_LEFT);
    assert_eq!(project.tree(), before);
    assert_eq!(project.undo(&forth(&wanted)), NOTHING_LEFT);
    assert_eq!(project.tree(), after);
}

#[test]
fn a_folder_that_holds_anything_stays() {
    let project = Project::new();
    let wanted = project.changed(|project| project.put("new/x", "x"));
    project.put("new/theirs", "theirs");
    assert_eq!(project.undo(&wanted), NOTHING_LEFT);
    assert_eq!(project.tree().into_keys().collect::<Vec<_>>(), ["new", "new/theirs"]);
}

#[test]
fn the_last_file_goes_and_the_project_stays() {
    let project = Project::new();
    let wanted = project.changed(|project| project.put("x", "x"));
    assert_eq!(project.undo(&wanted), NOTHING_LEFT);
    assert!(project.root.is_dir() && project.tree().is_empty());
}

#[test]
fn a_folder_makes_room_for_a_file_and_a_file_for_a_folder() {
    let project = Project::new();
    project.put("a/x", "x");
    project.put("a/y/z", "z");
    project.put("b", "b");
    let before = project.tree();
    let wanted = project.changed(|project| {
        std::fs::remove_dir_all(project.at("a")).unwrap();
        project.put("a", "a");
        std::fs::remove_file(project.at("b")).unwrap();
        project.put("b/x", "x");
    });
    let after = project.tree();
    assert_eq!(project.undo(&wanted), NOTHING_LEFT);
    assert_eq!(project.tree(), before);
    assert_eq!(project.undo(&forth(&wanted)), NOTHING_LEFT);
    assert_eq!(project.tree(), after);
}

#[test]
fn whatever_changed_since_it_was_planned_is_left() {
    type Meddle = fn(&Project);
    let meddle: [(&str, Meddle); 6] = [
        ("changed", |project| project.put("a", "theirs")),
        ("other rights", |project| project.rights("a", 0o600)),
        ("removed", |project| std::fs::remove_file(project.at("a")).unwrap()),
        ("a folder", |project| {
            std::fs::remove_file(project.at("a")).unwrap();
            std::fs::create_dir(project.at("a")).unwrap();
        }),
        ("a link", |project| {
            std::fs::rename(project.at("a"), project.at("b")).unwrap();
            project.link("a", "b");
        }),
        ("a socket", |project| {
            std::fs::remove_file(project.at("a")).unwrap();
            let _socket = std::os::unix::net::UnixListener::bind(project.at("a")).unwrap();
        }),
    ];
    for (what, meddle) in meddle {
        for to in ["file", "link", "other rights", "nothing"] {
            let project = Project::new();
            project.put("a", "ours");
            project.rights("a", 0o644);
            let to = match to {
                "file" => project.kept("before", 0o644),
                "link" => FileState::Link { target: "x".into() },
                "other rights" => project.kept("ours", 0o755),
                _ => FileState::Missing,
            };
            let planned = project.planned("a", &to);
            meddle(&project);
            let theirs = project.tree();
            let left = project.bring(&[planned]);
            if what == "removed" && to == FileState::Missing {
                assert_eq!(left, NOTHING_LEFT);
            } else {
                assert_eq!(left, [("a".into(), MEANWHILE.into())], "{what}");
            }
            assert_eq!(project.tree(), theirs, "{what}");
        }
    }
}

#[test]
fn what_appeared_meanwhile_is_not_replaced() {
    for to in [FileState::Link { target: "x".into() }, Project::new().kept("before", 0o644)] {
        let project = Project::new();
        project.kept("before", 0o644);
        let planned = project.planned("a", &to);
        project.put("a", "theirs");
        assert_eq!(project.bring(&[planned]), [("a".into(), MEANWHILE.into())]);
        assert_eq!((project.bytes("a"), project.tree().len()), (b"theirs".into(), 1));
    }
}

#[test]
fn doing_it_twice_is_doing_it_once() {
    let project = Project::new();
    project.put("a", "ours");
    project.put("b", "ours");
    let planned = [project.planned("a", &project.kept("before", 0o600)), project.planned("b", &FileState::Missing)];
    assert_eq!(project.bring(&planned), NOTHING_LEFT);
    let once = project.tree();
    assert_eq!(project.bring(&planned), NOTHING_LEFT);
    assert_eq!(project.tree(), once);
}

#[test]
fn bytes_that_are_gone_are_said_and_nothing_is_written() {
    let project = Project::new();
    project.put("a", "ours");
    let before = project.tree();
    let gone = FileState::File { content: digest(b"never kept"), mode: 0o644, size: 10 };
    let left = project.bring(&[project.planned("a", &gone), project.planned("b", &gone)]);
    let why = "its bytes are no longer kept; nothing was written";
    assert_eq!(left, [("a".into(), why.into()), ("b".into(), why.into())]);
    assert_eq!(project.tree(), before);
}

#[test]
fn one_file_that_is_left_holds_none_of_the_others() {
    let project = Project::new();
    let wanted = project.changed(|project| (0..40).for_each(|at| project.put(&format!("{at:02}"), "ours")));
    let planned: Vec<Restoring> = project
        .plan(&wanted)
        .into_iter()
        .map(|file| Restoring { path: file.path, from: file.now, to: file.target })
        .collect();
    project.put("20", "theirs");
    assert_eq!(project.bring(&planned), [("20".into(), MEANWHILE.into())]);
    assert_eq!(project.tree().into_keys().collect::<Vec<_>>(), ["20"]);
}

#[test]
fn a_folder_that_became_a_link_is_not_gone_through() {
    let project = Project::new();
    project.put("sub/a", "ours");
    project.put("sub/gone", "ours");
    let planned = [
        project.planned("sub/a", &project.kept("before", 0o644)),
        project.planned("sub/new", &project.kept("before", 0o644)),
        project.planned("sub/deep/new", &project.kept("before", 0o644)),
        project.planned("sub/link", &FileState::Link { target: "a".into() }),
        project.planned("sub/gone", &FileState::Missing),
    ];
    let out = project.root.with_file_name("out");
    std::fs::rename(project.at("sub"), &out).unwrap();
    project.link("sub", "../out");
    let left = project.bring(&planned[..4]);
    assert_eq!(left.iter().map(|(_, why)| why.as_str()).collect::<Vec<_>>(), [MEANWHILE; 4]);
    // Nothing lies under this name any more, which is what was to be.
    assert_eq!(project.bring(&planned[4..]), NOTHING_LEFT);
    assert_eq!(std::fs::read(out.join("a")).unwrap(), b"ours");
    assert_eq!(out.read_dir().unwrap().count(), 2);
}

#[test]
fn large_files_come_back_whole() {
    let project = Project::new();
    let large = vec![7; 9 << 20];
    let to = project.kept(&large, 0o644);
    project.put("a", "ours");
    assert_eq!(project.bring(&[project.planned("a", &to)]), NOTHING_LEFT);
    assert_eq!(project.bytes("a"), large);
    let back = project.kept("ours", 0o644);
    assert_eq!(project.bring(&[project.planned("a", &back)]), NOTHING_LEFT);
    assert_eq!(project.bytes("a"), b"ours");
}

#[test]
fn a_folder_that_may_not_be_written_in_is_said() {
    if rustix::process::geteuid().is_root() {
        return;
    }
    let project = Project::new();
    project.put("sub/a", "ours");
    project.put("sub/b", "ours");
    project.rights("sub", 0o555);
    let planned =
        [project.planned("sub/a", &project.kept("before", 0o644)), project.planned("sub/b", &FileState::Missing)];
    let left = project.bring(&planned);
    project.rights("sub", 0o755);
    assert_eq!(left.len(), 2);
    assert!(left.iter().all(|(_, why)| why.contains("does not allow")), "{left:?}");
    assert_eq!((project.bytes("sub/a"), project.bytes("sub/b")), (b"ours".into(), b"ours".into()));
}

#[test]
fn a_file_that_was_read_only_when_it_was_planned_is_brought_back() {
    let project = Project::new();
    project.put("a", "before");
    let wanted = project.changed(|project| {
        project.put("a", "ours");
        project.rights("a", 0o444);
    });
    assert_eq!(project.undo(&wanted), NOTHING_LEFT);
    assert_eq!(project.bytes("a"), b"before");
}

#[test]
fn the_model_does_not_know_what_was_brought_back() {
    let project = Project::new();
    project.put("a", "before");
    let seen = project.workspace.seen();
    seen.note(&project.at("a"), digest(b"before"));
    let wanted = project.changed(|project| project.put("a", "ours"));
    assert_eq!(project.undo(&wanted), NOTHING_LEFT);
    assert_eq!(seen.sight(&project.at("a"), &digest(b"before")), crate::read_tracker::Sight::Before);
}

#[test]
fn no_trace_of_the_work_is_left() {
    let project = Project::new();
    project.put("sub/a", "before");
    let wanted = project.changed(|project| {
        project.put("sub/a", "ours");
        project.link("sub/l", "a");
    });
    assert_eq!(project.undo(&wanted), NOTHING_LEFT);
    assert_eq!(project.tree().into_keys().collect::<Vec<_>>(), ["sub", "sub/a"]);
}

#[test]
fn files_outside_the_project_come_back_too_and_no_folder_there_goes() {
    let project = Project::new();
    let out = project.root.with_file_name("out");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("a"), "ours").unwrap();
    let from = state::kept(&out.join("a"), &*project.ground.keep, MOST);
    let file = |from: &FileState, to: &FileState| Restoring { path: out.join("a"), from: from.clone(), to: to.clone() };
    assert_eq!(project.bring(&[file(&from, &FileState::Missing)]), NOTHING_LEFT);
    assert_eq!(out.read_dir().unwrap().count(), 0);
    assert_eq!(project.bring(&[file(&FileState::Missing, &from)]), NOTHING_LEFT);
    assert_eq!(std::fs::read(out.join("a")).unwrap(), b"ours");
}

/// Makes what the file holds last, while it holds it; or cannot.
struct Lasting {
    kept: crate::KeptInMemory,
    file: PathBuf,
    broken: bool,
    lasts: std::sync::Mutex<Vec<agent_protocol::Digest>>,
}

impl crate::Keep for Lasting {
    fn keep(&self, bytes: &[u8]) -> std::io::Result<agent_protocol::Digest> {
        self.kept.keep(bytes)
    }

    fn fetch(&self, digest: &agent_protocol::Digest) -> std::io::Result<Vec<u8>> {
        self.kept.fetch(digest)
    }

    fn settle(&self, content: &agent_protocol::Digest) -> std::io::Result<()> {
        assert_eq!(*content, digest(&std::fs::read(&self.file).unwrap()), "it is still there");
        self.lasts.lock().unwrap().push(content.clone());
        if self.broken { Err(std::io::Error::other("the disk is broken")) } else { Ok(()) }
    }
}

#[test]
fn what_goes_is_made_to_last_before_and_stays_where_it_cannot() {
    for broken in [false, true] {
        let mut project = Project::new();
        let (file, kept) = (project.at("a"), crate::KeptInMemory::default());
        let lasting = std::sync::Arc::new(Lasting { kept, file, broken, lasts: std::sync::Mutex::default() });
        project.ground.keep = lasting.clone();
        project.put("a", "theirs");
        let left = project.bring(&[project.planned("a", &project.kept("before", 0o644))]);
        assert_eq!(*lasting.lasts.lock().unwrap(), [digest(b"theirs")]);
        if broken {
            let why = "what lies there cannot be kept: the disk is broken; nothing was written";
            assert_eq!((left, project.bytes("a")), (vec![("a".into(), why.into())], b"theirs".into()));
        } else {
            assert_eq!((left, project.bytes("a")), (NOTHING_LEFT.into(), b"before".into()));
        }
    }
}

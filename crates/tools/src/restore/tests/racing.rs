//! Somebody else writes while files are brought back.

use super::*;

/// Whoever comes first: when both are through, their text stands.
fn theirs_stands(from: &str, to: impl Fn(&Project) -> FileState) {
    for round in 0..40 {
        let project = Project::new();
        if from == "link" {
            project.link("a", "x");
        } else {
            project.put("a", "ours");
        }
        project.put("theirs", "theirs");
        let planned = project.planned("a", &to(&project));
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for _ in 0..round * 100 {
                    std::hint::spin_loop();
                }
                std::fs::rename(project.at("theirs"), project.at("a")).unwrap();
            });
            bring::brought(std::slice::from_ref(&planned), &HashMap::new(), &project.ground, &project.workspace);
            writer.join().unwrap();
        });
        let names: Vec<String> = project.tree().into_keys().collect();
        assert_eq!((project.bytes("a"), names), (b"theirs".into(), vec!["a".into()]));
    }
}

#[test]
fn a_file_that_is_replaced() {
    theirs_stands("file", |project| project.kept("before", 0o644));
}

#[test]
fn a_file_that_becomes_a_link() {
    theirs_stands("file", |_| FileState::Link { target: "x".into() });
}

#[test]
fn a_file_that_goes() {
    theirs_stands("file", |_| FileState::Missing);
}

#[test]
fn a_file_that_gets_other_rights() {
    theirs_stands("file", |project| project.kept("ours", 0o755));
}

#[test]
fn a_link_that_becomes_another() {
    theirs_stands("link", |_| FileState::Link { target: "y".into() });
}

#[test]
fn a_link_that_becomes_a_file() {
    theirs_stands("link", |project| project.kept("before", 0o644));
}

#[test]
fn a_link_that_goes() {
    theirs_stands("link", |_| FileState::Missing);
}

/// Two that undo the same at once: it is as it was, and nothing is left beside it.
#[test]
fn two_at_once_do_no_harm() {
    for _ in 0..20 {
        let project = Project::new();
        project.put("a", "ours");
        project.put("b", "ours");
        let to = project.kept("before", 0o644);
        let planned = [project.planned("a", &to), project.planned("b", &FileState::Missing)];
        std::thread::scope(|scope| {
            let both =
                || scope.spawn(|| bring::brought(&planned, &HashMap::new(), &project.ground, &project.workspace));
            let (one, other) = (both(), both());
            one.join().unwrap();
            other.join().unwrap();
        });
        let names: Vec<String> = project.tree().into_keys().collect();
        assert_eq!((project.bytes("a"), names), (b"before".into(), vec!["a".into()]));
    }
}

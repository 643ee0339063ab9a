//! A part of what was changed in a file, taken back.

use super::*;
use agent_protocol::{LinesBack, UndoPart};

const WAS: &str = "one\ntwo\nthree\nfour\nfive\n";
const NOW: &str = "one\nTWO\nTWO AGAIN\nthree\nfour\nFIVE\n";

/// The second line, and what came in its place.
fn second() -> Vec<LinesBack> {
    vec![LinesBack { now: 1..3, was: 1..2 }]
}

/// A project in which `a` was changed, and what became of it.
fn changed(was: &str, now: &str) -> (Project, Wanted) {
    let project = Project::new();
    project.put("a", was);
    let wanted = project.changed(|project| project.put("a", now)).remove(0);
    (project, wanted)
}

fn planned(project: &Project, wanted: &Wanted, lines: &[LinesBack]) -> (Vec<UndoFile>, UndoPart) {
    part::planned(wanted, lines, &project.ground, &project.workspace)
}

/// Does what was planned; why it was left.
fn done(project: &Project, files: &[UndoFile]) -> Vec<(String, String)> {
    let files: Vec<Restoring> = files
        .iter()
        .map(|file| Restoring { path: file.path.clone(), from: file.now.clone(), to: file.target.clone() })
        .collect();
    project.bring(&files)
}

#[test]
fn only_its_lines_become_what_they_were_and_its_rights_stay() {
    let (project, wanted) = changed(WAS, NOW);
    project.rights("a", 0o755);
    let wanted = Wanted { left: project.state("a"), ..wanted };
    let (files, part) = planned(&project, &wanted, &second());
    assert_eq!(part, UndoPart { added: 2, removed: 1 });
    assert_eq!(files[0].diff.after.as_deref(), Some("one\ntwo\nthree\nfour\nFIVE\n"), "that is what is shown");
    assert_eq!(project.bytes("a"), NOW.as_bytes(), "nothing happens before it is done");
    assert_eq!(done(&project, &files), NOTHING_LEFT);
    assert_eq!(project.bytes("a"), b"one\ntwo\nthree\nfour\nFIVE\n");
    assert!(matches!(project.state("a"), FileState::File { mode: 0o755, .. }));
}

#[test]
fn what_is_there_is_kept_so_that_it_comes_back() {
    let (project, wanted) = changed(WAS, NOW);
    let (files, _) = planned(&project, &wanted, &second());
    assert_eq!(done(&project, &files), NOTHING_LEFT);
    let again = Wanted { path: project.at("a"), left: project.state("a"), target: files[0].now.clone() };
    assert_eq!(project.undo(&[again]), NOTHING_LEFT);
    assert_eq!(project.bytes("a"), NOW.as_bytes());
}

#[test]
fn a_file_that_is_another_than_was_shown_is_refused() {
    let (project, wanted) = changed(WAS, NOW);
    project.put("a", "somebody else\n");
    let (files, part) = planned(&project, &wanted, &second());
    assert_eq!((files.len(), files[0].possible, part), (1, false, UndoPart::default()));
    assert!(files[0].diff.note.as_deref().unwrap().contains("changed since it was shown"));
    let (files, _) = planned(&project, &wanted, &[]);
    assert_eq!((files[0].possible, files[0].conflict.is_none()), (false, true), "taken back whole it is, too");
}

#[test]
fn a_file_that_changes_after_it_was_planned_stays() {
    let (project, wanted) = changed(WAS, NOW);
    let (files, _) = planned(&project, &wanted, &second());
    project.put("a", "somebody else\n");
    assert_eq!(done(&project, &files), [("a".to_owned(), MEANWHILE.to_owned())]);
    assert_eq!(project.bytes("a"), b"somebody else\n");
}

#[test]
fn without_lines_all_of_the_file_goes_back() {
    let (project, wanted) = changed(WAS, NOW);
    let (files, part) = planned(&project, &wanted, &[]);
    assert_eq!((done(&project, &files), part), (NOTHING_LEFT.to_vec(), UndoPart { added: 3, removed: 2 }));
    assert_eq!(project.bytes("a"), WAS.as_bytes());
    let project = Project::new();
    let wanted = project.changed(|project| project.put("new/b", "b\n")).remove(0);
    let (files, _) = planned(&project, &wanted, &[]);
    assert_eq!(done(&project, &files), NOTHING_LEFT);
    assert!(!project.at("new").exists());
}

#[test]
fn lines_that_are_not_there_and_what_is_no_text_are_refused() {
    let (project, wanted) = changed(WAS, NOW);
    let (files, _) = planned(&project, &wanted, &[LinesBack { now: 4..9, was: 0..1 }]);
    assert!(!files[0].possible);
    let (project, wanted) = changed(WAS, "one\0\n");
    let (files, _) = planned(&project, &wanted, &second());
    assert!(files[0].diff.note.as_deref().unwrap().contains("/undo takes the file back"), "{files:?}");
}

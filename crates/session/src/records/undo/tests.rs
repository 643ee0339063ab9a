//! Back and forth over the changes of a session.

use super::*;
use UndoDirection::{Redo, Undo};
use agent_protocol::{Digest, Unkept};

/// A file that holds `text`; empty: there is none.
fn state(text: &str) -> FileState {
    if text.is_empty() {
        return FileState::Missing;
    }
    FileState::File { content: Digest(text.into()), mode: 0o644, size: text.len() as u64 }
}

fn change(path: &str, before: &str, after: &str) -> FileChange {
    FileChange {
        path: path.into(),
        shown_path: path.into(),
        before: state(before),
        after: state(after),
        added: 1,
        removed: 2,
    }
}

/// A path with what it held before and after.
type Told<'a> = (&'a str, &'a str, &'a str);

fn log(steps: &[(u64, &[Told<'_>])]) -> UndoLog {
    let mut log = UndoLog::default();
    for (said, changes) in steps {
        let changes: Vec<FileChange> = changes.iter().map(|(path, from, to)| change(path, from, to)).collect();
        log.changed(SaidId(*said), &format!("word {said}"), &changes);
    }
    log
}

/// What is wanted, as `path: from > to`.
fn wanted(log: &UndoLog, direction: UndoDirection, said: u64) -> Vec<String> {
    let words = |state: &FileState| match state {
        FileState::File { content, .. } => content.0.clone(),
        _ => "-".to_owned(),
    };
    log.wanted(direction, SaidId(said))
        .iter()
        .map(|file| format!("{}: {} > {}", file.path.display(), words(&file.from), words(&file.to)))
        .collect()
}

/// Does what is wanted, as a disk would where nobody else is at work.
fn done(log: &mut UndoLog, direction: UndoDirection, said: u64) {
    let files: Vec<UndoneFile> = log
        .wanted(direction, SaidId(said))
        .into_iter()
        .map(|file| UndoneFile {
            shown_path: file.path.display().to_string(),
            path: file.path,
            before: file.from,
            after: file.to,
            left: None,
        })
        .collect();
    log.done(direction, SaidId(said), None, &files);
}

fn three() -> UndoLog {
    log(&[
        (1, &[("a", "a0", "a1"), ("b", "", "b1")]),
        (2, &[("a", "a1", "a2")]),
        (2, &[("a", "a2", "a3")]),
        (3, &[("b", "b1", "")]),
    ])
}

#[test]
fn undo_goes_to_before_what_was_said_however_many_calls_came_since() {
    let log = three();
    assert_eq!(wanted(&log, Undo, 3), ["b: - > b1"]);
    assert_eq!(wanted(&log, Undo, 2), ["a: a3 > a1", "b: - > b1"]);
    assert_eq!(wanted(&log, Undo, 1), ["a: a3 > a0"], "a file that came and went is as it was");
    assert_eq!(wanted(&log, Undo, 4), [""; 0]);
}

#[test]
fn a_file_that_was_not_kept_is_wanted_back_also_where_it_looks_the_same() {
    let unkept = FileState::Unkept { why: Unkept::Unreadable, size: 4 };
    let mut log = UndoLog::default();
    log.changed(SaidId(1), "", &[FileChange { before: unkept.clone(), after: unkept, ..change("a", "", "") }]);
    assert_eq!(wanted(&log, Undo, 1), ["a: - > -"], "that it cannot be had is said when it is looked at");
}

#[test]
fn redo_brings_back_what_was_taken_back_as_it_was_taken_back() {
    let mut log = three();
    assert_eq!(wanted(&log, Redo, 3), [""; 0]);
    done(&mut log, Undo, 3);
    done(&mut log, Undo, 2);
    assert_eq!(wanted(&log, Undo, 1), ["a: a1 > a0", "b: b1 > -"]);
    assert_eq!(wanted(&log, Redo, 1), [""; 0], "that stands");
    assert_eq!(wanted(&log, Redo, 2), ["a: a1 > a3"]);
    assert_eq!(wanted(&log, Redo, 3), ["a: a1 > a3", "b: b1 > -"]);
    done(&mut log, Redo, 2);
    assert_eq!(wanted(&log, Undo, 2), ["a: a3 > a1"]);
    done(&mut log, Redo, 3);
    assert_eq!(wanted(&log, Undo, 1), ["a: a3 > a0"]);
}

#[test]
fn what_somebody_else_wrote_and_undo_replaced_comes_back_with_redo() {
    let mut log = log(&[(1, &[("a", "a0", "a1")])]);
    let file = UndoneFile {
        path: "a".into(),
        shown_path: "a".into(),
        before: state("theirs"),
        after: state("a0"),
        left: None,
    };
    log.done(Undo, SaidId(1), None, &[file]);
    assert_eq!(wanted(&log, Redo, 1), ["a: a0 > theirs"]);
}

#[test]
fn a_file_that_was_left_alone_is_left_alone_by_redo() {
    let mut log = log(&[(1, &[("a", "a0", "a1")])]);
    let left = Some("changed meanwhile".into());
    let file = UndoneFile { path: "a".into(), shown_path: "a".into(), before: state("x"), after: state("x"), left };
    log.done(Undo, SaidId(1), None, &[file]);
    assert_eq!(wanted(&log, Redo, 1), [""; 0]);
    assert_eq!(wanted(&log, Undo, 1), ["a: a1 > a0"], "nothing was taken back");
}

#[test]
fn what_was_left_alone_can_be_taken_back_later_whatever_came_since() {
    let mut log = log(&[(1, &[("a", "a0", "a1"), ("b", "b0", "b1")]), (2, &[("a", "a1", "a2")])]);
    let file = |path: &str, before, after, left: Option<&str>| UndoneFile {
        path: path.into(),
        shown_path: path.into(),
        before: state(before),
        after: state(after),
        left: left.map(str::to_owned),
    };
    log.done(Undo, SaidId(1), None, &[file("a", "mine", "mine", Some("changed since")), file("b", "b1", "b0", None)]);
    assert_eq!(wanted(&log, Undo, 1), ["a: a2 > a0"]);
    assert_eq!(wanted(&log, Redo, 2), ["b: b0 > b1"]);
    assert_eq!(log.changed_since(SaidId(1)), ["a"]);
    log.changed(SaidId(3), "word 3", &[change("c", "", "c1")]);
    assert_eq!(wanted(&log, Undo, 1), ["a: a2 > a0", "c: c1 > -"]);
}

#[test]
fn a_new_change_leaves_what_was_taken_back_behind() {
    let mut log = three();
    done(&mut log, Undo, 2);
    log.changed(SaidId(4), "word 4", &[change("c", "", "c1")]);
    assert_eq!(wanted(&log, Redo, 3), [""; 0]);
    assert_eq!(wanted(&log, Undo, 1), ["a: a1 > a0", "b: b1 > -", "c: c1 > -"]);
    assert_eq!(log.changed_since(SaidId(4)), ["c"]);
    assert_eq!(log.changed_files(), ["a", "b", "c"]);
}

#[test]
fn the_list_has_one_line_for_each_thing_said() {
    let mut log = three();
    done(&mut log, Undo, 3);
    let lines: Vec<String> = log
        .turns()
        .iter()
        .map(|turn| format!("{} {} +{} -{} {}", turn.text, turn.files, turn.added, turn.removed, turn.undone))
        .collect();
    assert_eq!(lines, ["word 1 2 +2 -4 false", "word 2 1 +2 -4 false", "word 3 1 +1 -2 true"]);
}

/// A part of what was changed in `a` is taken back, from how it is to how it is then.
fn takes_part(log: &mut UndoLog, before: &str, after: &str) {
    let file =
        UndoneFile { path: "a".into(), shown_path: "a".into(), before: state(before), after: state(after), left: None };
    log.done(Undo, SaidId(1), Some(UndoPart { added: 5, removed: 6 }), &[file]);
}

/// The list as `said files +added -removed undone`.
fn listed(log: &UndoLog) -> Vec<String> {
    let line = |turn: &UndoTurn| {
        let undone = if turn.undone { " undone" } else { "" };
        format!("{} {} +{} -{}{undone}", turn.said, turn.files, turn.added, turn.removed)
    };
    log.turns().iter().map(line).collect()
}

#[test]
fn a_part_that_is_taken_back_leaves_what_undo_begins_with_and_redo_brings_it_back_alone() {
    let mut log = three();
    takes_part(&mut log, "a3", "a-part");
    assert_eq!(wanted(&log, Undo, 2), ["a: a-part > a1", "b: - > b1"]);
    assert_eq!(listed(&log), ["1 2 +2 -4", "2 1 +2 -4", "3 2 +1 -2", "3 1 +5 -6 undone"]);
    assert_eq!(wanted(&log, Redo, 3), ["a: a-part > a3"]);
    done(&mut log, Redo, 3);
    assert_eq!(wanted(&log, Undo, 2), ["a: a3 > a1", "b: - > b1"]);
    assert_eq!(listed(&log), ["1 2 +2 -4", "2 1 +2 -4", "3 1 +1 -2"], "as if nothing had been done");
}

#[test]
fn parts_come_back_one_by_one_the_last_one_first() {
    let mut log = log(&[(1, &[("a", "a0", "a1")])]);
    takes_part(&mut log, "a1", "a-one");
    takes_part(&mut log, "a-one", "a-both");
    assert_eq!(wanted(&log, Undo, 1), ["a: a-both > a0"]);
    assert_eq!(wanted(&log, Redo, 1), ["a: a-both > a-one"]);
    done(&mut log, Redo, 1);
    assert_eq!(wanted(&log, Redo, 1), ["a: a-one > a1"]);
    done(&mut log, Redo, 1);
    assert_eq!(wanted(&log, Redo, 1), [""; 0]);
    assert_eq!(listed(&log), ["1 1 +1 -2"]);
}

#[test]
fn a_part_stays_taken_back_where_all_that_was_changed_goes_back_and_forth() {
    let mut log = log(&[(1, &[("a", "a0", "a1")]), (2, &[("c", "", "c1")])]);
    takes_part(&mut log, "a1", "a-part");
    done(&mut log, Undo, 1);
    assert_eq!(wanted(&log, Redo, 2), ["a: a0 > a-part", "c: - > c1"]);
    done(&mut log, Redo, 2);
    assert_eq!(wanted(&log, Redo, 2), ["a: a-part > a1"]);
}

#[test]
fn a_part_of_what_stands_is_taken_back_while_later_changes_are_undone() {
    let mut log = log(&[(1, &[("a", "a0", "a1")]), (2, &[("c", "", "c1")])]);
    done(&mut log, Undo, 2);
    takes_part(&mut log, "a1", "a-part");
    assert_eq!(wanted(&log, Redo, 1), ["a: a-part > a1"]);
    assert_eq!(wanted(&log, Redo, 2), ["a: a-part > a1", "c: - > c1"]);
    log.changed(SaidId(3), "word 3", &[change("d", "", "d1")]);
    assert_eq!(
        (wanted(&log, Redo, 2), wanted(&log, Undo, 1)),
        (vec![], vec!["a: a-part > a0".into(), "d: d1 > -".into()])
    );
}

#[test]
fn nothing_becomes_of_a_part_that_was_left_as_it_was() {
    let mut log = log(&[(1, &[("a", "a0", "a1")])]);
    let left = Some("changed meanwhile".into());
    let file = UndoneFile { path: "a".into(), shown_path: "a".into(), before: state("x"), after: state("x"), left };
    log.done(Undo, SaidId(1), Some(UndoPart::default()), &[file]);
    assert_eq!((wanted(&log, Undo, 1), listed(&log)), (vec!["a: a1 > a0".into()], vec!["1 1 +1 -2".into()]));
}

#[test]
fn what_was_left_moves_the_groups_that_were_taken_back_before() {
    let mut log = three();
    done(&mut log, Undo, 3);
    let file = |path: &str, before, after, left: Option<&str>| UndoneFile {
        path: path.into(),
        shown_path: path.into(),
        before: state(before),
        after: state(after),
        left: left.map(str::to_owned),
    };
    log.done(Undo, SaidId(1), None, &[file("a", "a3", "a0", None), file("b", "mine", "mine", Some("changed since"))]);
    assert_eq!(wanted(&log, Redo, 2), ["a: a0 > a3"], "what came after that stays undone");
}

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
    log.done(direction, SaidId(said), &files);
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
    log.done(Undo, SaidId(1), &[file]);
    assert_eq!(wanted(&log, Redo, 1), ["a: a0 > theirs"]);
}

#[test]
fn a_file_that_was_left_alone_is_left_alone_by_redo() {
    let mut log = log(&[(1, &[("a", "a0", "a1")])]);
    let left = Some("changed meanwhile".into());
    let file = UndoneFile { path: "a".into(), shown_path: "a".into(), before: state("x"), after: state("x"), left };
    log.done(Undo, SaidId(1), &[file]);
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
    log.done(Undo, SaidId(1), &[file("a", "mine", "mine", Some("changed since")), file("b", "b1", "b0", None)]);
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

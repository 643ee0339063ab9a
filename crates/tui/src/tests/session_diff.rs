//! `/diff`: what the session changed, by hunk, against its start and against the last commit; a hunk taken back.

use super::harness::Stage;
use super::looks::look;
use super::reviewing::lines;
use super::undoing::{self, fixed};
use crate::cmd::Cmd;
use agent_protocol::{
    DiffBase, Digest, Event, FileDiff, FileState, LinesBack, ListEvent, ListOp, Op, SaidId, SessionEvent, SessionOp,
    UndoDirection, UndoFile, UndoPart, UndoPlan, UndoTurn, UndoneFile,
};

fn state(name: &str) -> FileState {
    FileState::File { content: Digest(name.into()), mode: 0o644, size: 1 }
}

/// A file that was `was` at the start and is `now`.
fn changed(name: &str, was: Option<&str>, now: Option<&str>) -> UndoFile {
    let diff = FileDiff {
        path: format!("/home/me/project/{name}").into(),
        shown_path: name.into(),
        before: now.map(Into::into),
        after: was.map(Into::into),
        note: None,
        skipped: 0,
        marks: Vec::new(),
    };
    let (now, target) = (state("now"), state("was"));
    UndoFile { path: diff.path.clone(), now, target, diff, possible: true, conflict: None }
}

fn two_hunks() -> UndoFile {
    changed("src/a.rs", Some(&lines(&[])), Some(&lines(&[(3, "let three = 3;"), (33, "let more = 33;")])))
}

fn undoable(undone: &[bool]) -> Event {
    let turn = |(said, undone): (u64, &bool)| UndoTurn {
        said: SaidId(said),
        text: "fix it".into(),
        files: 1,
        added: 1,
        removed: 1,
        uncovered: 0,
        undone: *undone,
    };
    Event::List(ListEvent::Undoable { turns: (1..).zip(undone).map(turn).collect() })
}

fn planned(files: Vec<UndoFile>, part: Option<UndoPart>) -> Event {
    let plan = UndoPlan { direction: UndoDirection::Undo, said: SaidId(1), files, part };
    Event::Session(SessionEvent::UndoPlanned { plan: Box::new(plan) })
}

fn plan() -> Op {
    Op::Session(SessionOp::PlanUndo { direction: UndoDirection::Undo, said: SaidId(1) })
}

fn undo() -> Op {
    Op::Session(SessionOp::Undo { direction: UndoDirection::Undo, said: SaidId(1), choices: Vec::new() })
}

/// What is asked for the second hunk.
fn plan_second() -> Op {
    let lines = vec![LinesBack { now: 33..34, was: 33..34 }];
    let path = "/home/me/project/src/a.rs".into();
    Op::Session(SessionOp::PlanPart { said: SaidId(1), path, base: DiffBase::Start, now: state("now"), lines })
}

fn opened(stage: &mut Stage, files: Vec<UndoFile>) {
    stage.keys("/diff<enter>").hear(undoable(&[false, false])).hear(planned(files, None));
    stage.cmds();
}

/// The dialog with these files in it.
pub(super) fn changes_of(files: Vec<UndoFile>) -> Stage {
    let mut stage = Stage::new();
    opened(&mut stage, files);
    stage
}

/// The same with two hunks.
pub(super) fn changes() -> Stage {
    changes_of(vec![two_hunks()])
}

/// What taking the second hunk back would change, shown.
pub(super) fn taking() -> Stage {
    let mut stage = changes();
    stage.keys("<=]><=b>");
    assert_eq!(stage.ops(), [plan_second()]);
    stage.hear(part_planned());
    stage
}

fn part_planned() -> Event {
    let now = lines(&[(3, "let three = 3;"), (33, "let more = 33;")]);
    let file = changed("src/a.rs", Some(&lines(&[(3, "let three = 3;")])), Some(&now));
    planned(vec![file], Some(UndoPart { added: 1, removed: 1 }))
}

fn undone(left: Option<&str>) -> Event {
    let file = UndoneFile {
        path: "/home/me/project/src/a.rs".into(),
        shown_path: "src/a.rs".into(),
        before: state("now"),
        after: state("then"),
        left: left.map(Into::into),
    };
    Event::Session(SessionEvent::Undone {
        direction: UndoDirection::Undo,
        said: SaidId(1),
        files: vec![file],
        part: Some(UndoPart { added: 1, removed: 1 }),
    })
}

#[test]
fn what_the_session_changed_is_shown_as_it_came_to_be() {
    let mut stage = Stage::blank(100, 30);
    stage.keys("/diff<enter>");
    assert_eq!(stage.cmds(), [Cmd::Send(Op::List(ListOp::Undoable))]);
    stage.hear(undoable(&[false, false]));
    assert_eq!(stage.ops(), [plan()]);
    stage.hear(planned(vec![fixed()], None));
    let screen = stage.screen();
    assert!(screen.contains("This session changed 1 file  +1 −1"), "{screen}");
    assert!(
        screen.contains("- ") && screen.find("sum(0)") < screen.find("sum(1)"),
        "the old text comes first: {screen}"
    );
    stage.keys("<=u>");
    assert!(stage.shows("/undo"), "{}", stage.screen());
}

#[test]
fn the_changes_of_a_session_hunk_by_hunk() {
    look("session_diff", |stage| {
        opened(stage, vec![two_hunks(), changed("new.txt", None, Some("new\n"))]);
        stage.keys("<=]>");
    });
}

#[test]
fn what_taking_a_hunk_back_would_change() {
    look("session_diff_taking", |stage| {
        opened(stage, vec![two_hunks()]);
        stage.keys("<=]><=b>").hear(part_planned());
        stage.cmds();
    });
}

#[test]
fn a_hunk_is_taken_back_as_it_was_shown_and_the_changes_are_looked_at_anew() {
    let mut stage = taking();
    assert!(stage.shows("Take line 34 of src/a.rs back?  +1 −1"), "{}", stage.screen());
    stage.keys("<enter>");
    assert!(stage.ops().is_empty() && stage.shows("Enter alone changes nothing; press y"), "{}", stage.screen());
    stage.keys("<=y>");
    assert_eq!(stage.ops(), [undo()]);
    stage.hear(undone(None));
    assert_eq!(stage.ops(), [Op::List(ListOp::Undoable)]);
    stage.hear(undoable(&[false, false]));
    assert_eq!(stage.ops(), [plan()]);
    let rest = changed("src/a.rs", Some(&lines(&[])), Some(&lines(&[(3, "let three = 3;")])));
    stage.hear(planned(vec![rest], None));
    assert!(stage.shows("▸ hunk 1 of 1 · line 4") && stage.shows("b take this hunk back …"), "{}", stage.screen());
    stage.keys("<esc>");
    assert!(stage.shows("taken back: +1 −1 in src/a.rs; /redo makes it again"), "{}", stage.screen());
}

#[test]
fn who_goes_back_from_it_has_changed_nothing() {
    let mut stage = taking();
    stage.keys("<esc>");
    assert!(stage.shows("This session changed 1 file"), "{}", stage.screen());
    stage.keys("<=y>");
    assert!(stage.ops().is_empty(), "y means nothing there");
}

#[test]
fn a_key_that_was_pressed_before_the_plan_came_agrees_to_nothing() {
    let mut stage = changes();
    stage.keys("<=]><=b>").cmds();
    stage.keys("<=y>");
    assert!(stage.ops().is_empty());
    stage.hear(planned(vec![two_hunks()], None)).hear(planned(vec![fixed()], Some(UndoPart::default())));
    stage.keys("<=y>");
    assert!(stage.ops().is_empty(), "that was the plan of something else");
}

#[test]
fn what_cannot_be_taken_back_is_said_and_looked_at_anew() {
    let mut stage = changes();
    stage.keys("<=b>").cmds();
    let mut refused = changed("src/a.rs", None, None);
    refused.possible = false;
    refused.diff.note = Some("it was changed since it was shown; /diff looks again".into());
    stage.hear(planned(vec![refused], Some(UndoPart::default())));
    assert_eq!(stage.ops(), [plan()]);
    stage.hear(planned(vec![two_hunks()], None));
    assert!(stage.shows("nothing was taken back: it was changed since it was shown"), "{}", stage.screen());
    stage
        .keys("<=]><=b>")
        .hear(part_planned())
        .keys("<=y>")
        .hear(undone(Some("changed meanwhile; nothing was written")));
    stage.hear(undoable(&[false])).hear(planned(vec![two_hunks()], None));
    assert!(stage.shows("src/a.rs is left as it is: changed meanwhile"), "{}", stage.screen());
}

#[test]
fn a_new_file_is_taken_back_whole() {
    let mut stage = changes_of(vec![changed("new.txt", None, Some("new\n"))]);
    stage.keys("<=b>");
    let path = "/home/me/project/new.txt".into();
    let op = SessionOp::PlanPart { said: SaidId(1), path, base: DiffBase::Start, now: state("now"), lines: Vec::new() };
    assert_eq!(stage.ops(), [Op::Session(op)]);
    assert!(stage.shows("Take new.txt back?"), "{}", stage.screen());
}

#[test]
fn the_last_commit_is_another_base_and_hunks_go_back_to_it_too() {
    let mut stage = changes();
    assert!(stage.shows("h against git HEAD"), "{}", stage.screen());
    stage.keys("<=h>");
    assert_eq!(stage.ops(), [Op::List(ListOp::AgainstHead)]);
    let file = || changed("src/a.rs", Some("same\nold\n"), Some("same\nnew\n"));
    stage.hear(Event::List(ListEvent::AgainstHead { files: vec![file()], why: None }));
    assert!(stage.shows("Against git HEAD, of what this session changed: 1 file  +1 −1"), "{}", stage.screen());
    assert!(stage.shows("h against the start of the session") && stage.shows("b take this hunk back …"));
    stage.keys("<=b>");
    let lines = vec![LinesBack { now: 1..2, was: 1..2 }];
    let path = "/home/me/project/src/a.rs".into();
    let asked = SessionOp::PlanPart { said: SaidId(1), path, base: DiffBase::Head, now: state("now"), lines };
    assert_eq!(stage.ops(), [Op::Session(asked)]);
    stage.hear(planned(vec![file()], Some(UndoPart::default())));
    assert!(stage.shows("Take line 2 of src/a.rs back to git HEAD?  +1 −1"), "{}", stage.screen());
    stage.keys("<=y>");
    assert_eq!(stage.ops(), [undo()]);
    stage.hear(undone(None)).hear(undoable(&[false]));
    assert_eq!(stage.ops(), [Op::List(ListOp::Undoable), Op::List(ListOp::AgainstHead)], "it is looked at anew");
    stage.hear(Event::List(ListEvent::AgainstHead { files: vec![file()], why: None })).keys("<=h>");
    assert_eq!(stage.ops(), [plan()]);
    stage.hear(planned(vec![two_hunks()], None));
    assert!(stage.shows("This session changed 1 file"), "{}", stage.screen());
}

#[test]
fn where_git_is_not_asked_the_start_of_the_session_is_shown_again_and_it_is_said_why() {
    for (why, told) in [
        (Some("this folder is no git repository"), "not against git HEAD: this folder is no git repository"),
        (None, "what this session changed is as in git HEAD"),
    ] {
        let mut stage = changes();
        stage.keys("<=h>").cmds();
        stage.hear(Event::List(ListEvent::AgainstHead { files: Vec::new(), why: why.map(Into::into) }));
        assert_eq!(stage.ops(), [plan()]);
        stage.hear(planned(vec![two_hunks()], None));
        assert!(stage.shows(told) && stage.shows("This session changed 1 file"), "{}", stage.screen());
    }
}

#[test]
fn the_whole_file_and_both_texts_side_by_side_are_shown_here_too() {
    let mut stage = changes();
    stage.resize(160, 40).keys("<=f>");
    assert!(stage.shows("let line_20 = 20;") && stage.shows("f only the hunks"), "{}", stage.screen());
    stage.keys("<=t>");
    assert!(stage.screen().lines().any(|row| row.matches("let line_20 = 20;").count() == 2), "{}", stage.screen());
}

#[test]
fn how_changes_were_looked_at_last_is_remembered() {
    let mut stage = changes();
    stage.resize(160, 40).keys("<=t>");
    assert!(stage.shows("t one column"), "{}", stage.screen());
    stage.keys("<=b>").hear(part_planned()).keys("<esc>");
    assert!(stage.shows("t one column"), "after a look at what a hunk would change: {}", stage.screen());
    stage.keys("<esc>");
    opened(&mut stage, vec![two_hunks()]);
    assert!(stage.shows("t one column"), "{}", stage.screen());
}

#[test]
fn where_all_is_undone_that_is_said() {
    for (undone, told) in
        [(&[][..], "nothing was changed in this session yet"), (&[true], "everything is undone already")]
    {
        let mut stage = Stage::new();
        stage.keys("/diff<enter>").hear(undoable(undone));
        assert!(stage.shows(told), "{}", stage.screen());
    }
}

#[test]
fn the_plan_of_a_part_that_comes_late_is_not_taken_for_the_whole() {
    let mut stage = undoing::asked("/undo", 0);
    stage.cmds();
    let part = Some(UndoPart { added: 1, removed: 1 });
    let late = UndoPlan { direction: UndoDirection::Undo, said: SaidId(3), files: vec![fixed()], part };
    stage.hear(Event::Session(SessionEvent::UndoPlanned { plan: Box::new(late) })).keys("<=y>");
    assert!(stage.ops().is_empty() && stage.shows("looking at the files …"), "{}", stage.screen());
}

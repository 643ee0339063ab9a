//! Taking changes of files back and making them again, and going back to an earlier message.

use super::harness::{Stage, turn, turn_ended};
use super::looks::{look, look_at_all_sizes};
use crate::app::Msg;
use agent_protocol::{
    ConflictChoice, Event, FileDiff, FileState, ListEvent, ListOp, Op, Phase, RewindWhat, SaidId, SessionEvent,
    SessionOp, TurnEvent, TurnOp, UndoChoice, UndoConflict, UndoDirection, UndoFile, UndoMerge, UndoPlan, UndoTurn,
    Unkept,
};
use crossterm::event::{KeyModifiers, MouseEvent, MouseEventKind};

use UndoDirection::{Redo, Undo};

fn diff(name: &str, before: Option<&str>, after: Option<&str>) -> FileDiff {
    FileDiff {
        path: format!("/home/me/project/{name}").into(),
        shown_path: name.into(),
        before: before.map(Into::into),
        after: after.map(Into::into),
        note: None,
        skipped: 0,
        marks: Vec::new(),
    }
}

fn file(name: &str, before: Option<&str>, after: Option<&str>) -> UndoFile {
    let diff = diff(name, before, after);
    UndoFile {
        path: diff.path.clone(),
        now: FileState::Missing,
        target: FileState::Missing,
        diff,
        possible: true,
        conflict: None,
    }
}

pub(super) fn fixed() -> UndoFile {
    file("src/total.rs", Some("fn total() -> u64 {\n    sum(1)\n}\n"), Some("fn total() -> u64 {\n    sum(0)\n}\n"))
}

/// The user added a line since; where that can be told apart, both changes can be had.
pub(super) fn conflicted(name: &str, can_merge: bool) -> UndoFile {
    let (left, now) = ("one\nTWO\nthree\n", "one\nTWO\nthree\nfour\n");
    let merged = can_merge.then(|| UndoMerge {
        target: FileState::Missing,
        diff: diff(name, Some(now), Some("one\ntwo\nthree\nfour\n")),
    });
    let conflict = UndoConflict { since: diff(name, Some(left), Some(now)), merged };
    UndoFile { conflict: Some(conflict), ..file(name, Some(now), Some("one\ntwo\nthree\n")) }
}

fn impossible(name: &str) -> UndoFile {
    let mut file = file(name, None, None);
    file.diff.note = Some(Unkept::TooLarge.words().into());
    file.target = FileState::Unkept { why: Unkept::TooLarge, size: 9_000_000 };
    UndoFile { possible: false, ..file }
}

pub(super) fn planned(direction: UndoDirection, said: u64, files: Vec<UndoFile>) -> Event {
    Event::Session(SessionEvent::UndoPlanned {
        plan: Box::new(UndoPlan { direction, said: SaidId(said), files, part: None }),
    })
}

fn did(said: u64, text: &str, undone: bool) -> UndoTurn {
    let (files, added, removed) = (said, 4 * said, said);
    UndoTurn { said: SaidId(said), text: text.into(), files, added, removed, undone, uncovered: 0 }
}

/// Three things said, oldest first; so many of the newest are undone.
fn undoable(undone: usize) -> Event {
    let texts = ["make the totals right", "and write a test for it,\nplease", "now rename it everywhere"];
    let turns = texts.iter().zip(1..).map(|(text, said)| did(said, text, said > 3 - undone as u64));
    Event::List(ListEvent::Undoable { turns: turns.collect() })
}

fn plan(direction: UndoDirection, said: u64) -> Op {
    Op::Session(SessionOp::PlanUndo { direction, said: SaidId(said) })
}

fn undo(direction: UndoDirection, said: u64, choices: &[(&str, ConflictChoice)]) -> Op {
    Op::Session(SessionOp::Undo { direction, said: SaidId(said), choices: chosen(choices) })
}

fn chosen(choices: &[(&str, ConflictChoice)]) -> Vec<UndoChoice> {
    let path = |name: &str| format!("/home/me/project/{name}").into();
    choices.iter().map(|(name, what)| UndoChoice { path: path(name), what: *what }).collect()
}

/// A stage on which `/undo` or `/redo` was typed and the list is there.
pub(super) fn asked(command: &str, undone: usize) -> Stage {
    let mut stage = Stage::new();
    stage.keys(command).keys("<enter>");
    assert_eq!(stage.ops(), [Op::List(ListOp::Undoable)]);
    stage.hear(undoable(undone));
    stage
}

#[test]
fn the_newest_change_is_shown_first_and_y_takes_it_back() {
    let mut stage = asked("/undo", 0);
    assert_eq!(stage.ops(), [plan(Undo, 3)]);
    stage.hear(planned(Undo, 3, vec![fixed()]));
    assert!(stage.shows("back to before “now rename it everywhere”: 1 file, +1 −1"), "{}", stage.screen());
    assert!(stage.shows("src/total.rs") && stage.shows("sum(0)"));
    stage.keys("<enter>");
    assert!(stage.shows("Enter alone changes nothing; press y") && stage.ops().is_empty(), "{}", stage.screen());
    stage.keys("<=y>");
    assert_eq!(stage.ops(), [undo(Undo, 3, &[])]);
    assert!(!stage.shows("back to before"));
}

#[test]
fn an_earlier_one_takes_everything_since_along() {
    let mut stage = asked("/undo", 0);
    stage.hear(planned(Undo, 3, vec![fixed()])).keys("<down>");
    assert_eq!(stage.ops(), [plan(Undo, 3), plan(Undo, 2)]);
    assert!(stage.shows("› and write a test for it, please") && stage.shows("· now rename it everywhere"));
    assert!(stage.shows("looking at the files …") && !stage.shows("sum(0)"));
    stage.hear(planned(Undo, 2, vec![fixed(), file("tests/new.rs", Some("it works\n"), None)]));
    assert!(stage.shows("back to before “and write a test for it, please”: 2 files, +1 −2"), "{}", stage.screen());
    stage.keys("<=y>");
    assert_eq!(stage.ops(), [undo(Undo, 2, &[])]);
}

#[test]
fn a_plan_that_is_not_for_what_is_chosen_is_not_shown_and_not_done() {
    let mut stage = asked("/undo", 0);
    stage.keys("<down><down>y<enter>");
    assert_eq!(stage.ops(), [plan(Undo, 3)], "one question at a time");
    assert!(stage.shows("not yet: the files are still being looked at"));
    stage.hear(planned(Undo, 3, vec![fixed()]));
    assert_eq!(stage.ops(), [plan(Undo, 1)]);
    assert!(!stage.shows("sum(0)"));
    stage.hear(planned(Redo, 1, vec![fixed()])).hear(planned(Undo, 2, vec![fixed()])).keys("<=y>");
    assert_eq!(stage.ops(), []);
    stage.hear(planned(Undo, 1, vec![fixed()])).keys("<=y>");
    assert_eq!(stage.ops(), [undo(Undo, 1, &[])]);
}

#[test]
fn a_question_nobody_answered_is_asked_again_after_a_while() {
    let mut stage = asked("/undo", 0);
    stage.wait(1_500).keys("<down>");
    assert_eq!(stage.ops(), [plan(Undo, 3), plan(Undo, 2)]);
}

#[test]
fn what_is_undone_is_made_again_from_the_same_list() {
    let mut stage = asked("/undo", 1);
    assert_eq!(stage.ops(), [plan(Undo, 2)], "the newest that is not undone");
    stage.hear(planned(Undo, 2, vec![fixed()])).keys("<up>");
    assert_eq!(stage.ops(), [plan(Redo, 3)]);
    stage.hear(planned(Redo, 3, vec![fixed()]));
    assert!(stage.shows("forward to after “now rename it everywhere”: 1 file") && stage.shows("y redo"));
    stage.keys("<=y>");
    assert_eq!(stage.ops(), [undo(Redo, 3, &[])]);
}

#[test]
fn a_list_that_comes_again_keeps_what_was_chosen() {
    let turns = |undone| vec![did(1, "one", false), did(2, "two", false), did(2, "two", undone)];
    let mut stage = Stage::new();
    stage.keys("/undo<enter>").hear(Event::List(ListEvent::Undoable { turns: turns(true) }));
    assert_eq!(stage.ops(), [Op::List(ListOp::Undoable), plan(Undo, 2)]);
    stage.hear(planned(Undo, 2, vec![fixed()])).keys("<down>").hear(planned(Undo, 1, vec![fixed()]));
    stage.hear(Event::List(ListEvent::Undoable { turns: turns(true) }));
    assert!(stage.shows("› one") && stage.shows("back to before “one”: 1 file"), "{}", stage.screen());
    assert_eq!(stage.ops(), [plan(Undo, 1)]);
}

#[test]
fn redo_begins_with_the_oldest_that_is_undone() {
    let mut stage = asked("/redo", 2);
    assert_eq!(stage.ops(), [plan(Redo, 2)]);
}

#[test]
fn where_there_is_nothing_to_undo_or_redo_it_is_said() {
    for (command, undoable, words) in [
        ("/undo", Event::List(ListEvent::Undoable { turns: Vec::new() }), "nothing was changed in this session yet"),
        ("/undo", undoable(3), "everything is undone already; /redo makes it again"),
        ("/redo", undoable(0), "nothing to redo"),
        ("/redo", Event::List(ListEvent::Undoable { turns: Vec::new() }), "nothing to redo"),
    ] {
        let mut stage = Stage::new();
        stage.keys(command).keys("<enter>").hear(undoable);
        assert!(stage.shows(words) && stage.app.dialog.is_none(), "{command}: {}", stage.screen());
        assert_eq!(stage.ops(), [Op::List(ListOp::Undoable)]);
    }
}

#[test]
fn a_plan_that_changes_nothing_does_nothing() {
    for (files, words) in [
        (vec![], "nothing to change here"),
        (vec![impossible("big.bin")], "nothing of it can be brought back"),
        (vec![conflicted("a.txt", true)], "every file is left as it is"),
    ] {
        let mut stage = asked("/undo", 0);
        stage.hear(planned(Undo, 3, files)).keys("<=y>");
        assert_eq!(stage.ops(), [plan(Undo, 3)]);
        assert!(stage.shows(words) && stage.shows("nothing changes"), "{}", stage.screen());
        stage.keys("<esc>");
        assert!(stage.app.dialog.is_none());
    }
}

#[test]
fn a_file_changed_since_stays_unless_the_person_chooses() {
    let files = || vec![fixed(), conflicted("a.txt", true), conflicted("b.txt", false), impossible("big.bin")];
    for (keys, choices) in [
        ("", vec![]),
        ("<=r>", vec![("a.txt", ConflictChoice::Restore)]),
        ("<=m>", vec![("a.txt", ConflictChoice::Merge)]),
        ("<=r><=l>", vec![]),
        ("m<tab>r<tab>", vec![("a.txt", ConflictChoice::Merge), ("b.txt", ConflictChoice::Restore)]),
        ("<right><=m><c-u>", vec![]),
        ("<tab><tab><=r><c-u><left><=r>", vec![("b.txt", ConflictChoice::Restore)]),
    ] {
        let mut stage = asked("/undo", 0);
        stage.hear(planned(Undo, 3, files())).keys(keys).keys("<=y>");
        assert_eq!(stage.ops(), [plan(Undo, 3), undo(Undo, 3, &choices)], "{keys}");
    }
}

#[test]
fn the_title_counts_what_would_happen_now() {
    let mut stage = asked("/undo", 0);
    stage.hear(planned(Undo, 3, vec![fixed(), conflicted("a.txt", true)]));
    assert!(stage.shows(": 1 file, +1 −1") && stage.shows("1 file was changed since and stays as it is"));
    stage.keys("<=r>");
    assert!(stage.shows(": 2 files, +2 −3") && stage.shows("● r restore"), "{}", stage.screen());
    stage.keys("<=m>");
    assert!(stage.shows(": 2 files, +2 −2") && !stage.shows("stays as it is"));
}

#[test]
fn choices_hold_when_the_same_plan_comes_again() {
    let mut stage = asked("/undo", 0);
    let plan = || planned(Undo, 3, vec![conflicted("a.txt", true), conflicted("b.txt", true)]);
    stage.hear(plan()).keys("<=m>").hear(plan()).cmds();
    stage.keys("<=y>");
    assert_eq!(stage.ops(), [undo(Undo, 3, &[("a.txt", ConflictChoice::Merge)])]);
}

#[test]
fn other_permissions_of_a_file_are_told_as_they_are() {
    let mut run = file("run.sh", Some("make\n"), Some("make\n"));
    run.diff.note = Some("permissions 755 → 644".into());
    let mut stage = asked("/undo", 0);
    stage.hear(planned(Undo, 3, vec![run]));
    assert!(stage.shows("permissions 755 → 644") && !stage.shows("nothing changes"), "{}", stage.screen());
}

#[test]
fn a_long_plan_scrolls_by_pages_and_by_the_wheel() {
    let long: String = (1..=200).map(|number| format!("line {number}\n")).collect();
    let mut stage = asked("/undo", 0);
    stage.hear(planned(Undo, 3, vec![file("long.txt", Some(&long), None)]));
    assert!(stage.shows("- line 1") && stage.shows("more lines · PgDn"));
    stage.keys("<pgdn><pgdn>");
    assert!(!stage.shows("1 - line 1\n") && stage.shows("PgUp PgDn"));
    stage.keys("<end>");
    assert!(stage.shows("200 - line 200"));
    let area = stage.app.regions.dialog;
    let (column, row) = (area.x + 3, area.y + 5);
    stage.tell(Msg::Mouse(MouseEvent { kind: MouseEventKind::ScrollUp, column, row, modifiers: KeyModifiers::NONE }));
    assert!(!stage.shows("200 - line 200") && stage.shows("197 - line 197"), "{}", stage.screen());
    assert_eq!(stage.ops(), [plan(Undo, 3)]);
}

#[test]
fn undo_waits_until_the_model_is_done() {
    for command in ["/undo", "/redo", "/rewind"] {
        let mut stage = Stage::new();
        stage.hear(turn("go")).keys(command).keys("<enter>");
        assert_eq!(stage.ops(), []);
        assert!(stage.shows("the model is at work; stop it with Esc first"), "{}", stage.screen());
    }
}

#[test]
fn what_is_typed_or_pasted_at_the_undo_goes_to_the_message_and_takes_nothing_back() {
    let mut stage = asked("/undo", 0);
    stage.hear(planned(Undo, 3, vec![fixed()])).keys("hello<enter>");
    assert!(stage.shows("back to before") && stage.shows("that went to your message"), "{}", stage.screen());
    stage.keys("<esc>");
    assert_eq!((stage.app.composer.text(), stage.app.dialog.is_none()), ("hello".into(), true));
    assert_eq!(stage.ops(), [plan(Undo, 3)]);
    let mut stage = asked("/undo", 0);
    stage.paste("words");
    assert_eq!((stage.app.composer.text(), stage.app.dialog.is_none()), ("words".into(), true));
    stage.hear(planned(Undo, 3, vec![fixed()])).hear(undoable(0));
    assert!(stage.app.dialog.is_none(), "an answer nobody waits for opens nothing");
}

/// A stage in which three things were said.
pub(super) fn said() -> Stage {
    let mut stage = Stage::new();
    tell(&mut stage);
    stage
}

fn tell(stage: &mut Stage) {
    for text in ["make the totals right", "and write a test for it,\nplease", "now rename it everywhere"] {
        stage.hear(turn(text)).hear(Event::Turn(TurnEvent::Text { text: "Done.\n".into() })).hear(turn_ended());
    }
}

fn rewind(said: u64, what: RewindWhat, choices: &[(&str, ConflictChoice)]) -> Op {
    Op::Session(SessionOp::Rewind { said: SaidId(said), what, choices: chosen(choices) })
}

#[test]
fn escape_twice_on_an_empty_message_goes_back() {
    let mut stage = said();
    stage.keys("<esc>");
    assert!(stage.shows("Esc again: go back to an earlier message"));
    stage.wait(400).keys("<esc>");
    assert!(stage.shows("Go back to an earlier message") && stage.shows("› now rename it everywhere"));
    assert!(!stage.shows("Esc again"));
}

#[test]
fn escape_twice_goes_back_only_where_both_mean_it() {
    let opened = |stage: &mut Stage| stage.app.dialog.is_some();
    let mut stage = said();
    stage.keys("<esc>").wait(1_100).keys("<esc>");
    assert!(!opened(&mut stage), "too slow");
    stage.wait(1_100).keys("<esc>a<backspace><esc>");
    assert!(!opened(&mut stage), "a key in between");
    stage.wait(1_100).keys("draft<esc><esc>");
    assert!(!opened(&mut stage) && stage.app.composer.text() == "draft", "something is written");
    let mut stage = Stage::new();
    stage.keys("<esc><esc>");
    assert!(!opened(&mut stage) && !stage.shows("Esc again"), "nothing was said yet");
    let mut stage = said();
    stage.keys("?<esc><esc>");
    assert!(!opened(&mut stage), "the first closed the sheet");
    stage.keys("<esc>");
    assert!(opened(&mut stage));
}

#[test]
fn an_escape_that_interrupts_is_not_the_first_of_two() {
    let mut stage = said();
    stage.hear(turn("go")).hear(Event::Turn(TurnEvent::Waiting { phase: Phase::Writing })).keys("<esc>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Interrupt)]);
    stage.hear(turn_ended()).keys("<esc>");
    assert!(stage.app.dialog.is_none() && stage.shows("Esc again"));
    stage.keys("<esc>");
    assert!(stage.app.dialog.is_some());
    assert_eq!(stage.ops(), []);
}

#[test]
fn the_conversation_alone_goes_back_and_the_words_come_back_to_be_said_again() {
    let mut stage = said();
    stage.keys("/rewind<enter><down><enter><=c>");
    assert_eq!(stage.ops(), [rewind(2, RewindWhat::Conversation, &[])]);
    assert!(stage.app.dialog.is_none());
    let text = "and write a test for it,\nplease";
    stage.hear(Event::Session(SessionEvent::Rewound { said: SaidId(2), text: text.into() }));
    assert_eq!(stage.app.composer.text(), text);
    stage.keys(" and quick").hear(Event::Session(SessionEvent::Rewound { said: SaidId(1), text: "one".into() }));
    assert_eq!(stage.app.composer.text(), format!("one\n\n{text} and quick"));
}

#[test]
fn files_are_shown_before_they_go_back() {
    for (key, what) in [("f", RewindWhat::Files), ("b", RewindWhat::Both)] {
        let mut stage = said();
        stage.keys("/rewind<enter><enter>").keys(key).keys("<enter>");
        assert_eq!(stage.ops(), [plan(Undo, 3)]);
        stage.keys("<=y>");
        assert!(stage.ops().is_empty() && stage.shows("not yet: the files are still being looked at"));
        stage.hear(planned(Undo, 3, vec![fixed(), conflicted("a.txt", true)])).keys("<=m>");
        assert!(stage.shows("back to before “now rename it everywhere”: 2 files"), "{}", stage.screen());
        stage.keys("<=y>");
        assert_eq!(stage.ops(), [rewind(3, what, &[("a.txt", ConflictChoice::Merge)])]);
        assert!(stage.app.dialog.is_none());
    }
}

#[test]
fn where_no_file_changed_only_both_can_go_back() {
    let mut stage = said();
    stage.keys("/rewind<enter><enter><=f>").hear(planned(Undo, 3, vec![])).keys("<=y>");
    assert!(stage.shows("no file would change; Esc goes back to the choice"));
    stage.keys("<esc><=b>").hear(planned(Undo, 3, vec![])).keys("<=y>");
    assert_eq!(stage.ops(), [plan(Undo, 3), plan(Undo, 3), rewind(3, RewindWhat::Both, &[])]);
}

#[test]
fn escape_goes_one_step_back_in_the_rewind() {
    let mut stage = said();
    stage.keys("/rewind<enter><down><enter><=f>").hear(planned(Undo, 2, vec![fixed()]));
    stage.keys("<esc>");
    assert!(stage.shows("the conversation only"));
    stage.keys("<esc>");
    assert!(stage.shows("› and write a test for it, please"));
    stage.keys("<esc>");
    assert!(stage.app.dialog.is_none());
    assert_eq!(stage.ops(), [plan(Undo, 2)]);
}

#[test]
fn without_anything_said_there_is_nothing_to_go_back_to() {
    let mut stage = Stage::new();
    stage.keys("/rewind<enter>");
    assert!(stage.shows("nothing was said in this session yet") && stage.app.dialog.is_none());
}

#[test]
fn hostile_words_and_names_draw_nothing_but_themselves() {
    let evil = "evil\u{1b}[2J\u{202e}\r\n";
    let mut stage = Stage::new();
    stage.keys("/undo<enter>").hear(Event::List(ListEvent::Undoable { turns: vec![did(1, evil, false)] }));
    let mut bad = conflicted(evil, true);
    bad.diff.note = Some(evil.into());
    stage.hear(planned(Undo, 1, vec![bad, UndoFile { possible: false, ..file(evil, None, None) }]));
    let shown = stage.screen();
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}') && shown.contains("evil␛"), "{shown}");
}

#[test]
fn an_undo_looked_at() {
    look_at_all_sizes("undo", |stage| {
        stage.keys("/undo<enter>").hear(undoable(1)).keys("<down>");
        stage.hear(planned(Undo, 2, Vec::new()));
        stage.hear(planned(Undo, 1, vec![fixed(), file("tests/new.rs", Some("it works\n"), None)]));
    });
}

#[test]
fn an_undo_with_files_changed_since() {
    look("undo_conflict", |stage| {
        stage.keys("/undo<enter>").hear(undoable(0));
        let files =
            vec![fixed(), conflicted("src/parser/mod.rs", true), conflicted("b.txt", false), impossible("big.bin")];
        stage.hear(planned(Undo, 3, files)).keys("<=m>");
    });
}

#[test]
fn an_undo_of_a_long_list() {
    look("undo_long", |stage| {
        let turns = (1..=20)
            .map(|said| UndoTurn { uncovered: said % 3, ..did(said, &format!("step {said} of the plan"), said > 17) });
        stage.keys("/undo<enter>").hear(Event::List(ListEvent::Undoable { turns: turns.collect() }));
        let long: String = (1..=60).map(|number| format!("line {number}\n")).collect();
        stage.hear(planned(Undo, 17, vec![file("long.txt", Some(&long), None)])).keys("<pgdn>");
    });
}

#[test]
fn an_undo_that_is_waited_for() {
    look("undo_waiting", |stage| {
        stage.keys("/undo<enter>");
    });
}

#[test]
fn an_undo_that_changes_nothing() {
    look("undo_nothing", |stage| {
        stage.keys("/redo<enter>").hear(undoable(2)).hear(planned(Redo, 2, vec![])).keys("<=y>");
    });
}

#[test]
fn a_rewind_by_its_list() {
    look("rewind", |stage| {
        tell(stage);
        stage.keys("<esc><esc><down>");
    });
}

#[test]
fn a_rewind_by_what_goes_back() {
    look("rewind_what", |stage| {
        tell(stage);
        stage.keys("<esc><esc><down><enter>");
    });
}

#[test]
fn a_rewind_by_its_files() {
    look("rewind_files", |stage| {
        tell(stage);
        stage.keys("/rewind<enter><down><enter><=b>").hear(planned(Undo, 2, vec![fixed(), conflicted("a.txt", true)]));
    });
}

//! Going through a change hunk by hunk, side by side; answering by digits and arrows; what the session changed.

use super::harness::{Stage, asks_command, asks_edit};
use super::looks::look;
use super::undoing::fixed;
use crate::cmd::Cmd;
use agent_protocol::{
    Answer, CallOp, Event, ListEvent, ListOp, Op, PartText, Proposal, SaidId, SessionEvent, SessionOp, UndoDirection,
    UndoPlan, UndoTurn,
};

/// Forty lines, of which these are others.
fn lines(others: &[(usize, &str)]) -> String {
    let line = |at: usize| match others.iter().find(|(place, _)| *place == at) {
        Some((_, text)) => format!("{text}\n"),
        None => format!("let line_{at} = {at};\n"),
    };
    (0..40).map(line).collect()
}

fn asks_three_hunks() -> Event {
    asks_edit(&lines(&[]), &lines(&[(3, "let three = 3;"), (18, "let eighteen = 18;"), (33, "let more = 33;")]))
}

fn answer(stage: &mut Stage) -> Answer {
    match stage.ops().as_slice() {
        [Op::Call(CallOp::Reply { answer, .. })] => answer.clone(),
        ops => panic!("{ops:?}"),
    }
}

#[test]
fn a_change_of_several_hunks() {
    look("hunks", |stage| {
        stage.hear(asks_three_hunks()).wait(1_000).keys("<=]><= >");
    });
}

#[test]
fn what_is_approved_is_exactly_what_is_written() {
    let mut stage = Stage::blank(120, 60);
    stage.hear(asks_three_hunks()).wait(1_000).keys("<=]><= >");
    assert!(stage.shows("▸ ✗ hunk 2 of 3 · line 19 · left out"), "{}", stage.screen());
    assert!(stage.shows("approve without 1 of them"), "{}", stage.screen());
    stage.keys("<tab>").keys("not that one<enter>").keys("<=y>");
    let Answer::Instead { proposal: Proposal::Part { files, told } } = answer(&mut stage) else { panic!("no part") };
    let text = lines(&[(3, "let three = 3;"), (33, "let more = 33;")]);
    assert_eq!(files, [PartText { path: "/home/me/project/src/main.rs".into(), text }]);
    let wanted = "I left 1 of 3 hunks of this change out: src/main.rs, line 19 of your text (not that one). The rest is written.";
    assert_eq!(told, wanted);
}

#[test]
fn a_hunk_can_be_taken_in_again_and_all_left_out_are_a_no() {
    let mut stage = Stage::blank(120, 60);
    stage.hear(asks_three_hunks()).wait(1_000).keys("<= ><= ><=y>");
    assert_eq!(answer(&mut stage), Answer::Yes { remember: None, word: None });
    stage.hear(asks_three_hunks()).wait(1_000).keys("<= ><=]><= ><=]><= ><=y>");
    let Answer::No { word: Some(word) } = answer(&mut stage) else { panic!("it is a no") };
    assert!(word.contains("I left 3 of 3 hunks"), "{word}");
}

#[test]
fn a_rule_is_not_made_of_a_part() {
    let mut stage = Stage::blank(120, 60);
    stage.hear(asks_three_hunks()).wait(1_000).keys("<= ><=a>");
    assert!(stage.ops().is_empty());
    assert!(stage.shows("parts are left out: approve the rest with y"), "{}", stage.screen());
}

#[test]
fn side_by_side_where_there_is_room_and_so_it_stays() {
    let mut stage = Stage::blank(160, 40);
    stage.hear(asks_edit("fn main() {\n    old();\n}\n", "fn main() {\n    new();\n}\n")).wait(1_000).keys("<=t>");
    let beside = |stage: &mut Stage| stage.screen().lines().any(|row| row.contains("old();") && row.contains("new();"));
    assert!(beside(&mut stage), "{}", stage.screen());
    stage.keys("<=y>").cmds();
    stage.hear(asks_edit("a(old();)\n", "a(new();)\n")).wait(1_000);
    assert!(beside(&mut stage), "{}", stage.screen());
    stage.resize(120, 40);
    assert!(!beside(&mut stage), "two columns have no room there");
}

#[test]
fn digits_answer_and_enter_does_after_an_arrow() {
    let mut stage = Stage::blank(100, 40);
    stage.hear(asks_command("make")).wait(1_000);
    assert!(stage.shows("y/1 approve once") && stage.shows("n/2 reject"), "{}", stage.screen());
    stage.keys("<enter>");
    assert!(stage.ops().is_empty(), "nothing is selected at first");
    stage.keys("<down><enter>");
    assert_eq!(answer(&mut stage), Answer::Yes { remember: None, word: None });
    stage.hear(asks_command("make")).wait(1_000).keys("<enter>");
    assert!(stage.ops().is_empty(), "not in another question");
    stage.keys("<down><down><enter>");
    assert_eq!(answer(&mut stage), Answer::No { word: None });
    stage.hear(asks_command("make")).wait(1_000).keys("<=2>");
    assert_eq!(answer(&mut stage), Answer::No { word: None });
    stage.hear(asks_command("make")).wait(1_000).keys("<=1>");
    assert_eq!(answer(&mut stage), Answer::Yes { remember: None, word: None });
}

#[test]
fn digits_in_a_text_are_text() {
    let mut stage = Stage::blank(100, 40);
    stage.keys("give me ").hear(asks_command("make")).wait(100).keys("12");
    stage.wait(2_000);
    assert!(stage.ops().is_empty());
    assert!(stage.shows("give me 12"), "{}", stage.screen());
}

#[test]
fn what_the_session_changed_is_shown_as_it_came_to_be() {
    let mut stage = Stage::blank(100, 30);
    stage.keys("/diff<enter>");
    assert_eq!(stage.cmds(), [Cmd::Send(Op::List(ListOp::Undoable))]);
    let turn = |said, undone| UndoTurn {
        said: SaidId(said),
        text: "fix it".into(),
        files: 1,
        added: 1,
        removed: 1,
        uncovered: 0,
        undone,
    };
    stage.hear(Event::List(ListEvent::Undoable { turns: vec![turn(1, false), turn(2, false)] }));
    let asked = SessionOp::PlanUndo { direction: UndoDirection::Undo, said: SaidId(1) };
    assert_eq!(stage.ops(), [Op::Session(asked)]);
    let plan = UndoPlan { direction: UndoDirection::Undo, said: SaidId(1), files: vec![fixed()], part: None };
    stage.hear(Event::Session(SessionEvent::UndoPlanned { plan: Box::new(plan) }));
    let screen = stage.screen();
    assert!(screen.contains("This session changed 1 file  +1 −1"), "{screen}");
    assert!(
        screen.contains("- ") && screen.find("sum(0)") < screen.find("sum(1)"),
        "the old text comes first: {screen}"
    );
    stage.keys("<=u>");
    assert!(stage.shows("/undo"), "{}", stage.screen());
}

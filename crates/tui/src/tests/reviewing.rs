//! Going through a change hunk by hunk, side by side, in the whole file; answering by digits and arrows.

use super::harness::{Stage, asks_command, asks_edit};
use super::looks::{look, look_at_all_sizes};
use crate::cmd::Cmd;
use agent_protocol::{Answer, CallOp, Event, Op, PartText, Proposal};

/// Forty lines, of which these are others.
pub(super) fn lines(others: &[(usize, &str)]) -> String {
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
    look_at_all_sizes("hunks", |stage| {
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

/// Two hundred lines, of which the second and the last but one are others.
pub(super) fn asks_far_apart() -> Event {
    let line = |at: usize| format!("let line_{at} = {at};\n");
    let before: String = (1..=200).map(line).collect();
    let after = before.replace("line_2 = 2;", "line_2 = two;").replace("line_199 = 199;", "line_199 = many;");
    asks_edit(&before, &after)
}

#[test]
fn the_whole_file_around_a_change_and_only_its_hunks_again() {
    look("whole_file", |stage| {
        stage.hear(asks_far_apart()).wait(1_000).keys("<=f>");
    });
}

#[test]
fn folded_lines_are_opened_and_what_is_looked_at_stays_in_sight() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(asks_far_apart()).wait(1_000).keys("<=]><=f>");
    assert!(stage.shows("▸ ✓ hunk 2 of 2 · line 199") && stage.shows("let line_193 = 193;"), "{}", stage.screen());
    stage.keys("<=[>");
    assert!(stage.shows("▸ ✓ hunk 1 of 2 · line 2"), "{}", stage.screen());
    assert!(stage.shows("o open folded lines") && !stage.shows("let line_40 = 40;"), "{}", stage.screen());
    stage.keys("<pgdn>");
    assert!(stage.shows("… 150 lines …"), "{}", stage.screen());
    stage.keys("<=o>");
    assert!(stage.shows("let line_30 = 30;") && !stage.shows("… 150 lines …"), "{}", stage.screen());
    assert!(!stage.shows("o open folded lines"), "there are no more: {}", stage.screen());
    stage.keys("<=f>");
    assert!(!stage.shows("let line_30 = 30;") && stage.shows("f whole file"), "{}", stage.screen());
}

#[test]
fn what_a_yes_covers_is_the_change_however_much_of_the_file_is_shown() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(asks_far_apart()).wait(1_000).keys("<=f><=]><= ><=f><=f><=y>");
    let Answer::Instead { proposal: Proposal::Part { files, .. } } = answer(&mut stage) else { panic!("no part") };
    assert!(files[0].text.contains("line_2 = two;") && files[0].text.contains("line_199 = 199;"));
}

#[test]
fn unchanged_lines_need_not_be_read_and_what_was_read_counts_in_the_whole_file() {
    let mut stage = Stage::blank(120, 24);
    stage.hear(asks_far_apart()).wait(1_000).keys("<=f><=y>");
    assert!(stage.ops().is_empty() && stage.shows("lines not shown"), "{}", stage.screen());
    let told = stage.screen();
    assert!(!told.contains("150 lines not shown"), "{told}");
    stage.keys("<=]><=y>");
    assert_eq!(answer(&mut stage), Answer::Yes { remember: None, word: None }, "both hunks were on the screen");
    stage.hear(asks_far_apart()).wait(1_000).keys("<=]><=f><=y>");
    assert_eq!(answer(&mut stage), Answer::Yes { remember: None, word: None }, "so they were before");
}

#[test]
fn side_by_side_and_whole_go_together() {
    let mut stage = Stage::blank(160, 40);
    stage.hear(asks_far_apart()).wait(1_000).keys("<=t><=f>");
    let beside = |row: &str| row.matches("let line_10 = 10;").count() == 2;
    assert!(stage.screen().lines().any(beside), "{}", stage.screen());
    let changed = |row: &str| row.contains("line_2 = 2;") && row.contains("line_2 = two;");
    assert!(stage.screen().lines().any(changed), "{}", stage.screen());
}

#[test]
fn where_nothing_is_left_out_of_a_file_there_is_nothing_more_to_show() {
    let mut stage = Stage::blank(120, 40);
    stage.hear(asks_edit("a\nb\n", "a\nc\n")).wait(1_000);
    assert!(!stage.shows("whole file"), "{}", stage.screen());
    stage.keys("f").wait(1_000);
    assert_eq!(stage.app.composer.text(), "f", "so the letter is one of a message");
}

#[test]
fn the_editor_is_named_where_there_is_room_and_works_everywhere() {
    for (columns, named) in [(120, true), (80, false)] {
        let mut stage = Stage::blank(columns, 40);
        stage.hear(asks_far_apart()).wait(1_000);
        assert_eq!(stage.shows("E at the line that changes"), named, "{}", stage.screen());
        stage.keys("<=]><=E>");
        let line = match stage.cmds().as_slice() {
            [Cmd::Edit { line, .. }] => *line,
            cmds => panic!("{cmds:?}"),
        };
        assert_eq!(line, Some(199));
    }
    let mut stage = Stage::blank(120, 40);
    stage.hear(asks_command("make")).wait(1_000);
    assert!(stage.shows("E in your editor") && stage.shows("y/1 approve once"), "{}", stage.screen());
    assert!(stage.shows("a/5 ") || stage.shows("a/4 "), "{}", stage.screen());
}

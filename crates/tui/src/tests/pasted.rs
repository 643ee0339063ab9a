//! A paste that holds the sequence by which terminals end one: what comes after it arrives as keys, and is text.

use super::harness::{Stage, asks_command, turn};
use super::inquiries::asks;
use crate::app::Msg;
use agent_protocol::{Op, TurnOp};
use std::time::Duration;

/// Hears a paste that was read at `now`, and nothing else for the moment.
fn paste(stage: &mut Stage, text: &str) {
    let earliest = stage.app.now;
    stage.tell(Msg::Paste { text: text.into(), earliest });
}

fn asked() -> Stage {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(asks_command("make")).wait(1_100);
    stage
}

#[test]
fn keys_that_go_on_with_a_paste_submit_nothing_and_answer_nothing() {
    let mut stage = Stage::new();
    paste(&mut stage, "one\u{1b}[201~ two");
    stage.keys("y<enter>/unsafe<enter><s-tab><c-c><c-c><esc><tab>x<c-j>").wait(2_000);
    assert_eq!(stage.cmds(), []);
    assert_eq!(stage.app.composer.text(), "one twoy\n/unsafe\n\tx\n");
    let mut stage = asked();
    paste(&mut stage, "words");
    stage.keys("y<enter><esc>a").wait(2_000);
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "wordsy\na".into()));
    assert!(stage.shows("approve once") && stage.shows("that went to your message"), "{}", stage.screen());
}

#[test]
fn they_go_on_as_long_as_each_comes_within_fifty_milliseconds() {
    let mut stage = Stage::new();
    paste(&mut stage, "one");
    stage.wait(50).keys("<enter>").wait(50).keys("y").wait(50).keys("<enter>");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "one\ny\n".into()));
    stage.wait(51).keys("<enter>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "one\ny\n".into() })]);
}

#[test]
fn what_waited_for_us_while_we_were_busy_goes_on_with_it_too() {
    let mut stage = Stage::new();
    paste(&mut stage, "one");
    let earliest = stage.app.now;
    stage.wait(900).tell(Msg::Key { key: crossterm::event::KeyCode::Enter.into(), earliest });
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "one\n".into()));
}

#[test]
fn a_paste_into_a_field_goes_on_in_the_field() {
    let mut stage = asked();
    stage.keys("<=e><c-u>");
    paste(&mut stage, "cargo test");
    stage.keys("<enter>y<esc>");
    assert!(stage.ops().is_empty() && stage.shows("propose this instead"), "{}", stage.screen());
    assert!(stage.app.composer.is_empty() && stage.shows("› cargo test\n   y"), "{}", stage.screen());
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(asks("Which one?", &["this", "that"])).wait(1_100);
    paste(&mut stage, "neither");
    stage.keys("<enter>");
    assert_eq!(stage.ops(), []);
}

#[test]
fn a_letter_right_after_a_paste_is_no_answer() {
    let mut stage = asked();
    paste(&mut stage, "x");
    stage.wait(100).keys("<backspace>").wait(500).keys("y").wait(2_000);
    assert_eq!((stage.ops(), stage.app.composer.is_empty()), (vec![], true));
    assert!(stage.shows("other keys came right before"), "{}", stage.screen());
}

#[test]
fn what_stands_in_the_terminal_while_we_are_busy_makes_no_letter_stand_alone() {
    let mut stage = asked();
    let earliest = stage.app.now;
    let letter = |letter| crossterm::event::KeyCode::Char(letter).into();
    stage
        .keys("<enter>")
        .wait(3_000)
        .tell(Msg::Key { key: letter('y'), earliest: earliest + Duration::from_millis(900) });
    stage.wait(2_000);
    assert_eq!(stage.ops(), [], "it may have come right after the other key");
}

#[test]
fn the_path_of_a_picture_by_itself_names_it_and_a_model_that_does_not_see_is_said() {
    let mut stage = Stage::new();
    stage.paste("'/shots/my shot.png'");
    assert_eq!(stage.app.composer.text(), "@\"/shots/my shot.png\" ");
    assert!(stage.shows("does not understand pictures"), "{}", stage.screen());
    stage.keys("what is wrong?<enter>");
    let text = "@\"/shots/my shot.png\" what is wrong?";
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: text.into() })]);
}

#[test]
fn the_path_of_a_picture_among_words_or_in_a_command_is_text() {
    let mut stage = Stage::new();
    stage.paste("see /shots/a.png");
    assert_eq!(stage.app.composer.text(), "see /shots/a.png");
    stage.keys("<c-c>!").paste("/shots/a.png");
    assert_eq!(stage.app.composer.text(), "/shots/a.png");
}

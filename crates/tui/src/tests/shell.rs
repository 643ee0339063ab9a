//! `!` and `#`: they count only as keys, first in an empty composer.

use super::harness::{Stage, asks_command, turn};
use agent_protocol::{CallOp, Event, Op, OwnCommand, Piece, TurnEvent, TurnOp};

const FRAME: &str = "your shell · no sandbox";

fn shell(command: &str, told: bool) -> Op {
    Op::Call(CallOp::Shell { command: command.into(), told })
}

#[test]
fn a_typed_exclamation_mark_makes_it_a_command_and_the_frame_says_so() {
    let mut stage = Stage::new();
    stage.keys("!make test");
    assert!(stage.shows(FRAME) && stage.shows("! make test"), "{}", stage.screen());
    stage.keys("<enter>");
    assert_eq!(stage.ops(), [shell("make test", true)]);
    assert!(!stage.shows(FRAME), "the next one is a message");
    stage.keys("!!env<enter>");
    assert_eq!(stage.ops(), [shell("env", false)]);
}

#[test]
fn backspace_and_esc_on_the_empty_command_leave() {
    for key in ["<backspace>", "<esc>", "<c-c>"] {
        let mut stage = Stage::new();
        stage.keys("!").keys(key);
        assert!(!stage.shows(FRAME), "{key}: {}", stage.screen());
        stage.keys("hello<enter>");
        assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "hello".into() })], "{key}");
    }
}

#[test]
fn in_a_paste_in_a_text_and_in_what_comes_back_it_is_text() {
    let mut stage = Stage::new();
    stage.paste("!rm x").keys("<enter>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "!rm x".into() })]);
    stage.keys("a<home>!<enter>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "!a".into() })]);
    stage.keys("<up>");
    assert!(!stage.shows(FRAME));
    stage.keys("<c-u>!").hear(Event::Turn(TurnEvent::Unqueued { text: "!ls".into() }));
    assert!(!stage.shows(FRAME), "{}", stage.screen());
    stage.keys("<enter>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "!ls".into() })]);
}

#[test]
fn what_is_typed_while_a_question_is_open_is_text() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(asks_command("make")).keys("!");
    assert!(!stage.shows(FRAME) && stage.ops().is_empty(), "{}", stage.screen());
}

#[test]
fn while_the_model_works_the_command_waits_in_the_composer() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).keys("!make<enter>");
    assert_eq!(stage.ops(), []);
    assert!(stage.shows("the model is at work") && stage.shows("! make"), "{}", stage.screen());
}

#[test]
fn commands_have_a_history_of_their_own() {
    let mut stage = Stage::new();
    stage.keys("hello<enter>!one<enter>!two<enter>!<up><up><enter>");
    assert_eq!(stage.ops()[3..], [shell("one", true)]);
    stage.keys("<up>");
    assert_eq!(stage.app.composer.text(), "hello");
}

#[test]
fn a_typed_hash_remembers_and_no_command_is_completed_in_either() {
    let mut stage = Stage::new();
    stage.keys("#the tests  run with make check<enter>");
    assert_eq!(stage.ops(), [Op::Call(CallOp::Remember { fact: "the tests run with make check".into() })]);
    stage.keys("!/s");
    assert!(!stage.shows("/safe"), "{}", stage.screen());
}

#[test]
fn commands_that_somebody_wrote_are_offered_with_their_origin_and_said_filled_in() {
    let mut stage = Stage::commanded(vec![
        OwnCommand {
            name: "fix".into(),
            description: "Fix an issue".into(),
            argument_hint: "[number]".into(),
            origin: "yours",
            body: "Fix issue $1.".into(),
        },
        OwnCommand { name: "safe".into(), body: "never".into(), ..OwnCommand::default() },
    ]);
    stage.keys("/fi");
    assert!(stage.shows("/fix [number]") && stage.shows("Fix an issue (yours)"), "{}", stage.screen());
    stage.keys("<tab>12<enter>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "Fix issue 12.".into() })]);
    stage.keys("/plan<enter>");
    assert_eq!(stage.ops(), [Op::Call(CallOp::SetMode { mode: agent_protocol::Mode::Plan })], "ours stay ours");
}

#[test]
fn a_command_in_one_that_somebody_wrote_is_sent_apart_from_its_words() {
    let commit =
        OwnCommand { name: "commit".into(), body: "Status: !`git status`\nCommit.".into(), ..OwnCommand::default() };
    let mut stage = Stage::commanded(vec![commit]);
    stage.keys("/commit !`ls`<enter>");
    let pieces = vec![
        Piece::Words("Status: ".into()),
        Piece::Output("git status".into()),
        Piece::Words("\nCommit.".into()),
        Piece::Words("\n\n!`ls`".into()),
    ];
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::SayPieces { pieces, input: None, images: Vec::new() })]);
    stage.paste("!`ls`").keys("<enter>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "!`ls`".into() })], "a message is text");
}

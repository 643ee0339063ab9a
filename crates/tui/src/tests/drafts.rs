//! What can be done to a draft: put aside, folded, opened, put back.

use super::harness::Stage;
use agent_protocol::{Op, SessionOp, TurnOp};

#[test]
fn what_is_being_written_is_kept_now_and_then_and_forgotten_when_it_is_sent() {
    let kept = |text: &str| Op::Session(SessionOp::KeepDraft { text: text.into() });
    let mut stage = Stage::new();
    stage.app.settings.keeps_drafts = true;
    stage.keys("half a").wait(1_000);
    assert_eq!(stage.ops(), []);
    stage.keys(" thought").wait(1_000);
    assert_eq!(stage.ops(), [kept("half a thought")]);
    stage.wait(5_000);
    assert_eq!(stage.ops(), [], "nothing has changed");
    stage.keys("<enter>").wait(2_000);
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "half a thought".into() }), kept("")]);
    stage.keys("!secret").wait(3_000);
    assert_eq!(stage.ops(), [], "a command of one's own is not kept");
}

#[test]
fn a_draft_is_put_aside_and_brought_back() {
    let mut stage = Stage::new();
    stage.keys("half a thought<c-s>");
    assert!(stage.app.composer.is_empty() && stage.shows("put aside; Ctrl+S brings it back"), "{}", stage.screen());
    stage.keys("quick question<enter><c-s>");
    assert_eq!(stage.app.composer.text(), "half a thought");
    stage.keys("<c-u><c-s>");
    assert!(stage.shows("nothing is written, and nothing was put aside"));
}

#[test]
fn what_is_put_aside_comes_back_as_what_it_was() {
    let mut stage = Stage::new();
    stage.keys("!make<c-s>");
    assert!(!stage.shows("your shell · no sandbox"));
    stage.keys("one<c-s><c-s>");
    assert_eq!(stage.app.composer.text(), "one");
    stage.keys("<c-u><c-s>");
    assert!(stage.shows("your shell · no sandbox") && stage.shows("! make"), "{}", stage.screen());
}

#[test]
fn a_paste_of_more_than_a_thousand_letters_is_folded_and_can_be_opened() {
    let mut stage = Stage::new();
    stage.paste(&"x".repeat(1_000)).keys("<c-u>").paste(&"y".repeat(1_001));
    assert!(stage.shows("[pasted 1001 characters]"), "{}", stage.screen());
    stage.keys("<a-o>");
    assert!(!stage.shows("[pasted"), "{}", stage.screen());
    assert_eq!(stage.app.composer.text(), "y".repeat(1_001));
    stage.keys("<a-o>");
    assert!(stage.shows("no long paste stands in the message"));
}

#[test]
fn with_keys_of_vi_letters_move_after_esc_and_a_sent_message_leads_back() {
    let mut stage = Stage::vim();
    stage.keys("one two<esc>");
    assert!(stage.shows("N one two"), "{}", stage.screen());
    stage.keys("0dwxi<c-a>a <enter>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "a one wo".into() })]);
    stage.keys("i see<esc>ddu<enter>");
    assert_eq!(stage.ops(), [Op::Turn(TurnOp::Say { text: "i see".into() })]);
    let mut plain = Stage::new();
    plain.keys("one<esc>x");
    assert_eq!(plain.app.composer.text(), "onex");
}

#[test]
fn what_was_cut_out_before_can_be_put_back_instead() {
    let mut stage = Stage::new();
    stage.keys("one<c-u>two<c-u><c-y><a-y>");
    assert_eq!(stage.app.composer.text(), "one");
    stage.keys("<a-u><a-u>");
    assert!(stage.app.composer.is_empty());
}

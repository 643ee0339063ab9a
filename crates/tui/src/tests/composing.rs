//! Writing a message.

use super::harness::{Stage, turn};
use crate::app::Msg;
use crate::cmd::{Cmd, Purpose};
use crate::terminal::Edited;
use agent_protocol::{CallOp, ContextOp, Event, Mode, Op, ServerOp, SessionEvent, TurnOp};

fn said(stage: &mut Stage) -> Vec<String> {
    let text = |op| match op {
        Op::Turn(TurnOp::Say { text }) => text,
        other => panic!("not a message: {other:?}"),
    };
    stage.ops().into_iter().map(text).collect()
}

#[test]
fn enter_sends_what_is_written() {
    let mut stage = Stage::new();
    stage.keys("fix it<enter>");
    assert_eq!(said(&mut stage), ["fix it"]);
    assert!(stage.app.composer.is_empty());
}

#[test]
fn enter_sends_nothing_where_nothing_is_written() {
    let mut stage = Stage::new();
    stage.keys("<enter>  <enter>");
    assert_eq!(stage.ops(), []);
}

#[test]
fn four_keys_make_a_new_line() {
    let mut stage = Stage::new();
    stage.keys("a<s-enter>b<a-enter>c<c-j>d\\<enter>e<enter>");
    assert_eq!(said(&mut stage), ["a\nb\nc\nd\ne"]);
}

#[test]
fn backspace_takes_a_family_at_once() {
    let mut stage = Stage::new();
    stage.paste("a👩\u{200d}👩\u{200d}👧").keys("<backspace><enter>");
    assert_eq!(said(&mut stage), ["a"]);
}

#[test]
fn readline_keys_move_cut_and_put_back() {
    let mut stage = Stage::new();
    stage.keys("world hello <c-w><c-a><c-y><a-f><c-k><c-h><enter>");
    assert_eq!(said(&mut stage), ["hello worl"]);
    stage.keys("abc<c-u>xy<c-w><c-_><enter>");
    assert_eq!(said(&mut stage), ["xy"]);
}

#[test]
fn a_large_paste_shows_as_a_chip_and_is_sent_whole() {
    let mut stage = Stage::new();
    stage.keys("see ").paste(&"a line\n".repeat(120));
    assert!(stage.shows("› see [pasted 120 lines]"));
    stage.keys("<enter>");
    assert_eq!(said(&mut stage), [format!("see {}", "a line\n".repeat(120))]);
}

#[test]
fn a_large_paste_is_a_chip_again_when_it_comes_back() {
    let text = format!("see {} here", "a line\n".repeat(500));
    let mut stage = Stage::new();
    stage.keys("see ").paste(&"a line\n".repeat(500)).keys(" here<enter>").keys("<up>");
    assert!(stage.shows("› see [pasted 500 lines] here"), "{}", stage.screen());
    stage.keys("<enter>");
    assert_eq!(said(&mut stage), [text.clone(), text.clone()]);
    let mut later = Stage::new();
    later.hear(Event::Session(SessionEvent::Said { history: vec![text.clone()] })).keys("<up>");
    assert!(later.shows("› [pasted 501 lines]"), "{}", later.screen());
    later.keys("<enter>");
    assert_eq!(said(&mut later), [text]);
}

#[test]
fn backspace_takes_a_chip_as_a_whole() {
    let mut stage = Stage::new();
    stage.keys("see ").paste(&"x".repeat(3_000));
    assert!(stage.shows("[pasted 3000 characters]"));
    stage.keys("<backspace>it<enter>");
    assert_eq!(said(&mut stage), ["see it"]);
}

#[test]
fn a_paste_is_never_sent_by_itself() {
    let mut stage = Stage::new();
    stage.paste("one\r\ntwo\n");
    assert_eq!(stage.ops(), []);
    assert_eq!(stage.app.composer.text(), "one\ntwo\n");
}

#[test]
fn up_and_down_walk_through_earlier_messages_and_back_to_the_draft() {
    let mut stage = Stage::new();
    stage.hear(Event::Session(SessionEvent::Said { history: vec!["long ago".into(), "two\nlines".into()] }));
    stage.keys("draft<up>");
    assert_eq!(stage.app.composer.text(), "two\nlines");
    stage.keys("<up><up>");
    assert_eq!(stage.app.composer.text(), "long ago");
    stage.keys("<down><down><down>");
    assert_eq!(stage.app.composer.text(), "draft");
}

#[test]
fn a_search_finds_earlier_messages_and_only_enter_sends() {
    let mut stage = Stage::new();
    stage.hear(Event::Session(SessionEvent::Said {
        history: vec!["fix the parser".into(), "fix the lexer".into(), "other".into()],
    }));
    stage.keys("<c-r>fix");
    assert!(stage.shows("search your messages: fix") && stage.shows("fix the lexer"));
    stage.keys("<c-r>");
    assert!(stage.shows("fix the parser"));
    stage.keys("<enter>");
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "fix the parser".into()));
}

#[test]
fn esc_ends_a_search_and_keeps_the_draft() {
    let mut stage = Stage::new();
    stage.hear(Event::Session(SessionEvent::Said { history: vec!["fix the parser".into()] }));
    stage.keys("draft<c-r>fix<esc>");
    assert_eq!(stage.app.composer.text(), "draft");
}

#[test]
fn a_slash_offers_commands_and_tab_completes() {
    let mut stage = Stage::new();
    stage.keys("/s");
    assert!(stage.shows("/safe") && stage.shows("/status"));
    stage.keys("<down><tab>");
    assert_eq!(stage.app.composer.text(), "/status");
    stage.keys("<backspace><backspace><esc>");
    assert!(!stage.shows("/safe"));
}

#[test]
fn enter_takes_the_chosen_command() {
    let mut stage = Stage::new();
    stage.keys("/mo<enter>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::Models)]);
    stage.keys("/model qwen3:4b<enter>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::SetModel { name: "qwen3:4b".into() })]);
}

#[test]
fn half_a_word_does_no_harm() {
    for (keys, text) in [("/u<enter>", "/unsafe"), ("/c<enter>", "/clear"), ("/<up><enter>", "/exit")] {
        let mut stage = Stage::new();
        stage.keys(keys);
        assert_eq!((stage.cmds(), stage.app.composer.text()), (vec![], text.into()), "{keys}");
    }
    let mut stage = Stage::new();
    stage.keys("/u<enter><enter>/new<enter>");
    assert_eq!(stage.ops(), [Op::Call(CallOp::SetMode { mode: Mode::Unsafe }), Op::Context(ContextOp::Clear)]);
}

#[test]
fn an_unknown_command_keeps_its_text_and_names_the_nearest() {
    let mut stage = Stage::new();
    stage.keys("/claer<enter>");
    assert!(stage.shows("there is no command /claer; did you mean /clear?"));
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![], "/claer".into()));
}

#[test]
fn a_path_at_the_start_is_a_message() {
    let mut stage = Stage::new();
    stage.keys("/usr/bin is full<enter>");
    assert_eq!(said(&mut stage), ["/usr/bin is full"]);
}

#[test]
fn the_editor_opens_on_the_draft_and_its_text_comes_back() {
    let mut stage = Stage::new();
    stage.keys("dra<c-g>");
    let purpose = Purpose::Draft;
    assert_eq!(
        stage.cmds(),
        [Cmd::Edit { text: "dra".into(), extension: "md".into(), line: None, purpose: purpose.clone() }]
    );
    stage.tell(Msg::Edited(purpose, Edited::Text("a longer\ndraft\n".into())));
    assert_eq!(stage.app.composer.text(), "a longer\ndraft");
}

#[test]
fn the_composer_grows_to_a_third_and_then_scrolls() {
    let mut stage = Stage::new();
    stage.keys(&"line<c-j>".repeat(30)).keys("last");
    let rows = stage.screen().lines().filter(|row| row.contains("line")).count();
    assert_eq!(rows, 12);
    assert!(stage.shows("last"));
}

#[test]
fn keys_go_to_the_composer_while_the_model_works() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).keys("and hurry<enter>");
    assert_eq!(said(&mut stage), ["and hurry"]);
}

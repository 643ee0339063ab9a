//! Words typed at a dialog answer nothing, and change nothing about what an answer would cover: over every dialog whose
//! letters do something.

use super::asking::{brake, folder};
use super::dialogs::{down, models};
use super::fence::listed;
use super::groups::offered;
use super::harness::{Stage, asks_command, asks_edit, turn, turn_ended};
use super::inquiries::asks;
use super::jobs::with_jobs;
use super::plans::asks_plan;
use super::ports::with_ports;
use super::question::{compound, long_edit, offers_words, trust};
use super::reaching::wants_host;
use super::session_diff;
use super::several::asks_commit;
use super::undoing::{self, conflicted, fixed, planned};
use super::window::{asks_to_shorten, prompt};
use crate::cmd::Cmd;
use agent_protocol::{
    AskId, CallEvent, CallOp, Event, ModelsReason, Op, PullState, ServerError, ServerEvent, ServerOp, SessionOp,
    Settlement, TurnOp, UndoDirection,
};
use proptest::prelude::*;

/// Something that can be open: its name, how it comes to be, and a key that does something there.
type Opener = (&'static str, fn() -> Stage, &'static str);

/// Those that stay open: what is typed goes into the message.
const STAYING: &[Opener] = &[
    ("a command", || question(offers_words(asks_command("cargo test --workspace"))), "<=y>"),
    ("a command, remembered", || question(asks_command("make")), "<=a>"),
    ("a command of several parts", || question(compound()), "<=w>"),
    ("a host that a command wants to reach", || question(wants_host()), "<=a>"),
    ("an edit", || question(asks_edit("old\n", "new\n")), "<=e>"),
    ("an edit of which not all was seen", || question(long_edit()), "<=y><=y>"),
    ("a commit", || question(asks_commit()), "<=n>"),
    ("a plan", || question(asks_plan("# Plan\n\n1. one\n")), "<=r>why<enter>"),
    ("many steps", || question(brake()), "<=y>"),
    ("a conversation too long", || question(asks_to_shorten()), "<=y>"),
    ("a folder", || question(folder()), "<=y>"),
    ("trust", || question(trust(4)), "<=y>"),
    ("the details of a command", unfolded, "<=y>"),
    ("the offers", offers, "<=b><enter>"),
    ("no server", || waited(Stage::new().hear(down(true))), "<=r>"),
    ("a failed download", failed_download, "<=r>"),
    ("an undo", undo, "<=r><=y>"),
    ("what the session changed", || waited(&mut session_diff::changes()), "<=b>"),
    ("a hunk to be taken back", || waited(&mut session_diff::taking()), "<=y>"),
    ("a list to go back", || rewind(""), "<=f>"),
    ("what goes back", || rewind("<enter>"), "<=c>"),
    ("files that go back", files_go_back, "<=y>"),
];

/// Those that close, or take it into a field of their own.
const MAKING_ROOM: &[Opener] = &[
    ("commands in the background", || after(with_jobs(), "/ps<enter><up>"), "<=s><=s>"),
    ("ports of the sandbox", || after(with_ports(), "<down>"), "<=o>"),
    ("rules", || waited(&mut listed()), "<=d><=d>"),
    ("groups of tools", || after(heard(offered(&["core"])), "/tools<enter>"), "<enter>"),
    ("levels of thinking", || after(Stage::new(), "/think<enter><down>"), "<enter>"),
    ("the status", || after(Stage::new(), "/status<enter>"), "<esc>"),
    ("the prompt", || heard(prompt(Some("text"), None)), "<esc>"),
    ("a model that is missing", || heard(models(ModelsReason::Missing { name: "m".into() })), "<down><enter>"),
    ("no model chosen", || heard(models(ModelsReason::NoneChosen)), "<enter>"),
];

/// Texts that hold letters which answer something.
const TEXTS: &[&str] = &[
    "/copy", "/compact", "yes", "yy", "aa", "y y", "edit it", "dd", "ss", "rr", "no", "  ", " y", "fork", "b c", "wy",
    "ff", "of it", "[ ]", "hb",
];

fn waited(stage: &mut Stage) -> Stage {
    stage.wait(1_100);
    stage.cmds();
    std::mem::replace(stage, Stage::blank(40, 12))
}

fn heard(event: Event) -> Stage {
    waited(Stage::new().hear(event))
}

fn after(mut stage: Stage, keys: &str) -> Stage {
    waited(stage.keys(keys))
}

fn question(event: Event) -> Stage {
    waited(Stage::new().hear(turn("go")).hear(event))
}

fn unfolded() -> Stage {
    let mut stage = question(asks_command("make"));
    stage.keys("<c-o>");
    stage
}

fn offers() -> Stage {
    let mut stage = Stage::new();
    stage.resize(40, 12).hear(turn("go")).hear(offers_words(asks_command("cargo test --workspace"))).wait(600);
    stage.keys("<pgdn><pgdn><=b>");
    waited(&mut stage)
}

fn failed_download() -> Stage {
    let trouble = ServerError::Refused { status: 500, message: "no space left on device".into() };
    heard(Event::Server(ServerEvent::Pulling { name: "m".into(), state: PullState::Failed { trouble } }))
}

fn undo() -> Stage {
    let mut stage = undoing::asked("/undo", 0);
    stage.hear(planned(UndoDirection::Undo, 3, vec![fixed(), conflicted("a.txt", true)]));
    waited(&mut stage)
}

fn rewind(keys: &str) -> Stage {
    after(undoing::said(), &format!("/rewind<enter>{keys}"))
}

fn files_go_back() -> Stage {
    let mut stage = rewind("<enter><=f>");
    stage.hear(planned(UndoDirection::Undo, 3, vec![fixed()]));
    waited(&mut stage)
}

/// How a text ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Enter,
}

/// Types `text` with these pauses after its letters, and waits for whatever comes of it.
fn type_at(stage: &mut Stage, text: &str, pauses: &[u64], end: End) -> Vec<Cmd> {
    for (letter, pause) in text.chars().zip(pauses.iter().cycle()) {
        stage.letter(letter).wait(*pause);
    }
    if end == End::Enter {
        stage.keys("<enter>");
    }
    stage.wait(3_000);
    stage.cmds()
}

/// What a key does there, when nothing was typed before it.
fn done_by(mut stage: Stage, key: &str) -> Vec<Cmd> {
    stage.keys(key);
    stage.cmds()
}

/// Types at what stays open; then takes it back, and looks whether an answer is what it was before.
fn check_staying(opener: &Opener, text: &str, pauses: &[u64], end: End) {
    let (name, open, key) = opener;
    let about = format!("{text:?} with pauses of {pauses:?} and {end:?} at {name}");
    let mut stage = open();
    assert_eq!(type_at(&mut stage, text, pauses, end), [], "{about}");
    assert_eq!(stage.app.composer.text(), text, "{about}");
    assert!(stage.shows("that went to your message"), "{about}\n{}", stage.screen());
    stage.keys(&"<backspace>".repeat(text.chars().count()));
    assert!(!stage.shows("that went to your message"), "{about}\n{}", stage.screen());
    assert_eq!(done_by(stage, key), done_by(open(), key), "{about}");
}

/// Types at what makes room: nothing that it can do is done.
fn check_making_room(opener: &Opener, text: &str, pauses: &[u64], end: End) {
    let (name, open, _) = opener;
    for cmd in type_at(&mut open(), text, pauses, end) {
        let by_dialog = matches!(
            &cmd,
            Cmd::Send(
                Op::Call(CallOp::StopJob { .. })
                    | Op::Call(CallOp::Revoke { .. })
                    | Op::Call(CallOp::SetGroups { .. })
                    | Op::Server(ServerOp::SetThink { .. } | ServerOp::SetForm { .. })
            ) | Cmd::Send(Op::Server(ServerOp::SetModel { .. }) | Op::Server(ServerOp::Pull { .. }))
        );
        assert!(!by_dialog, "{cmd:?} after {text:?} with pauses of {pauses:?} and {end:?} at {name}");
    }
}

#[test]
fn each_of_them_is_answered_by_its_key() {
    for (name, open, key) in STAYING.iter().chain(MAKING_ROOM).filter(|(_, _, key)| *key != "<esc>") {
        assert_ne!(done_by(open(), key), [], "{key} at {name}");
    }
}

#[test]
fn no_word_that_holds_its_letters_answers_any_dialog() {
    for text in TEXTS {
        STAYING.iter().for_each(|opener| check_staying(opener, text, &[120], End::Enter));
        MAKING_ROOM.iter().for_each(|opener| check_making_room(opener, text, &[120], End::Enter));
    }
}

#[test]
fn a_letter_answers_at_once_with_enter_after_it() {
    for (name, open, key) in STAYING.iter().filter(|(_, _, key)| key.len() == 4) {
        let letter = &key[2..3];
        let mut stage = open();
        stage.keys(letter).wait(60);
        assert_eq!(stage.cmds(), [], "{name}");
        stage.keys("<enter>");
        assert_eq!(stage.cmds(), done_by(open(), key), "{name}");
        assert!(stage.app.composer.is_empty(), "{name}");
    }
}

#[test]
fn a_key_that_only_moves_the_view_neither_answers_nor_keeps_a_letter_from_it() {
    for moves in ["<pgdn>", "<right>", "<end>", "<c-o>", "<tab>"] {
        let mut stage = question(asks_commit());
        stage.keys(&"<pgdn>".repeat(8)).keys(moves).keys(if moves == "<tab>" { "<esc>" } else { "" });
        stage.wait(1_000).keys("y").wait(200).keys(moves).wait(200);
        let cmds = stage.cmds();
        assert!(matches!(cmds[..], [Cmd::Send(Op::Call(CallOp::Reply { .. }))]), "{cmds:?} after {moves}");
    }
}

#[test]
fn the_file_that_would_be_edited_stays_the_one_that_was_looked_at() {
    let mut stage = question(super::several::asks_files(super::several::files()));
    let before = done_by(question(super::several::asks_files(super::several::files())), "<=e>");
    stage.keys("e").wait(100).keys("<right>").wait(300);
    assert_eq!(stage.cmds(), before);
}

#[test]
fn escape_overrules_a_letter_and_leaves_none_behind() {
    let mut stage = question(asks_command("make"));
    stage.keys("y").wait(100).keys("<esc>").wait(1_000);
    assert_eq!((stage.ops(), stage.app.composer.text()), (vec![Op::Turn(TurnOp::Interrupt)], String::new()));
}

#[test]
fn a_second_press_for_what_was_not_seen_is_the_same_key_at_the_same_question() {
    let mut stage = question(long_edit());
    stage.keys("<=y><=a>");
    assert_eq!(stage.ops(), [], "y and then a");
    assert!(stage.shows("a again to approve all the same"), "{}", stage.screen());
    stage.keys("<=y>");
    assert_eq!(stage.ops(), [], "and then y");
    stage.keys("<tab>a word<enter><=y>");
    assert_eq!(stage.ops(), [], "a word in between");
    stage.keys("<=y>");
    assert_eq!(stage.ops().len(), 1);
}

#[test]
fn an_enter_that_is_pressed_twice_confirms_nothing_that_the_first_one_opened() {
    let mut stage = question(offers_words(asks_command("cargo test --workspace")));
    stage.keys("b<enter><enter>").wait(300).keys("<enter>");
    assert!(stage.ops().is_empty() && stage.shows("approve, and keep this rule"), "{}", stage.screen());
    stage.wait(400).keys("<enter>");
    assert_eq!(stage.ops().len(), 1);
}

#[test]
fn a_key_that_was_pressed_before_another_plan_came_agrees_to_none_of_it() {
    let mut stage = undo();
    stage.keys("y").wait(300).hear(planned(UndoDirection::Undo, 3, vec![fixed()])).wait(300);
    assert_eq!((stage.cmds(), stage.app.composer.is_empty()), (vec![], true));
    assert!(stage.shows("what is shown has just changed"), "{}", stage.screen());
    stage.keys("<=y>");
    assert!(matches!(stage.cmds()[..], [Cmd::Send(Op::Session(SessionOp::Undo { .. }))]));
}

#[test]
fn what_opens_after_an_answer_takes_the_next_enter() {
    let mut stage = undoing::said();
    stage.hear(turn("go")).hear(asks_command("make")).wait(1_100).keys("y<enter>");
    stage.hear(Event::Call(CallEvent::Settled {
        ask: AskId(1),
        settlement: Settlement::Yes { remember: None, word: None },
    }));
    stage.hear(turn_ended()).keys("<esc><esc><enter>");
    assert!(stage.shows("the conversation only"), "{}", stage.screen());
}

#[test]
fn words_that_had_begun_when_the_model_asks_go_on_in_the_message() {
    let mut stage = Stage::new();
    stage.hear(turn("go")).hear(asks("Which one?", &["this", "that"]));
    assert_eq!(type_at(&mut stage, "and then 2", &[300], End::Enter), []);
    assert_eq!(stage.app.composer.text(), "and then 2");
    stage.keys("2<enter>");
    assert_eq!(stage.ops().len(), 1, "after a pause what is typed is the answer");
}

#[test]
fn a_list_of_models_that_came_by_itself_takes_no_enter_that_ends_a_word() {
    let mut stage = heard(models(ModelsReason::NoneChosen));
    stage.keys("dev<enter>");
    assert!(stage.ops().is_empty() && stage.shows("Enter again takes it"), "{}", stage.screen());
    stage.wait(300).keys("<enter>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::SetModel { name: "devstral:24b".into() })]);
    let mut stage = heard(models(ModelsReason::NoneChosen));
    stage.keys("dev").wait(1_000).keys("<enter>");
    assert_eq!(stage.ops(), [Op::Server(ServerOp::SetModel { name: "devstral:24b".into() })]);
}

#[test]
fn that_words_went_to_the_message_is_seen_at_every_size() {
    super::looks::look("asks_typed", |stage| {
        stage.hear(turn("go")).hear(asks_command("cargo test --workspace")).wait(1_100).keys("yes, and");
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn nor_does_any_other_text(
        text in "[ -~é]{2,10}",
        pauses in prop::collection::vec(0u64..=300, 1..6),
        enter in prop::bool::ANY,
        at in 0..STAYING.len() + MAKING_ROOM.len(),
    ) {
        let end = if enter { End::Enter } else { End::Open };
        match STAYING.get(at) {
            Some(opener) => check_staying(opener, &text, &pauses, end),
            None => {
                // A command typed into the message is one.
                let end = if text.contains('/') { End::Open } else { end };
                check_making_room(&MAKING_ROOM[at - STAYING.len()], &text, &pauses, end);
            }
        }
    }
}

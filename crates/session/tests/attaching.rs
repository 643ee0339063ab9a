//! What a message attaches by `@`: when it is read, where it stands, and what is said where it cannot be.

use crate::play::*;
use agent_policy::Facts;
use agent_protocol::*;
use agent_session::{CallInput, Input, ServerInput};

const TOLD: &str = "src/a.rs\n```rust\nfn f() {}\n```";

fn words(play: &Play) -> String {
    play.requests.last().unwrap().messages[1].content.to_string()
}

fn scopes(play: &Play) -> Vec<String> {
    let scope = |call: &ToolCall| call.call.arguments["scope"].as_str().unwrap_or_default().to_owned();
    play.proposed().iter().map(scope).collect()
}

#[test]
fn what_is_attached_stands_before_the_words_and_is_read_once() {
    let mut play = Play::ready(Mode::Safe);
    play.say_only("mend @src/a.rs");
    assert!(play.requests.is_empty(), "it is read first");
    play.reached(1, ROOT);
    play.planned(1, read("/p/src/a.rs"));
    play.ran(1, TOLD);
    assert_eq!(words(&play), format!("{TOLD}\n\nmend @src/a.rs"));
    assert_eq!(scopes(&play), ["attached"]);
}

#[test]
fn what_cannot_be_attached_is_said_and_the_words_go_out_as_they_are() {
    let mut play = Play::ready(Mode::Safe);
    play.say_only("mend @src/gone.rs");
    play.reached(1, ROOT);
    let failure = Failure::new(FailureKind::NotFound, "not attached: src/gone.rs (there is no such file)");
    play.feed(Input::Call(CallInput::Planned { call: CallId(1), result: Err(failure), facts: Facts::default() }));
    assert_eq!(words(&play), "mend @src/gone.rs");
    assert_eq!(play.notices().last().unwrap(), "not attached: src/gone.rs (there is no such file)");
}

#[test]
fn somebody_who_is_spoken_to_is_no_file() {
    let mut play = Play::ready(Mode::Safe);
    play.say_only("ask @alice");
    play.reached(1, ROOT);
    let before = play.notices();
    let failure = Failure::new(FailureKind::NotFound, "not attached: ");
    play.feed(Input::Call(CallInput::Planned { call: CallId(1), result: Err(failure), facts: Facts::default() }));
    assert_eq!((play.notices(), words(&play).as_str()), (before, "ask @alice"));
}

#[test]
fn a_model_that_does_not_see_is_shown_no_picture_and_that_is_said() {
    let mut play = Play::ready(Mode::Safe);
    play.say_only("what is wrong in @shot.png?");
    play.reached(1, ROOT);
    play.planned(1, read("/p/shot.png"));
    let image = Image { mime: "image/png".into(), width: 1, height: 1, base64: String::new() };
    let outcome = Outcome { images: vec![image], ..outcome("shot.png\n```png\n[shot.png: PNG]\n```") };
    play.feed(Input::Call(CallInput::Ran { call: CallId(1), outcome }));
    assert!(play.requests.last().unwrap().messages[1].images.is_empty());
    assert!(play.notices().last().unwrap().contains("does not understand pictures"));
}

#[test]
fn what_joins_the_turn_attaches_as_well() {
    let mut play = Play::ready(Mode::Safe);
    play.say_only("look around");
    play.calls(&["read_file"]);
    play.op(Op::Turn(TurnOp::Say { text: "and at @src/a.rs".into() }));
    play.reads(1, "text");
    play.reached(2, ROOT);
    play.planned(2, read("/p/src/a.rs"));
    play.ran(2, TOLD);
    let messages = &play.requests.last().unwrap().messages;
    assert_eq!(messages.last().unwrap().content, format!("{TOLD}\n\nand at @src/a.rs"));
}

#[test]
fn a_model_that_sees_is_shown_the_picture_with_the_words() {
    let mut play = Play::new(settings(), Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let seeing = ModelCard { vision: Some(true), ..card(Some(true)) };
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(seeing), loaded: None }));
    play.say_only("what is wrong in @shot.png?");
    play.reached(1, ROOT);
    play.planned(1, read("/p/shot.png"));
    let image = Image { mime: "image/png".into(), width: 1, height: 1, base64: "QQ==".into() };
    let outcome = Outcome { images: vec![image.clone()], ..outcome("shot.png\n```png\n[shot.png: PNG]\n```") };
    play.feed(Input::Call(CallInput::Ran { call: CallId(1), outcome }));
    let message = &play.requests.last().unwrap().messages[1];
    assert_eq!(message.images, [image]);
    assert!(message.content.ends_with("what is wrong in @shot.png?"), "{}", message.content);
}

fn seeing() -> Play {
    let mut play = Play::new(settings(), Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let seeing = ModelCard { vision: Some(true), ..card(Some(true)) };
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(seeing), loaded: None }));
    play
}

fn picture() -> Image {
    Image { mime: "image/png".into(), width: 1, height: 1, base64: "QQ==".into() }
}

#[test]
fn a_picture_from_outside_the_project_is_asked_about_and_shown_with_the_words() {
    let mut play = seeing();
    play.say_only("what is wrong in @/shots/a.png?");
    assert_eq!(play.proposed()[0].name(), "read_file");
    play.reached(1, "/shots/a.png");
    assert!(play.subject().is_some(), "it lies outside: {:?}", play.lines);
    play.answer(yes());
    play.planned(1, read("/shots/a.png"));
    let outcome = Outcome { images: vec![picture()], ..outcome("[/shots/a.png: PNG image of 1 × 1 pixels]") };
    play.feed(Input::Call(CallInput::Ran { call: CallId(1), outcome }));
    let message = &play.requests.last().unwrap().messages[1];
    assert_eq!(message.images, [picture()]);
    let told = "[/shots/a.png: PNG image of 1 × 1 pixels]\n\nwhat is wrong in @/shots/a.png?";
    assert_eq!(message.content, told);
}

#[test]
fn nobody_is_asked_about_a_picture_that_the_model_would_not_see() {
    let mut play = Play::ready(Mode::Safe);
    play.say_only("what is wrong in @/shots/a.png?");
    assert!(play.proposed().is_empty() && play.notices().last().unwrap().contains("does not understand pictures"));
    assert!(words(&play).starts_with("what is wrong in @/shots/a.png?"), "{}", words(&play));
    assert!(words(&play).contains("not shown to you"), "or it makes up what it does not see");
}

#[test]
fn pictures_that_come_along_with_the_words_go_to_a_model_that_sees_and_to_no_other() {
    let showing =
        || Op::Turn(TurnOp::SayShowing { text: "what is this?".into(), input: None, images: vec![picture()] });
    let mut play = seeing();
    play.op(showing());
    assert_eq!(play.requests.last().unwrap().messages[1].images, [picture()]);
    let mut blind = Play::ready(Mode::Safe);
    blind.op(showing());
    assert!(blind.requests.last().unwrap().messages[1].images.is_empty());
    assert!(blind.notices().last().unwrap().contains("does not understand pictures"), "{:?}", blind.notices());
}

/// A request that shows a picture, which the server refuses like this.
fn refused(trouble: ServerError) -> Play {
    let mut play = seeing();
    let images = vec![picture()];
    play.op(Op::Turn(TurnOp::SayShowing { text: "what is this?".into(), input: None, images }));
    assert_eq!(play.requests.last().unwrap().messages[1].images, [picture()]);
    play.broken(trouble);
    play
}

fn shows_pictures(play: &Play) -> bool {
    play.requests.last().unwrap().messages.iter().any(|message| !message.images.is_empty())
}

#[test]
fn a_picture_that_the_server_refuses_leaves_the_conversation_and_the_turn_goes_on() {
    for (status, message) in [
        (400, "Failed to load image or audio file"),
        (500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"),
        (400, "Failed to process image"),
        (500, "Multimodal data provided, but model does not support multimodal requests."),
        (400, "bad request"),
    ] {
        let mut play = refused(ServerError::Refused { status, message: message.into() });
        assert_eq!((play.requests.len(), play.ended()), (2, None), "{message}");
        assert!(!shows_pictures(&play), "{message}");
        assert!(
            words(&play).starts_with("what is this?") && words(&play).contains("a picture stood here"),
            "{message}"
        );
        let told = play.notices().last().cloned().unwrap();
        assert!(told.contains(message), "{told}");
        play.writes("I cannot see it.");
        play.say("and now?");
        assert_eq!((play.requests.len(), shows_pictures(&play)), (3, false), "{message}");
    }
}

#[test]
fn what_is_refused_once_more_without_the_picture_ends_the_turn_and_the_picture_stays() {
    let trouble = || ServerError::Refused { status: 400, message: "bad request".into() };
    let mut play = refused(trouble());
    play.broken(trouble());
    assert_eq!((play.requests.len(), play.ended()), (2, Some(TurnEndReason::Broken { trouble: trouble() })));
    play.say("and now?");
    assert!(shows_pictures(&play) && !words(&play).contains("a picture stood here"));
}

#[test]
fn a_picture_that_the_server_took_once_is_not_blamed_for_another_refusal() {
    let mut play = seeing();
    let images = vec![picture()];
    play.op(Op::Turn(TurnOp::SayShowing { text: "what is this?".into(), input: None, images }));
    play.writes("a dot");
    play.say("go on");
    play.broken(ServerError::Refused { status: 400, message: "bad request".into() });
    assert!(shows_pictures(&play) && play.ended().is_some());
}

#[test]
fn a_model_that_cannot_see_by_the_servers_word_is_shown_no_further_picture() {
    let message = "image input is not supported".to_owned();
    let mut play = refused(ServerError::Refused { status: 500, message });
    play.writes("I cannot see it.");
    let images = vec![picture()];
    play.op(Op::Turn(TurnOp::SayShowing { text: "and this?".into(), input: None, images }));
    assert!(!shows_pictures(&play) && play.notices().last().unwrap().contains("does not understand pictures"));
}

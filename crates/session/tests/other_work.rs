//! What a server does besides: other programs' requests, other models, counts that cannot be.

use crate::play::Play;
use crate::window::with_window;
use agent_protocol::*;
use agent_protocol::{ContextEvent, ListEvent, ListOp};
use agent_session::{Input, ServerInput};

/// A reply with these figures, times in milliseconds.
fn replies(play: &mut Play, prompt: u64, [load, read, write, all]: [u64; 4]) {
    play.text("yes");
    let ns = |ms: u64| Some(ms * 1_000_000);
    let usage = Usage {
        prompt_tokens: Some(prompt),
        reply_tokens: Some(3),
        load_ns: ns(load),
        prompt_ns: ns(read),
        reply_ns: ns(write),
        total_ns: ns(all),
        ..Usage::default()
    };
    play.model(ModelEvent::Done { reason: Some("stop".into()), usage });
}

#[test]
fn a_model_that_was_loaded_again_unseen_is_told() {
    let again = |play: &Play| play.notices().iter().any(|text| text.contains("loaded again before this reply"));
    let mut play = with_window(8_192);
    play.say("hello");
    replies(&mut play, 2_350, [400, 300, 100, 800]);
    assert!(!again(&play), "the first load is none of somebody else's making");
    play.say("and again");
    play.model(ModelEvent::Waiting { phase: Phase::Loading });
    replies(&mut play, 2_366, [400, 300, 100, 800]);
    assert!(!again(&play), "it was seen");
    play.say("and again");
    replies(&mut play, 2_382, [20, 10, 100, 150]);
    assert!(!again(&play));
    play.say("and again");
    replies(&mut play, 2_398, [400, 300, 100, 800]);
    assert!(again(&play), "{:?}", play.notices());
}

#[test]
fn a_reply_that_waited_for_others_says_so() {
    let mut play = with_window(8_192);
    play.say("hello");
    replies(&mut play, 2_350, [20, 300, 100, 500]);
    assert!(!play.notices().iter().any(|text| text.contains("for its turn")), "{:?}", play.notices());
    play.say("and again");
    replies(&mut play, 2_366, [20, 300, 100, 29_500]);
    let waited = "this reply waited about 29 s for its turn: the server worked for others";
    assert!(play.notices().iter().any(|text| text == waited), "{:?}", play.notices());
}

#[test]
fn a_count_that_cannot_be_moves_no_gauge() {
    let mut play = with_window(8_192);
    play.say(&"words and words ".repeat(800));
    play.text("yes");
    let fill = |play: &Play| {
        play.events.iter().rev().find_map(|event| match event {
            Event::Context(ContextEvent::Window { used, .. }) => Some(*used),
            _ => None,
        })
    };
    let before = fill(&play);
    let usage = Usage { prompt_tokens: Some(34), reply_tokens: Some(2), ..Usage::default() };
    play.model(ModelEvent::Done { reason: Some("stop".into()), usage });
    let after = fill(&play);
    play.op(Op::List(ListOp::Context));
    let Some(Event::List(ListEvent::Context { report })) = play.events.last() else { panic!() };
    let near = |shown: Option<u64>| shown.is_some_and(|shown| shown.abs_diff(report.used) <= 8);
    assert!(near(before) && near(after), "{before:?}, {after:?}, {}", report.used);
    assert_eq!(report.checked, None);
}

#[test]
fn where_two_in_memory_may_be_the_model_that_is_said_or_their_common_window_taken() {
    let two = |windows: [u64; 2]| {
        let loaded = windows.iter().zip(["first", "second"]).map(|(window, name)| LoadedModel {
            name: name.into(),
            context_length: Some(*window),
            ..LoadedModel::default()
        });
        let mut play = with_window(8_192);
        play.say("hello");
        play.writes("hello");
        play.feed(Input::Server(ServerInput::Loaded { result: Ok(loaded.collect()) }));
        play.op(Op::List(ListOp::Context));
        let Some(Event::List(ListEvent::Context { report })) = play.events.last() else { panic!() };
        (report.window.effective, play.notices().join("\n"))
    };
    let (window, said) = two([8_192, 4_096]);
    assert_eq!(window, None);
    assert!(said.contains("first and second are in memory, and each may be m under another name"), "{said}");
    let (window, said) = two([4_096, 4_096]);
    assert_eq!(window, Some(4_096));
    assert!(!said.contains("may be m"), "{said}");
}

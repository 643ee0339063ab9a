//! Windows that hold hardly more than the instructions, and conversations that nothing makes shorter.

use crate::play::*;
use agent_protocol::*;
use agent_session::{Input, Keep, ServerInput, Settings};

/// A session whose instructions take some 2,500 tokens, in a window of so many.
fn with_long_instructions(window: u64, keep: Keep) -> Play {
    let bare = settings();
    let system = "These are instructions of some length. ".repeat(260);
    let mut play = Play::new(Settings { system, window: Some(window), keep, ..bare }, Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let (name, result) = ("m".into(), Ok(card(Some(true))));
    play.feed(Input::Server(ServerInput::Described { name, result, loaded: None }));
    play
}

fn refuses(play: &mut Play, window: u64) {
    let prompt_tokens = Some(play.counted());
    play.broken(ServerError::TooLong { prompt_tokens, window: Some(window) });
}

#[test]
fn a_window_smaller_than_the_instructions_is_told_before_the_first_message() {
    let play = with_long_instructions(1_024, Keep::Everything);
    let told: Vec<String> = play.notices().into_iter().filter(|text| text.contains("no message fits")).collect();
    let [told] = &told[..] else { panic!("{:?}", play.notices()) };
    assert!(told.contains("holds 1,024") && told.contains("--num-ctx 8192"), "{told}");
    let large = with_long_instructions(8_192, Keep::Everything);
    assert!(!large.notices().iter().any(|text| text.contains("no message fits")), "{:?}", large.notices());
}

#[test]
fn a_message_that_cannot_fit_is_answered_with_what_helps() {
    for keep in [Keep::Everything, Keep::Nothing] {
        // An estimate may be wrong by as much, so the server is asked.
        let mut play = with_long_instructions(2_200, keep);
        play.say("hi");
        refuses(&mut play, 2_200);
        assert!(matches!(play.ended(), Some(TurnEndReason::TooSmall { window: 2_200, .. })), "{:?}", play.ended());
        let told = play.notices().pop().expect("something is said");
        assert!(told.contains("no message fits; start with --num-ctx"), "{told}");
        assert_eq!(told.contains("back in the input"), keep == Keep::Everything, "{told}");
        assert_eq!(play.requests.len(), 1);
    }
}

#[test]
fn words_that_are_too_long_in_a_run_without_a_person_go_back_to_no_input() {
    let mut play = with_long_instructions(4_000, Keep::Nothing);
    play.say(&"much too long ".repeat(3_000));
    if play.ended().is_none() {
        refuses(&mut play, 4_000);
    }
    let told = play.notices().pop().expect("something is said");
    assert!(told.contains("in parts") && !told.contains("back in the input"), "{told}");
    assert_eq!(play.ended(), Some(TurnEndReason::Full));
}

#[test]
fn what_cannot_get_shorter_is_neither_summarised_nor_asked_about() {
    let mut play = with_long_instructions(8_192, Keep::Everything);
    for words in ["hello", "and again"] {
        play.say(words);
        play.writes("hello");
    }
    let asked = play.requests.len();
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    assert_eq!((play.requests.len(), play.subject()), (asked, None), "a summary would be longer than this");
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
    let told = play.notices().pop().expect("something is said");
    assert!(told.contains("gets no shorter"), "{told}");
}

#[test]
fn a_conversation_that_leaves_little_room_and_cannot_get_shorter_goes_on() {
    let mut play = with_long_instructions(3_300, Keep::Everything);
    for words in ["hello", "and again", "and once more"] {
        play.say(words);
        play.writes("hello");
        assert_eq!(play.subject(), None, "{words}");
    }
    assert_eq!((play.requests.len(), play.ended()), (3, Some(TurnEndReason::Done)));
}

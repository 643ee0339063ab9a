//! Servers that alone decide how large the windows are.

use crate::play::{Play, card, server_card, settings};
use crate::window::{fitted, too_long, with_window};
use agent_protocol::*;
use agent_session::{Input, ServerInput, Settings};

/// A session with a server that alone decides on windows, and gives so many tokens.
fn with_fixed_window(tokens: u64, configured: Option<u64>) -> Play {
    let mut play = Play::new(Settings { window: configured, ..settings() }, Mode::Unsafe);
    let windows = WindowsBy::Server { setting: Some("--ctx-size".into()) };
    let server = ServerCard { windows, window_variable: None, ..server_card() };
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server), can_start: false }));
    let loaded = Some(LoadedModel { name: "m".into(), context_length: Some(tokens), ..LoadedModel::default() });
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card(Some(true))), loaded }));
    play
}

#[test]
fn what_the_server_fixed_is_known_before_the_first_request_and_no_more_is_planned_with() {
    let mut play = with_fixed_window(4_096, None);
    let expected = "the window of m is 4,096 tokens: too small for work on code; a larger --ctx-size where the server runs \
                    gives it more";
    assert_eq!(play.notices(), [expected]);
    play.say("hello");
    assert_eq!(play.requests[0].window, 4_096);
    let sizes: Vec<u64> = play.events.iter().filter_map(window_told).collect();
    assert!(!sizes.is_empty() && sizes.iter().all(|of| *of == 4_096), "{sizes:?}");
}

fn window_told(event: &Event) -> Option<u64> {
    match event {
        Event::Context(ContextEvent::Window { of, .. }) => Some(*of),
        _ => None,
    }
}

#[test]
fn what_is_known_only_after_the_first_reply_is_planned_with_from_then_on() {
    let mut play = with_fixed_window(0, None);
    play.say("hello");
    assert_eq!(play.requests[0].window, 8_192, "all that it was trained for");
    let loaded = LoadedModel { name: "m".into(), context_length: Some(6_000), ..LoadedModel::default() };
    play.feed(Input::Server(ServerInput::Loaded { result: Ok(vec![loaded]) }));
    play.writes("hello");
    play.say("again");
    assert_eq!(play.requests[1].window, 6_000);
}

#[test]
fn where_the_instructions_alone_fill_the_window_nothing_is_sent_and_the_words_come_back() {
    let mut play = with_fixed_window(32, None);
    let reason =
        play.notices().iter().find(|text| text.contains("the instructions and tools alone take about")).is_some();
    assert!(reason, "it is said before anything is: {:?}", play.notices());
    play.say("hello");
    assert!(play.requests.is_empty());
    assert!(matches!(play.ended(), Some(TurnEndReason::TooSmall { window: 32, .. })), "{:?}", play.ended());
    let back = |event: &Event| matches!(event, Event::Turn(TurnEvent::Unqueued { text }) if text.as_str() == "hello");
    assert!(play.events.iter().any(back), "{:?}", play.lines);
}

#[test]
fn a_reply_is_asked_for_that_fits_beside_the_prompt_where_the_server_counts_both() {
    let mut play = with_fixed_window(8_192, None);
    play.say(&"a few words ".repeat(1_600));
    let request = &play.requests[0];
    let longest = request.max_reply_tokens.expect("it is bounded");
    assert!((256..4_096).contains(&longest), "{longest}");
    let mut elsewhere = with_window(8_192);
    elsewhere.say(&"a few words ".repeat(1_600));
    assert_eq!(
        elsewhere.requests[0].max_reply_tokens,
        Some(4_096),
        "a server that counts the reply alone is asked as ever"
    );
}

#[test]
fn a_prompt_that_fits_by_itself_goes_out_once_more_with_a_shorter_reply_before_anything_is_made_shorter() {
    let mut play = with_fixed_window(8_192, None);
    play.say(&"a few words ".repeat(900));
    play.broken(too_long(6_000, 8_192));
    let (first, second) = (&play.requests[0], &play.requests[1]);
    assert_eq!(first.messages, second.messages);
    assert!(
        second.max_reply_tokens < first.max_reply_tokens,
        "{:?} {:?}",
        first.max_reply_tokens,
        second.max_reply_tokens
    );
    assert!(second.max_reply_tokens.is_some_and(|longest| longest + 6_000 <= 8_192));
    play.writes("it fits");
    assert_eq!((fitted(&play).len(), play.ended()), (0, Some(TurnEndReason::Done)));
}

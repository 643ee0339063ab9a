//! The window: measured once, never filled without a word, made shorter step by step.

use agent_protocol::{ContextEvent, ContextOp, ListEvent, ListOp, ServerOp, TurnOp};

use crate::play::{Play, card, server_card, settings};
use agent_protocol::*;
use agent_session::{Effect, Input, ServerEffect, ServerInput, Settings};

/// A session in a window of so many tokens.
pub(crate) fn with_window(tokens: u64) -> Play {
    Play::ready_with(Settings { window: Some(tokens), ..settings() }, Mode::Unsafe)
}

pub(crate) fn fitted(play: &Play) -> Vec<&Compaction> {
    let fitted = play.events.iter().filter_map(|event| match event {
        Event::Context(ContextEvent::Fitted { how, .. }) => Some(how),
        _ => None,
    });
    fitted.collect()
}

pub(crate) fn too_long(prompt: u64, window: u64) -> ServerError {
    ServerError::TooLong { prompt_tokens: Some(prompt), window: Some(window) }
}

const SUMMARY: &str =
    "## Goal\nfind the bug\n\n## Decisions\nnone\n\n## Files\n- a\n\n## Commands\nnone\n\n## Open\n- fix it";

/// One turn in which so many files of so many bytes are read.
fn read_files(play: &mut Play, first: u64, files: u64, bytes: usize) {
    play.say(&format!("look at files from {first}"));
    for call in first..first + files {
        play.calls(&["read_file"]);
        let lines = format!("line of file {call}\n").repeat(bytes / 16);
        play.reads(call, &lines);
    }
    play.writes("done with these");
}

#[test]
fn the_model_is_loaded_with_the_very_options_of_the_chat() {
    let mut play = Play::new(settings(), Mode::Safe);
    let mut loads = Vec::new();
    for input in [
        Input::Start,
        Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }),
        Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card(Some(true))), loaded: None }),
    ] {
        for effect in play.machine.step(input) {
            if let Effect::Server(ServerEffect::Load { request }) = effect {
                loads.push(*request);
            }
        }
    }
    play.say("hello");
    let [load] = &loads[..] else { panic!("{loads:?}") };
    let chat = &play.requests[0];
    assert_eq!((load.window, &load.options, &load.keep_alive), (chat.window, &chat.options, &chat.keep_alive));
    assert!(load.messages.is_empty() && load.tools.is_empty());
}

#[test]
fn what_is_in_memory_already_is_measured_at_once_and_loaded_our_way_all_the_same() {
    let mut play = Play::new(settings(), Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let loaded = LoadedModel {
        name: "m".into(),
        size_bytes: Some(100),
        vram_bytes: Some(63),
        context_length: Some(8_192),
        ..LoadedModel::default()
    };
    let input =
        Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card(Some(true))), loaded: Some(loaded) });
    let effects = play.machine.step(input);
    // Another client may have loaded it otherwise in what nobody tells; where it did not, this costs nothing.
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Server(ServerEffect::Load { .. }))), "{effects:?}");
    let measured = effects.iter().find_map(|effect| match effect {
        Effect::Emit(Event::Context(ContextEvent::WindowMeasured { window })) => Some(window.clone()),
        _ => None,
    });
    let window = measured.expect("it was measured");
    assert_eq!((window.asked, window.effective, window.gpu_percent), (8_192, Some(8_192), Some(63)));
}

#[test]
fn a_server_that_gives_less_is_said_and_counted_on() {
    let mut play = with_window(8_192);
    let loaded = LoadedModel { name: "m".into(), context_length: Some(4_096), ..LoadedModel::default() };
    play.feed(Input::Server(ServerInput::Loaded { result: Ok(vec![loaded]) }));
    assert!(play.notices().iter().any(|text| text.contains("4,096") || text.contains("4096")), "{:?}", play.notices());
    play.say("hello");
    let of = play.events.iter().find_map(|event| match event {
        Event::Context(ContextEvent::Window { of, .. }) => Some(*of),
        _ => None,
    });
    assert_eq!((of, play.requests[0].window), (Some(4_096), 8_192), "what is asked for stays the same");
}

/// What the server has loaded is known: a model of another name, with a window of so many tokens.
fn loaded_as(name: &str, context_length: u64) -> Input {
    let (size_bytes, vram_bytes, context_length) = (Some(100), Some(63), Some(context_length));
    let loaded = LoadedModel { name: name.into(), size_bytes, vram_bytes, context_length, ..LoadedModel::default() };
    Input::Server(ServerInput::Loaded { result: Ok(vec![loaded]) })
}

#[test]
fn a_model_that_is_loaded_under_the_name_of_another_is_measured_all_the_same() {
    let mut play = with_window(8_192);
    play.say("hello");
    play.writes("hello");
    play.feed(loaded_as("first-of-these-weights", 4_096));
    play.op(Op::List(ListOp::Context));
    let Some(Event::List(ListEvent::Context { report })) = play.events.last() else { panic!() };
    assert_eq!((report.window.effective, report.window.gpu_percent), (Some(4_096), Some(63)));
    assert!(play.notices().iter().any(|text| text.contains("the server gives 4,096")), "{:?}", play.notices());
}

#[test]
fn where_the_server_does_not_tell_the_rest_of_the_window_is_told_all_the_same() {
    let mut play = with_window(8_192);
    play.say("hello");
    play.writes("hello");
    play.feed(Input::Server(ServerInput::Loaded { result: Ok(Vec::new()) }));
    let window = play.events.iter().find_map(|event| match event {
        Event::Context(ContextEvent::WindowMeasured { window }) => Some(window.clone()),
        _ => None,
    });
    let expected = WindowState {
        asked: 8_192,
        chosen: WindowChoice::Configured,
        trained: Some(8_192),
        effective: None,
        gpu_percent: None,
    };
    assert_eq!(window, Some(expected));
}

/// A reply to a prompt of so many tokens that took so many milliseconds to read.
fn read_in(play: &mut Play, prompt: u64, ms: u64, cached: Option<u64>) -> Option<Reused> {
    play.text("yes");
    let usage = Usage {
        prompt_tokens: Some(prompt),
        cached_tokens: cached,
        reply_tokens: Some(3),
        prompt_ns: Some(ms * 1_000_000),
        ..Usage::default()
    };
    play.model(ModelEvent::Done { reason: Some("stop".into()), usage });
    play.events.iter().rev().find_map(|event| match event {
        Event::Turn(TurnEvent::Replied { reused, .. }) => Some(*reused),
        _ => None,
    })?
}

#[test]
fn what_was_read_is_what_was_new_by_the_servers_own_counts_or_is_not_told() {
    let mut play = with_window(8_192);
    play.say("hello");
    assert_eq!(read_in(&mut play, 2_350, 363, None), None, "an earlier session may have left it there");
    play.say("and again");
    assert_eq!(read_in(&mut play, 2_366, 48, None), Some(Reused { tokens: 2_353, of: 2_366 }));
    play.say("and again");
    play.model(ModelEvent::Thinking { text: "what now?".into() });
    play.text("yes");
    let usage = Usage { prompt_tokens: Some(2_380), reply_tokens: Some(200), ..Usage::default() };
    play.model(ModelEvent::Done { reason: Some("stop".into()), usage });
    play.say("and again");
    assert_eq!(read_in(&mut play, 2_595, 100, None), None, "nobody knows whether the thinking was in the prompt");
}

#[test]
fn a_server_that_says_what_it_had_in_mind_is_believed() {
    let mut play = with_window(8_192);
    play.say("hello");
    assert_eq!(read_in(&mut play, 2_350, 363, Some(0)), Some(Reused { tokens: 0, of: 2_350 }));
    play.say("and again");
    assert_eq!(read_in(&mut play, 2_366, 300, Some(1_900)), Some(Reused { tokens: 1_900, of: 2_366 }));
}

#[test]
fn a_server_that_refuses_what_does_not_fit_is_not_said_to_cut() {
    let mut play = with_window(8_192);
    play.say("hello");
    play.broken(too_long(9_000, 8_192));
    for counted in [2_000, 3_700, 2_020, 2_020] {
        play.say(&"words and words ".repeat(400));
        play.text("yes");
        let usage = Usage { prompt_tokens: Some(counted), reply_tokens: Some(2), ..Usage::default() };
        play.model(ModelEvent::Done { reason: Some("stop".into()), usage });
    }
    assert!(!play.notices().iter().any(|text| text.contains("without a word")), "{:?}", play.notices());
}

#[test]
fn an_overflow_becomes_a_shorter_conversation_and_a_retry() {
    let mut play = with_window(8_192);
    read_files(&mut play, 1, 4, 4_000);
    play.say("and now?");
    play.broken(too_long(9_000, 8_192));
    assert!(
        matches!(fitted(&play)[..], [Compaction::Stubbed { .. }] | [Compaction::Summarised { .. }] | []),
        "{:?}",
        play.lines
    );
    if fitted(&play).is_empty() {
        play.writes(SUMMARY);
    }
    let last = play.requests.last().expect("it was asked again");
    assert!(last.messages.last().is_some_and(|message| message.content.contains("and now?")));
    assert!(last.messages.len() >= 2 && play.counted() < 8_192);
    play.writes("now it is well");
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
}

#[test]
fn a_window_that_fills_is_made_shorter_before_the_server_says_so() {
    let mut play = with_window(8_192);
    for turn in 0..12 {
        read_files(&mut play, 1 + turn * 3, 3, 3_000);
        if play.lines.last().is_some_and(|line| line.starts_with("call model")) {
            play.writes(SUMMARY);
            play.writes("done with these");
        }
        assert!(play.counted() < 8_192, "turn {turn} has {} tokens", play.counted());
    }
    assert!(!fitted(&play).is_empty());
}

#[test]
fn a_result_that_the_model_has_not_seen_is_never_left_out() {
    let mut play = with_window(8_192);
    read_files(&mut play, 1, 4, 6_000);
    play.say("one more");
    play.calls(&["read_file"]);
    play.reads(5, &"the newest line\n".repeat(400));
    assert!(play.events.iter().any(|event| matches!(event, Event::Context(ContextEvent::Fitting { .. }))));
    if fitted(&play).is_empty() {
        play.writes(SUMMARY);
    }
    assert!(!fitted(&play).is_empty());
    let last = play.requests.last().expect("requests").messages.last().cloned().expect("messages");
    assert!(last.role == Role::Tool && last.content.contains("the newest line"), "{last:?}");
}

#[test]
fn results_of_one_reply_share_what_room_there_is() {
    let mut play = with_window(4_096);
    play.say("read them all");
    play.calls(&["read_file"; 6]);
    for call in 1..=6 {
        play.reads(call, &"a line of some words\n".repeat(2_000));
    }
    assert!(play.counted() < 4_096, "{} tokens", play.counted());
    assert_eq!(play.requests.last().expect("requests").messages.iter().filter(|m| m.role == Role::Tool).count(), 6);
}

#[test]
fn an_empty_summary_ends_in_a_question_and_not_in_a_loop() {
    let mut play = with_window(8_192);
    read_files(&mut play, 1, 2, 2_000);
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.empty(1);
    let asked = play.requests.len();
    assert!(matches!(play.subject(), Some(Subject::Shorten { window: 8_192, .. })), "{:?}", play.subject());
    play.answer(crate::play::yes());
    assert!(matches!(fitted(&play)[..], [Compaction::Digested { .. }]));
    assert_eq!((play.requests.len(), play.ended()), (asked, Some(TurnEndReason::Done)));
}

#[test]
fn no_to_the_list_leaves_the_conversation_as_it_was() {
    let mut play = with_window(8_192);
    read_files(&mut play, 1, 2, 2_000);
    let before = play.requests.last().expect("requests").messages.clone();
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.writes("I'm sorry, I can't do that.");
    play.answer(crate::play::no(""));
    play.say("go on");
    let after = &play.requests.last().expect("requests").messages;
    assert_eq!(after[..before.len()], before[..]);
    assert!(fitted(&play).is_empty());
}

#[test]
fn a_summary_that_is_stopped_leaves_the_conversation_as_it_was() {
    let mut play = with_window(8_192);
    read_files(&mut play, 1, 2, 2_000);
    let before = play.requests.last().expect("requests").messages.clone();
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.text("## Goal\nhalf of");
    play.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!(play.ended(), Some(TurnEndReason::Interrupted));
    play.say("go on");
    assert_eq!(play.requests.last().expect("requests").messages[..before.len()], before[..]);
}

#[test]
fn a_summary_is_asked_for_as_an_extension_of_what_the_server_has_in_mind() {
    let mut play = with_window(8_192);
    read_files(&mut play, 1, 2, 2_000);
    let before = play.requests.last().expect("requests").clone();
    play.op(Op::Context(ContextOp::Compact { instructions: "keep the names".into() }));
    let request = play.requests.last().expect("requests");
    assert_eq!(request.messages[..before.messages.len()], before.messages[..]);
    assert!(play.last_said().contains("keep the names"));
    assert_eq!((request.window, &request.tools, &request.think), (before.window, &before.tools, &before.think));
    assert_eq!(before.options, request.options);
}

#[test]
fn what_the_person_said_survives_a_summary_word_for_word() {
    let mut play = with_window(8_192);
    play.say("never touch Cargo.lock, and call it «Möhre»");
    play.writes("as you like");
    read_files(&mut play, 1, 2, 2_000);
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.writes(SUMMARY);
    play.say("go on");
    let conversation = play.conversation().join("\n");
    assert!(conversation.contains("never touch cargo.lock, and call it «möhre»"), "{conversation}");
    assert!(conversation.contains("find the bug"), "{conversation}");
    assert!(matches!(fitted(&play)[..], [Compaction::Summarised { .. }]));
}

#[test]
fn words_that_alone_are_too_long_end_the_turn_with_a_way_out() {
    let mut play = with_window(1_024);
    play.say(&"much too long ".repeat(2_000));
    if play.ended().is_none() {
        play.broken(too_long(9_000, 1_024));
    }
    assert!(
        matches!(
            play.ended(),
            Some(TurnEndReason::Full | TurnEndReason::Broken { trouble: ServerError::TooLong { .. } })
        ),
        "{:?}",
        play.ended()
    );
    assert!(play.requests.len() <= 2, "{} requests", play.requests.len());
}

#[test]
fn a_server_that_cuts_without_a_word_is_told_of_once() {
    let mut play = with_window(8_192);
    // It was asked for 8,192 tokens, gives 4,096, and is too old to tell.
    for counted in [2_000, 3_700, 2_020, 2_020] {
        play.say(&"words and words ".repeat(400));
        play.text("yes");
        let usage = Usage { prompt_tokens: Some(counted), reply_tokens: Some(2), ..Usage::default() };
        play.model(ModelEvent::Done { reason: Some("stop".into()), usage });
        if play.lines.last().is_some_and(|line| line.starts_with("call model")) {
            play.writes(SUMMARY);
        }
    }
    let warnings = play.notices().iter().filter(|text| text.contains("without a word")).count();
    assert_eq!(warnings, 1, "{:?}", play.notices());
}

#[test]
fn nothing_to_make_shorter_is_said() {
    let mut play = with_window(8_192);
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    assert_eq!(play.notices(), ["there is nothing to make shorter yet"]);
    assert!(play.requests.is_empty());
}

#[test]
fn every_request_bounds_the_reply() {
    let mut play = with_window(8_192);
    play.say("hello");
    let bound = |play: &Play| play.requests.last().and_then(|request| request.max_reply_tokens);
    assert!(bound(&play).is_some_and(|bound| (1..8_192).contains(&bound)), "{:?}", bound(&play));
    let mut play = Play::ready_with(Settings { max_reply_tokens: Some(77), ..settings() }, Mode::Safe);
    play.say("hello");
    assert_eq!(bound(&play), Some(77));
}

#[test]
fn how_much_is_thought_changes_with_the_next_request_and_not_for_a_model_that_cannot() {
    let mut play = with_window(8_192);
    play.op(Op::Server(ServerOp::SetThink { think: Some(Think::Low) }));
    play.say("hello");
    assert_eq!(play.requests[0].think, Some(Think::Low));
    let mut play = Play::new(settings(), Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let card = ModelCard { thinking: Some(false), ..card(Some(true)) };
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card), loaded: None }));
    play.op(Op::Server(ServerOp::SetThink { think: Some(Think::High) }));
    play.say("hello");
    assert_eq!(play.requests[0].think, None, "the server would refuse it");
}

#[test]
fn where_the_tokens_go_adds_up_to_what_is_shown() {
    let mut play = with_window(8_192);
    read_files(&mut play, 1, 2, 2_000);
    play.op(Op::List(ListOp::Context));
    let Some(Event::List(ListEvent::Context { report })) = play.events.last() else {
        panic!("{:?}", play.events.last())
    };
    assert_eq!(report.parts.iter().map(|part| part.tokens).sum::<u64>(), report.used);
    assert!(report.used < 8_192 && report.reserve > 0 && report.samples > 0, "{report:?}");
    let results = report.parts.iter().find(|part| part.kind == PartKind::Results).expect("results were told");
    assert_eq!(results.count, 2);
    let window = play.events.iter().rev().find_map(|event| match event {
        Event::Context(ContextEvent::Window { used, .. }) => Some(*used),
        _ => None,
    });
    // The server counts the end of a message only when the next one follows.
    assert!(window.is_some_and(|window| report.used.abs_diff(window) * 50 < window), "{window:?} and {}", report.used);
}

#[test]
fn what_was_learned_is_kept_and_used_again() {
    let mut play = with_window(8_192);
    read_files(&mut play, 1, 2, 2_000);
    let known = play.profiles.last().cloned().expect("a profile was kept");
    assert!(known.calibration.is_some());
    let mut again = Play::ready_with(Settings { profiles: vec![known], ..settings() }, Mode::Safe);
    again.op(Op::List(ListOp::Context));
    let Some(Event::List(ListEvent::Context { report })) = again.events.last() else { panic!() };
    assert!(report.samples > 0);
}

#[test]
fn the_model_is_let_go_at_the_end_where_the_person_wants_that() {
    let released = |release| {
        let mut play = Play::ready_with(Settings { release, ..settings() }, Mode::Safe);
        let effects = play.machine.step(Input::Leave);
        effects.iter().any(|effect| matches!(effect, Effect::Server(ServerEffect::Release { name }) if name == "m"))
    };
    assert_eq!([released(true), released(false)], [true, false]);
}

#[test]
fn a_remembered_window_is_asked_for_again() {
    let known = ModelProfile { digest: "name:m".into(), window: Some(6_000), ..ModelProfile::default() };
    let mut play = Play::ready_with(Settings { profiles: vec![known], ..settings() }, Mode::Safe);
    play.say("hello");
    assert_eq!(play.requests[0].window, 6_000);
}

#[test]
fn the_exact_request_is_what_would_be_asked_next() {
    let mut play = with_window(8_192);
    read_files(&mut play, 1, 1, 500);
    let effects = play.machine.step(Input::Op(Op::List(ListOp::Prompt)));
    let [Effect::Server(ServerEffect::Render { request })] = &effects[..] else { panic!("{effects:?}") };
    let last = play.requests.last().expect("requests");
    assert_eq!(request.messages[..last.messages.len()], last.messages[..]);
    assert_eq!((&request.options, &request.tools), (&last.options, &last.tools));
}

#[test]
fn an_examined_model_gets_its_tools_in_the_way_that_worked() {
    let examined = Examined { tools_by: Some(ToolsBy::Text), dialects: vec!["hermes".into()], ..Examined::default() };
    let known = ModelProfile { digest: "name:m".into(), examined: Some(examined), ..ModelProfile::default() };
    let mut play = Play::ready_with(Settings { profiles: vec![known], ..settings() }, Mode::Safe);
    play.say("hello");
    let request = &play.requests[0];
    assert!(request.tools.is_empty() && request.messages[0].content.contains("<tool_call>"), "{request:?}");
}

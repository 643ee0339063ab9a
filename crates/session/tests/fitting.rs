//! What can go wrong while a conversation is made shorter, or a model is examined: nothing is lost, and nothing is stuck.

use agent_protocol::{ContextEvent, ContextOp, ListEvent, ListOp, ServerOp, TurnEvent, TurnOp};

use crate::play::{Play, card, family, hermes, server_card, settings};
use agent_protocol::*;
use agent_session::{Effect, Input, ServerEffect, ServerInput, Settings, ToolsMode};

const SUMMARY: &str =
    "## Goal\nfind the bug\n\n## Decisions\nnone\n\n## Files\n- a\n\n## Commands\nnone\n\n## Open\n- never touch b";

fn with_window(tokens: u64) -> Play {
    Play::ready_with(Settings { window: Some(tokens), ..settings() }, Mode::Unsafe)
}

fn talk(play: &mut Play, turns: usize) {
    for turn in 0..turns {
        let words = |count: u64| (0..count).map(|at| format!("thing {at} of {turn}, ")).collect::<String>();
        play.say(&format!("word {turn}: {}", words(20)));
        play.writes(&format!("answer {turn}: {}", words(90)));
    }
}

fn summarise(play: &mut Play) {
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.writes(SUMMARY);
}

fn too_long() -> ServerError {
    ServerError::TooLong { prompt_tokens: Some(9_999), window: Some(1_024) }
}

fn unqueued(play: &Play) -> Option<String> {
    play.events.iter().rev().find_map(|event| match event {
        Event::Turn(TurnEvent::Unqueued { text }) => Some(text.clone()),
        _ => None,
    })
}

#[test]
fn a_summary_after_a_reply_that_was_stopped_is_not_taken_for_that_reply() {
    let mut play = with_window(8_192);
    talk(&mut play, 3);
    play.say("and now something long");
    play.text("half of it");
    play.op(Op::Turn(TurnOp::Interrupt));
    summarise(&mut play);
    play.op(Op::Turn(TurnOp::Retry));
    play.say("go on");
    let told = play.conversation().join("\n");
    assert!(told.contains("find the bug") && told.contains("word 0:"), "{told}");
}

#[test]
fn what_the_model_thinks_before_a_summary_is_none_of_it() {
    for thinking in ["<think>The goal: ## Goal is\nto find</think>\n", "I should list ## Goal first.\n</think>\n"] {
        let mut play = with_window(8_192);
        talk(&mut play, 3);
        play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
        play.writes(&format!("{thinking}{SUMMARY}"));
        play.say("go on");
        let told = play.conversation().join("\n");
        assert!(told.contains("## goal\nfind the bug") && !told.contains("is\nto find"), "{told}");
        assert!(!told.contains("i should list") && !told.contains("think>"), "{told}");
    }
    let mut play = with_window(8_192);
    talk(&mut play, 3);
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.writes("<think>all of it is thought");
    assert!(play.notices().iter().any(|text| text.contains("cannot be used: it is empty")), "{:?}", play.notices());
}

#[test]
fn a_summary_asks_for_nothing_when_the_turn_is_taken_up_again() {
    let mut play = with_window(8_192);
    talk(&mut play, 3);
    summarise(&mut play);
    let asked = play.requests.len();
    play.op(Op::Turn(TurnOp::Retry));
    assert_eq!(play.requests.len(), asked);
}

#[test]
fn words_too_long_for_the_window_go_back_and_the_conversation_goes_on() {
    let mut play = with_window(1_024);
    play.say("first");
    play.writes("yes");
    let long = "much too long ".repeat(2_000);
    play.say(&long);
    if play.ended().is_none() || play.requests.len() > 1 {
        play.broken(too_long());
    }
    assert_eq!(unqueued(&play).as_deref(), Some(long.as_str()));
    assert_eq!(play.ended(), Some(TurnEndReason::Full));
    let asked = play.requests.len();
    play.say("short");
    assert_eq!(play.requests.len(), asked + 1, "the next words go out");
    assert_eq!(play.conversation(), ["system: system", "user: first", "assistant: yes", "user: short"]);
}

#[test]
fn where_a_summary_is_refused_old_results_go_before_the_person_is_asked() {
    let mut play = with_window(8_192);
    play.say("read them");
    for call in 1..=9 {
        play.calls(&["read_file"]);
        let lines: String = (0..260).map(|line| format!("line {line} of file {call}\n")).collect();
        play.reads(call, &lines);
        if play.events.iter().any(|event| matches!(event, Event::Context(ContextEvent::Fitting { .. }))) {
            break;
        }
    }
    if !play.events.iter().any(|event| matches!(event, Event::Context(ContextEvent::Fitted { .. }))) {
        play.writes("I'm sorry, I can't do that.");
    }
    let stubbed =
        |event: &Event| matches!(event, Event::Context(ContextEvent::Fitted { how: Compaction::Stubbed { .. }, .. }));
    assert!(play.events.iter().any(stubbed), "{:?}", play.notices());
    assert_eq!(play.subject(), None);
}

#[test]
fn a_wrong_estimate_alone_keeps_no_words_back() {
    let calibration = Calibration { weights: vec![9_000.0; 15], samples: 40 };
    let known = ModelProfile { digest: "name:m".into(), calibration: Some(calibration), ..ModelProfile::default() };
    let mut play = Play::ready_with(Settings { profiles: vec![known], ..settings() }, Mode::Safe);
    play.say("hello");
    assert_eq!(play.requests.len(), 1);
    play.writes("hi");
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
}

#[test]
fn a_summary_that_was_cut_off_takes_nobodys_place() {
    let mut play = with_window(8_192);
    talk(&mut play, 3);
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.text("## Goal\nfind the bug\n\n## Decisions\n- use ta");
    let usage = Usage { prompt_tokens: Some(play.counted()), reply_tokens: Some(9), ..Usage::default() };
    play.model(ModelEvent::Done { reason: Some("length".into()), usage });
    assert!(matches!(play.subject(), Some(Subject::Shorten { .. })));
    assert!(!play.events.iter().any(|event| matches!(event, Event::Context(ContextEvent::Fitted { .. }))));
}

#[test]
fn a_call_quoted_in_a_summary_is_part_of_it() {
    let mut play = with_window(8_192);
    talk(&mut play, 3);
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.writes(&SUMMARY.replace("## Commands\nnone", &format!("## Commands\n- {} failed", hermes("read_file", "a"))));
    play.say("go on");
    let told = play.conversation().join("\n");
    assert!(told.contains("never touch b"), "{told}");
}

#[test]
fn where_tools_go_by_text_a_call_and_its_result_stay_together() {
    let taught = agent_session::Family { matches: vec!["m".into()], form: agent_dialects::Form::Hermes, ..family() };
    let settings = Settings { window: Some(4_096), tools_mode: ToolsMode::Text, families: vec![taught], ..settings() };
    let mut play = Play::ready_with(settings, Mode::Unsafe);
    talk(&mut play, 4);
    play.say("read it");
    play.writes(&hermes("read_file", "a"));
    play.reads(1, &(0..300).map(|at| format!("a line of the file, {at}\n")).collect::<String>());
    if play.events.iter().any(|event| matches!(event, Event::Context(ContextEvent::Fitting { .. }))) {
        play.writes(SUMMARY);
    }
    let conversation = play.conversation();
    let call = conversation.iter().position(|line| line.contains("<tool_call>") && line.starts_with("assistant"));
    let result = conversation.iter().position(|line| line.contains("a line of the file"));
    assert!(call.is_some() && result == call.map(|call| call + 1), "{conversation:#?}");
}

#[test]
fn any_trouble_with_a_summary_leaves_the_choice() {
    for trouble in [ServerError::BadCall { message: "tool 'x' not found".into() }, ServerError::NotDone] {
        let mut play = with_window(8_192);
        talk(&mut play, 3);
        play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
        play.broken(trouble);
        assert!(matches!(play.subject(), Some(Subject::Shorten { .. })));
    }
}

#[test]
fn no_to_the_list_gives_back_what_waits_instead_of_asking_again() {
    let mut play = with_window(8_192);
    talk(&mut play, 3);
    play.say("more");
    play.broken(ServerError::TooLong { prompt_tokens: Some(9_000), window: Some(8_192) });
    play.writes("I'm sorry, I can't do that.");
    play.say("and this waits");
    let asked = play.requests.len();
    play.answer(crate::play::no(""));
    assert_eq!(play.ended(), Some(TurnEndReason::Full));
    assert_eq!(play.requests.len(), asked);
    assert_eq!(unqueued(&play).as_deref(), Some("and this waits"));
}

#[test]
fn what_was_learned_survives_another_model_and_back() {
    let mut play = with_window(8_192);
    talk(&mut play, 3);
    for name in ["other", "m"] {
        play.op(Op::Server(ServerOp::SetModel { name: name.into() }));
        let card = ModelCard { name: name.into(), ..card(Some(true)) };
        play.feed(Input::Server(ServerInput::Described { name: name.into(), result: Ok(card), loaded: None }));
    }
    play.op(Op::List(ListOp::Context));
    let Some(Event::List(ListEvent::Context { report })) = play.events.last() else { panic!() };
    assert!(report.samples >= 3, "{report:?}");
}

#[test]
fn a_model_chosen_while_the_server_was_away_is_the_one_that_is_asked() {
    let mut play = with_window(8_192);
    let gone = || ServerError::Unreachable { host: "h".into(), why: "refused".into(), program: None };
    play.op(Op::Server(ServerOp::SetModel { name: "other".into() }));
    play.feed(Input::Server(ServerInput::Described { name: "other".into(), result: Err(gone()), loaded: None }));
    play.feed(Input::Server(ServerInput::Probed { result: Err(gone()), can_start: false }));
    play.op(Op::Turn(TurnOp::Retry));
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let card = ModelCard { name: "other".into(), ..card(Some(true)) };
    play.feed(Input::Server(ServerInput::Described { name: "other".into(), result: Ok(card), loaded: None }));
    play.say("hi");
    assert_eq!(play.requests[0].model, "other");
}

#[test]
fn a_number_that_bounds_nothing_is_no_bound() {
    for max_reply_tokens in [Some(0), None] {
        let mut play = Play::ready_with(Settings { max_reply_tokens, ..settings() }, Mode::Safe);
        play.say("hello");
        let bound = play.requests[0].max_reply_tokens;
        assert!(bound.is_some_and(|bound| bound > 0), "{max_reply_tokens:?} became {bound:?}");
    }
}

#[test]
fn what_was_read_before_esc_is_not_announced_as_new() {
    let mut play = with_window(8_192);
    play.say(&"a long text ".repeat(1_500));
    play.text("I ");
    play.op(Op::Turn(TurnOp::Interrupt));
    play.say("go on");
    play.model(ModelEvent::Waiting { phase: Phase::Reading { estimate: None } });
    let estimate = play.events.iter().rev().find_map(|event| match event {
        Event::Turn(TurnEvent::Waiting { phase: Phase::Reading { estimate } }) => *estimate,
        _ => None,
    });
    assert!(estimate.is_some_and(|estimate| estimate.new * 10 < estimate.of), "{estimate:?}");
}

/// The examination is begun; its first question is out.
fn examined() -> Play {
    let read_file = ToolSpec {
        name: "read_file".into(),
        description: "reads".into(),
        parameters: serde_json::json!({
            "type": "object", "properties": {"file_path": {"type": "string"}}, "required": ["file_path"],
        }),
        aliases: Vec::new(),
    };
    let mut play = Play::ready_with(Settings { tools: vec![read_file], ..settings() }, Mode::Safe);
    play.op(Op::Server(ServerOp::Examine));
    play
}

#[test]
fn an_examination_learns_speeds_and_tokens() {
    let mut play = examined();
    for _ in 0..20 {
        if play.ended().is_some() {
            break;
        }
        play.text("I cannot");
        let usage = Usage {
            prompt_tokens: Some(play.counted()),
            prompt_ns: Some(500_000_000),
            reply_tokens: Some(20),
            reply_ns: Some(1_000_000_000),
            ..Usage::default()
        };
        play.model(ModelEvent::Done { reason: Some("stop".into()), usage });
        play.feed(Input::Server(ServerInput::Loaded { result: Ok(Vec::new()) }));
    }
    let known = play.profiles.last().cloned().expect("something was learned");
    assert!(known.writing.is_some() && known.calibration.is_some(), "{known:?}");
    assert_eq!(known.reading, None, "nobody knows how much of these prompts the server had in mind");
    assert!(known.examined.is_some());
}

#[test]
fn a_server_that_answers_nothing_says_nothing_of_the_model() {
    let mut play = examined();
    for _ in 0..20 {
        if play.ended().is_some() {
            break;
        }
        play.broken(ServerError::Busy { status: 503, message: "busy".into() });
        play.feed(Input::Server(ServerInput::Loaded { result: Ok(Vec::new()) }));
    }
    assert!(play.ended().is_some());
    assert!(play.profiles.iter().all(|known| known.examined.is_none()), "{:?}", play.profiles);
}

#[test]
fn the_end_of_a_load_is_no_answer_to_an_examination() {
    let mut play = examined();
    let asked = play.requests.len();
    let effects = play.machine.step(Input::Server(ServerInput::Loaded { result: Ok(Vec::new()) }));
    assert!(
        !effects.iter().any(|effect| matches!(effect, Effect::Server(ServerEffect::CallModel { .. }))),
        "{effects:?}"
    );
    assert_eq!(play.requests.len(), asked);
}

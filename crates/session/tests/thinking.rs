//! Thinking with a bound: when it is closed, with which words, what goes out next, and that nobody is cut twice. Each with the
//! lever off and on.

use crate::play::*;
use agent_protocol::*;
use agent_session::{Family, Input, ServerInput, Settings, ToolsMode};
use serde_json::json;

fn bounded(tokens: u32) -> LeverChanges {
    LeverChanges { think_tokens: Some(tokens), ..LeverChanges::off() }
}

/// A session with a model of `family`, which thinks where it `can`.
fn of_family(levers: LeverChanges, family: Family, can: Option<bool>) -> Play {
    let family = Family { matches: vec!["m".into()], ..family };
    let mut play = Play::new(Settings { levers, families: vec![family], ..settings() }, Mode::Unsafe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let card = ModelCard { thinking: can, ..card(Some(true)) };
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(card), loaded: None }));
    play.events.clear();
    play.lines.clear();
    play
}

fn thinks(levers: LeverChanges) -> Play {
    of_family(levers, Family::default(), Some(true))
}

/// Thinking in paragraphs of some 20 tokens, until somebody hangs up, at most so many.
fn thinks_on(play: &mut Play, paragraphs: usize) -> usize {
    let hung_up = |play: &Play| play.lines.iter().filter(|line| *line == "hang up").count();
    let before = hung_up(play);
    for number in 0..paragraphs {
        play.model(ModelEvent::Thinking {
            text: format!("Then again, option {number} may be better, because of this.\n\n"),
        });
        if hung_up(play) > before {
            return number + 1;
        }
    }
    paragraphs
}

/// So many words, no two alike.
fn words(count: usize) -> String {
    (0..count).map(|number| format!("option{number} ")).collect()
}

fn figures(play: &Play) -> Vec<(u64, u64)> {
    let figures = play.events.iter().filter_map(|event| match event {
        Event::Turn(TurnEvent::Waiting { phase: Phase::Thinking { tokens, of } }) => Some((*tokens, *of)),
        _ => None,
    });
    figures.collect()
}

#[test]
fn thinking_without_end_is_closed_with_words_and_the_model_acts() {
    let mut play = thinks(bounded(200));
    play.say("fix the parser");
    let paragraphs = thinks_on(&mut play, 10_000);
    assert!(paragraphs < 30, "{paragraphs}");
    let told = play.last_said();
    assert!(told.starts_with("(you have thought long enough; so far: …"), "{told}");
    assert!(told.ends_with("because of this.… now act: one call, or the answer)"), "{told}");
    assert!(told.chars().count() < 720, "{told}");
    assert_eq!((play.requests[0].think, play.requests[1].think), (None, Some(Think::Off)));
    let notice = play.notices().concat();
    assert!(notice.starts_with("thought 2") && notice.ends_with(" tokens; told to act"), "{notice}");
    play.calls(&["read_file"]);
    play.reads(1, "text");
    assert_eq!(play.requests[2].think, None, "the next reply may think again");
    let kept = play.requests.iter().flat_map(|request| &request.messages).any(|message| message.thinking.is_some());
    assert!(!kept, "what was cut is not kept");
    let person = |message: &&Message| message.role == Role::User;
    assert_eq!(play.requests[2].messages.iter().filter(person).count(), 2, "and the words stand where they stood");
}

#[test]
fn with_the_lever_off_it_thinks_until_the_reply_has_no_room_left() {
    let mut play = thinks(bounded(0));
    play.say("fix the parser");
    assert_eq!(thinks_on(&mut play, 800), 800);
    play.model(ModelEvent::Done { reason: Some("length".into()), usage: Usage::default() });
    assert_eq!((play.ended(), figures(&play)), (Some(TurnEndReason::Length), Vec::new()));
}

#[test]
fn the_bound_follows_the_window_and_the_first_reply_of_a_turn_has_twice_as_much() {
    let mut play = thinks(bounded(1));
    play.say("fix the parser");
    play.model(ModelEvent::Thinking { text: words(150) });
    play.calls(&["read_file"]);
    play.reads(1, "text");
    play.model(ModelEvent::Thinking { text: words(150) });
    let bounds: Vec<u64> = figures(&play).into_iter().map(|(_, of)| of).collect();
    assert_eq!(bounds, [2_048, 1_024], "an eighth of 8,192");
}

#[test]
fn how_far_it_has_come_is_told_now_and_then() {
    let mut play = thinks(bounded(4_000));
    play.say("fix the parser");
    (0..300).for_each(|number| play.model(ModelEvent::Thinking { text: format!("option{number} ") }));
    let figures = figures(&play);
    assert!((3..=12).contains(&figures.len()), "{figures:?}");
    assert!(figures.windows(2).all(|pair| pair[0].0 + 100 <= pair[1].0), "{figures:?}");
}

#[test]
fn the_end_of_a_paragraph_is_waited_for_but_not_for_long() {
    let mut play = thinks(bounded(200));
    play.say("fix the parser");
    let mut words = 0;
    while !play.has("hang up") && words < 5_000 {
        play.model(ModelEvent::Thinking { text: format!("then{words} ") });
        words += 1;
    }
    let (tokens, of) = *figures(&play).last().unwrap();
    assert!(of == 200 && (205..=225).contains(&tokens), "{tokens} of {of}");
}

#[test]
fn a_model_that_cannot_stop_is_told_the_same_and_thinks_as_before() {
    let never = Family { never_off: true, ..Family::default() };
    let mut play = of_family(bounded(200), never, Some(true));
    play.say("fix the parser");
    thinks_on(&mut play, 10_000);
    assert!(play.last_said().contains("thought long enough"));
    assert_eq!(play.requests[1].think, None);
}

#[test]
fn one_that_knows_steps_is_told_its_least() {
    let steps =
        Family { never_off: true, least_think: Some(Think::Low), think: Some(Think::High), ..Family::default() };
    let mut play = of_family(bounded(200), steps, Some(true));
    play.say("fix the parser");
    thinks_on(&mut play, 10_000);
    assert_eq!((play.requests[0].think, play.requests[1].think), (Some(Think::High), Some(Think::Low)));
}

#[test]
fn no_reply_is_cut_twice() {
    let mut play = thinks(bounded(200));
    play.say("how does the parser work?");
    thinks_on(&mut play, 10_000);
    assert_eq!(thinks_on(&mut play, 1_000), 1_000, "the second request goes on as long as it likes");
    assert_eq!(play.requests.len(), 2);
    play.writes("It drops the last line.");
    assert_eq!(play.requests.len(), 2);
}

#[test]
fn after_three_closings_the_person_hears_what_can_be_done() {
    let mut play = thinks(bounded(200));
    play.say("fix the parser");
    for call in 1..=3 {
        thinks_on(&mut play, 10_000);
        play.calls(&["read_file"]);
        play.reads(call, &format!("text {call}"));
    }
    let hints: Vec<String> = play.notices().into_iter().filter(|notice| notice.contains("/think off")).collect();
    assert_eq!(hints, ["this model thinks long: /think off, or think_tokens = 0 under [harness]"]);
    play.assert_prompt_only_grows();
}

#[test]
fn the_reply_that_acts_is_sampled_as_one_without_thinking() {
    let options = |temperature: f64| json!({ "temperature": temperature }).as_object().cloned().unwrap();
    let family = Family { options: options(0.6), options_direct: Some(options(0.7)), ..Family::default() };
    let mut play = of_family(bounded(200), family, Some(true));
    play.say("fix the parser");
    thinks_on(&mut play, 10_000);
    play.calls(&["read_file"]);
    play.reads(1, "text");
    let temperatures: Vec<_> = play.requests.iter().map(|request| request.options["temperature"].clone()).collect();
    assert_eq!(temperatures, [json!(0.6), json!(0.7), json!(0.6)]);
}

#[test]
fn thinking_that_the_server_does_not_tell_apart_is_bounded_too() {
    let opens = Family { starts_in_reasoning: true, ..Family::default() };
    let mut play = of_family(bounded(200), opens, None);
    play.say("fix the parser");
    (0..2_000).for_each(|number| {
        if !play.has("hang up") {
            play.text(&format!("Then again, option {number} may be better.\n\n"));
        }
    });
    assert!(play.last_said().contains("thought long enough"), "{}", play.last_said());
    play.text("It drops the last line.");
    play.done();
    assert_eq!(play.shown(), "It drops the last line.", "told not to think, it begins with the answer");
}

#[test]
fn an_answer_is_never_cut_however_long_the_thinking_before_it_was() {
    let mut play = thinks(bounded(200));
    play.say("explain the parser");
    play.model(ModelEvent::Thinking { text: words(60) });
    play.text(&"It reads a line, and then the next. \n\n".repeat(10));
    (0..30).for_each(|number| play.text(&format!("It reads line {number} as well.\n\n")));
    play.done();
    assert!(!play.has("hang up"));
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
}

#[test]
fn a_model_that_works_by_files_is_asked_for_the_files() {
    let settings = Settings { tools_mode: ToolsMode::Files, levers: bounded(200), ..settings() };
    let mut play = Play::ready_with(settings, Mode::Safe);
    play.say_only("Fix the parser.");
    play.reached(1, ROOT);
    play.planned(1, read("/p/a.py"));
    play.ran(1, "a.py\n```python\npass\n```");
    thinks_on(&mut play, 10_000);
    assert!(play.last_said().ends_with("now answer with the files)"), "{}", play.last_said());
}

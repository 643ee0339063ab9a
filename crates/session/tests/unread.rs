//! Replies of which the server passes on only a part: calls that its length limit cut off, errors that quote what it could not
//! read, answers that stand only in the thinking, and settings for thinking that it refuses.

use crate::play::*;
use agent_protocol::*;
use agent_session::Settings;
use serde_json::{Value, json};

/// A call as a server sends it.
fn sent(name: &str, arguments: Value) -> ModelCall {
    ModelCall { arguments, ..model_call(name) }
}

/// A reply of these calls that ends for this reason.
fn ends(play: &mut Play, reason: &str, calls: Vec<ModelCall>) {
    play.model(ModelEvent::Calls { calls });
    let usage = Usage { reply_tokens: Some(90), ..Usage::default() };
    play.model(ModelEvent::Done { reason: Some(reason.into()), usage });
}

/// A reply of thinking alone, of so many tokens.
fn thinks(play: &mut Play, thinking: &str, tokens: u64) {
    play.model(ModelEvent::Thinking { text: thinking.into() });
    play.empty(tokens);
}

fn half() -> Value {
    json!("{\"path\": \"src/a.rs\", \"cont")
}

#[test]
fn a_call_that_the_length_limit_cut_off_is_told_once_and_then_the_turn_ends_with_the_limit() {
    let mut play = Play::ready(Mode::Unsafe);
    play.say("write");
    ends(&mut play, "length", vec![sent("write_file", half())]);
    assert!(!play.has("reach"), "half a call never runs");
    assert_eq!(play.set_aside(), [(SetAside::CutOff, "write_file {\"path\": \"src/a.rs\", \"cont".to_owned())]);
    assert!(play.notices()[0].starts_with("the reply was cut off by its length limit"), "{:?}", play.notices());
    let said = play.last_said();
    assert!(said.contains("write_file was cut off before it was complete: content is missing"), "{said}");
    assert!(said.contains("length limit, so do it in smaller parts"), "{said}");
    ends(&mut play, "length", vec![sent("write_file", half())]);
    assert_eq!((play.requests.len(), play.ended()), (2, Some(TurnEndReason::Length)), "once");
}

#[test]
fn calls_before_one_that_the_length_limit_cut_off_are_run() {
    let mut play = Play::ready(Mode::Unsafe);
    play.say("go");
    ends(&mut play, "length", vec![sent("read_file", json!({"path": "a"})), sent("write_file", half())]);
    assert_eq!(play.proposed().iter().map(ToolCall::name).collect::<Vec<_>>(), ["read_file"]);
    play.reads(1, "text of a");
    assert!(play.last_said().contains("write_file was cut off"), "{}", play.last_said());
}

#[test]
fn only_the_call_that_was_being_written_is_distrusted() {
    let names = |reason: &str, calls: Vec<ModelCall>| {
        let mut play = Play::ready(Mode::Unsafe);
        play.say("go");
        ends(&mut play, reason, calls);
        play.proposed().iter().map(|call| call.name().to_owned()).collect::<Vec<_>>()
    };
    let whole = || sent("read_file", json!({"path": "a"}));
    assert_eq!(names("length", vec![whole()]), ["read_file"], "the limit came behind it");
    assert_eq!(names("length", vec![sent("read_file", Value::Null)]), [""; 0], "its arguments had not begun");
    assert_eq!(names("stop", vec![sent("read_file", Value::Null)]), ["read_file"], "a tool may need none");
    assert_eq!(names("stop", vec![sent("write_file", half())]), [""; 0], "not every server names the limit");
    assert_eq!(names("length", vec![sent("read_file", json!("{\"path\": \"a\nb")), whole()]).len(), 2);
    assert_eq!(names("stop", vec![sent("read_file", json!("path=a"))]), ["read_file"], "wrong, and not cut off");
}

#[test]
fn a_call_of_which_the_server_sends_nothing_at_the_limit_is_told_once() {
    for thinking in ["", "I write it."] {
        let mut play = Play::ready(Mode::Safe);
        let cut = |play: &mut Play| {
            play.model(ModelEvent::Thinking { text: thinking.into() });
            let usage = Usage { reply_tokens: Some(4_096), ..Usage::default() };
            play.model(ModelEvent::Done { reason: Some("length".into()), usage });
        };
        play.say("write");
        cut(&mut play);
        assert!(play.last_said().contains("reached its length limit"), "{}", play.last_said());
        cut(&mut play);
        assert_eq!((play.requests.len(), play.ended()), (2, Some(TurnEndReason::Length)));
    }
}

/// A call of this tool as text.
fn call() -> String {
    hermes("read_file", "a")
}

#[test]
fn a_call_that_the_rest_of_a_reply_holds_is_read_from_the_error() {
    for (words, proposed) in [
        (format!("Failed to parse input at pos 184: {}", call()), 1),
        (format!("Failed to parse input at pos 184: {}\n{}", call(), call()), 2),
        (format!("Failed to parse input at pos 13: <think>I look.</think>\n{}", call()), 1),
        (format!("Failed to parse input at pos 0: I look at it.\n{}", call()), 1),
        (format!("litellm.InternalServerError: Failed to parse input at pos 7: {}. Received Model Group=m", call()), 1),
        (format!("Failed to parse tool call: Extra content after end of tool call. \nModel Output: {}", call()), 1),
        (
            "Failed to parse input at pos 9: <function=read_file>\n<parameter=path>\na\n</parameter>\n</function>"
                .into(),
            1,
        ),
        // The rest may be text of a file that was being written.
        (format!("Failed to parse input at pos 90: like this:\n{}\n</parameter>\n</function>", call()), 0),
        ("Failed to parse input at pos 30: {\"path\": \"a\"}\n</tool_call>".into(), 0),
        (format!("Failed to parse input at pos 0: <think>{}</think>", call()), 0),
        (format!("Failed to parse input at pos 184: {}\n<tool_call>\n{{\"name\": \"write_fi", call()), 0),
        ("Failed to parse input at pos 12: </tool_call>".into(), 0),
    ] {
        let mut play = Play::ready(Mode::Safe);
        play.say("look");
        play.bad_call(&words);
        assert_eq!(play.proposed().len(), proposed, "{words}");
        assert!(play.proposed().iter().all(|call| call.origin.way == Way::ServerError), "{words}");
        assert_eq!((play.requests.len(), play.ended()), (if proposed == 0 { 2 } else { 1 }, None), "{words}");
    }
}

#[test]
fn a_reply_without_a_call_that_the_server_could_not_read_is_not_told_as_a_call() {
    let mut play = Play::ready(Mode::Safe);
    play.say("hello");
    play.bad_call("Failed to parse input at pos 0: Hello there</s>");
    let told = [play.notices().concat(), play.last_said()].concat();
    assert!(told.contains("could not read the model's reply (Failed to parse input at pos 0)"), "{told}");
    assert!(!told.contains("model's call") && play.set_aside().is_empty(), "{told}: {:?}", play.set_aside());
}

#[test]
fn a_call_that_had_begun_to_arrive_is_the_one_that_the_error_quotes_or_nothing_runs() {
    for (begun, proposed) in [
        (vec![sent("read_file", json!("{\"path\": "))], 1),
        (vec![sent("read_file", json!({"path": "a"}))], 1),
        (vec![sent("read_file", json!({"path": "another"}))], 0),
        (vec![sent("write_file", json!({"path": "b", "content": ""})), sent("read_file", json!("{"))], 0),
    ] {
        let mut play = Play::ready(Mode::Safe);
        play.say("look");
        play.model(ModelEvent::Calls { calls: begun.clone() });
        play.bad_call(&format!("Failed to parse input at pos 184: {}", call()));
        assert_eq!(play.proposed().len(), proposed, "{begun:?}");
    }
}

#[test]
fn an_answer_that_stands_only_in_the_thinking_is_asked_for_once_and_then_shown() {
    // Many tokens beside a short thinking look as if a call had been thrown away.
    for tokens in [8, 66] {
        let mut play = Play::ready(Mode::Safe);
        play.say("what is 6 times 7?");
        thinks(&mut play, "The answer is 42.", tokens);
        assert_eq!((play.requests.len(), play.ended()), (2, None));
        assert!(play.last_said().contains("contained only thinking"), "{}", play.last_said());
        thinks(&mut play, "\n\nSo it is 42.\n", tokens);
        assert_eq!((play.requests.len(), play.ended()), (2, Some(TurnEndReason::Done)), "{:?}", play.lines);
        assert_eq!(play.shown(), "So it is 42.");
        assert!(play.notices().concat().contains("only in its thinking"), "{:?}", play.notices());
        play.say("thanks");
        assert!(play.conversation().contains(&"assistant: so it is 42.".to_owned()), "{:?}", play.conversation());
        play.assert_prompt_only_grows();
    }
}

#[test]
fn where_the_second_reply_is_empty_the_thinking_of_the_first_is_the_answer() {
    let mut play = Play::ready(Mode::Safe);
    play.say("what is 6 times 7?");
    thinks(&mut play, "The answer is 42.", 8);
    play.empty(1);
    assert_eq!((play.shown().as_str(), play.ended()), ("The answer is 42.", Some(TurnEndReason::Done)));
}

#[test]
fn thinking_alone_after_a_call_that_could_not_be_read_is_no_answer_yet() {
    let mut play = Play::ready(Mode::Safe);
    play.say("what is in a?");
    play.bad_call("Failed to parse input at pos 0: <tool_call>");
    thinks(&mut play, "I should call read_file again.", 8);
    assert_eq!((play.shown().as_str(), play.ended()), ("", None));
    assert!(play.last_said().contains("contained only thinking"), "{}", play.last_said());
}

#[test]
fn a_reply_that_the_server_threw_away_does_not_make_the_thinking_before_it_the_answer() {
    let mut play = Play::ready(Mode::Safe);
    play.say("what is in a?");
    thinks(&mut play, "I should call read_file.", 8);
    play.empty(40);
    assert_eq!((play.shown().as_str(), play.ended()), ("", None), "a call was lost");
}

#[test]
fn thinking_that_only_says_what_the_model_will_do_is_no_answer_either() {
    let mut play = Play::ready(Mode::Safe);
    play.say("what is in a?");
    thinks(&mut play, "Let me call read_file on a:", 8);
    thinks(&mut play, "Let me call read_file on a:", 8);
    assert_eq!((play.requests.len(), play.ended()), (3, None), "{:?}", play.notices());
}

#[test]
fn the_thinking_of_an_earlier_reply_is_no_answer_once_a_reply_could_be_used() {
    let mut play = Play::ready(Mode::Safe);
    play.say("what is 6 times 7?");
    thinks(&mut play, "The answer is 42.", 8);
    play.calls(&["read_file"]);
    play.reads(1, "text");
    play.empty(1);
    assert_eq!((play.shown().as_str(), play.ended()), ("", None), "it is asked once more");
}

fn refused() -> ServerError {
    ServerError::NoThinking { status: Some(400), message: "think value \"low\" is not supported for this model".into() }
}

#[test]
fn thinking_that_the_server_refuses_is_asked_for_once_in_a_session_and_named() {
    let mut play = Play::ready_with(Settings { think: Some(Think::Low), ..settings() }, Mode::Safe);
    play.say("hello");
    play.broken(refused());
    let asked = |play: &Play| play.requests.iter().map(|request| request.think).collect::<Vec<_>>();
    assert_eq!((asked(&play), play.ended()), (vec![Some(Think::Low), None], None));
    let notice = play.notices().concat();
    assert!(notice.contains("think = \"low\" for m (set by you"), "{notice}");
    assert!(notice.contains("is not supported for this model"), "{notice}");
    assert!(play.events.contains(&Event::Server(ServerEvent::ThinkSet { think: None })), "the screen shows it");
    play.writes("Hello.");
    play.say("and again");
    play.writes("Again.");
    assert_eq!(asked(&play), [Some(Think::Low), None, None], "not tried at each request");
    play.op(Op::Server(ServerOp::SetThink { think: Some(Think::On) }));
    play.say("and thinking");
    assert_eq!(asked(&play).last(), Some(&Some(Think::On)), "what the user sets is tried");
}

#[test]
fn a_server_that_still_refuses_thinking_is_not_asked_for_ever() {
    let mut play = Play::ready_with(Settings { think: Some(Think::Low), ..settings() }, Mode::Safe);
    play.say("hello");
    play.broken(refused());
    play.broken(refused());
    let plain = refused().of_no_thinking_asked();
    assert_eq!(
        (play.requests.len(), play.ended()),
        (2, Some(TurnEndReason::Broken { trouble: plain })),
        "no setting is to blame"
    );
    let mut play = Play::ready(Mode::Safe);
    play.say("hello");
    play.broken(refused());
    assert_eq!((play.requests.len(), play.notices().len()), (1, 0), "nothing was asked of its thinking");
}

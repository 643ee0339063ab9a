//! What goes on after a reply that broke off, a model that is gone, or a reply of nothing.

use crate::play::*;
use agent_protocol::*;
use agent_session::{Input, ServerInput};

fn crashed() -> ServerError {
    ServerError::Crashed { message: "an error was encountered while running the model: unexpected EOF".into() }
}

#[test]
fn a_reply_that_ends_because_the_runner_crashed_is_asked_for_once_more_and_no_more() {
    let mut play = Play::ready(Mode::Safe);
    play.say("tell me");
    play.text("Once upon");
    play.broken(crashed());
    assert_eq!(play.requests.len(), 2);
    assert_eq!(play.ended(), None);
    assert!(play.notices()[0].contains("has crashed"), "{:?}", play.notices());
    play.text("a time");
    play.broken(crashed());
    assert_eq!((play.requests.len(), play.ended()), (2, Some(TurnEndReason::Broken { trouble: crashed() })));
}

#[test]
fn what_waits_when_the_model_is_gone_goes_to_the_one_that_is_chosen_next() {
    let mut play = Play::ready(Mode::Safe);
    play.say("hello");
    play.broken(ServerError::ModelMissing { model: "m".into() });
    play.op(Op::Server(ServerOp::SetModel { name: "other".into() }));
    let card = ModelCard { name: "other".into(), ..card(Some(true)) };
    play.feed(Input::Server(ServerInput::Described { name: "other".into(), result: Ok(card), loaded: None }));
    let last = play.requests.last().expect("requests");
    assert_eq!((play.requests.len(), last.model.as_str()), (2, "other"));
    assert_eq!(play.last_said(), "hello");
    play.writes("hello yourself");
    assert_eq!(play.ended(), Some(TurnEndReason::Done));
}

#[test]
fn a_cleared_conversation_waits_for_no_model() {
    let mut play = Play::ready(Mode::Safe);
    play.say("hello");
    play.broken(ServerError::ModelMissing { model: "m".into() });
    play.op(Op::Context(ContextOp::Clear));
    play.op(Op::Server(ServerOp::SetModel { name: "other".into() }));
    let card = ModelCard { name: "other".into(), ..card(Some(true)) };
    play.feed(Input::Server(ServerInput::Described { name: "other".into(), result: Ok(card), loaded: None }));
    assert_eq!(play.requests.len(), 1);
    assert!(!play.notices().iter().any(|text| text.contains("nothing to take up")), "{:?}", play.notices());
}

#[test]
fn a_first_empty_reply_is_told_once_and_then_the_person_is_asked() {
    let mut play = Play::ready(Mode::Safe);
    play.say("say nothing");
    play.empty(1);
    assert!(play.last_said().contains("your last reply was empty"), "{}", play.last_said());
    play.empty(1);
    assert_eq!((play.requests.len(), play.subject()), (2, Some(Subject::Stuck { how: Stuck::Silent })));
}

#[test]
fn a_server_that_is_back_where_nothing_waits_is_no_news_of_the_conversation() {
    let mut play = Play::ready(Mode::Safe);
    let gone = ServerError::Unreachable { host: "h".into(), why: "refused".into(), program: None };
    play.feed(Input::Server(ServerInput::Probed { result: Err(gone), can_start: false }));
    play.op(Op::Turn(TurnOp::Retry));
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    assert!(play.notices().is_empty(), "{:?}", play.notices());
}

#[test]
fn a_reply_of_which_all_was_left_out_is_no_empty_one() {
    let mut play = Play::ready(Mode::Safe);
    play.say("run the tests");
    play.text("<|tool▁outputs▁begin|>tests passed<|tool▁outputs▁end|>");
    play.empty(1);
    assert_eq!(play.ended(), Some(TurnEndReason::Stuck { how: Stuck::Silent }), "{:?}", play.lines);
    assert_eq!(play.requests.len(), 1);
}

//! Commands in the background, as the mind hears of them.

use agent_protocol::{CallEvent, CallOp};

use crate::play::*;
use agent_protocol::*;
use agent_session::{CallInput, Input};

fn job(id: u64, state: BackgroundState) -> BackgroundCommand {
    BackgroundCommand {
        id: BackgroundId(id),
        command: "npm  run dev".into(),
        description: String::new(),
        state,
        since: 0,
    }
}

fn ended(code: i32) -> BackgroundState {
    BackgroundState::Ended { code: Some(code) }
}

const ENDED: &str = "(the background command 1, `npm run dev`, ended with exit code 1; jobs shows its output)";

fn told(play: &Play) -> String {
    let request = play.requests.last().expect("the model is asked");
    request.messages.last().expect("something was said").content.to_string()
}

#[test]
fn faces_hear_of_each_change_and_an_end_is_told_with_the_next_thing_said_and_once() {
    let mut play = Play::ready(Mode::Safe);
    for state in [BackgroundState::Running, ended(1), ended(1)] {
        play.feed(Input::Call(CallInput::Jobs { jobs: vec![job(1, state)] }));
        assert_eq!(play.events.last(), Some(&Event::Call(CallEvent::Jobs { jobs: vec![job(1, state)] })));
    }
    play.say("go on");
    assert_eq!(told(&play), format!("{ENDED}\n\ngo on"));
    play.text("well");
    play.done();
    play.say("and now");
    assert_eq!(told(&play), "and now");
}

#[test]
fn one_that_is_stopped_by_the_model_needs_no_word() {
    let mut play = Play::ready(Mode::Safe);
    play.feed(Input::Call(CallInput::Jobs { jobs: vec![job(1, BackgroundState::Running)] }));
    play.feed(Input::Call(CallInput::Jobs { jobs: vec![job(1, BackgroundState::Stopped)] }));
    play.say("go on");
    assert_eq!(told(&play), "go on");
}

#[test]
fn one_that_the_person_stops_is_told_and_one_that_does_not_run_is_not() {
    let mut play = Play::ready(Mode::Safe);
    play.feed(Input::Call(CallInput::Jobs { jobs: vec![job(1, BackgroundState::Running), job(2, ended(0))] }));
    play.say("x");
    play.text("y");
    play.done();
    play.op(Op::Call(CallOp::StopJob { job: None }));
    play.say("go on");
    assert_eq!(told(&play), "(the user stopped the background command 1, `npm run dev`)\n\ngo on");
}

//! A command that the user typed themselves: it is asked about nowhere, ends a turn of its own, and the model hears of it with
//! what is said next, where it may.

use crate::play::*;
use agent_protocol::*;

fn run_own(play: &mut Play, command: &str, told: bool) {
    play.op(Op::Call(CallOp::Shell { command: command.into(), told }));
}

fn last_request(play: &Play) -> String {
    let messages = &play.requests.last().unwrap().messages;
    messages.iter().map(|message| message.content.to_string()).collect::<Vec<_>>().join("\n")
}

#[test]
fn it_runs_unasked_in_every_mode_and_no_model_is_asked() {
    for mode in [Mode::Safe, Mode::Plan, Mode::Unsafe] {
        let mut play = Play::ready(mode);
        run_own(&mut play, "make test", true);
        assert!(play.has("runown"), "{:?}", play.lines);
        let calls = play.proposed();
        assert_eq!(
            (calls[0].call.arguments["command"].as_str(), calls[0].origin.way),
            (Some("make test"), Way::Outside)
        );
        play.ran(calls[0].id.0, "exit code 0");
        assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 0), "{mode:?}");
    }
}

#[test]
fn the_model_is_told_with_the_next_words_and_once() {
    let mut play = Play::ready(Mode::Safe);
    run_own(&mut play, "make", true);
    play.ran(1, "$ make\nexit code 2\nno rule");
    play.say("why?");
    let told = last_request(&play);
    assert!(told.contains("no rule") && told.contains("the user ran themselves") && told.ends_with("why?"), "{told}");
    play.writes("Because.");
    play.say("and now?");
    assert_eq!(last_request(&play).matches("no rule").count(), 1);
    play.assert_prompt_only_grows();
}

#[test]
fn what_is_between_the_person_and_their_shell_is_told_to_nobody() {
    let mut play = Play::ready(Mode::Safe);
    run_own(&mut play, "env", false);
    play.ran(1, "$ env\nHOME=/home/ann");
    play.say("hello");
    assert!(!last_request(&play).contains("/home/ann"));
}

#[test]
fn esc_stops_it_and_the_turn_ends_when_it_has() {
    let mut play = Play::ready(Mode::Safe);
    run_own(&mut play, "sleep 600", true);
    play.op(Op::Turn(TurnOp::Interrupt));
    assert!(play.has("stop") && play.ended().is_none(), "{:?}", play.lines);
    play.ran(1, "stopped");
    assert_eq!(play.ended(), Some(TurnEndReason::Interrupted));
}

#[test]
fn while_something_is_under_way_it_is_not_run_and_that_is_said() {
    let mut play = Play::ready(Mode::Safe);
    play.say("go");
    run_own(&mut play, "make", true);
    assert!(play.proposed().is_empty() && play.notices().last().unwrap().contains("make was not run"));
    run_own(&mut Play::ready(Mode::Safe), " ", true);
}

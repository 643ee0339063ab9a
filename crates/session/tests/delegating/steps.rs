//! How many steps agents have, and what is not told to them.

use super::*;
use agent_protocol::CallEvent;
use agent_session::CallInput;

fn with_steps(steps: u32) -> Play {
    let limits = agent_session::Limits { steps, ..Default::default() };
    Play::ready_with(Settings { limits, ..with_task() }, Mode::Safe)
}

#[test]
fn an_agent_that_takes_too_many_steps_is_told_to_answer_and_then_ended() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    for call in 2..52 {
        play.calls(&["read_file"]);
        play.reads(call, &format!("part {call}"));
    }
    assert!(play.last_said().contains("answer now with what you have"), "{}", play.last_said());
    play.lines.clear();
    play.text("I need one more");
    play.calls(&["read_file"]);
    assert!(!play.has("reach"), "what it calls after its last step is not run: {:?}", play.lines);
    let in_vain = delegated(&play).into_iter().rev().find_map(|event| match event {
        Event::Call(CallEvent::Finished { call: CallId(52), outcome }) => Some(outcome.told.clone()),
        _ => None,
    });
    assert_eq!(in_vain.as_deref(), Some("error: not run: that was the last step"));
    let outcome = finished(&play, 1);
    assert_eq!(outcome.status, Status::Failed { kind: FailureKind::Timeout });
    assert!(outcome.told.contains("it took all the steps it may take"), "{}", outcome.told);
    assert!(outcome.told.ends_with("What it said last:\nI need one more"), "{}", outcome.told);
    assert!(play.subject().is_none(), "the first one decides, nobody is asked");
    assert_eq!(play.requests.last().unwrap().messages.len(), 4, "and is told");
}

#[test]
fn an_agent_that_is_told_to_answer_may() {
    let mut play = with_steps(3);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    for call in [2, 3] {
        play.calls(&["read_file"]);
        play.reads(call, &format!("part {call}"));
    }
    play.writes("In a.rs.");
    assert_eq!((finished(&play, 1).status, finished(&play, 1).told), (Status::Done, "In a.rs.".into()));
}

#[test]
fn the_steps_of_agents_are_steps_of_the_turn_however_many_tasks_there_are() {
    let mut play = with_steps(3);
    play.say("see to it");
    play.calls(&["task", "task", "task"]);
    gives_now(&mut play, 1, "explore");
    for call in [4, 5] {
        play.calls(&["read_file"]);
        play.reads(call, &format!("part {call}"));
    }
    assert!(play.last_said().contains("answer now with what you have"), "{}", play.last_said());
    play.writes("In a.rs.");
    let asked = play.requests.len();
    for call in [2, 3] {
        gives_now(&mut play, call, "explore");
        assert!(finished(&play, call).told.contains("no steps left for an agent"), "{}", finished(&play, call).told);
    }
    assert_eq!(play.requests.len(), asked, "nobody is asked for more than the turn has");
    assert!(matches!(play.subject(), Some(Subject::Steps { .. })), "the user decides: {:?}", play.subject());
}

#[test]
fn what_becomes_of_a_background_command_while_an_agent_works_is_told_to_the_first_one() {
    let mut play = ready(Mode::Safe);
    play.say("see to it");
    gives(&mut play, 1, "explore");
    play.calls(&["read_file"]);
    let state = BackgroundState::Ended { code: Some(1) };
    let job =
        BackgroundCommand { id: BackgroundId(1), command: "serve".into(), description: String::new(), state, since: 0 };
    play.feed(Input::Call(CallInput::Jobs { jobs: vec![job] }));
    play.reads(2, "part");
    let said = |play: &Play| play.requests.last().unwrap().messages.iter().any(|said| said.content.contains("`serve`"));
    assert!(!said(&play), "the agent did not start it, and goes");
    play.writes("In a.rs.");
    assert!(said(&play), "the one who started it hears of it");
}

//! Calls that no model made: judged and told like any other, and no model hears of them.

use agent_protocol::{CallEvent, CallOp, SessionOp, TurnEvent, TurnOp};

use crate::play::*;
use agent_protocol::*;
use agent_session::{
    CallEffect, CallInput, Effect, Input, OpenedSession, Planned, Reached, ServerInput, SessionInput, Settings,
};
use serde_json::json;

fn call(play: &mut Play, name: &str) {
    play.op(Op::Call(CallOp::Call { name: name.into(), arguments: json!({"path": "a"}) }));
}

fn alone(mode: Mode) -> Play {
    let mut play = Play::new(Settings { alone: true, model: None, record: true, ..settings() }, mode);
    play.feed(Input::Start);
    play
}

fn card_of() -> SessionCard {
    SessionCard {
        id: SessionId("s".into()),
        title: "one".into(),
        project: ROOT.into(),
        began: 0,
        updated: 0,
        model: None,
        turns: 1,
        bytes: 0,
        parent: None,
        open: false,
    }
}

fn finished(play: &Play) -> Outcome {
    let outcome = play.events.iter().rev().find_map(|event| match event {
        Event::Call(CallEvent::Finished { outcome, .. }) => Some(outcome.clone()),
        _ => None,
    });
    outcome.expect("a call has ended")
}

#[test]
fn a_session_alone_looks_for_no_server_and_carries_out_a_call() {
    let mut play = alone(Mode::Safe);
    assert!(!play.lines.iter().any(|line| line.contains("Probe")), "{:?}", play.lines);
    call(&mut play, "read_file");
    play.reads(1, "what stands there");
    assert_eq!((finished(&play).told.as_str(), play.ended()), ("what stands there", Some(TurnEndReason::Done)));
    let words = play.events.iter().find_map(|event| match event {
        Event::Turn(TurnEvent::Started { text, .. }) => Some(text.as_str()),
        _ => None,
    });
    assert_eq!((words, play.proposed()[0].origin.way), (Some("call read_file"), Way::Outside));
    assert!(play.requests.is_empty() && play.machine.is_at_rest());
}

#[test]
fn a_write_is_asked_about_and_no_ends_the_turn_too() {
    let mut play = alone(Mode::Safe);
    for (id, answer, status) in [(1, no(""), Status::Refused), (2, yes(), Status::Done)] {
        call(&mut play, "write_file");
        play.reached(id, "/p/a");
        play.planned(id, write("/p/a"));
        play.answer(answer);
        if status == Status::Done {
            play.ran(id, "wrote it");
        }
        assert_eq!((finished(&play).status, play.ended()), (status, Some(TurnEndReason::Done)));
    }
}

#[test]
fn no_model_hears_of_it_and_none_is_asked() {
    let mut play = Play::ready(Mode::Safe);
    play.say("one");
    play.writes("Done: I wrote b.txt.");
    call(&mut play, "read_file");
    play.reads(1, "a secret of the other");
    play.say("two");
    let conversation = play.conversation();
    assert!(!conversation.iter().any(|line| line.contains("secret") || line.contains("read_file")), "{conversation:?}");
    play.assert_prompt_only_grows();
}

#[test]
fn one_call_at_a_time_and_none_while_the_model_works() {
    let mut play = Play::ready(Mode::Safe);
    play.say("one");
    call(&mut play, "read_file");
    assert_eq!(play.notices().last().unwrap(), "read_file was not called: something else is under way");
    play.writes("Done.");
    call(&mut play, "read_file");
    call(&mut play, "write_file");
    assert_eq!(play.notices().last().unwrap(), "write_file was not called: something else is under way");
    play.reads(1, "x");
    assert!(play.machine.is_at_rest());
}

#[test]
fn an_interrupt_ends_it_wherever_it_is() {
    let mut play = alone(Mode::Safe);
    call(&mut play, "write_file");
    play.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!((finished(&play).status, play.ended()), (Status::Stopped, Some(TurnEndReason::Interrupted)));
    call(&mut play, "write_file");
    play.reached(2, "/p/a");
    play.planned(2, write("/p/a"));
    play.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!((finished(&play).status, play.ended()), (Status::Refused, Some(TurnEndReason::Interrupted)));
    call(&mut play, "read_file");
    play.reached(3, "/p/a");
    play.planned(3, read("/p/a"));
    play.op(Op::Turn(TurnOp::Interrupt));
    assert!(!play.machine.is_at_rest(), "what runs is stopped, and answers");
    play.ran(3, "half of it");
    assert_eq!((finished(&play).told.as_str(), play.machine.is_at_rest()), ("half of it", true));
}

#[test]
fn what_is_between_a_model_and_its_person_is_not_done_for_others() {
    let mut play = alone(Mode::Safe);
    call(&mut play, "ask_user");
    let reached = Reached {
        action: Action::Read { paths: Vec::new() },
        name: "ask_user".into(),
        stands_for: Vec::new(),
        notes: Vec::new(),
    };
    play.feed(Input::Call(CallInput::Reached { call: CallId(1), result: Ok(reached), facts: Default::default() }));
    let act = SessionAct::Inquire { question: "which?".into(), choices: Vec::new() };
    let preview = Preview { title: "x".into(), body: PreviewBody::Plain };
    let planned = Planned { action: Action::Session { act }, preview };
    play.feed(Input::Call(CallInput::Planned { call: CallId(1), result: Ok(planned), facts: Default::default() }));
    assert_eq!(finished(&play).status, Status::Failed { kind: FailureKind::NotReady });
    assert!(play.lines.iter().any(|line| line.contains("forget")), "{:?}", play.lines);
    assert!(play.machine.is_at_rest());
}

#[test]
fn pictures_go_to_whoever_called_and_not_into_the_journal() {
    let mut play = alone(Mode::Safe);
    call(&mut play, "read_file");
    play.reached(1, "/p/a");
    play.planned(1, read("/p/a"));
    let image = Image { mime: "image/png".into(), width: 1, height: 1, base64: "AAAA".into() };
    let outcome = Outcome { images: vec![image.clone()], ..outcome("a picture") };
    play.feed(Input::Call(CallInput::Ran { call: CallId(1), outcome }));
    assert_eq!(finished(&play).images, [image]);
    let written = serde_json::to_string(&play.records).unwrap();
    assert!(written.contains("a picture") && !written.contains("AAAA"), "{written}");
}

#[test]
fn wherever_its_record_ends_a_later_session_goes_on_and_its_model_hears_nothing_of_it() {
    let mut play = alone(Mode::Unsafe);
    call(&mut play, "read_file");
    play.reads(1, "a secret of the other");
    let begun = |record: &Record| matches!(record, Record::Event { event: Event::Turn(TurnEvent::Started { .. }) });
    for end in 0..=play.records.len() {
        // What began is told by the very next record, written down at once with it.
        if end > 0 && begun(&play.records[end - 1]) {
            continue;
        }
        let mut later = Play::new(Settings { record: true, ..settings() }, Mode::Safe);
        later.feed(Input::Start);
        later.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
        later.feed(Input::Server(ServerInput::Described {
            name: "m".into(),
            result: Ok(card(Some(true))),
            loaded: None,
        }));
        let session = card_of();
        later.op(Op::Session(SessionOp::Open { id: session.id.clone() }));
        let records = play.records[..end].to_vec();
        let opened = OpenedSession { card: session, records, torn: None, recovered: Vec::new(), next: None };
        later.feed(Input::Session(SessionInput::SessionOpened { result: Ok(Box::new(opened)) }));
        later.say("go on");
        let conversation = later.conversation();
        assert!(
            !conversation.iter().any(|line| line.contains("secret") || line.contains("read_file")),
            "{end}: {conversation:?}"
        );
    }
}

#[test]
fn a_call_whose_result_is_known_leaves_nothing_planned() {
    let mut play = alone(Mode::Safe);
    call(&mut play, "nothing");
    let failure = Failure::new(FailureKind::UnknownTool, "there is no such tool; git is off");
    play.feed(Input::Call(CallInput::Reached { call: CallId(1), result: Err(failure), facts: Default::default() }));
    assert_eq!(finished(&play).told, "error: there is no such tool; git is off");
    assert!(!play.machine.step(Input::Leave).iter().any(|effect| matches!(effect, Effect::Call(CallEffect::Stop(_)))));
}

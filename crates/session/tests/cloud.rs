//! Cloud models: nothing is sent to one before the user agreed, and the yes holds for that one alone.

use crate::play::*;
use agent_protocol::*;
use agent_session::{Input, Keep, ServerInput, Settings};

const CLOUD: &str = "gpt-oss:120b-cloud";

fn cloud(name: &str) -> ModelCard {
    let (remote_host, digest) = (Some("ollama.com".to_owned()), Some(format!("digest of {name}")));
    ModelCard { name: name.into(), remote_host, digest, ..card(Some(true)) }
}

/// A session whose settings name a cloud model, which the server has just told of.
fn told_of(name: &str, settings: Settings) -> Play {
    let mut play = Play::new(Settings { model: Some(name.into()), ..settings }, Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    described(&mut play, name);
    play
}

fn described(play: &mut Play, name: &str) {
    let result = Ok(cloud(name));
    play.feed(Input::Server(ServerInput::Described { name: name.into(), result, loaded: None }));
}

fn not_used(play: &Play, name: &str) -> bool {
    play.lines.iter().any(|line| line.starts_with("list") && line.contains("notused") && line.contains(name))
}

#[test]
fn nothing_goes_to_a_cloud_model_before_a_yes_and_the_yes_is_kept_with_it() {
    let mut play = told_of(CLOUD, settings());
    play.say("hello");
    assert_eq!(play.subject(), Some(Subject::Cloud { model: CLOUD.into(), host: "ollama.com".into() }));
    assert!(
        play.requests.is_empty()
            && !play.events.iter().any(|event| matches!(event, Event::Server(ServerEvent::ModelSet { .. })))
    );
    play.answer(yes());
    assert_eq!(play.requests.last().map(|request| request.model.as_str()), Some(CLOUD));
    let kept = play.profiles.last().cloned().expect("the yes is kept");
    assert_eq!(kept.cloud_allowed.as_deref(), Some("ollama.com"));

    let mut again = told_of(CLOUD, Settings { profiles: vec![kept.clone()], ..settings() });
    assert_eq!(again.subject(), None, "it was asked about once");
    assert!(again.notices().last().is_some_and(|text| text.contains("leaves this machine")), "{:?}", again.notices());
    again.say("hello");
    assert_eq!(again.requests.len(), 1);

    let other = told_of("other:cloud", Settings { profiles: vec![kept], ..settings() });
    assert!(other.subject().is_some(), "the yes was for one model");
}

#[test]
fn a_no_leaves_the_model_in_use_and_asks_for_another_where_there_is_none() {
    let mut play = told_of(CLOUD, settings());
    play.answer(no(""));
    assert!(not_used(&play, CLOUD), "{:?}", play.lines);
    play.say("hello");
    assert!(play.requests.is_empty());

    let mut play = Play::ready(Mode::Safe);
    play.op(Op::Server(ServerOp::SetModel { name: CLOUD.into() }));
    described(&mut play, CLOUD);
    play.answer(no(""));
    play.say("hello");
    assert_eq!(play.requests.last().map(|request| request.model.as_str()), Some("m"));
}

#[test]
fn a_question_about_a_model_is_over_when_another_is_chosen() {
    let mut play = told_of(CLOUD, settings());
    play.op(Op::Server(ServerOp::SetModel { name: "m".into() }));
    let result = Ok(card(Some(true)));
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result, loaded: None }));
    assert_eq!(play.subject(), None);
    play.say("hello");
    assert_eq!(play.requests.last().map(|request| request.model.as_str()), Some("m"));
}

#[test]
fn a_script_needs_no_yes_only_where_it_named_a_model_whose_name_says_what_it_is() {
    let script = |named| Settings { keep: Keep::Nothing, model_named: named, ..settings() };
    for (name, named, asks) in [(CLOUD, true, false), (CLOUD, false, true), ("alias", true, true)] {
        let play = told_of(name, script(named));
        assert_eq!(play.subject().is_some(), asks, "{name}, named: {named}");
        let says = play.notices().iter().any(|text| text.contains("leaves this machine"));
        assert_eq!(says, !asks, "{name}, named: {named}");
    }
}

#[test]
fn a_cloud_model_is_not_loaded_beforehand() {
    let mut play = told_of(CLOUD, settings());
    let effects = play.machine.step(Input::Op(Op::Call(CallOp::Reply { ask: play.asked(), answer: yes() })));
    assert!(!effects.iter().any(|effect| format!("{effect:?}").contains("Load {")), "{effects:?}");
}

#[test]
fn a_server_that_will_not_tell_of_a_model_did_not_say_that_it_is_not_installed() {
    let mut play = Play::new(settings(), Mode::Safe);
    play.feed(Input::Start);
    play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
    let (host, message) = ("http://h".to_owned(), Some("unauthorized".to_owned()));
    let trouble =
        ServerError::Locked { host, status: 401, has_key: false, message, sign_in: Some("ollama signin".into()) };
    play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Err(trouble), loaded: None }));
    assert!(not_used(&play, "m"), "{:?}", play.lines);
    let told = play.notices().last().cloned().unwrap_or_default();
    assert!(told.contains("(401: unauthorized); run `ollama signin`"), "{told}");
}

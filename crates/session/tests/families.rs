//! What is known of families of models: options for thinking and for none, and models that cannot stop thinking.

use crate::play::*;
use agent_protocol::*;
use agent_session::{Family, Input, ServerInput, Settings};
use serde_json::{Value, json};

fn of_family(family: Family) -> Play {
    let families = vec![Family { matches: vec!["m".into()], ..family }];
    Play::ready_with(Settings { families, ..settings() }, Mode::Safe)
}

fn options(value: &Value) -> serde_json::Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn a_model_that_is_told_not_to_think_gets_the_options_for_that() {
    let family = Family {
        options: options(&json!({"temperature": 0.6})),
        options_direct: Some(options(&json!({"temperature": 0.7}))),
        ..Family::default()
    };
    let mut play = of_family(family);
    play.say("one");
    assert_eq!(play.requests[0].options["temperature"], 0.6);
    play.writes("Yes.");
    play.op(Op::Server(ServerOp::SetThink { think: Some(Think::Off) }));
    play.say("two");
    assert_eq!(play.requests[1].options["temperature"], 0.7);
    assert_eq!(play.requests[1].think, Some(Think::Off));
}

#[test]
fn a_model_that_cannot_stop_thinking_is_never_told_to_and_the_person_hears_why() {
    let mut play = of_family(Family { never_off: true, ..Family::default() });
    play.op(Op::Server(ServerOp::SetThink { think: Some(Think::Off) }));
    assert!(play.notices().iter().any(|told| told.contains("cannot stop thinking")), "{:?}", play.notices());
    play.say("one");
    assert_eq!(play.requests[0].think, None);
}

#[test]
fn what_the_server_would_do_otherwise_by_itself_is_told_unless_the_person_set_it() {
    let told = |settings: Settings| {
        let mut play = Play::new(settings, Mode::Safe);
        play.feed(Input::Start);
        play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
        let own_options = options(&json!({"presence_penalty": 1.5, "temperature": 1, "top_k": 20}));
        let card = ModelCard { own_options, ..card(Some(true)) };
        let (name, loaded) = ("m".into(), None);
        play.feed(Input::Server(ServerInput::Described { name, result: Ok(card), loaded }));
        let told = play.events.iter().find_map(|event| match event {
            Event::Server(ServerEvent::Overruled { options }) => Some(options.clone()),
            _ => None,
        });
        told.unwrap_or_default().into_iter().map(|option| option.name).collect::<Vec<_>>()
    };
    let family = Family {
        matches: vec!["m".into()],
        options: options(&json!({"presence_penalty": 0, "temperature": 1.0, "top_k": 20})),
        ..Family::default()
    };
    let settings = Settings { families: vec![family], ..settings() };
    assert_eq!(told(settings.clone()), ["presence_penalty"]);
    let own = Settings { options: options(&json!({"presence_penalty": 1})), ..settings };
    assert_eq!(told(own), Vec::<String>::new());
}

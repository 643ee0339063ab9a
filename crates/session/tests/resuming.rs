//! What is said of a session that goes on: what changed since it was left, and nothing else.

use crate::play::*;
use crate::sessions::{card_of, id, recording, resumed_with, talked};
use agent_protocol::*;
use agent_session::{Begin, Input, OpenedSession, ServerInput, SessionInput, Settings};

#[test]
fn a_session_goes_on_with_its_own_instructions_and_says_which_file_changed() {
    let told = |words: &str| format!("Be kind.\nProject folder: /p (linux)\n{words}");
    let with = |words: &str| Settings { system: told(words), ..recording() };
    let mut before = Play::ready_with(with("\n# From AGENTS.md\n\nUse tabs.\n"), Mode::Safe);
    before.say("one");
    before.writes("Yes.");
    let mut play = resumed_with(&before.records, with("\n# From AGENTS.md\n\nUse spaces.\n"));
    assert!(play.notices().iter().any(|notice| notice.starts_with("AGENTS.md changed since")), "{:?}", play.notices());
    play.say("three");
    assert!(play.conversation()[0].contains("use tabs"), "{:?}", play.conversation());
    play.writes("Fine.");
    play.op(Op::Context(ContextOp::Clear));
    play.say("anew");
    assert!(play.conversation()[0].contains("use spaces"), "{:?}", play.conversation());
    let untrusted = resumed_with(&before.records, with(""));
    assert_eq!(untrusted.notices(), Vec::<String>::new(), "that it is not trusted now changed nothing in it");
}

#[test]
fn a_session_that_goes_on_with_the_same_tools_hears_nothing_of_them() {
    // What a small model gets is known only when the model is.
    let group = |name: &str, tool: &str| agent_session::OfferedGroup {
        name: name.into(),
        on: true,
        specs: settings().tools.into_iter().filter(|spec| spec.name == tool).collect(),
    };
    let groups = vec![group("core", "read_file"), group("plan", "write_file")];
    let small = || Settings { groups: groups.clone(), ..recording() };
    let small_card = || ModelCard { parameter_size: Some("3B".into()), ..card(Some(true)) };
    let describe = |play: &mut Play| {
        play.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
        play.feed(Input::Server(ServerInput::Described { name: "m".into(), result: Ok(small_card()), loaded: None }));
    };
    let mut before = Play::new(small(), Mode::Safe);
    before.feed(Input::Start);
    describe(&mut before);
    before.say("one");
    before.writes("Yes.");
    let mut play = Play::new(Settings { begin: Begin::Session(id()), ..small() }, Mode::Safe);
    play.feed(Input::Start);
    let records = before.records.clone();
    let opened = OpenedSession { card: card_of(), records, torn: None, recovered: Vec::new(), next: None };
    play.feed(Input::Session(SessionInput::SessionOpened { result: Ok(Box::new(opened)) }));
    describe(&mut play);
    play.say("two");
    assert_eq!(play.requests.last().unwrap().tools, before.requests.last().unwrap().tools);
    assert_eq!(play.notices(), Vec::<String>::new());
}

#[test]
fn a_project_that_moved_and_tools_that_changed_are_said() {
    let records = talked().records;
    let mut tools = recording().tools;
    tools.truncate(1);
    let mut play = resumed_with(&records, Settings { tools, project: "/q".into(), ..recording() });
    play.say("three");
    let notices = play.notices().join("\n");
    assert!(notices.contains("was in /p, and goes on in /q"), "{notices}");
    assert!(notices.contains("the tools changed since this session was left"), "{notices}");
    assert!(play.last_said().contains("the project folder is /q now"), "{}", play.last_said());
}
